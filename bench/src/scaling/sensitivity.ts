/**
 * The drum of Koziara 2017 with 100 particles by projected quasi-Newton with varied options, by `stickslip study sensitivity`. docs/scaling.md is made of what is recorded (`npm run docs:scaling`).
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Bench } from "../bench.js";
import { program } from "../launch/subject.js";
import { mergeCsv } from "../record.js";
import { type SensitivityCase, sensitivityCases } from "./sensitivity-cases.js";

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
	if (status !== 0) throw new Error(`stickslip study ended with ${status}; run the command again to continue`);
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
