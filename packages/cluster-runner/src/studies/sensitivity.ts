/** How a method depends on its options, over files or the steps of scenes: as Koziara 2017, figures 2 to 13, draws it. */
import { count, three } from "../base/format.js";
import { differencesOf } from "../study/differences.js";
import type { LinePlot } from "../study/line-plot.js";
import { FAILED, type Sample } from "../study/sample.js";
import { cellsOf, leastSample, spreadIn } from "../study/statistics.js";
import { tableLines } from "../study/study-files.js";
import type { PageTable, StudyPage } from "../study/study-page.js";

/** One choice of the options, over all that was asked for. */
export interface SensitivityRow {
	readonly method: string;
	/** Values of the options that are varied. */
	readonly options: Readonly<Record<string, string>>;
	/** Solves or steps, and those that did not reach the tolerance with these options: other methods were tried then, or none. */
	readonly solves: number;
	readonly failed: number;
	/** Of a solve that did, in the mean. */
	readonly iterations: number;
	/** Of all solves, other methods included. */
	readonly products: number;
	/** Of all solves or steps together. */
	readonly seconds: number;
	/** The part of it in solves; 1 for files. */
	readonly solveShare: number;
	/** Cells that could not be measured. */
	readonly unmeasured: number;
}

/** Rows in the order of the methods, and what a reader has to know. */
export interface Sensitivity {
	readonly rows: readonly SensitivityRow[];
	readonly warnings: readonly string[];
}

/** Over the samples of one study: files count as one table, since a method is to suit all of them. */
export function sensitivityOf(samples: readonly Sample[], base: string): Sensitivity {
	const methods = [...new Set(samples.map(({ axes }) => String(axes.method)))];
	const rows = methods.map((method) =>
		rowOf(
			method,
			base,
			samples.filter(({ axes }) => axes.method === method),
		),
	);
	const failed = samples.filter(({ status }) => status === FAILED);
	const reasons = [...new Set(failed.map(({ axes, reason }) => `${axes.method} on ${axes.problem} failed: ${reason}`))];
	return { rows, warnings: [...reasons, ...differencesOf(samples)] };
}

function rowOf(method: string, base: string, samples: readonly Sample[]): SensitivityRow {
	const cells = cellsOf(samples);
	const least = cells.flatMap((cell) => leastSample(cell, "seconds") ?? []);
	const sum = (of: (sample: Sample) => number) => least.reduce((total, sample) => total + of(sample), 0);
	const stepsOf = ({ values }: Sample) => values.steps ?? 1;
	const solves = sum(stepsOf);
	const seconds = cells.reduce((total, cell) => {
		const { steps = 1 } = leastSample(cell, "seconds")?.values ?? {};
		return total + steps * (spreadIn(cell, "seconds")?.least ?? 0);
	}, 0);
	const solving = sum(({ values, perRank }) => perRank?.[0]?.solve ?? values.seconds ?? 0);
	const each = Math.max(1, solves);
	const reached = Math.max(1, solves - sum(({ values }) => values.retriedSteps ?? 0));
	return {
		method,
		options: optionsIn(method.slice(base.length)),
		solves,
		failed: sum(({ status, values }) => values.retriedSteps ?? (status === "solved" ? 0 : 1)),
		iterations:
			sum((sample) => stepsOf(sample) * (sample.values.iterations ?? 0) - (sample.values.retriedIterations ?? 0)) /
			reached,
		products: sum((sample) => stepsOf(sample) * (sample.values.products ?? 0)) / each,
		seconds,
		solveShare: seconds > 0 ? Math.min(1, solving / seconds) : 1,
		unmeasured: cells.length - least.length,
	};
}

/** `:delta=0.1:m=5` */
function optionsIn(text: string): Record<string, string> {
	const pairs = text.split(":").filter((each) => each.includes("="));
	return Object.fromEntries(pairs.map((each) => [each.slice(0, each.indexOf("=")), each.slice(each.indexOf("=") + 1)]));
}

function sensitivityTable(rows: readonly SensitivityRow[]): PageTable {
	const cells = rows.map((row) => [
		row.method,
		count(row.solves),
		three(row.iterations),
		three(row.products),
		count(row.failed),
		three(row.seconds),
		`${Math.round(100 * row.solveShare)} %`,
	]);
	return { titles: ["method", "solves", "iterations", "products", "failed", "seconds", "solving"], rows: cells };
}

export function sensitivityText({ rows, warnings }: Sensitivity): string[] {
	return [...tableLines(sensitivityTable(rows)), verdict(rows), ...warnings.map((warning) => `warning: ${warning}`)];
}

/** Which options take least among those that fail least. */
function verdict(rows: readonly SensitivityRow[]): string {
	const measured = rows.filter(({ unmeasured, solves }) => unmeasured === 0 && solves > 0);
	const best = [...measured].sort((a, b) => a.failed - b.failed || a.products - b.products)[0];
	if (best === undefined) return "no choice of options could be measured";
	const fails = best.failed === 0 ? "and fails never" : `and fails ${count(best.failed)} times, the fewest of all`;
	const range = measured.map(({ iterations }) => iterations);
	const spread = `${three(Math.min(...range))} to ${three(Math.max(...range))} iterations over all choices`;
	return `${best.method} takes the fewest products (${three(best.products)} a solve) ${fails}; ${spread}`;
}

export function sensitivityPage({ rows, warnings }: Sensitivity, what: string): StudyPage {
	return {
		title: `Sensitivity of ${rows[0]?.method.split(":")[0] ?? "a method"}`,
		text: [`${verdict(rows)}.`],
		warnings,
		sections: [
			{
				title: what,
				plots: (["iterations", "failed", "seconds"] as const).flatMap((name) => plotOver(rows, name)),
				tables: [sensitivityTable(rows)],
			},
		],
	};
}

/** Over the option with most values, a line for each choice of the others; nothing where no option has numbers. */
function plotOver(rows: readonly SensitivityRow[], of: "iterations" | "failed" | "seconds"): LinePlot[] {
	const names = [...new Set(rows.flatMap(({ options }) => Object.keys(options)))];
	const valuesOf = (name: string) =>
		[...new Set(rows.map(({ options }) => Number(options[name])))].sort((a, b) => a - b);
	const [across] = names
		.filter((name) => valuesOf(name).every(Number.isFinite) && valuesOf(name).length > 1)
		.sort((a, b) => valuesOf(b).length - valuesOf(a).length);
	if (across === undefined) return [];
	const others = (row: SensitivityRow) =>
		names.flatMap((name) => (name === across ? [] : [`${name}=${row.options[name]}`])).join(" ") ||
		row.method.split(":")[0]!;
	const lines = [...new Set(rows.map(others))].map((name) => ({
		name,
		points: rows
			.filter((row) => others(row) === name && row.unmeasured === 0)
			.map((row): [number, number] => [Number(row.options[across]), row[of]])
			.sort((a, b) => a[0] - b[0]),
	}));
	const values = valuesOf(across);
	const isWide = values[0]! > 0 && values.at(-1)! / values[0]! > 20;
	const label = { iterations: "iterations of a solve", failed: "failed solves", seconds: "seconds of all" }[of];
	return [
		{
			title: `${label} over ${across}`,
			x: { label: across, scale: isWide ? "log10" : "linear" },
			y: { label, scale: "linear", holds: [0] },
			lines,
		},
	];
}
