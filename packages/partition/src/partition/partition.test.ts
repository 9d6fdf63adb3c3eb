import { InputError, Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { balanceAim } from "../graph/balance.js";
import { checkSymmetric, type Graph } from "../graph/graph.js";
import { balanceByHand, chain, cutByHand, graphOfEdges, grid, randomGraph, renamed } from "../testing/graphs.js";
import { PARTITION_METHODS, partition } from "./partition.js";

const ours = PARTITION_METHODS.filter((method) => method !== "metis");

/** Points unrelated to the graph, which every method has to handle. */
function somePoints(vertices: number): Float64Array {
	const random = new Random(5);
	return Float64Array.from({ length: 3 * vertices }, () => random.uniform());
}

function expectValid(graph: Graph, parts: number, owner: Int32Array, what: string): void {
	expect(owner.length, what).toBe(graph.vertices);
	expect(
		owner.every((part) => part >= 0 && part < parts),
		what,
	).toBe(true);
	// A part is empty only if there are too few vertices.
	expect(new Set(owner).size, what).toBe(Math.min(parts, graph.vertices));
}

describe("small graphs, all of them", () => {
	it("are partitioned validly by every method into any number of parts", () => {
		for (let vertices = 0; vertices <= 4; vertices += 1) {
			const pairs: [number, number][] = [];
			for (let a = 0; a < vertices; a += 1) for (let b = a + 1; b < vertices; b += 1) pairs.push([a, b]);
			for (let mask = 0; mask < 2 ** pairs.length; mask += 1) {
				const edges = pairs.filter((_, i) => (mask >> i) & 1);
				const graph = graphOfEdges(vertices, edges);
				checkSymmetric(graph);
				for (let parts = 1; parts <= 6; parts += 1) {
					for (const method of ours) {
						const { owner } = partition(graph, parts, { method, points: somePoints(vertices) });
						expectValid(graph, parts, owner, `${method}, ${parts} parts of ${JSON.stringify(edges)}`);
					}
				}
			}
		}
	});

	it("get the best bisection there is where their parts must be equal", () => {
		for (let seed = 1; seed <= 20; seed += 1) {
			const graph = { ...randomGraph(8, 3, seed), vertexWeight: new Int32Array(8).fill(1) };
			let best = Infinity;
			for (let mask = 0; mask < 256; mask += 1) {
				const owner = Int32Array.from({ length: 8 }, (_, v) => (mask >> v) & 1);
				if (owner.reduce((sum, part) => sum + part, 0) === 4) best = Math.min(best, cutByHand(graph, owner));
			}
			expect(cutByHand(graph, partition(graph, 2).owner), `seed ${seed}`).toBe(best);
		}
	});
});

describe("known cuts", () => {
	it("a chain is cut between its parts and nowhere else", () => {
		for (const parts of [2, 3, 5, 8, 16]) {
			const { owner } = partition(chain(1000), parts);
			expect(cutByHand(chain(1000), owner), `${parts} parts`).toBeLessThanOrEqual(parts === 16 ? 16 : parts - 1);
		}
	});

	it("a grid is cut across, by coordinates exactly and by multilevel about", () => {
		const { graph, points } = grid(32, 16);
		expect(cutByHand(graph, partition(graph, 2, { method: "rcb", points }).owner)).toBe(16);
		expect(cutByHand(graph, partition(graph, 4, { method: "rcb", points }).owner)).toBe(48);
		expect(cutByHand(graph, partition(graph, 2).owner)).toBe(16);
		expect(cutByHand(graph, partition(graph, 4).owner)).toBeLessThanOrEqual(52);
	});

	it("pieces that fit into parts are not cut", () => {
		const edges: [number, number][] = [];
		for (let piece = 0; piece < 6; piece += 1)
			for (let a = 0; a < 10; a += 1) for (let b = a + 1; b < 10; b += 1) edges.push([10 * piece + a, 10 * piece + b]);
		const graph = graphOfEdges(60, edges);
		for (const parts of [2, 3, 6]) expect(cutByHand(graph, partition(graph, parts).owner)).toBe(0);
	});

	it("heavy edges stay whole", () => {
		const light = chain(64);
		const edgeWeight = new Int32Array(light.neighbour.length);
		for (let v = 0; v < 64; v += 1) {
			for (let k = light.start[v]!; k < light.start[v + 1]!; k += 1)
				edgeWeight[k] = Math.min(v, light.neighbour[k]!) % 2 === 0 ? 1000 : 1;
		}
		const graph = { ...light, edgeWeight };
		for (const parts of [2, 4, 8]) expect(cutByHand(graph, partition(graph, parts).owner)).toBeLessThan(1000);
	});
});

describe("balance", () => {
	it("is what is aimed at, on random weighted graphs", () => {
		for (let seed = 1; seed <= (process.env.STICKSLIP_THOROUGH === "1" ? 6 : 2); seed += 1) {
			const graph = randomGraph(600, 5, seed);
			for (const parts of [2, 3, 5, 8, 16]) {
				const { owner } = partition(graph, parts, { seed });
				const what = `seed ${seed}, ${parts} parts`;
				expect(balanceAim(graph, parts), what).toBeGreaterThanOrEqual(1.05);
				expect(balanceByHand(graph, owner, parts), what).toBeLessThanOrEqual(balanceAim(graph, parts) + 1e-9);
			}
		}
	});

	it("of coordinates and curves is within a vertex of the share", () => {
		const graph = randomGraph(500, 4, 9);
		const points = somePoints(500);
		for (const method of ["rcb", "sfc"] as const) {
			for (const parts of [2, 3, 7]) {
				const { owner } = partition(graph, parts, { method, points });
				expectValid(graph, parts, owner, method);
				expect(balanceByHand(graph, owner, parts), `${method}, ${parts}`).toBeLessThan(1.1);
			}
		}
	});

	it("takes weights of zero, of all vertices too", () => {
		const { graph, points } = grid(10, 10);
		const none = { ...graph, vertexWeight: new Int32Array(100) };
		for (const method of ours) {
			const { owner } = partition(none, 4, { method, points });
			expect(balanceByHand(graph, owner, 4), method).toBeLessThanOrEqual(1.08);
		}
		const some = { ...graph, vertexWeight: Int32Array.from({ length: 100 }, (_, v) => v % 2) };
		expectValid(some, 7, partition(some, 7).owner, "every second weighs nothing");
	});
});

describe("the same again", () => {
	it("a seed gives the same owners, another seed valid ones", () => {
		const graph = randomGraph(400, 6, 3);
		expect(partition(graph, 5, { seed: 7 }).owner).toEqual(partition(graph, 5, { seed: 7 }).owner);
		expectValid(graph, 5, partition(graph, 5, { seed: 2 ** 40 }).owner, "a large seed");
	});

	it("any names of the vertices give a valid partition of about the same cut", () => {
		const { graph } = grid(24, 24);
		const cut = cutByHand(graph, partition(graph, 4).owner);
		for (let seed = 1; seed <= 5; seed += 1) {
			const to = new Random(seed).shuffle(Int32Array.from({ length: graph.vertices }, (_, v) => v));
			const other = renamed(graph, to);
			const { owner } = partition(other, 4);
			expectValid(other, 4, owner, `seed ${seed}`);
			expect(balanceByHand(other, owner, 4)).toBeLessThanOrEqual(1.05 + 1e-9);
			expect(cutByHand(other, owner), `seed ${seed}`).toBeLessThanOrEqual(1.3 * cut);
		}
	});

	it("does not change what it was given", () => {
		const graph = randomGraph(100, 4, 1);
		const before = structuredClone(graph);
		for (const method of ours) partition(graph, 4, { method, points: somePoints(100) });
		expect(graph).toEqual(before);
	});
});

describe("hard graphs", () => {
	it("a star shrinks by two hops and is balanced", () => {
		const graph = graphOfEdges(
			2001,
			Array.from({ length: 2000 }, (_, v) => [0, v + 1] as const),
		);
		const { owner } = partition(graph, 8);
		expect(balanceByHand(graph, owner, 8)).toBeLessThanOrEqual(1.05 + 1e-9);
	});

	it("no edges at all, one heavy vertex among light ones, and all points in one place", () => {
		const none = graphOfEdges(1000, []);
		expect(balanceByHand(none, partition(none, 7).owner, 7)).toBeLessThanOrEqual(1.05 + 1e-9);
		const heavy = { ...chain(200), vertexWeight: new Int32Array(200).fill(1).fill(1000, 0, 1) };
		expectValid(heavy, 4, partition(heavy, 4).owner, "one heavy vertex");
		for (const method of ["rcb", "sfc"] as const) {
			const { owner } = partition(none, 7, { method, points: new Float64Array(3000) });
			expect(balanceByHand(none, owner, 7), method).toBeLessThanOrEqual(1.05 + 1e-9);
		}
	});
});

describe("bad input", () => {
	const graph = chain(10);
	it("names what is wrong and what to do", () => {
		expect(() => partition(graph, 0)).toThrow(/parts: 0 is not a number of parts; give 1 or more/);
		expect(() => partition(graph, 2, { method: "rcb" })).toThrow(/rcb needs points/);
		expect(() => partition(graph, 2, { method: "best" as "auto" })).toThrow(/choose among auto/);
		expect(() => partition(graph, 2, { seed: -1 })).toThrow(/-1 is not a seed/);
		expect(() => partition(graph, 2, { points: new Float64Array(3) })).toThrow(/3 numbers for 10 vertices/);
		expect(() => partition(graph, 2, { points: new Float64Array(30).fill(Number.NaN) })).toThrow(/is not finite/);
	});

	it("refuses graphs that are none", () => {
		const broken: Partial<Graph>[] = [
			{ start: new Int32Array(3) },
			{ neighbour: graph.neighbour.map(() => 10) },
			{ neighbour: graph.neighbour.map((_, k) => (k === 0 ? 0 : 1)) },
			{ vertexWeight: new Int32Array(10).fill(-1) },
			{ edgeWeight: new Int32Array(2) },
			{ edgeWeight: new Int32Array(18) },
			{ vertices: 1.5 },
		];
		for (const change of broken) expect(() => partition({ ...graph, ...change }, 2)).toThrow(InputError);
		expect(() => checkSymmetric({ ...graph, neighbour: graph.neighbour.map((v) => (v + 1) % 10) })).toThrow(InputError);
	});
});
