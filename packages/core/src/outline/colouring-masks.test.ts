/** Colours by kernels, on both engines: which patterns they take, and that bodies and their pattern get the same. What they are like stands in colouring.test.ts. */
import { describe, expect, test } from "vitest";
import { assembleRigid } from "../problem/assemble-rigid.js";
import { pile } from "../testing/gallery.js";
import { sequenceOf } from "./colouring.js";
import { colourByMasks, isSymmetricPattern, orderByMasks } from "./colouring-masks.js";
import { makeLayout } from "./layout.js";

const pattern = (...rows: number[][]): [number, Int32Array, Int32Array] => {
	const start = [0];
	for (const row of rows) start.push(start.at(-1)! + row.length);
	return [rows.length, Int32Array.from(start), Int32Array.from(rows.flat())];
};

describe.each(["wasm", "twin"] as const)("%s", (engine) => {
	test("symmetric patterns, with a diagonal or without", () => {
		expect(isSymmetricPattern(...pattern(), engine)).toBe(true);
		expect(isSymmetricPattern(...pattern([0], [], [2]), engine)).toBe(true);
		expect(isSymmetricPattern(...pattern([0, 1, 3], [0, 1], [2], [0]), engine)).toBe(true);
	});

	test("not where an entry lacks its mirror image, on either side, or a row does not ascend", () => {
		expect(isSymmetricPattern(...pattern([0, 1], [1]), engine)).toBe(false);
		expect(isSymmetricPattern(...pattern([0], [0, 1]), engine)).toBe(false);
		expect(isSymmetricPattern(...pattern([0, 1, 2], [0, 1], [2]), engine)).toBe(false);
		expect(isSymmetricPattern(...pattern([0, 2], [1, 2], [1, 2]), engine)).toBe(false);
		expect(isSymmetricPattern(...pattern([1, 0], [0, 1]), engine)).toBe(false);
		expect(isSymmetricPattern(...pattern([0, 1, 1], [0, 0, 1]), engine)).toBe(false);
	});

	test("thirty-three blocks that all couple, and thirty-two", () => {
		const clique = (blocks: number) => {
			const row = Array.from({ length: blocks }, (_, a) => a);
			const [, rowStart, column] = pattern(...row.map(() => row));
			return colourByMasks(sequenceOf(blocks, 1), { rowStart, column }, engine);
		};
		expect(clique(33)).toBeUndefined();
		expect([...clique(32)!].sort((a, b) => a - b)).toEqual(Array.from({ length: 32 }, (_, c) => c));
	});
});

test.each(["spheres", "planks"] as const)("%s: either engine, bodies or their pattern, one colouring", (kind) => {
	const { rigid, contacts } = pile(kind, 300);
	const sequence = sequenceOf(contacts, 7);
	const { rowStart, column } = assembleRigid(rigid!);
	const wanted = colourByMasks(sequence, { rowStart, column });
	expect(new Set(wanted).size).toBeGreaterThan(4);
	expect(colourByMasks(sequence, { rowStart, column }, "twin")).toEqual(wanted);
	const bodies = { body: rigid!.body, bodies: rigid!.inverseMass.length };
	expect(colourByMasks(sequence, bodies)).toEqual(wanted);
	expect(colourByMasks(sequence, bodies, "twin")).toEqual(wanted);
});

test.each(["spheres", "planks"] as const)(
	"%s: the order by kernels is the general one, by rows, bodies or both",
	(kind) => {
		const { rigid, contacts } = pile(kind, 300);
		const { rowStart, column } = assembleRigid(rigid!);
		const bodies = { body: rigid!.body, bodies: rigid!.inverseMass.length };
		for (const coupling of [{ rowStart, column }, bodies, { ...bodies, rowStart }]) {
			for (const seed of [1, 2]) {
				// Of laws it is made in the general way, here of one for all.
				const options = { order: "coloured", seed } as const;
				const wanted = makeLayout(contacts, contacts, coupling, options, undefined, new Uint8Array(contacts));
				const { stepStart, ...layout } = makeLayout(contacts, contacts, coupling, options);
				expect(layout).toEqual(wanted);
				const { order, start } = orderByMasks(sequenceOf(contacts, seed), coupling, "twin")!;
				expect(order).toEqual(wanted.order);
				expect(start).toEqual(stepStart);
				expect(start.length).toBe(wanted.steps + 1);
				for (let c = 0; c < wanted.steps; c += 1) {
					expect(new Set(wanted.tileColour.subarray(start[c], start[c + 1]))).toEqual(new Set([c]));
				}
			}
		}
	},
);
