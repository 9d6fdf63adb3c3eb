/** Bodies that a cut goes through, counted by hand; and which axis is cut across where it is known what a cut costs. */
import { generate, Random } from "@stickslip/core";
import { expect, test } from "vitest";
import type { Graph } from "../graph/graph.js";
import { partition } from "../partition/partition.js";
import { bodiesCut } from "./cut-bodies.js";

function cutByHand(body: Int32Array, sides: readonly (readonly number[])[]): number {
	const [first, second] = sides.map((side) => new Set(side.flatMap((a) => [body[2 * a]!, body[2 * a + 1]!])));
	return [...first!].filter((b) => b >= 0 && second!.has(b)).length;
}

test("bodies on both sides are counted once each, of contacts and of tiles, time after time", () => {
	const { rigid, contacts } = generate("spheres", { contacts: 200, seed: 4 });
	const { body } = rigid!;
	const random = new Random(1);
	const order = random.shuffle(Int32Array.from({ length: contacts }, (_, a) => a));
	const start = Int32Array.from({ length: Math.ceil(contacts / 8) + 1 }, (_, t) => Math.min(8 * t, contacts));
	const ofContacts = bodiesCut(body);
	const ofTiles = bodiesCut(body, order, start);
	const lowOf = (list: Int32Array, middle: number) => {
		const isLow = new Uint8Array(list.length);
		for (const v of list.subarray(0, middle)) isLow[v] = 1;
		return isLow;
	};
	const contactsOf = (t: number) => [...order.subarray(start[t]!, start[t + 1]!)];
	for (let round = 0; round < 20; round += 1) {
		const middle = random.below(contacts + 1);
		const list = random.shuffle(order.slice());
		const halves = [[...list.subarray(0, middle)], [...list.subarray(middle)]];
		expect(ofContacts(list, lowOf(list, middle))).toBe(cutByHand(body, halves));
		const tiles = random.shuffle(Int32Array.from({ length: start.length - 1 }, (_, t) => t));
		const half = random.below(tiles.length + 1);
		const sides = [tiles.subarray(0, half), tiles.subarray(half)].map((side) => [...side].flatMap(contactsOf));
		expect(ofTiles(tiles, lowOf(tiles, half))).toBe(cutByHand(body, sides));
	}
});

test("bars that lie along the widest axis are not cut across it", () => {
	// Bar b has contacts at x = 0 .. 9, y = b.
	const vertices = 80;
	const points = Float64Array.from({ length: 3 * vertices }, (_, i) =>
		i % 3 === 0 ? Math.floor(i / 3) % 10 : i % 3 === 1 ? Math.floor(i / 30) : 0,
	);
	const body = Int32Array.from({ length: 2 * vertices }, (_, k) => (k % 2 === 0 ? Math.floor(k / 20) : -1));
	const graph: Graph = {
		vertices,
		start: new Int32Array(vertices + 1),
		neighbour: new Int32Array(0),
		vertexWeight: new Int32Array(vertices).fill(1),
	};
	const partsOf = (owner: Int32Array) =>
		Array.from({ length: 8 }, (_, b) => new Set(owner.subarray(10 * b, 10 * b + 10)));
	const across = partition(graph, 2, { method: "rcb", points });
	expect(partsOf(across.owner).every(({ size }) => size === 2)).toBe(true);
	for (const parts of [2, 4]) {
		const along = partition(graph, parts, { method: "rcb", points, cost: bodiesCut(body) });
		expect(
			partsOf(along.owner).every(({ size }) => size === 1),
			`${parts} parts`,
		).toBe(true);
		expect(new Set(along.owner).size).toBe(parts);
	}
});
