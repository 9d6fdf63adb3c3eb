/** The layout: colours in which nothing couples, a permutation, runs that cover every place once, and the orders by name. */
import { describe, expect, test } from "vitest";
import { generate } from "../generate/index.js";
import type { Problem } from "../problem/problem.js";
import { pile } from "../testing/gallery.js";
import { randomProblem } from "../testing/random-problems.js";
import { type Coupling, colourBlocks, type Layout, makeLayout, ORDERS } from "./layout.js";
import { System, systemDefaults } from "./system.js";

const couplingOf = ({ W, rigid }: Problem, kind: "pattern" | "bodies"): Coupling =>
	kind === "pattern" || rigid === undefined ? W! : { body: rigid.body, bodies: rigid.inverseMass.length };

/** Pairs of blocks that couple, by the pattern or by a common body. */
function couples(coupling: Coupling, blocks: number): [number, number][] {
	const pairs: [number, number][] = [];
	if (!("body" in coupling)) {
		for (let a = 0; a < blocks; a += 1) {
			for (let k = coupling.rowStart[a]!; k < coupling.rowStart[a + 1]!; k += 1) pairs.push([a, coupling.column[k]!]);
		}
		return pairs.filter(([a, b]) => a !== b);
	}
	const at = new Map<number, number[]>();
	for (const [k, body] of coupling.body.entries()) {
		if (body < 0) continue;
		const list = at.get(body) ?? [];
		for (const other of list) if (other !== k >> 1) pairs.push([k >> 1, other]);
		at.set(body, [...list, k >> 1]);
	}
	return pairs;
}

function expectPermutation({ order, place }: Layout, blocks: number): void {
	expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: blocks }, (_, a) => a));
	for (let at = 0; at < blocks; at += 1) expect(place[order[at]!]).toBe(at);
}

function expectCover({ runs }: Layout, blocks: number): void {
	const visits = new Uint8Array(blocks);
	for (let i = 0; i < runs.length; i += 2) {
		expect(runs[i]).toBeLessThan(runs[i + 1]!);
		for (let at = runs[i]!; at < runs[i + 1]!; at += 1) visits[at]! += 1;
	}
	expect(visits.every((count) => count === 1)).toBe(true);
}

const cases: [string, Problem, "pattern" | "bodies"][] = [
	["a full matrix", randomProblem({ seed: 1, contacts: 9 }), "pattern"],
	["a sparse matrix", randomProblem({ seed: 2, contacts: 120, density: 0.03 }), "pattern"],
	["spheres by bodies", pile("spheres", 500), "bodies"],
	["spheres by W", pile("spheres", 500), "pattern"],
	["planks by bodies", pile("planks", 300), "bodies"],
	["more than one tile", generate("spheres", { contacts: 9000 }), "bodies"],
];

describe.each(cases)("%s", (_, problem, kind) => {
	const coupling = couplingOf(problem, kind);
	const blocks = problem.contacts;
	const pairs = couples(coupling, blocks);

	test("no two blocks of a colour couple", () => {
		const colour = colourBlocks(blocks, coupling, 1);
		const clashes = pairs.filter(([a, b]) => colour[a] === colour[b]);
		expect(clashes).toEqual([]);
	});

	test.each(ORDERS)("order %s: a permutation, and a sweep that visits every block once", (order) => {
		const layout = makeLayout(blocks, blocks, coupling, { order, seed: 3 });
		expectPermutation(layout, blocks);
		expectCover(layout, blocks);
	});

	test("the coloured sweep goes colour by colour, so that blocks in between can be solved at the same time", () => {
		const layout = makeLayout(blocks, blocks, coupling, { order: "coloured", seed: 1 });
		const colour = colourBlocks(blocks, coupling, 1);
		const visited: number[] = [];
		for (let i = 0; i < layout.runs.length; i += 2) {
			for (let at = layout.runs[i]!; at < layout.runs[i + 1]!; at += 1) visited.push(colour[layout.order[at]!]!);
		}
		expect(visited).toEqual([...visited].sort((a, b) => a - b));
		expect(layout.colours).toBe(1 + visited[visited.length - 1]!);
	});
});

test("an unsymmetric pattern: blocks of a colour do not couple in either direction", () => {
	// Row 1 holds column 0 and row 0 does not hold column 1; row 2 stands alone; row 0 holds column 3.
	const rowStart = Int32Array.of(0, 2, 4, 5, 6);
	const column = Int32Array.of(0, 3, 0, 1, 2, 3);
	const colour = colourBlocks(4, { rowStart, column }, 1);
	expect(colour[1]).not.toBe(colour[0]);
	expect(colour[3]).not.toBe(colour[0]);
});

test("shuffled: another seed is another order, the same seed the same; file: the order of the file", () => {
	const { W } = randomProblem({ seed: 4, contacts: 60, density: 0.1 });
	const shuffled = (seed: number): number[] => [...makeLayout(60, 60, W!, { order: "shuffled", seed }).order];
	expect(shuffled(1)).toEqual(shuffled(1));
	expect(shuffled(1)).not.toEqual(shuffled(2));
	expect([...makeLayout(60, 60, W!, { order: "file", seed: 1 }).order]).toEqual(
		Array.from({ length: 60 }, (_, a) => a),
	);
});

test("equality blocks stand behind all contacts, whatever the order", () => {
	const problem = randomProblem({ seed: 5, contacts: 13, equalityRows: 7, density: 0.3 });
	for (const order of ORDERS) {
		const { layout, blocks, contacts } = new System(problem, { ...systemDefaults, order });
		expect(blocks).toBe(16);
		expectPermutation(layout, blocks);
		expectCover(layout, blocks);
		for (let at = contacts; at < blocks; at += 1) expect(layout.order[at]).toBeGreaterThanOrEqual(contacts);
	}
});

test("many contacts on one body: as many colours as contacts, beyond one word of bits", () => {
	const contacts = 100;
	const body = Int32Array.from({ length: 2 * contacts }, (_, k) => (k % 2 === 0 ? 0 : 1 + (k >> 1)));
	const colour = colourBlocks(contacts, { body, bodies: contacts + 1 }, 1);
	expect([...colour].sort((a, b) => a - b)).toEqual(Array.from({ length: contacts }, (_, a) => a));
});
