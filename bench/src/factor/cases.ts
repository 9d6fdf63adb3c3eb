/** Matrices that are factored: cubes that grow, bodies of piles and of global problems, and W of the shared problems. */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { load } from "@stickslip/cluster-runner";
import { type BlockPattern, generate, type Problem, Random } from "@stickslip/core";
import { dataFolder } from "../data.js";

export interface MatrixCase extends BlockPattern {
	readonly name: string;
	readonly size: 3 | 6;
	/** Symmetric and definite, blocks by columns. */
	readonly values: Float64Array;
}

type Edges = readonly (readonly [number, number])[];

/** A cube of bodies, each joined to those beside it. */
export function cube(side: number): MatrixCase {
	const at = (x: number, y: number, z: number) => x + side * (y + side * z);
	const edges: [number, number][] = [];
	for (let z = 0; z < side; z += 1) {
		for (let y = 0; y < side; y += 1) {
			for (let x = 0; x < side; x += 1) {
				if (x + 1 < side) edges.push([at(x, y, z), at(x + 1, y, z)]);
				if (y + 1 < side) edges.push([at(x, y, z), at(x, y + 1, z)]);
				if (z + 1 < side) edges.push([at(x, y, z), at(x, y, z + 1)]);
			}
		}
	}
	return ofEdges(`cube of ${side}^3`, side ** 3, edges);
}

/** The bodies of a pile, joined where they touch: what Newton's method in body space factors. */
export function pile(name: string, contacts: number): MatrixCase {
	const { rigid } = generate(name, { contacts, seed: 1 });
	const { body, inverseMass } = rigid!;
	return ofEdges(`bodies of ${contacts} contacts, ${name}`, inverseMass.length, touching(body));
}

function touching(body: Int32Array): [number, number][] {
	const edges: [number, number][] = [];
	for (let k = 0; k < body.length; k += 2) if (body[k]! >= 0 && body[k + 1]! >= 0) edges.push([body[k]!, body[k + 1]!]);
	return edges;
}

/** Random blocks with diagonals that outweigh them. */
function ofEdges(name: string, rows: number, edges: Edges): MatrixCase {
	const beside = Array.from({ length: rows }, (_, i) => new Set([i]));
	for (const [i, j] of edges) {
		beside[i]!.add(j);
		beside[j]!.add(i);
	}
	const column = Int32Array.from(beside.flatMap((columns) => [...columns].sort((a, b) => a - b)));
	const rowStart = new Int32Array(rows + 1);
	for (let i = 0; i < rows; i += 1) rowStart[i + 1] = rowStart[i]! + beside[i]!.size;
	const random = new Random(1);
	const values = Float64Array.from({ length: 36 * column.length }, () => random.between(-1, 1));
	const diagonal = 12 * Math.max(...beside.map(({ size }) => size));
	for (let i = 0; i < rows; i += 1) {
		for (let k = rowStart[i]!; k < rowStart[i + 1]!; k += 1) {
			if (column[k]! < i) continue;
			mirror({ rows, rowStart, column }, values, i, k, 6);
			if (column[k] === i) for (let e = 0; e < 36; e += 7) values[36 * k + e]! += diagonal;
		}
	}
	return { name, size: 6, rows, rowStart, column, values };
}

/** The block across the diagonal from the k-th becomes its transpose. */
function mirror({ rowStart, column }: BlockPattern, values: Float64Array, i: number, k: number, size: 3 | 6): void {
	const row = column[k]!;
	let other = rowStart[row]!;
	while (column[other] !== i) other += 1;
	const [from, to] = [size * size * k, size * size * other];
	for (let r = 0; r < size; r += 1)
		for (let c = 0; c < size; c += 1) values[to + size * r + c] = values[from + size * c + r]!;
}

/** W + 0.01 of its mean diagonal entry, symmetric. */
function ofProblem({ name, W }: Problem): MatrixCase | undefined {
	if (W === undefined) return undefined;
	const { rows, rowStart, column } = W;
	const values = new Float64Array(W.values.length);
	for (let k = 0; k < column.length; k += 1)
		for (let e = 0; e < 9; e += 1) values[9 * k + 3 * (e % 3) + Math.floor(e / 3)] = W.values[9 * k + e]!;
	const diagonal: number[] = [];
	for (let i = 0; i < rows; i += 1)
		for (let k = rowStart[i]!; k < rowStart[i + 1]!; k += 1)
			if (column[k] === i) diagonal.push(9 * k, 9 * k + 4, 9 * k + 8);
	const mean = diagonal.reduce((sum, at) => sum + values[at]!, 0) / diagonal.length;
	for (const at of diagonal) values[at]! += 0.01 * mean;
	const pattern = { rows, rowStart, column };
	for (let i = 0; i < rows; i += 1)
		for (let k = rowStart[i]!; k < rowStart[i + 1]!; k += 1) if (column[k]! >= i) mirror(pattern, values, i, k, 3);
	return { name: `W of ${basename(name, ".hdf5")}`, size: 3, ...pattern, values };
}

/** Bodies of six degrees of freedom, joined by the contacts whose columns of H they share. */
function ofGlobal({ name, global }: Problem): MatrixCase | undefined {
	if (global === undefined || global.M.rows % 6 !== 0) return undefined;
	const { H } = global;
	const bodies = Array.from({ length: Math.ceil(H.columns / 3) }, () => new Set<number>());
	for (let i = 0; i < H.rows; i += 1)
		for (let k = H.rowStart[i]!; k < H.rowStart[i + 1]!; k += 1)
			bodies[Math.floor(H.column[k]! / 3)]!.add(Math.floor(i / 6));
	const edges = bodies.flatMap((set) => {
		const list = [...set];
		return list.flatMap((i) => list.filter((j) => j > i).map((j): [number, number] => [i, j]));
	});
	return ofEdges(`bodies of ${basename(name, ".hdf5")}`, global.M.rows / 6, edges);
}

const SHARED_W = [
	"drum/drum_N1000_PR_t0.600_drop.hdf5",
	"drum/drum_N1000_RG_t0.600_drop.hdf5",
	"drum/drum_N100_PR_t0.900_drop.hdf5",
	"cubes/cubes_M5_N2_BC_t0.100.hdf5",
	"fclib/KaplasTower-i1061-4.hdf5",
	"fclib/Capsules-i125-1213.hdf5",
	"fclib/Spheres-i099-356-679_condensed.hdf5",
];
const SHARED_BODIES = ["Spheres-i099-356-679.hdf5", "Box_Stacks-i0122-82-5.hdf5"];

/** Of the shared data, as much as there is. */
export async function sharedCases(): Promise<MatrixCase[]> {
	const data = dataFolder();
	if (data === undefined) return [];
	const found: MatrixCase[] = [];
	const take = async (path: string, make: (problem: Problem) => MatrixCase | undefined) => {
		if (!existsSync(path)) return;
		const each = make((await load(path)).problem);
		if (each !== undefined) found.push(each);
	};
	for (const file of SHARED_W) await take(join(data, file), ofProblem);
	for (const file of SHARED_BODIES) await take(join(data, "fclib-global", file), ofGlobal);
	return found;
}
