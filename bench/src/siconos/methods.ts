/**
 * Method beside method: each of ours and Siconos' solver of the same name, on every problem of data/ that has a W, at natural 1e-4 and 1e-8. As in
 * main.ts both get the same arrays, start from R = 0, run on the same core in processes of their own, take turns and are judged by score.ts; what
 * takes more processor time than the limit has not solved. Rows are kept one by one; --resume leaves those that are there.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Bench } from "../bench.js";
import { type DataFile, dataFiles, dataFolder } from "../data.js";
import { mergeCsv, readCsv } from "../record.js";
import { writeBinary } from "./binary.js";
import { readBlocks } from "./core.js";
import { build, type Limits } from "./installed.js";
import { flat, header, KEY_COLUMNS, line, type PairRow, pairSummary, parseRow } from "./methods-table.js";
import { type Pair, pairNames, pairsOf, solverOf } from "./pairs.js";
import { faster, Ours, type Result, searchSiconos } from "./rival.js";
import type { BlockProblem } from "./score.js";

const usage = `npm run bench -- siconos-methods [${pairNames.join("] [")}] [--only TEXT] [--tolerance T] [--limit S] [--rounds N] [--resume]`;
const FOLDERS = ["fclib", "drum", "cubes", "generated"];
const FILE = "siconos-methods";
/** Seconds of repeated solves, of each side and round. */
const BUDGET = 0.1;
/** Clocks run faster than processor time where the machine is busy. */
const CLOCK = 15;

interface Plan {
	readonly pairs: readonly Pair[];
	readonly only: string;
	readonly tolerances: readonly number[];
	readonly limits: Limits;
	readonly rounds: number;
	readonly isResumed: boolean;
}

/** A problem, where its file is, and room for answers. */
interface Subject {
	readonly name: string;
	readonly problem: BlockProblem;
	readonly program: string;
	readonly file: string;
	readonly folder: string;
}

export const siconosMethods: Bench = {
	name: "siconos-methods",
	what: "each method against Siconos' own solver of the same name, problem by problem",
	async run(args) {
		const plan = planned(args);
		if (typeof plan === "string") {
			console.log(`${plan}\n${usage}`);
			return 2;
		}
		const data = dataFolder();
		if (data === undefined) return 0;
		const folder = mkdtempSync(join(tmpdir(), "stickslip-siconos-methods-"));
		try {
			const built = build(folder);
			if ("absent" in built) {
				console.log(`skipped: Siconos cannot be measured here: ${built.absent}`);
				return 0;
			}
			const files = dataFiles(data, FOLDERS).filter(({ name }) => name.includes(plan.only));
			const rows = await compared(built.program, files, folder, plan);
			const { lines, held } = pairSummary(rows);
			console.log(["", ...lines].join("\n"));
			return held ? 0 : 1;
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	},
};

function planned(args: readonly string[]): Plan | string {
	try {
		const { values, positionals } = parseArgs({
			args: [...args],
			allowPositionals: true,
			options: {
				only: { type: "string", default: "" },
				tolerance: { type: "string", multiple: true, default: ["1e-4", "1e-8"] },
				limit: { type: "string", default: "3" },
				rounds: { type: "string", default: "2" },
				resume: { type: "boolean", default: false },
			},
		});
		const unknown = positionals.find((name) => !pairNames.includes(name));
		if (unknown !== undefined) return `${unknown} is not one of ${pairNames.join(", ")}`;
		const tolerances = values.tolerance.map(Number).sort((a, b) => b - a);
		const [limitSeconds, rounds] = [Number(values.limit), Number(values.rounds)];
		if (![...tolerances, limitSeconds, rounds].every((value) => value > 0)) return "an option is not a positive number";
		const limits = { limitSeconds, budgetSeconds: BUDGET };
		const pairs = pairsOf(positionals, console.log);
		return { pairs, only: values.only, tolerances, limits, rounds, isResumed: values.resume };
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

async function compared(program: string, files: readonly DataFile[], folder: string, plan: Plan): Promise<PairRow[]> {
	const kept = plan.isResumed ? keptRows() : [];
	const rows: PairRow[] = [];
	console.log(header);
	for (const { name, path } of files) {
		const wanted = plan.pairs.flatMap((pair) => plan.tolerances.map((tolerance) => ({ pair, tolerance })));
		const left = wanted.filter(({ pair, tolerance }) => {
			const row = kept.find((each) => each.pair === pair.name && each.problem === name && each.tolerance === tolerance);
			if (row !== undefined) rows.push(row);
			return row === undefined;
		});
		if (left.length === 0) continue;
		const problem = await readBlocks(path);
		if ("unfit" in problem) continue;
		const own = join(folder, name);
		mkdirSync(own);
		const file = join(own, "problem.bin");
		writeBinary(file, problem);
		for (const { pair, tolerance } of left) {
			const row = await compareOne({ name, problem, program, file, folder: own }, pair, tolerance, plan);
			rows.push(row);
			console.log(line(row));
			mergeCsv(FILE, KEY_COLUMNS, [flat(row)]);
		}
		rmSync(own, { recursive: true });
	}
	return rows;
}

function keptRows(): PairRow[] {
	try {
		return readCsv(FILE).map(parseRow);
	} catch {
		return [];
	}
}

/** Both in turns; who fails at first is spared the rest. */
async function compareOne(subject: Subject, pair: Pair, tolerance: number, plan: Plan): Promise<PairRow> {
	const { name, problem, file, folder } = subject;
	const { limitSeconds, budgetSeconds } = plan.limits;
	const side = new Ours(problem, file, folder, tolerance, CLOCK * limitSeconds, solverOf(pair));
	let ours: Result | undefined;
	let siconos: Result | undefined;
	let configs = pair.configs;
	try {
		for (let round = 0; round < plan.rounds; round += 1) {
			if (round === 0 || ours !== undefined) ours = better(await ownWindow(side, budgetSeconds, limitSeconds), ours);
			for (const config of configs) siconos = better(await theirs(subject, config, tolerance, plan.limits), siconos);
			configs = siconos === undefined ? [] : [siconos.by];
			if (siconos === undefined || ours === undefined) break;
		}
	} finally {
		side.end();
	}
	return { pair: pair.name, method: pair.method, problem: name, contacts: problem.contacts, tolerance, ours, siconos };
}

/** Nothing where it is not solved in time, or refused. */
async function ownWindow(side: Ours, budget: number, limit: number): Promise<Result | undefined> {
	try {
		const result = await side.window(budget);
		return result.solved && result.seconds <= limit ? result : undefined;
	} catch {
		return undefined;
	}
}

async function theirs(
	{ name: _, problem, program, file, folder }: Subject,
	config: string,
	tolerance: number,
	limits: Limits,
): Promise<Result | undefined> {
	const [search] = await searchSiconos(program, problem, file, folder, [tolerance], { ...limits, config });
	return search?.best;
}

function better(a: Result | undefined, b: Result | undefined): Result | undefined {
	if (a === undefined) return b;
	return b !== undefined && b.seconds < a.seconds ? faster(b, a) : faster(a, b);
}
