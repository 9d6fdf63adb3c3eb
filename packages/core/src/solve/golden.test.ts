/**
 * The program of Koziara 2017, reproduced: what it did on each problem stands in histories.jsonl of the shared data, and
 * `pqn` with scaling=none has to take as many iterations and products, through the same merits.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ready } from "h5wasm/node";
import { beforeAll, describe, expect, test } from "vitest";
import { withFclib } from "../fclib/fclib-file.js";
import type { Hdf5Module } from "../fclib/module.js";
import { readProblem } from "../fclib/read.js";
import type { Problem } from "../problem/problem.js";
import { dataFolder } from "../testing/shared-data.js";
import { solve } from "./solve.js";

interface History {
	readonly problem: string;
	readonly contacts: number;
	readonly golden: boolean;
	readonly pqn: {
		readonly delta: number;
		readonly delta_absolute: number;
		readonly relative_to: string;
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

const data = dataFolder();

function historiesOf(folder: string): { folder: string; history: History }[] {
	const file = join(data, folder, "histories.jsonl");
	if (!existsSync(file)) return [];
	const lines = readFileSync(file, "utf8").split("\n");
	return lines.filter((line) => line.trim() !== "").map((line) => ({ folder, history: JSON.parse(line) as History }));
}

const all = ["drum", "cubes"].flatMap(historiesOf);
const named = (list: typeof all) => list.map((one) => [one.history.problem, one] as const);
let hdf5: Hdf5Module;

beforeAll(async () => {
	hdf5 = await ready;
});

function read(folder: string, name: string): Problem {
	const file = readdirSync(join(data, folder)).find((one) => one === `${name}.hdf5`)!;
	return withFclib(hdf5, join(data, folder, file), (open) => readProblem(open), name);
}

// Without problems there is no test to skip but this one.
test.skipIf(all.length === 0)("Koziara's histories are there (they need STICKSLIP_DATA or ../shared/data)", () => {
	expect(all.filter(({ history }) => history.golden).length).toBeGreaterThan(0);
});

describe.skipIf(all.length === 0)(
	"Koziara's program (skipped where STICKSLIP_DATA and ../shared/data are absent)",
	() => {
		const golden = all.filter(({ history }) => history.golden);

		test.each(named(golden))(
			"%s: the same iterations, products and merits",
			(_, { folder, history: { problem, pqn } }) => {
				// On cubes the file does not hold all rows that the program's mean of W_ii was taken over.
				const delta =
					folder === "cubes"
						? { delta: pqn.delta_absolute, deltaRelativeTo: "none" }
						: { delta: pqn.delta, deltaRelativeTo: "mean" };
				const { report } = solve(read(folder, problem), {
					method: "pqn",
					start: "guess",
					measure: "merit",
					tolerance: pqn.merit_target,
					maxIterations: Math.max(pqn.iterations, 1000),
					history: true,
					set: { scaling: "none", epsilon: pqn.epsilon, m: pqn.m, omega: pqn.omega, ...delta },
				});
				expect(report.status).toBe("solved");
				expect(report.iterations).toBe(pqn.iterations);
				expect(report.products).toBe(pqn.products_history.at(-1) ?? 0);
				const merits = report.history!.map((merit, k) => merit / pqn.merit_history[k]! - 1);
				expect(merits.length).toBe(pqn.merit_history.length);
				expect(Math.max(0, ...merits.map(Math.abs))).toBeLessThan(1e-6);
				expect(report.remedies).toEqual([]);
			},
		);

		const failed = all.filter(({ history }) => history.pqn.failed);

		test.each(named(failed))("%s, where it failed: the default pqn solves it", (_, { folder, history }) => {
			const problem = read(folder, history.problem);
			for (const start of ["zero", "guess"] as const) {
				const { report } = solve(problem, { method: "pqn", start, tolerance: 1e-6 });
				expect(report.status, report.reason).toBe("solved");
				expect(report.merit).toBeLessThan(history.pqn.merit_target);
				expect(report.natural).toBeLessThan(1e-4);
			}
		});
	},
);
