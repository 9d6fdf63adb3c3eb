/**
 * Ours with its defaults against the best of Siconos, on every problem of data/ that has a W, at natural 1e-4 and 1e-8. Both
 * get the same arrays, start from R = 0, run on the same core in processes of their own, and are judged by score.ts. The
 * best of all Siconos configurations is searched for first; then the winner and ours take turns, and minima count.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";
import { writeBinary } from "./binary.js";
import { readBlocks } from "./core.js";
import { build, type Limits } from "./installed.js";
import { faster, Ours, type Result, type Search, searchSiconos } from "./rival.js";
import type { BlockProblem } from "./score.js";
import { flat, header, line, type Row, summary } from "./table.js";

const folders = ["fclib", "drum", "cubes", "generated"];
const usage =
	"npm run bench -- siconos [--only TEXT] [--tolerance T] [--limit S] [--rounds N] [--quick] [--siconos-cache FILE]";

/** Of a kept search, so many configurations are timed anew: their order may have been noise. */
const KNOWN_TRIED = 3;

interface Plan {
	readonly only: string;
	readonly tolerances: readonly number[];
	readonly limits: Limits;
	readonly rounds: number;
	readonly cache: Cache | undefined;
	/** All problems, both tolerances, no short cuts: worth a result file. */
	readonly complete: boolean;
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
		const data = process.env.STICKSLIP_DATA ?? fileURLToPath(new URL("../../../../shared/data", import.meta.url));
		if (!existsSync(data)) {
			console.log(`skipped: no folder of problems at ${data}; set STICKSLIP_DATA`);
			return 0;
		}
		const folder = mkdtempSync(join(tmpdir(), "stickslip-siconos-"));
		try {
			const built = build(folder);
			if ("absent" in built) {
				console.log(`skipped: Siconos cannot be measured here: ${built.absent}`);
				return 0;
			}
			const rows = await compared(built.program, data, folder, plan);
			console.log(["", ...summary(rows)].join("\n"));
			if (plan.complete && rows.length > 0) console.log(`recorded in ${recordCsv("siconos", rows.map(flat))}`);
			return 0;
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	},
};

function planned(args: readonly string[]): Plan | string {
	try {
		const { values } = parseArgs({
			args: [...args],
			options: {
				only: { type: "string", default: "" },
				tolerance: { type: "string", multiple: true, default: ["1e-4", "1e-8"] },
				limit: { type: "string" },
				rounds: { type: "string" },
				quick: { type: "boolean", default: false },
				"siconos-cache": { type: "string" },
			},
		});
		const { only, quick } = values;
		const tolerances = values.tolerance.map(Number).sort((a, b) => b - a);
		const limitSeconds = Number(values.limit ?? (quick ? 1 : 10));
		const rounds = Number(values.rounds ?? (quick ? 1 : 3));
		if (![...tolerances, limitSeconds, rounds].every((value) => value > 0)) return "an option is not a positive number";
		const limits = { limitSeconds, budgetSeconds: quick ? 0.05 : 0.2 };
		const file = values["siconos-cache"];
		const complete = only === "" && !quick && tolerances.length === 2;
		return { only, tolerances, limits, rounds, cache: file === undefined ? undefined : new Cache(file), complete };
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

async function compared(program: string, data: string, folder: string, plan: Plan): Promise<Row[]> {
	const rows: Row[] = [];
	console.log(header);
	for (const { name, path } of files(data, plan.only)) {
		const problem = await readBlocks(path);
		if ("unfit" in problem) {
			console.log(`${name}: skipped: ${problem.unfit}`);
			continue;
		}
		const own = join(folder, name);
		mkdirSync(own);
		for (const row of await compareOne(program, name, problem, own, plan)) {
			rows.push(row);
			console.log(line(row));
		}
		rmSync(own, { recursive: true });
	}
	return rows;
}

function files(data: string, only: string): { name: string; path: string }[] {
	const present = folders.map((folder) => join(data, folder)).filter((folder) => existsSync(folder));
	return present.flatMap((folder) =>
		readdirSync(folder)
			.filter((file) => file.endsWith(".hdf5") && file.includes(only))
			.sort()
			.map((file) => ({ name: file.slice(0, -".hdf5".length), path: join(folder, file) })),
	);
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
