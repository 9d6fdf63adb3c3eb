/**
 * Sweeps of proximal-gauss-seidel, coloured order: on the shared problems to natural 1e-4, 1e-6 and 1e-8 beside those of a prototype in C
 *, over several seeds of the colours, since one contact that flips early or late moves a count by a factor of
 * two; and on generated piles to energy 1e-3, 1e-4 and 1e-6. docs/decisions/0010 draws on it.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type GenerateOptions, generate, type MeasureName, type Problem, solve } from "@stickslip/core";
import type { Bench } from "./bench.js";
import { dataFolder, readFile } from "./data.js";
import { recordCsv } from "./record.js";

interface Published {
	readonly file: string;
	/** Sweeps to natural 1e-4 and 1e-8; nothing where the prototype was not run, or did not get there in 6,000. */
	readonly to4?: number;
	readonly to8?: number;
}

/** What the prototype took, on W, 40 plain sweeps in a shuffled order first. */
const published: readonly Published[] = [
	{ file: "fclib/Capsules-i100-889", to4: 20, to8: 302 },
	{ file: "fclib/Capsules-i100-1090", to8: 672 },
	{ file: "fclib/Capsules-i103-990", to8: 295 },
	{ file: "fclib/Capsules-i125-1213", to8: 190 },
	{ file: "fclib/Box_Stacks-i0122-82-5_condensed", to4: 30, to8: 47 },
	{ file: "fclib/Spheres-i099-356-679_condensed", to4: 59, to8: 89 },
	{ file: "fclib/KaplasTower-i1061-4", to4: 80, to8: 159 },
	{ file: "fclib/OneObject-i100000-316", to4: 69, to8: 165 },
	{ file: "fclib/OneObject-i100000-499", to4: 89, to8: 231 },
	{ file: "fclib/BoxesStack1-i100000-32", to4: 151 },
	{ file: "fclib/fclib_local_problem_test", to4: 876, to8: 5286 },
	{ file: "drum/drum_N1000_PR_t0.600_drop", to4: 58, to8: 625 },
	{ file: "drum/drum_N1000_PR_t1.600_rot", to4: 47, to8: 105 },
	{ file: "drum/drum_N1000_RG_t0.367_drop_hard", to4: 48, to8: 125 },
	{ file: "drum/drum_N1000_RG_t1.300_rot", to4: 82, to8: 279 },
	{ file: "drum/drum_N1000_RG_t0.600_drop", to4: 100 },
	{ file: "drum/drum_N100_RG_t1.100_drop", to4: 40, to8: 3118 },
	{ file: "drum/drum_N100_RG_t3.000_rot", to4: 45, to8: 1081 },
	{ file: "drum/drum_N100_RG_t8.900_rot", to4: 43, to8: 333 },
	{ file: "generated/planks_1k_s1", to4: 165 },
	{ file: "generated/spheresx8_1k_s1", to4: 1168 },
	{ file: "generated/spheres_1k_s1", to4: 1309 },
	{ file: "generated/spheres_L4_1k_s1", to4: 1248 },
];

interface Pile {
	readonly name: string;
	readonly kind: "spheres" | "planks";
	readonly contacts: number;
	readonly options?: Partial<GenerateOptions>;
	/** Most sweeps; a pile that is not there by then counts as these. */
	readonly sweepsMax: number;
}

const piles: readonly Pile[] = [
	{ name: "spheres", kind: "spheres", contacts: 1000, sweepsMax: 6000 },
	{ name: "layered spheres", kind: "spheres", contacts: 1000, options: { layers: 4 }, sweepsMax: 6000 },
	{ name: "planks", kind: "planks", contacts: 1000, sweepsMax: 6000 },
	{ name: "planks", kind: "planks", contacts: 10_000, sweepsMax: 4000 },
	{ name: "layered spheres", kind: "spheres", contacts: 10_000, options: { layers: 4 }, sweepsMax: 4000 },
	{ name: "spheres", kind: "spheres", contacts: 10_000, sweepsMax: 4000 },
	{ name: "planks", kind: "planks", contacts: 100_000, sweepsMax: 1500 },
	{ name: "layered spheres", kind: "spheres", contacts: 100_000, options: { layers: 4 }, sweepsMax: 3000 },
	{ name: "spheres", kind: "spheres", contacts: 100_000, sweepsMax: 1500 },
];
const PILE_SEEDS = [3, 4, 5, 6];

const SWEEPS_MAX = 6000;
/** What the prototype is to be held to, in sweeps: the geometric mean, and the worst problem. */
const MEAN_MAX = 1.15;
const WORST_MAX = 2;

/** How it went over some seeds. */
export interface Spread {
	readonly mean: number;
	readonly least: number;
	readonly most: number;
	/** Seeds that got there. */
	readonly solved: number;
}

/** Sweeps to each tolerance, with as many measures as sweeps; `sweepsMax` and not solved where it is not reached. */
export function sweepsTo(
	problem: Problem,
	measure: MeasureName,
	tolerances: readonly number[],
	set: Readonly<Record<string, string | number>>,
	sweepsMax: number,
): { sweeps: number; solved: boolean }[] {
	const { history = [] } = solve(problem, {
		method: "proximal-gauss-seidel",
		measure,
		tolerance: Math.min(...tolerances),
		maxIterations: sweepsMax,
		history: true,
		set,
	}).report;
	return tolerances.map((tolerance) => {
		const at = history.findIndex((value) => value <= tolerance);
		return at < 0 ? { sweeps: sweepsMax, solved: false } : { sweeps: at + 1, solved: true };
	});
}

const geometricMean = (values: readonly number[]): number =>
	Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

export function spreadOf(runs: readonly { sweeps: number; solved: boolean }[]): Spread {
	const sweeps = runs.map((run) => run.sweeps);
	return {
		mean: geometricMean(sweeps),
		least: Math.min(...sweeps),
		most: Math.max(...sweeps),
		solved: runs.filter(({ solved }) => solved).length,
	};
}

export type Row = {
	readonly problem: string;
	readonly contacts: number;
	readonly tolerance: string;
	readonly seeds: number;
	readonly solved: number;
	readonly sweeps: number;
	readonly least: number;
	readonly most: number;
	readonly published: number | "";
	readonly ratio: number | "";
};

function rowOf(
	problem: string,
	contacts: number,
	tolerance: string,
	seeds: number,
	spread: Spread,
	known?: number,
): Row {
	return {
		problem,
		contacts,
		tolerance,
		seeds,
		solved: spread.solved,
		sweeps: Math.round(spread.mean),
		least: spread.least,
		most: spread.most,
		published: known ?? "",
		ratio: known === undefined ? "" : Number((spread.mean / known).toFixed(3)),
	};
}

/** "mean (least to most)", what the prototype took, and the ratio. */
function cell({ sweeps, least, most, seeds, solved, published: known, ratio }: Row): string {
	const reached = solved === seeds ? "" : `, ${solved} of ${seeds}`;
	const beside = ratio === "" ? "" : ` / ${known} = ${ratio.toFixed(2)}`;
	return `${sweeps} (${least} to ${most}${reached})${beside}`.padEnd(40);
}

/** Whether the figures are held: the geometric mean of all ratios, and the worst. */
export function verdict(rows: readonly Row[]): { line: string; held: boolean } {
	const ratios = rows.flatMap(({ ratio }) => (ratio === "" ? [] : [ratio]));
	const mean = geometricMean(ratios);
	const worst = Math.max(...ratios);
	const over = rows
		.filter(({ ratio }) => ratio !== "" && ratio > WORST_MAX)
		.map((row) => `${row.problem} to ${row.tolerance}`);
	const held = mean <= MEAN_MAX && worst <= WORST_MAX;
	const above = over.length === 0 ? "" : ` (${over.join(", ")})`;
	const line = `${mean.toFixed(2)} times the sweeps of the prototype in the geometric mean (${MEAN_MAX} allowed), at the worst ${worst.toFixed(2)} (${WORST_MAX})${above}`;
	return { line, held };
}

async function shared(data: string, only: string, seeds: number): Promise<Row[]> {
	const rows: Row[] = [];
	const tolerances = [1e-4, 1e-6, 1e-8];
	console.log(
		`sweeps to natural ${tolerances.map((tolerance) => tolerance.toExponential(0)).join(", ")}; seeds of the colours 1 to ${seeds}\n`,
	);
	for (const { file, to4, to8 } of published) {
		const name = file.replace(/^.*\//, "");
		if (!name.includes(only)) continue;
		const problem = await readFile(join(data, `${file}.hdf5`));
		const runs = Array.from({ length: seeds }, (_, k) =>
			sweepsTo(problem, "natural", tolerances, { seed: k + 1 }, SWEEPS_MAX),
		);
		const mine = tolerances.map((tolerance, k) => {
			const known = [to4, undefined, to8][k];
			return rowOf(
				name,
				problem.contacts,
				`natural ${tolerance.toExponential(0)}`,
				seeds,
				spreadOf(runs.map((run) => run[k]!)),
				known,
			);
		});
		rows.push(...mine);
		console.log(`${name.padEnd(36)}${mine.map(cell).join("")}`);
	}
	return rows;
}

function generated(only: string, contactsMax: number): Row[] {
	const rows: Row[] = [];
	const tolerances = [1e-3, 1e-4, 1e-6];
	console.log(
		`\nsweeps to energy ${tolerances.map((tolerance) => tolerance.toExponential(0)).join(", ")}; seeds ${PILE_SEEDS.join(", ")}\n`,
	);
	for (const { name, kind, contacts, options, sweepsMax } of piles) {
		if (contacts > contactsMax || !name.includes(only)) continue;
		const runs = PILE_SEEDS.map((seed) =>
			sweepsTo(generate(kind, { ...options, contacts, seed }), "energy", tolerances, {}, sweepsMax),
		);
		const mine = tolerances.map((tolerance, k) =>
			rowOf(
				name,
				contacts,
				`energy ${tolerance.toExponential(0)}`,
				PILE_SEEDS.length,
				spreadOf(runs.map((run) => run[k]!)),
			),
		);
		rows.push(...mine);
		console.log(`${`${name}, ${contacts}`.padEnd(36)}${mine.map(cell).join("")}`);
	}
	return rows;
}

export const sweepsProximal: Bench = {
	name: "sweeps-proximal",
	what: "sweeps of proximal-gauss-seidel on shared problems and piles, beside those of a prototype in C",
	async run(args) {
		const { values } = parseArgs({
			args: [...args],
			options: {
				only: { type: "string", default: "" },
				seeds: { type: "string", default: "5" },
				piles: { type: "string", default: "10000" },
			},
		});
		const { only } = values;
		const data = dataFolder();
		const rows = data === undefined ? [] : await shared(data, only, Number(values.seeds));
		const { line, held } = verdict(rows);
		if (rows.length > 0) console.log(`\n${line}`);
		const all = [...rows, ...generated(only, Number(values.piles))];
		if (only === "") console.log(`recorded in ${recordCsv("sweeps-proximal", all)}`);
		return rows.length === 0 || held ? 0 : 1;
	},
};
