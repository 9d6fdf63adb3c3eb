/**
 * The drum of Koziara 2017 with 100 particles by projected quasi-Newton with varied options, by `stickslip study sensitivity`: tables 2 to 4 of that report, with
 * its own numbers beside ours, and grids as figures 2 to 11 have. docs/scaling.md is made of what is recorded (`npm run docs:scaling`).
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Bench } from "../bench.js";
import { program } from "../launch/subject.js";
import { mergeCsv } from "../record.js";

/** What the report tells of the whole simulation. */
interface Theirs {
	readonly seconds: number;
	readonly share?: number;
	readonly iterations?: number;
	readonly failed?: number;
}

export interface SensitivityCase {
	readonly name: string;
	readonly scene: string;
	/** The method with settings that stay. */
	readonly method: string;
	/** Values by option. */
	readonly vary: Readonly<Record<string, readonly number[]>>;
	readonly theirs?: Theirs;
}

const RIGID = "drum:bodies=100";
const PSEUDO_RIGID = "drum:bodies=100:kind=pseudo-rigid";
/** As the report's program: GMRES goes on from its last increment, and has time until it pays. */
const METHOD = "pqn:increment=last:patience=20";

function chosen(
	name: string,
	scene: string,
	relativeTo: string,
	triple: readonly number[],
	theirs: Theirs,
): SensitivityCase {
	const [delta = 0, epsilon = 0, m = 0] = triple;
	// An absolute delta has the report's units, in which nothing is scaled and patience has no end.
	const method = relativeTo === "none" ? "pqn:scaling=none" : METHOD;
	return {
		name,
		scene,
		method: `${method}:deltaRelativeTo=${relativeTo}`,
		vary: { delta: [delta], epsilon: [epsilon], m: [m] },
		theirs,
	};
}

function sweeps(name: string, scene: string, theirs: Theirs): SensitivityCase {
	return { name, scene, method: "gauss-seidel", vary: {}, theirs };
}

const rigid = "Tables 2 to 4, rigid ellipsoids";
const pseudoRigid = "Tables 2 to 4, pseudo-rigid ellipsoids";
/** Choices that the report tabulates. */
const tabulated: readonly SensitivityCase[] = [
	chosen(rigid, RIGID, "none", [1e-4, 0.25, 15], { seconds: 525, share: 0.78, iterations: 10, failed: 0 }),
	chosen(rigid, RIGID, "min", [0.025, 0.25, 15], { seconds: 495 }),
	chosen(rigid, RIGID, "mean", [0.01, 0.25, 10], { seconds: 467, share: 0.77, iterations: 9, failed: 0 }),
	chosen(rigid, RIGID, "max", [0.01, 0.25, 20], { seconds: 525 }),
	sweeps(rigid, RIGID, { seconds: 495, share: 0.85, iterations: 112, failed: 20 }),
	chosen(pseudoRigid, PSEUDO_RIGID, "none", [1e-13, 0.25, 20], { seconds: 356, share: 0.64, iterations: 5, failed: 0 }),
	chosen(pseudoRigid, PSEUDO_RIGID, "min", [0.1, 0.1, 20], { seconds: 378 }),
	chosen(pseudoRigid, PSEUDO_RIGID, "mean", [0.01, 0.01, 5], { seconds: 352, share: 0.65, iterations: 5, failed: 0 }),
	chosen(pseudoRigid, PSEUDO_RIGID, "max", [0.01, 0.05, 10], { seconds: 385 }),
	sweeps(pseudoRigid, PSEUDO_RIGID, { seconds: 482, share: 0.45, iterations: 18, failed: 0 }),
];

const FULL = {
	delta: [0.001, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5],
	epsilon: [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 0.25],
	m: [3, 5, 10, 15, 20, 25, 30, 40, 50, 70, 100],
};
const COARSE = { delta: [0.001, 0.01, 0.1], epsilon: [0.001, 0.25], m: [5, 20] };

/** Cases a and b of figures 7 and 10: relative to the mean diagonal entry, by epsilon with many inner iterations, and by these at one epsilon. */
function drawn({ delta, epsilon, m }: typeof FULL): SensitivityCase[] {
	const scenes = [
		["rigid", RIGID, "7"],
		["pseudo-rigid", PSEUDO_RIGID, "10"],
	] as const;
	return scenes.flatMap(([name, scene, figure]) => [
		{ name: `Figure ${figure}, case a, ${name}`, scene, method: METHOD, vary: { delta, epsilon, m: [1000] } },
		{ name: `Figure ${figure}, case b, ${name}`, scene, method: METHOD, vary: { delta, epsilon: [0.001], m } },
	]);
}

export function sensitivityCases(grid: "tables" | "coarse" | "full"): SensitivityCase[] {
	if (grid === "tables") return [...tabulated];
	return [...tabulated, ...drawn(grid === "full" ? FULL : COARSE)];
}

/** Steps of 10 s; the first five warm up. */
const STEPS = 10_001 - 5;
/** Instead of all steps: so many after each of these numbers of steps, while all particles are in the drum and it turns. */
const WINDOWS: readonly Window[] = [2000, 5000, 8000].map((skip) => ({ skip, steps: 50 }));
const kept = fileURLToPath(new URL("../../../out/sensitivity/", import.meta.url));

/** Steps that are measured, and how many there are before them. */
export interface Window {
	readonly skip: number;
	readonly steps: number;
}

interface SensitivityRecord {
	readonly method: string;
	readonly solves: number;
	readonly failed: number;
	readonly iterations: number;
	readonly products: number;
	readonly seconds: number;
	readonly solveShare: number;
}

/** Runs a case in these windows. All cases of one scene and window share a folder, so that the steps before it are made once; they go on there if they were stopped. */
export function runSensitivity(each: SensitivityCase, windows: readonly Window[], folder: string): SensitivityRecord[] {
	const all = windows.map((window) => runWindow(each, window, folder));
	return all[0]!.map(({ method }) => joined(all.map((records) => records.find((record) => record.method === method)!)));
}

function runWindow(each: SensitivityCase, { skip, steps }: Window, folder: string): SensitivityRecord[] {
	const values = Object.entries(each.vary).flatMap(([option, list]) => ["--vary", `${option}=${list.join(",")}`]);
	const output = join(folder, `${each.scene} ${skip} ${steps}`.replaceAll(/[^\w]+/g, "-"));
	const target = ["--measure", "merit", "--tolerances", "1e-8", "--max-iterations", "1000"];
	const when = ["--skip", String(skip), "--steps", String(steps)];
	const words = [each.scene, "--method", each.method, ...values, ...target, ...when, "--output", output];
	const { status } = spawnSync(process.execPath, [program, "study", "sensitivity", ...words], { stdio: "inherit" });
	if (status !== 0) throw new Error(`stickslip study ended with ${status}; the same line goes on`);
	return JSON.parse(readFileSync(join(output, "sensitivity.json"), "utf8")) as SensitivityRecord[];
}

/** Windows of one choice of options together. */
function joined(records: readonly SensitivityRecord[]): SensitivityRecord {
	const sum = (of: (record: SensitivityRecord) => number) => records.reduce((total, record) => total + of(record), 0);
	const [solves, seconds] = [sum((record) => record.solves), sum((record) => record.seconds)];
	return {
		method: records[0]!.method,
		...{ solves, seconds, failed: sum(({ failed }) => failed) },
		iterations: sum((record) => record.solves * record.iterations) / solves,
		products: sum((record) => record.solves * record.products) / solves,
		solveShare: sum((record) => record.seconds * record.solveShare) / seconds,
	};
}

export function sensitivityRow({ name, theirs }: SensitivityCase, record: SensitivityRecord) {
	const { method, solves, failed, iterations, products, seconds, solveShare } = record;
	const rounded = (value: number) => Number(value.toPrecision(3));
	return {
		...{ case: name, method: method.replaceAll(":", " "), steps: solves, iterations: rounded(iterations) },
		...{ products: rounded(products), failed, seconds: rounded(seconds), solveShare: rounded(solveShare) },
		...{ theirIterations: theirs?.iterations ?? "", theirFailed: theirs?.failed ?? "" },
		...{ theirSeconds: theirs?.seconds ?? "", theirShare: theirs?.share ?? "" },
	};
}

async function run(args: readonly string[]): Promise<number> {
	const text = { type: "string" } as const;
	const flag = { type: "boolean" } as const;
	const { values } = parseArgs({
		args: [...args],
		options: { grid: text, full: flag, whole: flag, case: text, method: text },
	});
	const grid = values.full === true ? "full" : values.grid === "tables" ? "tables" : "coarse";
	const windows = values.full === true || values.whole === true ? [{ skip: 0, steps: STEPS }] : WINDOWS;
	const isChosen = ({ name, method }: SensitivityCase) =>
		name.includes(values.case ?? "") && method.includes(values.method ?? "");
	for (const each of sensitivityCases(grid).filter(isChosen)) {
		const rows = runSensitivity(each, windows, kept).map((record) => sensitivityRow(each, record));
		console.log(`${each.name}: recorded in ${mergeCsv("sensitivity", ["case", "method", "steps"], rows)}`);
	}
	console.log("npm run docs:scaling makes docs/scaling.md of it");
	return 0;
}

export const sensitivity: Bench = {
	name: "sensitivity",
	what: "options of pqn in the drum of 100 particles beside Koziara 2017; [--grid tables] [--whole: all steps] [--full: all values too] [--case WORD] [--method WORD]",
	run,
};
