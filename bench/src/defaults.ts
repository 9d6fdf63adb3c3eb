/**
 * Every problem of fclib, drum and cubes with default options, to 1e-4 and to 1e-8 in natural and in energy. With a method, options or
 * seeds of the colours given, the same with those: what a phase of `auto` earns shows where it is left out (docs/decisions/0010).
 */
import { parseArgs } from "node:util";
import { type Problem, type SolveOptions, solve } from "@stickslip/core";
import type { Bench } from "./bench.js";
import { dataFiles, dataFolder, readFile } from "./data.js";
import { recordCsv } from "./record.js";

const goals = [
	{ measure: "natural", tolerance: 1e-4 },
	{ measure: "energy", tolerance: 1e-4 },
	{ measure: "natural", tolerance: 1e-8 },
	{ measure: "energy", tolerance: 1e-8 },
] as const;
type Goal = (typeof goals)[number];

/** What a solve that does not get there counts as, in products. */
const PRODUCTS_UNSOLVED = 20_000;

/** Seconds at which a solve is stopped. */
const LIMIT = 30;

/** Each solve is to end in this time. */
const SECONDS_MAX = 10;

export type Row = {
	readonly problem: string;
	readonly contacts: number;
	readonly goal: string;
	readonly status: string;
	readonly iterations: number;
	readonly products: number;
	readonly seconds: number;
	readonly energy: number;
	readonly natural: number;
	readonly merit: number;
	readonly remedies: number;
};

const goalName = ({ measure, tolerance }: Goal): string => `${measure} ${tolerance.toExponential(0)}`;

export type Setting = Pick<SolveOptions, "method" | "set">;

export function reach(problem: Problem, goal: Goal, timeLimit: number, setting: Setting = {}): Row {
	const { report } = solve(problem, { ...goal, timeLimit, ...setting });
	const { status, iterations, products, secondsFirst, energy, natural, merit, remedies } = report;
	return {
		problem: problem.name.replace(/\.hdf5$/, ""),
		contacts: problem.contacts,
		goal: goalName(goal),
		status,
		iterations,
		products,
		seconds: secondsFirst,
		energy,
		natural,
		merit,
		remedies: remedies.length,
	};
}

export const defaults: Bench = {
	name: "defaults",
	what: "every problem of fclib, drum and cubes with default options, to 1e-4 and 1e-8, natural and energy",
	async run(args) {
		const plan = planned(args);
		if (typeof plan === "string") {
			console.log(`${plan}\n${usage}`);
			return 2;
		}
		const { only, limit, settings } = plan;
		const data = dataFolder();
		if (data === undefined) return 0;
		const rows: Row[] = [];
		console.log("status, iterations, products and seconds of the whole call, with its set-up:\n");
		console.log(`${"".padEnd(50)}${goals.map((goal) => goalName(goal).padEnd(34)).join("")}`);
		for (const { name, path } of dataFiles(data, ["fclib", "drum", "cubes"])) {
			if (!name.includes(only)) continue;
			const problem = await readFile(path);
			for (const setting of settings) {
				const mine = goals.map((goal) => reach(problem, goal, limit, setting));
				rows.push(...mine);
				console.log(`${name.padEnd(44)}${String(problem.contacts).padStart(5)} ${mine.map(cell).join("")}`);
			}
		}
		console.log(`\n${summary(rows).join("\n")}`);
		if (plan.isDefault && rows.length > 0) {
			const flat = rows.map((row) => ({ ...row, seconds: row.seconds.toFixed(4) }));
			console.log(`recorded in ${recordCsv("defaults", flat)}`);
		}
		return rows.every((row) => row.goal.endsWith("e-8") || row.status === "solved") ? 0 : 1;
	},
};

const usage =
	"npm run bench -- defaults [--only TEXT] [--limit SECONDS] [--method NAME] [--set NAME=VALUE]... [--seeds N]";

interface Plan {
	readonly only: string;
	readonly limit: number;
	/** One per seed. */
	readonly settings: readonly Setting[];
	/** All problems with default options: worth a result file. */
	readonly isDefault: boolean;
}

function planned(args: readonly string[]): Plan | string {
	try {
		const { values } = parseArgs({
			args: [...args],
			options: {
				only: { type: "string", default: "" },
				limit: { type: "string", default: String(LIMIT) },
				method: { type: "string", default: "auto" },
				set: { type: "string", multiple: true, default: [] },
				seeds: { type: "string", default: "1" },
			},
		});
		const { only, method } = values;
		const [limit, seeds] = [Number(values.limit), Number(values.seeds)];
		if (!(limit > 0)) return `--limit ${values.limit} is not a number of seconds`;
		if (!(Number.isInteger(seeds) && seeds > 0)) return `--seeds ${values.seeds} is not a number of seeds`;
		const set = Object.fromEntries(values.set.map((each) => each.split("=")));
		const settings = Array.from({ length: seeds }, (_, k) => ({ method, set: { ...set, seed: k + 1 } }));
		const isDefault = only === "" && method === "auto" && limit === LIMIT && values.set.length === 0 && seeds === 1;
		return { only, limit, settings, isDefault };
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

/** The geometric mean; a solve that does not get there counts as `PRODUCTS_UNSOLVED`, one without products as one. */
function meanProducts(rows: readonly Row[]): number {
	const logs = rows.map(({ status, products }) =>
		Math.log(status === "solved" ? Math.max(1, products) : PRODUCTS_UNSOLVED),
	);
	return Math.exp(logs.reduce((sum, log) => sum + log, 0) / Math.max(1, logs.length));
}

function cell({ status, iterations, products, seconds }: Row): string {
	return `${status} ${iterations} ${products} ${seconds.toFixed(2)}`.padEnd(34);
}

/** How many reach each goal, in what time, and which do not. */
export function summary(rows: readonly Row[]): string[] {
	return goals.flatMap((goal) => {
		const mine = rows.filter((row) => row.goal === goalName(goal));
		const solved = mine.filter((row) => row.status === "solved");
		const slow = mine
			.filter((row) => row.seconds > SECONDS_MAX)
			.map(({ problem, seconds }) => `${problem} ${seconds.toFixed(1)} s`);
		const missed = mine.filter((row) => row.status !== "solved");
		const longest = Math.max(0, ...mine.map((row) => row.seconds));
		return [
			`${goalName(goal)}: ${solved.length} of ${mine.length} solved, ${meanProducts(mine).toFixed(1)} products in the geometric mean, the longest in ${longest.toFixed(2)} s`,
			...missed.map(
				(row) => `    ${row.problem}: ${row.status} at ${goal.measure} ${row[goal.measure].toExponential(1)}`,
			),
			...(slow.length === 0 ? [] : [`    over ${SECONDS_MAX} s: ${slow.join(", ")}`]),
		];
	});
}
