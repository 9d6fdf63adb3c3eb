/**
 * Ours with its defaults against the best of Siconos, on every problem of data/ that has a W, on generated piles and on steps of scenes
 * (problem-sets.ts: seeds that nothing was trained on), at natural 1e-4 and 1e-8. Both
 * get the same arrays, start from R = 0, run on the same core in processes of their own, and are judged by score.ts. The
 * best of all Siconos configurations is searched for first; then the winner and ours take turns, and minima count. Searches are kept in
 * a cache, rows one by one: what was interrupted goes on.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Bench } from "../bench.js";
import { dataFolder } from "../data.js";
import { mergeCsv, readCsv } from "../record.js";
import { writeBinary } from "./binary.js";
import { build, type Limits } from "./installed.js";
import { faster, Ours, type Result, type Search, searchSiconos } from "./rival.js";
import type { BlockProblem } from "./score.js";
import { type ComparedProblem, PROBLEM_SETS, type ProblemSet, subjectsOf } from "./subjects.js";
import { FILES, flat, header, KEY_COLUMNS, line, parseRow, type Row, summary } from "./table.js";

const usage =
	"npm run bench -- siconos [data] [generated] [scenes] [--only TEXT] [--tolerance T] [--limit S] [--rounds N] [--quick] [--siconos-cache FILE] [--search] [--resume]";

/** Of a kept search, so many configurations are timed anew: their order may have been noise. */
const KNOWN_TRIED = 3;

interface Plan {
	readonly sets: readonly ProblemSet[];
	readonly only: string;
	readonly tolerances: readonly number[];
	readonly limits: Limits;
	readonly rounds: number;
	readonly cache: Cache | undefined;
	/** Both tolerances, no short cuts: worth a result file. */
	readonly isRecorded: boolean;
	/** Nothing but the searches that the cache lacks. */
	readonly isSearch: boolean;
	/** Rows that are recorded already are taken as they are. */
	readonly isResumed: boolean;
}

export const siconos: Bench = {
	name: "siconos",
	what: "the default solver against the best of all configurations of Siconos, problem by problem",
	async run(args) {
		const plan = planned(args);
		if (typeof plan === "string") {
			console.log(`${plan}\n${usage}`);
			return 2;
		}
		const data = plan.sets.includes("data") ? dataFolder() : undefined;
		const folder = mkdtempSync(join(tmpdir(), "stickslip-siconos-"));
		try {
			const built = build(folder);
			if ("absent" in built) {
				console.log(`skipped: Siconos cannot be measured here: ${built.absent}`);
				return 0;
			}
			const subjects = subjectsOf(plan.sets, data).filter(({ name }) => name.includes(plan.only));
			if (plan.isSearch) await search(built.program, subjects, folder, plan);
			else report(await compared(built.program, subjects, folder, plan), plan);
			return 0;
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
				limit: { type: "string" },
				rounds: { type: "string" },
				quick: { type: "boolean", default: false },
				"siconos-cache": { type: "string" },
				search: { type: "boolean", default: false },
				resume: { type: "boolean", default: false },
			},
		});
		const sets = PROBLEM_SETS.filter((set) => positionals.length === 0 || positionals.includes(set));
		const unknown = positionals.find((name) => !PROBLEM_SETS.some((set) => set === name));
		if (unknown !== undefined) return `${unknown} is not one of ${PROBLEM_SETS.join(", ")}`;
		const { only, quick } = values;
		const tolerances = values.tolerance.map(Number).sort((a, b) => b - a);
		const limitSeconds = Number(values.limit ?? (quick ? 1 : 10));
		const rounds = Number(values.rounds ?? (quick ? 1 : 3));
		if (![...tolerances, limitSeconds, rounds].every((value) => value > 0)) return "an option is not a positive number";
		const limits = { limitSeconds, budgetSeconds: quick ? 0.05 : 0.2 };
		const file = values["siconos-cache"];
		const { search: isSearch, resume: isResumed } = values;
		if (isSearch && file === undefined) return "--search needs --siconos-cache, where to keep what is found";
		const cache = file === undefined ? undefined : new Cache(file);
		const isRecorded = !quick && tolerances.length === 2;
		return { sets, only, tolerances, limits, rounds, cache, isRecorded, isSearch, isResumed };
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

/** Fills the cache. */
async function search(
	program: string,
	subjects: readonly ComparedProblem[],
	folder: string,
	plan: Plan,
): Promise<void> {
	const { cache, limits, tolerances } = plan;
	for (const { name, read } of subjects) {
		if (cache?.find(name, tolerances) !== undefined) continue;
		const problem = await read();
		if ("unfit" in problem) continue;
		const own = join(folder, name);
		mkdirSync(own);
		const file = join(own, "problem.bin");
		writeBinary(file, problem);
		const found = await searchSiconos(program, problem, file, own, tolerances, limits);
		cache?.keep(name, tolerances, found);
		rmSync(own, { recursive: true });
		const best = found.map((each) => (each.best === undefined ? "none" : `${each.best.by} ${each.best.seconds} s`));
		console.log(`${name}: ${best.join(", ")}`);
	}
}

async function compared(
	program: string,
	subjects: readonly ComparedProblem[],
	folder: string,
	plan: Plan,
): Promise<ReadonlyMap<ProblemSet, readonly Row[]>> {
	const found = new Map<ProblemSet, Row[]>(plan.sets.map((set) => [set, []]));
	const kept = new Map(plan.sets.map((set) => [set, plan.isResumed ? keptRows(set) : []]));
	console.log(header);
	for (const { set, name, read } of subjects) {
		const rows = found.get(set)!;
		const before = kept.get(set)!.filter((row) => row.problem === name);
		if (plan.tolerances.every((tolerance) => before.some((row) => row.tolerance === tolerance))) {
			rows.push(...before);
			continue;
		}
		const problem = await read();
		if ("unfit" in problem) {
			console.log(`${name}: skipped: ${problem.unfit}`);
			continue;
		}
		const own = join(folder, name);
		mkdirSync(own);
		const compared = await compareOne(program, name, problem, own, plan);
		for (const row of compared) console.log(line(row));
		if (plan.isRecorded) mergeCsv(FILES[set], KEY_COLUMNS, compared.map(flat));
		rows.push(...compared);
		rmSync(own, { recursive: true });
	}
	return found;
}

function keptRows(set: ProblemSet): Row[] {
	try {
		return readCsv(FILES[set]).map(parseRow);
	} catch {
		return [];
	}
}

function report(found: ReadonlyMap<ProblemSet, readonly Row[]>, { isRecorded }: Plan): void {
	for (const [set, rows] of found) {
		console.log(["", `${set}:`, ...summary(rows)].join("\n"));
		if (isRecorded && rows.length > 0) console.log(`recorded in bench/results/${FILES[set]}.csv`);
	}
	if (found.size > 1) console.log(["", "all:", ...summary([...found.values()].flat())].join("\n"));
}

async function compareOne(
	program: string,
	name: string,
	problem: BlockProblem,
	folder: string,
	plan: Plan,
): Promise<Row[]> {
	const { cache, limits, tolerances } = plan;
	const file = join(folder, "problem.bin");
	writeBinary(file, problem);
	const known = cache?.find(name, tolerances);
	const searches = known ?? (await searchSiconos(program, problem, file, folder, tolerances, limits));
	if (known === undefined) cache?.keep(name, tolerances, searches);
	const rows: Row[] = [];
	for (const [index, tolerance] of tolerances.entries()) {
		const side = new Ours(problem, file, folder, tolerance, limits.limitSeconds);
		const search = searches[index]!;
		let theirs = known === undefined ? search.best : undefined;
		let configs = known === undefined ? fastest(search, tolerance, 1) : fastest(search, tolerance, KNOWN_TRIED);
		let ours: Result | undefined;
		for (let round = 0; round < plan.rounds; round += 1) {
			const window = await side.window(limits.budgetSeconds);
			ours = ours === undefined ? window : faster(ours, window);
			for (const config of configs) {
				const result = await again(program, problem, file, folder, tolerance, { ...limits, config });
				theirs = theirs === undefined || (result && result.seconds < theirs.seconds) ? result : theirs;
			}
			// The first round has told which of them it is.
			if (theirs !== undefined) configs = [theirs.by];
			// A solve far longer than a window has been repeated enough within it.
			if (window.seconds > 10 * limits.budgetSeconds) break;
		}
		side.end();
		if (ours !== undefined) rows.push({ problem: name, contacts: problem.contacts, tolerance, ours, siconos: theirs });
	}
	return rows;
}

/** The winner once more; nothing where it does not make it this time. */
async function again(
	program: string,
	problem: BlockProblem,
	file: string,
	folder: string,
	tolerance: number,
	limits: Limits,
): Promise<Result | undefined> {
	const [search] = await searchSiconos(program, problem, file, folder, [tolerance], limits);
	return search?.best;
}

/** The fastest configurations of a search. */
function fastest({ attempts }: Search, tolerance: number, count: number): string[] {
	const solved = attempts.filter((attempt) => attempt.outcome === "solved" && attempt.tolerance === tolerance);
	solved.sort((a, b) => (a.seconds ?? Number.POSITIVE_INFINITY) - (b.seconds ?? Number.POSITIVE_INFINITY));
	return [...new Set(solved.map(({ config }) => config))].slice(0, count);
}

/** Searches kept in a file: which configurations of Siconos are worth a try. Their times are taken anew, beside ours. */
class Cache {
	readonly #file: string;
	readonly #searches: Record<string, Search>;

	constructor(file: string) {
		this.#file = file;
		this.#searches = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, Search>) : {};
	}

	find(name: string, tolerances: readonly number[]): Search[] | undefined {
		const found = tolerances.map((tolerance) => this.#searches[key(name, tolerance)]);
		return found.every((search) => search !== undefined) ? found : undefined;
	}

	keep(name: string, tolerances: readonly number[], searches: readonly Search[]): void {
		for (const [index, tolerance] of tolerances.entries()) {
			const search = searches[index];
			if (search !== undefined) this.#searches[key(name, tolerance)] = search;
		}
		writeFileSync(this.#file, `${JSON.stringify(this.#searches, null, "\t")}\n`);
	}
}

function key(name: string, tolerance: number): string {
	return `${name} ${tolerance}`;
}
