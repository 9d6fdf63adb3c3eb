/**
 * What `auto` reaches in so many products, by kind and size of problem: solved of so many seeds, and the most products, to one tolerance
 * after the other until one is not reached. Products, not seconds: the table is the same on any machine. The default tolerance is what
 * all of them reach; docs/decisions/0011 draws on it.
 */
import { parseArgs } from "node:util";
import { type GenerateOptions, generate, type MeasureName, type Problem, solve } from "@stickslip/core";
import type { Bench } from "./bench.js";
import { dataFiles, dataFolder, readFile } from "./data.js";
import { recordCsv } from "./record.js";

const TOLERANCES = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6];
const MEASURES_TAKEN: readonly MeasureName[] = ["energy", "natural"];
const SIZES = [100, 1000, 10_000, 100_000];
const SEEDS_MAX = 4;

interface Kind {
	readonly name: string;
	readonly kind: string;
	readonly options: Partial<GenerateOptions>;
}

const kinds: readonly Kind[] = [
	{ name: "spheres", kind: "spheres", options: {} },
	{ name: "layered spheres", kind: "spheres", options: { layers: 4 } },
	{ name: "planks", kind: "planks", options: {} },
	{ name: "spheres at rest", kind: "spheres", options: { speed: 0 } },
];

export interface Outcome {
	readonly tolerance: number;
	readonly isSolved: boolean;
	readonly products: number;
}

/** One tolerance after the other, up to the first that is not reached. */
function reachable(problem: Problem, measure: MeasureName, products: number): Outcome[] {
	const outcomes: Outcome[] = [];
	for (const tolerance of TOLERANCES) {
		const { report } = solve(problem, { measure, tolerance, set: { products } });
		const isSolved = report.status === "solved";
		outcomes.push({ tolerance, isSolved, products: report.products });
		if (!isSolved) break;
	}
	return outcomes;
}

export type Row = {
	readonly problems: string;
	readonly measure: string;
	readonly tolerance: string;
	readonly solved: number;
	readonly of: number;
	readonly productsMost: number;
};

/** Of several problems of a kind; what was not tried since a looser tolerance was not reached counts as not solved. */
function rowsOf(problems: string, measure: MeasureName, runs: readonly (readonly Outcome[])[]): Row[] {
	return TOLERANCES.map((tolerance) => {
		const solved = runs.flatMap((run) => run.filter((one) => one.tolerance === tolerance && one.isSolved));
		return {
			problems,
			measure,
			tolerance: tolerance.toExponential(0),
			solved: solved.length,
			of: runs.length,
			productsMost: Math.max(0, ...solved.map(({ products }) => products)),
		};
	});
}

function print(rows: readonly Row[]): void {
	const cells = rows.map(({ solved, of, productsMost }) => `${solved}/${of}${solved > 0 ? ` ${productsMost}` : ""}`);
	const { problems, measure } = rows[0]!;
	console.log(`${problems.padEnd(28)}${measure.padEnd(9)}${cells.map((cell) => cell.padEnd(14)).join("")}`);
}

export const tolerance: Bench = {
	name: "tolerance",
	what: "what the default method reaches in so many products, by kind and size: the default tolerance is what all of them do",
	async run(args) {
		const { values } = parseArgs({
			args: [...args],
			options: {
				contacts: { type: "string", default: "10000" },
				seeds: { type: "string", default: String(SEEDS_MAX) },
				products: { type: "string", default: "2000" },
			},
		});
		const [contactsMax, seeds, products] = [Number(values.contacts), Number(values.seeds), Number(values.products)];
		const rows: Row[] = [];
		const add = (problems: string, list: readonly Problem[]): void => {
			for (const measure of MEASURES_TAKEN) {
				const mine = rowsOf(
					problems,
					measure,
					list.map((problem) => reachable(problem, measure, products)),
				);
				print(mine);
				rows.push(...mine);
			}
		};
		console.log(`solved of all, and the most products of the solved, by tolerance; ${products} products a solve\n`);
		console.log(`${"".padEnd(37)}${TOLERANCES.map((one) => one.toExponential(0).padEnd(14)).join("")}`);
		const data = dataFolder();
		if (data !== undefined) {
			const files = dataFiles(data, ["fclib", "drum", "cubes"]);
			const list: Problem[] = [];
			for (const { path } of files) list.push(await readFile(path));
			add("files of other people", list);
		}
		for (const contacts of SIZES.filter((size) => size <= contactsMax)) {
			for (const { name, kind, options } of kinds) {
				const list = Array.from({ length: seeds }, (_, k) => generate(kind, { ...options, contacts, seed: k + 1 }));
				add(`${name}, ${contacts}`, list);
			}
		}
		console.log(`recorded in ${recordCsv("tolerance", rows)}`);
		return 0;
	},
};
