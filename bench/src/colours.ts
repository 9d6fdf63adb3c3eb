/**
 * Colours of contacts against a bound that no colouring is below, and coloured sweeps against sweeps in shuffled orders: sweeps to a
 * tolerance, the geometric mean over seeds on either side, since single seeds differ more than the orders do.
 */
import { describeColouring, generate, type Problem } from "@stickslip/core";
import type { Bench } from "./bench.js";
import { dataFiles, dataFolder, readFile } from "./data.js";
import { recordCsv } from "./record.js";
import { SWEEPS_MAX, sweepsTo } from "./sweeps.js";

const COLOURS_MAX = 1.25;
const SWEEPS_RATIO_MAX = 1.3;

type Operator = "assembled" | "matrix-free";

export type ColourRow = {
	readonly problem: string;
	readonly operator: Operator;
	readonly blocks: number;
	readonly colours: number;
	readonly bound: number;
	readonly ratio: number;
	/** Sizes of the smallest and the largest colour in mean sizes. */
	readonly "least of mean": number;
	readonly "most of mean": number;
};

export type SweepRow = {
	readonly problem: string;
	readonly window: number | "default";
	readonly tolerance: number;
	/** Geometric means over the seeds; a run that does not get there counts as SWEEPS_MAX. */
	readonly coloured: number;
	readonly shuffled: number;
	readonly ratio: number;
	/** Whether any run got there: otherwise the ratio says nothing. Whether all did: otherwise it says little. */
	readonly reached: "yes" | "some" | "none";
};

const names = ["spheres", "spheres-heavy", "spheres-layers", "planks"] as const;
const colouredPiles = [1000, 10_000, 100_000] as const;
const sweptPiles = [1000, 10_000] as const;
const seeds = [1, 2, 3, 4, 5];
const windows = [0, "default"] as const;
const tolerances = [1e-4, 1e-8] as const;
const CONTACTS_MIN = 20;

export function colouringOf(problem: Problem, operator: Operator): ColourRow {
	const { blocks, colours, bound, least, most } = describeColouring(problem, operator);
	return {
		problem: problem.name,
		operator,
		blocks,
		colours,
		bound,
		ratio: colours / bound,
		"least of mean": (least * colours) / blocks,
		"most of mean": (most * colours) / blocks,
	};
}

const geometricMean = (values: readonly number[]): number =>
	Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

/** A row for each of the tolerances, from the same runs. */
export function sweepRatios(
	problem: Problem,
	window: SweepRow["window"],
	toTolerances: readonly number[],
	fromSeeds: readonly number[] = seeds,
): SweepRow[] {
	const counts = (order: string): number[][] =>
		fromSeeds.map((seed) => {
			const set = { order, seed, ...(window === "default" ? {} : { window }) };
			return sweepsTo(problem, set, toTolerances);
		});
	const [coloured, shuffled] = [counts("coloured"), counts("shuffled")];
	return toTolerances.map((tolerance, k) => {
		const mine = coloured.map((sweeps) => sweeps[k] as number);
		const theirs = shuffled.map((sweeps) => sweeps[k] as number);
		const missed = [...mine, ...theirs].filter((count) => count >= SWEEPS_MAX).length;
		const means = { coloured: geometricMean(mine), shuffled: geometricMean(theirs) };
		return {
			problem: problem.name,
			window,
			tolerance,
			...means,
			ratio: means.coloured / means.shuffled,
			reached: missed === 0 ? "yes" : missed < 2 * fromSeeds.length ? "some" : "none",
		};
	});
}

/** The promises that were not kept, a line each: sweeps where all runs got there. */
export function verdict(colours: readonly ColourRow[], sweeps: readonly SweepRow[]): string[] {
	return [
		...colours
			.filter(({ ratio }) => ratio > COLOURS_MAX)
			.map(
				(row) =>
					`${row.problem}, ${row.operator}: ${row.colours} colours, ${row.ratio.toFixed(2)} times the bound of ${row.bound}`,
			),
		...sweeps
			.filter(({ ratio, reached }) => ratio > SWEEPS_RATIO_MAX && reached === "yes")
			.map(({ problem, ratio, ...row }) => `${problem}: ${ratio.toFixed(2)} times the sweeps of the ${setting(row)}`),
	];
}

const setting = ({ window, tolerance }: Pick<SweepRow, "window" | "tolerance">): string =>
	`shuffled order, window ${window}, natural ${tolerance.toExponential(0)}`;

async function* problems(data: string | undefined): AsyncGenerator<Problem> {
	if (data !== undefined) {
		for (const { path, name } of dataFiles(data, ["fclib", "drum", "cubes", "generated"])) {
			yield { ...(await readFile(path)), name };
		}
	}
	for (const name of names) {
		for (const contacts of sweptPiles) yield { ...generate(name, { contacts }), name: `${name} ${contacts}` };
	}
}

function operatorsOf({ rigid, equalities }: Problem): Operator[] {
	return rigid !== undefined && equalities === undefined ? ["assembled", "matrix-free"] : ["assembled"];
}

function printed(row: ColourRow): ColourRow {
	const { problem, operator, blocks, colours, bound, ratio } = row;
	const spread = `sizes ${row["least of mean"].toFixed(2)} to ${row["most of mean"].toFixed(2)} of the mean`;
	const counts = `${colours} colours, bound ${bound}, ratio ${ratio.toFixed(2)}`;
	console.log(`${problem}, ${operator}, ${blocks} blocks: ${counts}, ${spread}`);
	return row;
}

/** Geometric mean and worst of the problems on which anything got there. */
function summary(rows: readonly SweepRow[]): string[] {
	return windows.flatMap((window) =>
		tolerances.map((tolerance) => {
			const mine = rows.filter((row) => row.window === window && row.tolerance === tolerance);
			const told = (what: string, some: readonly SweepRow[]): string => {
				if (some.length === 0) return `${what} none`;
				const worst = some.reduce((most, row) => (row.ratio > most.ratio ? row : most));
				const mean = geometricMean(some.map(({ ratio }) => ratio));
				return `${what} ${some.length}: ratio ${mean.toFixed(3)}, worst ${worst.ratio.toFixed(2)} (${worst.problem})`;
			};
			const always = told(
				"always reached on",
				mine.filter(({ reached }) => reached === "yes"),
			);
			const sometimes = told(
				"sometimes on",
				mine.filter(({ reached }) => reached === "some"),
			);
			return `coloured to ${setting({ window, tolerance })}: ${always}; ${sometimes}`;
		}),
	);
}

export const colours: Bench = {
	name: "colours",
	what: "colours against a lower bound, their sizes, and coloured sweeps against shuffled ones",
	async run() {
		const rows: ColourRow[] = [];
		const sweeps: SweepRow[] = [];
		for await (const problem of problems(dataFolder())) {
			for (const operator of operatorsOf(problem)) rows.push(printed(colouringOf(problem, operator)));
			if (problem.contacts < CONTACTS_MIN) continue;
			for (const window of windows) sweeps.push(...sweepRatios(problem, window, tolerances));
		}
		for (const name of names) {
			for (const contacts of colouredPiles.filter((count) => !sweptPiles.some((swept) => swept === count))) {
				const problem = { ...generate(name, { contacts }), name: `${name} ${contacts}` };
				for (const operator of operatorsOf(problem)) rows.push(printed(colouringOf(problem, operator)));
			}
		}
		console.log(`\n${summary(sweeps).join("\n")}`);
		const broken = verdict(rows, sweeps);
		for (const line of broken) console.log(`not kept: ${line}`);
		console.log(`recorded in ${recordCsv("colours", rows)}`);
		console.log(`recorded in ${recordCsv("colours-sweeps", sweeps)}`);
		return broken.length === 0 ? 0 : 1;
	},
};
