/** The partitioned graphs: piles, steps of scenes, and graphs that are hard or easy in their own ways. */
import { join } from "node:path";
import { generate, Random } from "@stickslip/core";
import { type Graph, graphOfBodies, graphOfPattern, graphOfProblem } from "@stickslip/partition";
import { readFile } from "../data.js";

export interface Sample {
	readonly name: string;
	/** `data` is the folder of the shared problems; undefined where it is needed and not there. */
	make(size: number, data: string | undefined): Promise<Drawn | undefined> | Drawn;
}

export interface Drawn {
	readonly graph: Graph;
	/** Three coordinates per vertex, where they are known. */
	readonly points?: Float64Array;
}

export const samples: readonly Sample[] = [
	{ name: "spheres", make: (contacts) => pile("spheres", contacts) },
	{ name: "planks", make: (contacts) => pile("planks", contacts) },
	{ name: "drum", make: (_, data) => step(data, "drum/drum_N1000_RG_t0.600_drop.hdf5") },
	{ name: "kapla tower", make: (_, data) => step(data, "fclib/KaplasTower-i1061-4.hdf5") },
	{ name: "cubes", make: (_, data) => step(data, "cubes/cubes_M5_N2_RG_t0.650.hdf5") },
	{ name: "chain", make: (contacts) => ({ graph: chain(contacts) }) },
	{ name: "random", make: (vertices) => ({ graph: sparse(vertices) }) },
	{ name: "geometric", make: geometric },
];

function pile(name: string, contacts: number): Drawn {
	const problem = generate(name, { contacts });
	return { graph: graphOfProblem(problem), points: problem.geometry.point };
}

async function step(data: string | undefined, path: string): Promise<Drawn | undefined> {
	if (data === undefined) return undefined;
	const problem = await readFile(join(data, path));
	const points = problem.geometry?.point;
	return { graph: graphOfProblem(problem), ...(points === undefined ? {} : { points }) };
}

/** Bodies one on the other. */
function chain(contacts: number): Graph {
	return graphOfBodies(Int32Array.from({ length: 2 * contacts }, (_, side) => (side >> 1) + (side & 1) - 1));
}

const SPARSE_DEGREE = 6;
const GEOMETRIC_DEGREE = 10;

/** Any two vertices may be joined: nothing is near anything, and every cut is bad. */
function sparse(vertices: number): Graph {
	const random = new Random(3);
	const lists = Array.from({ length: vertices }, () => new Set<number>());
	for (let i = 0; i < (vertices * SPARSE_DEGREE) / 2; i += 1)
		lists[random.below(vertices)]!.add(random.below(vertices));
	for (const [v, list] of lists.entries()) list.delete(v);
	return ofLists(lists);
}

/** Points in a square, joined where they are near. */
function geometric(vertices: number): Drawn {
	const random = new Random(5);
	const points = new Float64Array(3 * vertices);
	for (let v = 0; v < vertices; v += 1) points.set([random.uniform(), random.uniform()], 3 * v);
	const reach = Math.sqrt(GEOMETRIC_DEGREE / vertices / Math.PI);
	const side = Math.max(1, Math.floor(1 / reach));
	const cellOf = (v: number, axis: number): number => Math.floor(points[3 * v + axis]! * side);
	const cells = Array.from({ length: side * side }, () => [] as number[]);
	for (let v = 0; v < vertices; v += 1) cells[cellOf(v, 1) * side + cellOf(v, 0)]!.push(v);
	const lists = Array.from({ length: vertices }, (_, v) => {
		const near: number[] = [];
		for (let y = cellOf(v, 1) - 1; y <= cellOf(v, 1) + 1; y += 1) {
			for (let x = cellOf(v, 0) - 1; x <= cellOf(v, 0) + 1; x += 1) {
				if (x < 0 || y < 0 || x >= side || y >= side) continue;
				for (const other of cells[y * side + x]!) {
					const [dx, dy] = [points[3 * v]! - points[3 * other]!, points[3 * v + 1]! - points[3 * other + 1]!];
					if (other !== v && dx * dx + dy * dy < reach * reach) near.push(other);
				}
			}
		}
		return new Set(near);
	});
	return { graph: ofLists(lists), points };
}

function ofLists(lists: readonly ReadonlySet<number>[]): Graph {
	const start = new Int32Array(lists.length + 1);
	for (const [v, list] of lists.entries()) start[v + 1] = start[v]! + list.size;
	const graph = graphOfPattern(start, Int32Array.from(lists.flatMap((list) => [...list])));
	const blocks = graph.vertexWeight.map((_, v) => graph.start[v + 1]! - graph.start[v]! + 1);
	return { ...graph, vertexWeight: blocks };
}

/** Spheres on a lattice of so many per edge, nine in ten of the neighbours in touch: two bodies per contact. */
export function latticeBodies(edge: number): Int32Array {
	const random = new Random(7);
	const body: number[] = [];
	for (let z = 0; z < edge; z += 1) {
		for (let y = 0; y < edge; y += 1) {
			for (let x = 0; x < edge; x += 1) {
				const id = (z * edge + y) * edge + x;
				if (z === 0) body.push(-1, id);
				const steps = [x + 1 < edge ? 1 : 0, y + 1 < edge ? edge : 0, z + 1 < edge ? edge * edge : 0];
				for (const step of steps) if (step > 0 && random.uniform() < 0.9) body.push(id, id + step);
			}
		}
	}
	return Int32Array.from(body);
}
