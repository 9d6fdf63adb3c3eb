/**
 * Problems with laws whose solution is known by construction, one per seed (packages/core/src/testing/lawful-checks.ts): measures, methods, and the same
 * problem renumbered, turned and in other units; and problems without a solution. `--seeds N`, `--from N`; a seed says what of it does not hold.
 * `--cost` compares the time of a rolling contact with that of one without moments.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { generate, generateRolling, solve } from "@stickslip/core";
import { buildSync } from "esbuild";
import type { Bench } from "./bench.js";
import { recordCsv } from "./record.js";

const core = fileURLToPath(new URL("../../packages/core", import.meta.url));
const SEEDS = 20_000;
const TOLD_MAX = 20;

interface Checks {
	checkLawful(seed: number): { readonly laws: readonly string[]; readonly faults: readonly string[] };
	checkUnsolvable(seed: number): string[];
}

/** Sources for tests are in no package that is built. */
async function loadChecks(): Promise<Checks> {
	const cache = join(core, "node_modules", ".cache", "stickslip");
	mkdirSync(cache, { recursive: true });
	const folder = mkdtempSync(join(cache, "laws-"));
	const outfile = join(folder, "checks.mjs");
	try {
		buildSync({
			entryPoints: [join(core, "src/testing/lawful-checks.ts")],
			outfile,
			bundle: true,
			platform: "node",
			target: "node20",
			format: "esm",
			packages: "external",
			logLevel: "error",
		});
		return (await import(pathToFileURL(outfile).href)) as Checks;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

export interface LawRow {
	readonly [column: string]: string | number;
	readonly laws: string;
	problems: number;
	failures: number;
	seconds: number;
}

export async function checkLaws(from: number, seeds: number, tell: (fault: string) => void): Promise<LawRow[]> {
	const checks = await loadChecks();
	const rows = new Map<string, LawRow>();
	const count = (name: string, faults: readonly string[], began: number): void => {
		const row = rows.get(name) ?? { laws: name, problems: 0, failures: 0, seconds: 0 };
		rows.set(name, row);
		row.seconds += (performance.now() - began) / 1000;
		row.problems += 1;
		if (faults.length > 0) row.failures += 1;
		for (const fault of faults) tell(fault);
	};
	for (let seed = from; seed < from + seeds; seed += 1) {
		const began = performance.now();
		const { laws: names, faults } = checks.checkLawful(seed);
		count(names.join(" "), faults, began);
		const then = performance.now();
		count("without a solution or with extreme numbers", checks.checkUnsolvable(seed), then);
	}
	return [...rows.values()].map((row) => ({ ...row, seconds: Math.round(row.seconds) }));
}

const COST_CONTACTS = 600;
const COST_TURNS = 60;
const COST_ITERATIONS = 30;

/** Nanoseconds per iteration and contact of a sweep over rows of W, the two laws in turns: the least and the tenth and ninetieth percentile. */
export function rollingCost(
	pile: string,
	turns = COST_TURNS,
): Record<"coulomb" | "rolling", readonly [number, number, number]> {
	const given = { contacts: COST_CONTACTS, seed: 3 };
	const law = "rolling:mu_r=0.01,mu_s=0.005";
	const problems = { coulomb: generate(pile, given), rolling: generateRolling(pile, { ...given, law }) };
	const options = { method: "gauss-seidel", tolerance: 1e-13, maxIterations: COST_ITERATIONS };
	const times: Record<"coulomb" | "rolling", number[]> = { coulomb: [], rolling: [] };
	for (let turn = 0; turn < turns; turn += 1) {
		for (const name of ["coulomb", "rolling"] as const) {
			const { report } = solve(problems[name], { ...options, set: { operator: "assembled" } });
			times[name].push((1e9 * report.seconds) / (report.iterations * report.contacts));
		}
	}
	const spread = (list: number[]) => {
		const sorted = list.sort((one, other) => one - other);
		const at = (fraction: number) => sorted[Math.floor(fraction * (sorted.length - 1))]!;
		return [at(0), at(0.1), at(0.9)] as const;
	};
	return { coulomb: spread(times.coulomb), rolling: spread(times.rolling) };
}

function printCost(): void {
	for (const pile of ["spheres", "planks"]) {
		const { coulomb, rolling } = rollingCost(pile);
		const line = ([least, low, high]: readonly number[]) =>
			`${least!.toFixed(0)} ns (${low!.toFixed(0)} to ${high!.toFixed(0)})`;
		const ratio = (rolling[0] / coulomb[0]).toFixed(1);
		console.log(
			`${pile}: coulomb ${line(coulomb)}, rolling ${line(rolling)} per iteration and contact: ${ratio} times`,
		);
	}
}

export const laws: Bench = {
	name: "laws",
	what: "thousands of problems of every law with a known solution, and without one",
	async run(args) {
		const { values } = parseArgs({
			args: [...args],
			options: { seeds: { type: "string" }, from: { type: "string" }, cost: { type: "boolean" } },
		});
		if (values.cost) {
			printCost();
			return 0;
		}
		let told = 0;
		const rows = await checkLaws(Number(values.from ?? 0), Number(values.seeds ?? SEEDS), (fault) => {
			told += 1;
			if (told <= TOLD_MAX) console.log(fault);
		});
		for (const { laws: names, problems, failures } of rows) {
			console.log(`${names.padEnd(64)} ${String(problems).padStart(6)} problems, ${failures} failed`);
		}
		if (args.length === 0) console.log(`recorded in ${recordCsv("laws", rows)}`);
		return rows.some(({ failures }) => failures > 0) ? 1 : 0;
	},
};
