/**
 * Koziara's own program, run again: `pqn` with scaling=none and that program's settings, from that program's start, against
 * the iterations, products and merits it left in histories.jsonl. Where it failed, what the default `pqn` does instead.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Problem, type Report, solve } from "@stickslip/core";
import type { Bench } from "./bench.js";
import { dataFiles, dataFolder, readFile } from "./data.js";
import { recordCsv } from "./record.js";

/** A line of histories.jsonl, as far as it is needed here. */
export interface History {
	readonly problem: string;
	readonly golden: boolean;
	readonly pqn: {
		readonly delta: number;
		readonly delta_absolute: number;
		readonly epsilon: number;
		readonly m: number;
		readonly omega: number;
		readonly merit_target: number;
		readonly iterations: number;
		readonly failed: boolean;
		readonly merit_history: readonly number[];
		readonly products_history: readonly number[];
	};
}

export interface Golden {
	readonly problem: string;
	readonly contacts: number;
	readonly golden: boolean;
	readonly iterations: number;
	readonly iterationsTheirs: number;
	readonly products: number;
	/** Nothing where the history is cut short. */
	readonly productsTheirs: number | "";
	/** The worst relative difference of a merit; over the iterations that both did. */
	readonly difference: number;
	readonly held: boolean;
}

/** Relative, of each merit of the history. */
const DIFFERENCE_MAX = 1e-6;

/** Runs the settings of a history; `absolute` takes its delta as a number instead of as a multiple of the mean W_ii. */
export function runAgain(problem: Problem, { problem: name, golden, pqn }: History, absolute: boolean): Golden {
	const delta = absolute ? { delta: pqn.delta_absolute, deltaRelativeTo: "none" } : { delta: pqn.delta };
	const { report } = solve(problem, {
		method: "pqn",
		start: "guess",
		measure: "merit",
		tolerance: pqn.merit_target,
		maxIterations: pqn.iterations + (pqn.failed ? 0 : 10),
		history: true,
		set: { scaling: "none", epsilon: pqn.epsilon, m: pqn.m, omega: pqn.omega, ...delta },
	});
	const pairs = (report.history ?? []).slice(0, pqn.merit_history.length);
	const differences = pairs.map((merit, k) => Math.abs(merit / (pqn.merit_history[k] ?? Number.NaN) - 1));
	const difference = Math.max(0, ...differences);
	const productsTheirs = pqn.products_history[pqn.iterations - 1] ?? "";
	const same = report.iterations === pqn.iterations && report.products === productsTheirs;
	return {
		problem: name,
		contacts: problem.contacts,
		golden,
		iterations: report.iterations,
		iterationsTheirs: pqn.iterations,
		products: report.products,
		productsTheirs,
		difference,
		held: !golden || (same && difference <= DIFFERENCE_MAX),
	};
}

export const golden: Bench = {
	name: "golden",
	what: "pqn as Koziara's own program ran it: iterations, products and merits against its histories",
	async run(args) {
		const data = dataFolder();
		if (data === undefined) return 0;
		const only = args[0] ?? "";
		const rows: Golden[] = [];
		const lines: string[] = [];
		let held = true;
		console.log(header);
		for (const folder of ["drum", "cubes"]) {
			for (const [path, history] of historiesOf(data, folder)) {
				if (!history.problem.includes(only)) continue;
				const problem = await readFile(path);
				// On cubes the file does not hold all rows that the program's mean of W_ii was taken over.
				const row = runAgain(problem, history, folder === "cubes");
				rows.push(row);
				held &&= row.held;
				console.log(line(row));
				if (!history.pqn.failed) continue;
				for (const start of ["zero", "guess"] as const) {
					const { report } = solve(problem, {
						method: "pqn",
						start,
						measure: "merit",
						tolerance: history.pqn.merit_target,
					});
					held &&= report.status === "solved";
					lines.push(instead(report, start));
				}
			}
		}
		const count = rows.filter((row) => row.golden).length;
		const same = rows.filter((row) => row.golden && row.held).length;
		lines.unshift(`${same} of ${count} golden histories reproduced: same counts, merits to ${DIFFERENCE_MAX}`);
		console.log(lines.join("\n"));
		if (only === "" && rows.length > 0) {
			const flat = rows.map((row) => ({ ...row, golden: String(row.golden), held: String(row.held) }));
			console.log(`recorded in ${recordCsv("golden", flat)}`);
		}
		return held ? 0 : 1;
	},
};

function* historiesOf(data: string, folder: string): Generator<[path: string, history: History]> {
	const file = join(data, folder, "histories.jsonl");
	if (!existsSync(file)) return;
	const paths = new Map(dataFiles(data, [folder]).map(({ name, path }) => [name, path]));
	for (const text of readFileSync(file, "utf8").split("\n")) {
		if (text.trim() === "") continue;
		const history = JSON.parse(text) as History;
		const path = paths.get(history.problem);
		if (path !== undefined) yield [path, history];
	}
}

const header = `${"".padEnd(32)}contacts   iterations ours / theirs   products ours / theirs   worst merit`;

function line(row: Golden): string {
	const iterations = `${row.iterations} / ${row.iterationsTheirs}`;
	const products = `${row.products} / ${row.productsTheirs || "?"}`;
	const verdict = row.golden ? (row.held ? "same" : "DIFFERENT") : "not golden";
	const numbers = [String(row.contacts).padStart(8), iterations.padStart(26), products.padStart(25)];
	return `${row.problem.padEnd(32)}${numbers.join("")}   ${row.difference.toExponential(1).padStart(11)}  ${verdict}`;
}

function instead(report: Report, start: string): string {
	const { problem, status, iterations, products, merit, energy, seconds, remedies } = report;
	const end = `${status} after ${iterations} iterations, ${products} products, ${seconds.toFixed(2)} s`;
	const measures = `merit ${merit.toExponential(1)}, energy ${energy.toExponential(1)}`;
	const told = remedies.length === 0 ? "no remedy needed" : remedies.join("; ");
	return `${problem}, where the original failed: default pqn from ${start}: ${end}, ${measures} (${told})`;
}
