/** The layout: colours in which nothing couples, a permutation, runs that cover every place once, and the orders by name. */
import { describe, expect, test } from "vitest";
import { generate } from "../generate/index.js";
import type { Problem } from "../problem/problem.js";
import { solve } from "../solve/solve.js";
import { pile } from "../testing/gallery.js";
import { randomProblem } from "../testing/random-problems.js";
import { colourBlocks, type Layout, makeLayout, ORDERS, TILE_CONTACTS } from "./layout.js";
import { System, systemDefaults } from "./system.js";
import { type Coupling, colourTiles } from "./tiles.js";

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

	test("the coloured sweep goes by colours of tiles, and by colours inside a tile", () => {
		const layout = makeLayout(blocks, blocks, coupling, { order: "coloured", seed: 1 });
		const colour = colourBlocks(blocks, coupling, 1);
		const tile = Int32Array.from({ length: blocks }, (_, a) => Math.floor(a / TILE_CONTACTS));
		const tileColour = colourTiles(tile, Math.ceil(blocks / TILE_CONTACTS), coupling);
		const visited: number[][] = [];
		for (let i = 0; i < layout.runs.length; i += 2) {
			for (let at = layout.runs[i]!; at < layout.runs[i + 1]!; at += 1) {
				const id = layout.order[at]!;
				visited.push([tileColour[tile[id]!]!, tile[id]!, colour[id]!]);
			}
		}
		const sorted = [...visited].sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!);
		expect(visited).toEqual(sorted);
		expect(layout.colours).toBe(1 + Math.max(...colour));
	});

	test("no two tiles of a colour couple, so that tiles can be shared out", () => {
		const tile = Int32Array.from({ length: blocks }, (_, a) => Math.floor(a / 16));
		const tileColour = colourTiles(tile, Math.ceil(blocks / 16), coupling);
		const clashes = pairs.filter(([a, b]) => tile[a] !== tile[b] && tileColour[tile[a]!] === tileColour[tile[b]!]);
		expect(clashes).toEqual([]);
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

/** All contacts at body 0, each with a body of its own on the other side. */
const hub = (contacts: number): Int32Array =>
	Int32Array.from({ length: 2 * contacts }, (_, k) => (k % 2 === 0 ? 0 : 1 + (k >> 1)));
const inOrder = (colour: Int32Array): Int32Array => colour.slice().sort();
const upTo = (count: number): Int32Array => Int32Array.from({ length: count }, (_, a) => a);

test("5,000 contacts on one body: 5,000 colours, each a run of its own", () => {
	const coupling = { body: hub(5000), bodies: 5001 };
	expect(inOrder(colourBlocks(5000, coupling, 1))).toEqual(upTo(5000));
	const layout = makeLayout(5000, 5000, coupling, { order: "coloured", seed: 1 });
	expect(layout.colours).toBe(5000);
	expectPermutation(layout, 5000);
	expectCover(layout, 5000);
});

test("two hubs that share their contacts in part: no colour twice at a body, none larger than it has to be", () => {
	// 3,000 contacts at body 0, 3,000 at body 1, 1,000 at both: colours of the last are free at both.
	const body = Int32Array.from({ length: 14_000 }, (_, k) => {
		const contact = k >> 1;
		if (contact >= 6000) return k % 2;
		return k % 2 === 0 ? Math.floor(contact / 3000) : 2 + contact;
	});
	const coupling = { body, bodies: 6002 };
	const colour = colourBlocks(7000, coupling, 1);
	for (const hubBody of [0, 1]) {
		const at = Array.from(colour).filter((_, a) => body[2 * a] === hubBody || body[2 * a + 1] === hubBody);
		expect(new Set(at).size).toBe(4000);
	}
	// First fit: below every colour all are taken by one neighbour or another, of which there are 7,000 at the most.
	expect(colour.reduce((most, c) => Math.max(most, c), 0)).toBeLessThan(7000);
});

test("a hundred thousand contacts on one body take a moment, not a table of bodies times colours", () => {
	const coupling = { body: hub(100_000), bodies: 100_001 };
	const layout = makeLayout(100_000, 100_000, coupling, { order: "coloured", seed: 1 });
	expect(layout.colours).toBe(100_000);
	expectPermutation(layout, 100_000);
});

test("a pattern in which 4,200 blocks all couple: as many colours", () => {
	// Row a holds columns 0 to a: the other half is seen from the other side.
	const blocks = 4200;
	const rowStart = Int32Array.from({ length: blocks + 1 }, (_, a) => (a * (a + 1)) / 2);
	const column = new Int32Array(rowStart[blocks]!);
	for (let a = 0; a < blocks; a += 1) column.set(upTo(a + 1), rowStart[a]!);
	expect(inOrder(colourBlocks(blocks, { rowStart, column }, 1))).toEqual(upTo(blocks));
});

test("one hub row of 5,000 blocks: two colours, and a system that solves", () => {
	const contacts = 5000;
	const rowStart = Int32Array.from({ length: contacts + 1 }, (_, a) => (a === 0 ? 0 : contacts + 2 * (a - 1)));
	const column = new Int32Array(rowStart[contacts]!);
	column.set(upTo(contacts));
	for (let a = 1; a < contacts; a += 1) column.set([0, a], rowStart[a]!);
	const values = new Float64Array(9 * column.length);
	for (let k = 0; k < column.length; k += 1) {
		const own = k === 0 || (k >= contacts && column[k] !== 0);
		for (let i = 0; i < 9; i += 4) values[9 * k + i] = own ? 1 : 1e-4;
	}
	const q = Float64Array.from({ length: 3 * contacts }, (_, k) => (k % 3 === 0 ? -1 : 0.1));
	const W = { rows: contacts, rowStart, column, values };
	const problem: Problem = { name: "hub", contacts, q, mu: new Float64Array(contacts).fill(0.5), W };
	expect(new System(problem, systemDefaults).layout.colours).toBe(2);
	expect(solve(problem).report.status).toBe("solved");
});

test("orders without colours say so", () => {
	const { W } = randomProblem({ seed: 4, contacts: 60, density: 0.1 });
	for (const order of ["file", "shuffled"] as const) {
		const { colours, name } = makeLayout(60, 60, W!, { order, seed: 1 });
		expect([colours, name]).toEqual([0, order]);
		const { report } = solve(randomProblem({ seed: 4, contacts: 60, density: 0.1 }), { set: { order } });
		expect(report.reason).toContain(`sweeps first, in ${order} order`);
	}
});

test("many contacts on one body: as many colours as contacts, beyond one word of bits", () => {
	const contacts = 100;
	expect(inOrder(colourBlocks(contacts, { body: hub(contacts), bodies: contacts + 1 }, 1))).toEqual(upTo(contacts));
});
