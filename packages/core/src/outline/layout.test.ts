/**
 * The layout: a permutation, tiles that cover every place once, tiles of a colour that never couple (so that they can be shared out),
 * and the orders by name. Small problems have a contact per tile; the tests of tiles ask for them. Colours of contacts are those of system/colouring.test.ts.
 */
import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import { generate } from "../generate/index.js";
import type { Problem } from "../problem/problem.js";
import { solve } from "../solve/solve.js";
import { systemDefaults, systemOf } from "../system/system.js";
import { pile } from "../testing/gallery.js";
import { randomProblem } from "../testing/random-problems.js";
import { visitsOf } from "../testing/visits.js";
import { type Layout, makeLayout, ORDERS, tileContacts } from "./layout.js";
import { makePlan } from "./plan.js";
import { type Coupling, colourTiles, tileNeighbours } from "./tiles.js";

const couplingOf = ({ W, rigid }: Problem, kind: "pattern" | "bodies"): Coupling =>
	kind === "pattern" || rigid === undefined ? W! : { body: rigid.body, bodies: rigid.inverseMass.length };

const upTo = (count: number): Int32Array => Int32Array.from({ length: count }, (_, a) => a);

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
	expect(order.slice().sort()).toEqual(Int32Array.from({ length: blocks }, (_, a) => a));
	expect(order.every((id, at) => place[id] === at)).toBe(true);
}

/** The tile of each block, by id; every place is in one tile, and no tile is empty. */
function tilesOf({ order, tileStart, tileColour }: Layout, blocks: number): Int32Array {
	expect(tileStart).toHaveLength(tileColour.length + 1);
	expect([tileStart[0], tileStart.at(-1)]).toEqual([0, blocks]);
	const tile = new Int32Array(blocks).fill(-1);
	for (let t = 0; t < tileColour.length; t += 1) {
		expect(tileStart[t]).toBeLessThan(tileStart[t + 1]!);
		for (let at = tileStart[t]!; at < tileStart[t + 1]!; at += 1) tile[order[at]!] = t;
	}
	return tile;
}

/** Every colour from 0 to steps - 1 is there. */
function expectSteps({ tileColour, steps }: Layout): void {
	expect([...new Set(tileColour)].sort((a, b) => a - b)).toEqual(Array.from({ length: steps }, (_, step) => step));
}

const cases: [string, Problem, "pattern" | "bodies", number?][] = [
	["a full matrix", randomProblem({ seed: 1, contacts: 9 }), "pattern"],
	["a sparse matrix", randomProblem({ seed: 2, contacts: 120, density: 0.03 }), "pattern"],
	["spheres by bodies", pile("spheres", 500), "bodies"],
	["spheres by W", pile("spheres", 500), "pattern"],
	["planks by bodies", pile("planks", 300), "bodies"],
	["tiles of spheres by bodies", generate("spheres", { contacts: 9000 }), "bodies", 64],
	["tiles of spheres by W", pile("spheres", 5000), "pattern", 32],
	["tiles of planks by bodies", generate("planks", { contacts: 5000 }), "bodies", 33],
];

describe.each(cases)("%s", (_, problem, kind, tile) => {
	const size = tile ?? 1;
	const options = { order: "coloured" as const, seed: 1, ...(tile ? { tile } : {}) };
	const coupling = couplingOf(problem, kind);
	const blocks = problem.contacts;
	const pairs = couples(coupling, blocks);
	const { point } = problem.geometry ?? {};
	const coloured = makeLayout(blocks, blocks, coupling, options, point);

	test.each(ORDERS)("order %s: a permutation in tiles, and a sweep that visits every block once", (order) => {
		const layout = makeLayout(blocks, blocks, coupling, { ...options, order, seed: 3 }, point);
		expectPermutation(layout, blocks);
		tilesOf(layout, blocks);
		expectSteps(layout);
	});

	test("tiles of a colour never couple, whichever contacts of theirs", () => {
		const tile = tilesOf(coloured, blocks);
		const colourOf = (a: number): number => coloured.tileColour[tile[a]!]!;
		expect(pairs.filter(([a, b]) => tile[a] !== tile[b] && colourOf(a) === colourOf(b))).toEqual([]);
	});

	test("tiles are single contacts in the order of their colours, or full", () => {
		const { tileStart, tileColour, steps, colours } = coloured;
		for (let t = 0; t + 1 < tileColour.length; t += 1) expect(tileStart[t + 1]! - tileStart[t]!).toBe(size);
		if (size > 1) return;
		expect(tileColour).toEqual(tileColour.slice().sort());
		expect(steps).toBe(colours);
	});

	test("inside a tile contacts stand by colours: no more runs of uncoupled ones than there are colours", () => {
		const coupled = Array.from({ length: blocks }, () => new Set<number>());
		for (const [a, b] of pairs) {
			coupled[a]!.add(b);
			coupled[b]!.add(a);
		}
		const { tileStart, tileColour, order, colours } = coloured;
		for (let t = 0; t < tileColour.length; t += 1) {
			let runs = 1;
			let run: number[] = [];
			for (const id of order.subarray(tileStart[t]!, tileStart[t + 1]!)) {
				if (run.some((other) => coupled[id]!.has(other))) {
					runs += 1;
					run = [];
				}
				run.push(id);
			}
			expect(runs).toBeLessThanOrEqual(colours);
		}
	});

	test("neighbours of tiles are what the pairs say", () => {
		const tile = Int32Array.from({ length: blocks }, (_, a) => Math.floor(a / 16));
		const tiles = Math.ceil(blocks / 16);
		const wanted = Array.from({ length: tiles }, () => new Set<number>());
		for (const [a, b] of pairs) {
			if (tile[a] === tile[b]) continue;
			wanted[tile[a]!]!.add(tile[b]!);
			wanted[tile[b]!]!.add(tile[a]!);
		}
		expect(tileNeighbours(tile, tiles, coupling)).toEqual(wanted);
		const colour = colourTiles(tile, tiles, coupling, 1);
		for (const [t, others] of wanted.entries()) for (const other of others) expect(colour[other]).not.toBe(colour[t]);
	});
});

test("tiles of many contacts are near in space where points are known, and runs of ids where they are not", () => {
	// Contacts in a random numbering: of their own accord generated ones are numbered by neighbourhood.
	const made = generate("spheres", { contacts: 9000 });
	const { contacts: blocks } = made;
	const old = new Random(8).shuffle(upTo(blocks));
	const body = Int32Array.from({ length: 2 * blocks }, (_, k) => made.rigid.body[2 * old[k >> 1]! + (k & 1)]!);
	const coupling = { body, bodies: made.rigid.inverseMass.length };
	const point = Float64Array.from(
		{ length: 3 * blocks },
		(_, k) => made.geometry.point[3 * old[Math.floor(k / 3)]! + (k % 3)]!,
	);
	/** The mean over tiles of the largest distance from a tile's first contact. */
	const spread = ({ order, tileStart }: Layout): number => {
		let sum = 0;
		for (let t = 0; t + 1 < tileStart.length; t += 1) {
			const ids = [...order.subarray(tileStart[t]!, tileStart[t + 1]!)];
			const distance = (id: number): number =>
				Math.hypot(...[0, 1, 2].map((i) => point[3 * id + i]! - point[3 * ids[0]! + i]!));
			sum += Math.max(...ids.map(distance));
		}
		return sum / (tileStart.length - 1);
	};
	const size = 32;
	const near = makeLayout(blocks, blocks, coupling, { order: "coloured", seed: 1, tile: size }, point);
	const byIds = makeLayout(blocks, blocks, coupling, { order: "coloured", seed: 1, tile: size });
	expect(tilesOf(byIds, blocks)).toEqual(Int32Array.from({ length: blocks }, (_, a) => Math.floor(a / size)));
	expect(spread(near)).toBeLessThan(0.25 * spread(byIds));
});

test("an unsymmetric pattern: blocks of a colour do not couple in either direction", () => {
	// Row 1 holds column 0 and row 0 does not hold column 1; row 2 stands alone; row 0 holds column 3.
	const rowStart = Int32Array.of(0, 2, 4, 5, 6);
	const column = Int32Array.of(0, 3, 0, 1, 2, 3);
	const layout = makeLayout(4, 4, { rowStart, column }, { order: "coloured", seed: 1 });
	const tile = tilesOf(layout, 4);
	const colourOf = (a: number): number => layout.tileColour[tile[a]!]!;
	expect(colourOf(1)).not.toBe(colourOf(0));
	expect(colourOf(3)).not.toBe(colourOf(0));
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

describe("equality blocks", () => {
	test.each(ORDERS)("order %s: behind all contacts", (order) => {
		const problem = randomProblem({ seed: 5, contacts: 13, equalityRows: 7, density: 0.3 });
		const { layout, blocks } = makePlan(problem, { ...systemDefaults, order });
		expect(blocks).toBe(16);
		expectPermutation(layout, blocks);
		tilesOf(layout, blocks);
		expect(layout.order.subarray(13).every((id) => id >= 13)).toBe(true);
		const { share } = systemOf(problem, { ...systemDefaults, order });
		expect(share.ids).toEqual(layout.order);
		expect(visitsOf(share)).toEqual(Array.from({ length: 16 }, (_, at) => at));
	});

	test.each([40, 4200])("with %d contacts: one tile, the last, of a colour and step of its own", (contacts) => {
		// A chain of contacts, of which each of four equality blocks holds every tenth from its own number on.
		const blocks = contacts + 4;
		const rows = Array.from({ length: blocks }, (_, a) => {
			if (a < contacts) return [Math.max(0, a - 1), a, Math.min(contacts - 1, a + 1)];
			return [...Array.from({ length: Math.floor(contacts / 10) }, (_, k) => 10 * k + a - contacts), a];
		});
		const rowStart = new Int32Array(blocks + 1);
		for (const [a, row] of rows.entries()) rowStart[a + 1] = rowStart[a]! + row.length;
		const coupling = { rowStart, column: Int32Array.from(rows.flat()) };
		const layout = makeLayout(blocks, contacts, coupling, { order: "coloured", seed: 1 });
		expectPermutation(layout, blocks);
		const tile = tilesOf(layout, blocks);
		expectSteps(layout);
		const last = layout.tileColour.length - 1;
		expect(layout.tileStart[last]).toBe(contacts);
		expect(layout.order.slice(contacts).sort()).toEqual(Int32Array.of(...[0, 1, 2, 3].map((k) => contacts + k)));
		expect(layout.tileColour[last]).toBe(layout.steps - 1);
		expect(layout.tileColour.subarray(0, last).includes(layout.steps - 1)).toBe(false);
		const colourOf = (a: number): number => layout.tileColour[tile[a]!]!;
		for (const [a, b] of couples(coupling, blocks)) {
			if (tile[a] !== tile[b]) expect(colourOf(a)).not.toBe(colourOf(b));
		}
	});
});

/** All contacts at body 0, each with a body of its own on the other side. */
const hub = (contacts: number): Int32Array =>
	Int32Array.from({ length: 2 * contacts }, (_, k) => (k % 2 === 0 ? 0 : 1 + (k >> 1)));

test.each([100, 5000, 100_000])("%d contacts on one body: as many colours, and as many steps as tiles", (contacts) => {
	const coupling = { body: hub(contacts), bodies: contacts + 1 };
	const layout = makeLayout(contacts, contacts, coupling, { order: "coloured", seed: 1 });
	expect(layout.colours).toBe(contacts);
	expect(layout.steps).toBe(layout.tileColour.length);
	expectPermutation(layout, contacts);
	tilesOf(layout, contacts);
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
	const { share } = systemOf(problem, systemDefaults);
	expect(share.colours).toBe(2);
	expect(share.sweep.steps).toBe(2);
	expect(solve(problem).report.status).toBe("solved");
});

test("orders without colours say so", () => {
	const { W } = randomProblem({ seed: 4, contacts: 60, density: 0.1 });
	for (const order of ["file", "shuffled"] as const) {
		const { colours, steps, name } = makeLayout(60, 60, W!, { order, seed: 1 });
		expect([colours, steps, name]).toEqual([0, 1, order]);
		const { report } = solve(randomProblem({ seed: 4, contacts: 60, density: 0.1 }), { set: { order } });
		expect(report.choice).toContain(`${order} order`);
	}
});

test("tiles by size: single contacts up to 65,536, then larger ones, and always enough for 64 ranks to be in balance", () => {
	expect([1, 100, 65_536].map((contacts) => tileContacts(contacts))).toEqual([1, 1, 1]);
	for (const contacts of [65_537, 100_000, 300_000, 1_000_000, 4_000_000]) {
		expect(tileContacts(contacts)).toBeGreaterThan(1);
		// A tile more than the mean is at most 7 % of it.
		expect(contacts / tileContacts(contacts) / 64).toBeGreaterThan(15);
	}
});

test("a body with so many contacts that single ones would be too many steps: tiles of them, and not one contact before", () => {
	const steps = (contacts: number) => {
		const body = Int32Array.from({ length: 2 * contacts }, (_, k) => (k & 1) - 1);
		return makeLayout(contacts, contacts, { body, bodies: 1 }, { order: "coloured", seed: 1 }).steps;
	};
	expect([steps(16_666), steps(16_667), steps(20_000)]).toEqual([16_666, 261, 313]);
});
