/** One hash for every number of ranks and every transport: a table with a line per problem and method. */
import { randomBytes } from "node:crypto";
import { solveRanks, type Transport } from "@stickslip/cluster-runner";
import { Control, findMpi, runWorkers, shareThreads } from "@stickslip/comm";
import { type Problem, type Report, solve } from "@stickslip/core";
import { assemble, prepare, type RankResult } from "@stickslip/core/parallel";
import { cutShares } from "@stickslip/partition";
import type { DelayedTask } from "./delayed-rank.js";
import { METHODS, type MethodCase, type Subject } from "./problems.js";

const RANKS = [1, 2, 3, 5, 8];

export interface RankPlacement {
	readonly name: string;
	readonly transport: Transport;
	readonly ranks: readonly number[];
	readonly processes?: number;
	/** What STICKSLIP_MPI has to name. */
	readonly library?: string;
}

/** What there is on this machine; a line says what is not. */
export function rankPlacements(print: (line: string) => void): RankPlacement[] {
	const all: RankPlacement[] = [
		{ name: "threads", transport: "threads", ranks: RANKS },
		{ name: "zeromq", transport: "zeromq", ranks: RANKS },
		{ name: "threads+zeromq 2x2", transport: "threads+zeromq", ranks: [4], processes: 2 },
	];
	for (const [kind, library] of [
		["openmpi", "libmpi.so.40"],
		["mpich", "libmpich.so.12"],
	] as const) {
		if (withLibrary(library, () => findMpi()) === undefined) {
			print(`skipped: ${kind} is not installed`);
			continue;
		}
		all.push({ name: kind, transport: "mpi", ranks: RANKS, library });
		all.push({ name: `threads+${kind} 2x2`, transport: "threads+mpi", ranks: [4], processes: 2, library });
	}
	return all;
}

/** Runs with the environment naming an MPI library. */
export function withLibrary<Result>(library: string | undefined, run: () => Result): Result {
	const before = process.env.STICKSLIP_MPI;
	if (library !== undefined) process.env.STICKSLIP_MPI = library;
	const after = () => {
		if (before === undefined) delete process.env.STICKSLIP_MPI;
		else process.env.STICKSLIP_MPI = before;
	};
	const result = run();
	if (result instanceof Promise) return result.finally(after) as Result;
	after();
	return result;
}

export type Row = {
	readonly problem: string;
	readonly contacts: number;
	readonly method: string;
	readonly way: string;
	readonly ranks: string;
	readonly iterations: number;
	readonly products: number;
	readonly exchanges: number;
	readonly reductions: number;
	readonly hash: string;
	readonly same: "yes" | "NO";
};

/** Whether another run went the same way to the same answer, on every rank. */
function isSame(one: Report, other: Report): boolean {
	return (
		one.hash === other.hash &&
		other.perRank.every(({ exchanges, reductions }) => exchanges === one.exchanges && reductions === one.reductions)
	);
}

export async function hashesOf(subject: Subject, way: RankPlacement, methods = METHODS): Promise<Row[]> {
	const rows: Row[] = [];
	for (const { method, set, maxIterations } of methods) {
		const options = { method, set, maxIterations, tolerance: 1e-10 };
		const one = solve(subject.problem, options).report;
		let same = true;
		for (const ranks of way.ranks) {
			const given = {
				...options,
				ranks,
				transport: way.transport,
				...(way.processes ? { processes: way.processes } : {}),
			};
			const { report } = await withLibrary(way.library, () => solveRanks(subject.problem, given));
			same &&= isSame(one, report);
		}
		rows.push(rowOf(subject, method, way.name, way.ranks.join(" "), one, same));
	}
	return rows;
}

function rowOf(
	{ name, problem }: Subject,
	method: string,
	way: string,
	ranks: string,
	one: Report,
	same: boolean,
): Row {
	const { iterations, products, exchanges, reductions, hash } = one;
	return {
		problem: name,
		contacts: problem.contacts,
		method,
		way,
		ranks,
		iterations,
		products,
		exchanges,
		reductions,
		hash: hash.slice(0, 16),
		same: same ? "yes" : "NO",
	};
}

/** The same with messages delayed and reordered: a method and a number of ranks in turn for each seed. */
export async function delayedHashes(subject: Subject, seeds: readonly number[]): Promise<Row> {
	const ofSeed = (seed: number): MethodCase => METHODS[seed % METHODS.length]!;
	let same = true;
	let last: Report | undefined;
	for (const seed of seeds) {
		const { method, set } = ofSeed(seed);
		const options = { method, set, maxIterations: 5, tolerance: 1e-10 };
		const one = solve(subject.problem, options).report;
		const other = await solveDelayed(subject.problem, options, 2 + (seed % 3), seed);
		if (!isSame(one, other)) {
			console.log(`${subject.name}, ${method}: seed ${seed} of the delays gives other bits`);
			same = false;
		}
		last = one;
	}
	return rowOf(subject, "all three", `delayed, ${seeds.length} seeds`, "2 3 4", last!, same);
}

async function solveDelayed(
	problem: Problem,
	options: Parameters<typeof prepare>[1],
	ranks: number,
	seed: number,
): Promise<Report> {
	const prepared = prepare(problem, options);
	const shares = cutShares(prepared, ranks);
	const control = Control.create();
	const shared = shareThreads(ranks, { strict: true });
	const key = new Uint8Array(randomBytes(16));
	const outcomes = await runWorkers<RankResult>({
		ranks,
		control,
		file: new URL("../../dist/ranks/delayed-rank.js", import.meta.url).href,
		task: (rank): DelayedTask => {
			const outline = shares.outline(rank);
			const { options } = prepared;
			const part = { outline, rows: shares.rows(outline), options };
			return { ...part, rank, ranks, key, seed, shared, control: control.buffer };
		},
	});
	return assemble(outcomes).report;
}
