/**
 * Gauss-Seidel by the order of contacts: what a sweep costs on piles from cache to memory, and how many sweeps the shared problems
 * need to natural 1e-4 and 1e-8 with each order and window. docs/decisions/0002 and 0003 draw on it.
 */
import { parseArgs } from "node:util";
import { generate, type Problem, solve } from "@stickslip/core";
import type { Bench } from "./bench.js";
import { dataFiles, dataFolder, readFile } from "./data.js";
import { recordCsv } from "./record.js";

type Settings = Readonly<Record<string, string | number>>;

/** Piles and operators for the cost; the largest only fits the matrix-free operator well. */
const piles = [
	{ name: "spheres", contacts: 1000, operators: ["assembled", "matrix-free"] },
	{ name: "spheres", contacts: 100_000, operators: ["assembled", "matrix-free"] },
	{ name: "spheres", contacts: 385_000, operators: ["assembled", "matrix-free"] },
	{ name: "spheres", contacts: 1_000_000, operators: ["matrix-free"] },
	{ name: "planks", contacts: 50_000, operators: ["assembled", "matrix-free"] },
] as const;
const orders = ["coloured", "shuffled", "file"] as const;

const ways: readonly Settings[] = [
	{ order: "coloured" },
	{ order: "shuffled" },
	{ order: "file" },
	{ order: "coloured", window: 3 },
	{ order: "coloured", window: 10 },
	{ order: "coloured", window: 0 },
	{ order: "coloured", relax: 1.2 },
	{ order: "coloured", reverse: "yes" },
];
/** Fewer contacts say nothing of an order; more sweeps than these count as these. */
const CONTACTS_MIN = 20;
export const SWEEPS_MAX = 400;
const SWEEPS_TIMED = 20;
const REPEATED_CONTACTS = 300_000;

export type Row = { readonly what: string; readonly setting: string; readonly value: number; readonly unit: string };

const named = (settings: Settings): string =>
	Object.entries(settings)
		.map(([key, value]) => `${key}=${value}`)
		.join(" ");

/** Nanoseconds per contact of a plain sweep, with its share of the measures: the least of some solves. */
export function cost(problem: Problem, set: Settings): number {
	const { report } = solve(problem, {
		method: "gauss-seidel",
		tolerance: 0,
		maxIterations: SWEEPS_TIMED,
		// Small problems are soon done, and need more repeats before their code is warm.
		repeat: Math.max(3, Math.ceil(REPEATED_CONTACTS / problem.contacts)),
		set: { ...set, window: 0 },
	});
	return (report.seconds * 1e9) / (report.iterations * problem.contacts);
}

/** Sweeps to each of the tolerances, in natural. */
export function sweepsTo(problem: Problem, set: Settings, tolerances: readonly number[]): number[] {
	const tightest = Math.min(...tolerances);
	const options = { method: "gauss-seidel", measure: "natural", maxIterations: SWEEPS_MAX, history: true } as const;
	const { history = [] } = solve(problem, { ...options, tolerance: tightest, set }).report;
	return tolerances.map((tolerance) => {
		const at = history.findIndex((value) => value <= tolerance);
		return at < 0 ? SWEEPS_MAX : at + 1;
	});
}

function costs(): Row[] {
	const rows: Row[] = [];
	for (const { name, contacts, operators } of piles) {
		const problem = generate(name, { contacts });
		for (const operator of operators) {
			for (const order of orders) {
				const value = cost(problem, { operator, order });
				rows.push({ what: `${name}, ${contacts} contacts`, setting: named({ operator, order }), value, unit: "ns" });
				console.log(`${name} ${contacts}, ${operator}, ${order}: ${value.toFixed(1)} ns per contact and sweep`);
			}
		}
	}
	return rows;
}

async function counts(data: string): Promise<Row[]> {
	const tolerances = [1e-4, 1e-8];
	const sums = ways.map(() => tolerances.map(() => 0));
	let problems = 0;
	for (const file of dataFiles(data, ["fclib", "drum", "cubes"])) {
		const problem = await readFile(file.path);
		if (problem.contacts < CONTACTS_MIN) continue;
		problems += 1;
		for (const [way, set] of ways.entries()) {
			for (const [k, sweeps] of sweepsTo(problem, set, tolerances).entries()) sums[way]![k]! += Math.log(sweeps);
		}
	}
	return ways.flatMap((set, way) =>
		tolerances.map((tolerance, k): Row => {
			const value = Math.exp(sums[way]![k]! / problems);
			const what = `${problems} problems to natural ${tolerance.toExponential(0)}`;
			console.log(`${what}, ${named(set)}: ${value.toFixed(1)} sweeps (geometric mean, at most ${SWEEPS_MAX})`);
			return { what, setting: named(set), value, unit: "sweeps" };
		}),
	);
}

export const sweeps: Bench = {
	name: "sweeps",
	what: "the cost of a Gauss-Seidel sweep and the number of sweeps, by the order of contacts",
	async run(args) {
		const { values } = parseArgs({ args: [...args], options: { counts: { type: "boolean", default: false } } });
		const rows = values.counts ? [] : costs();
		const data = dataFolder();
		if (data !== undefined) rows.push(...(await counts(data)));
		if (!values.counts && data !== undefined) console.log(`recorded in ${recordCsv("sweeps", rows)}`);
		return 0;
	},
};
