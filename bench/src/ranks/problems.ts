/** The problems whose answers have to be the same on any number of ranks: generated ones of both kinds and sizes, and shared ones where they are. */
import { join } from "node:path";
import { generate, type Problem } from "@stickslip/core";
import { dataFolder, readFile } from "../data.js";

/** Of the shared data: rigid bodies and flexible ones, a drum, cubes, condensed global forms. */
const SHARED = [
	"fclib/KaplasTower-i1061-4",
	"fclib-global/Box_Stacks-i0122-82-5",
	"drum/drum_N100_PR_t0.900_drop",
	"cubes/cubes_M5_N2_RG_t0.650",
];

export interface Subject {
	readonly name: string;
	readonly problem: Problem;
}

export async function subjects(): Promise<Subject[]> {
	const all: Subject[] = [
		// Rows of W, bodies, and more contacts than are single tiles.
		{ name: "spheres-600", problem: generate("spheres", { contacts: 600, seed: 1 }) },
		{ name: "planks-700", problem: generate("planks", { contacts: 700, seed: 2 }) },
		{ name: "spheres-5000", problem: generate("spheres", { contacts: 5000, seed: 3 }) },
		{ name: "spheres-1", problem: generate("spheres", { contacts: 1, seed: 4 }) },
	];
	const data = dataFolder();
	if (data === undefined) return all;
	for (const name of SHARED) {
		all.push({ name: name.replace(/^.*\//, ""), problem: await readFile(join(data, `${name}.hdf5`)) });
	}
	return all;
}

export interface MethodCase {
	readonly method: string;
	readonly set: Readonly<Record<string, string | number>>;
	readonly maxIterations: number;
}

/** Few iterations are enough: a bit that differs stays different. */
export const METHODS: readonly MethodCase[] = [
	{ method: "pqn-diagonal", set: {}, maxIterations: 30 },
	{ method: "pqn", set: { scaling: "none" }, maxIterations: 6 },
	{ method: "gauss-seidel", set: {}, maxIterations: 20 },
	// Through several anchors.
	{ method: "proximal-gauss-seidel", set: { patience: 4, sweeps: 6 }, maxIterations: 30 },
	...["jacobi", "fixed-point", "extragradient", "apgd", "spg"].map((method) => ({
		method,
		set: {},
		maxIterations: 12,
	})),
];
