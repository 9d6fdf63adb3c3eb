/**
 * Ranks that stay up from solve to solve: what a solve costs beyond set-up and solve in one thread, and what thousands of them leave behind. A small
 * problem is solved on one of the ranks; `cut` has it cut for both of them, whatever that costs.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openSession, type Transport } from "@stickslip/cluster-runner";
import { generate, type Problem, type Session, solve } from "@stickslip/core";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";
import { type ResourceUse, resourceUse } from "./resource-use.js";

const CONTACTS = 300;
const SOLVES = 10_000;
/** Solves after which nothing may grow any more, and the part that noise may. */
const WARM_UP = 1000;
const GROWTH_MAX = 0.03;
/** Milliseconds beyond one thread. */
const BEYOND_MAX: Readonly<Record<string, number>> = { threads: 0.3 };
const BEYOND_BETWEEN_PROCESSES_MAX = 1;
/** Solves of either kind in turn. */
const TURN = 50;

interface WarmTransport {
	readonly transport: Transport;
	readonly library?: "openmpi" | "mpich";
}

const ways: readonly WarmTransport[] = [
	{ transport: "threads" },
	{ transport: "zeromq" },
	{ transport: "mpi", library: "openmpi" },
	{ transport: "mpi", library: "mpich" },
];

export type WarmRow = {
	readonly way: string;
	readonly solved: string;
	readonly contacts: number;
	readonly solves: number;
	/** Milliseconds: the least and the median of one thread, of the ranks, and of the differences of neighbours. */
	readonly one: string;
	readonly oneMedian: string;
	readonly warm: string;
	readonly warmMedian: string;
	readonly beyond: string;
	readonly beyondMedian: string;
	/** MiB after the first thousand, and at the end. */
	readonly memoryBefore: string;
	readonly memoryAfter: string;
	readonly growth: string;
	readonly left: string;
	readonly held: string;
};

const collect: () => void = (() => {
	setFlagsFromString("--expose-gc");
	return runInNewContext("gc") as () => void;
})();

function sorted(times: readonly number[]): { least: number; median: number } {
	const all = [...times].sort((one, other) => one - other);
	return { least: all[0] ?? Number.NaN, median: all[all.length >> 1] ?? Number.NaN };
}

/** The least of some looks: collectors of garbage work at times of their own. */
async function settled(solver: Session, problem: Problem): Promise<ResourceUse> {
	let least: ResourceUse | undefined;
	for (let look = 0; look < 20; look += 1) {
		for (let i = 0; i < 10; i += 1) await solver.solve(problem);
		collect();
		const now = resourceUse();
		if (least === undefined || now.memory < least.memory) least = now;
	}
	return least!;
}

export async function warm(way: WarmTransport, isCut: boolean, contacts = CONTACTS, solves = SOLVES): Promise<WarmRow> {
	const { transport, library } = way;
	const problem = generate("spheres", { contacts, seed: 3 });
	const { hash } = solve(problem).report;
	await new Promise((resolve) => setTimeout(resolve, 200));
	const before = resourceUse();
	const variable = process.env.STICKSLIP_MPI;
	if (library !== undefined) process.env.STICKSLIP_MPI = library;
	const solver = await openSession({ ranks: 2, transport, ...(isCut && { cutFrom: 0 }) });
	if (variable === undefined) delete process.env.STICKSLIP_MPI;
	else process.env.STICKSLIP_MPI = variable;
	const [ones, warms]: [number[], number[]] = [[], []];
	let early: ResourceUse | undefined;
	try {
		for (let done = 0; done < solves; done += TURN) {
			if (early === undefined && done >= Math.min(WARM_UP, solves / 2)) early = await settled(solver, problem);
			for (let i = 0; i < TURN; i += 1) {
				const started = performance.now();
				const { report } = await solver.solve(problem);
				warms.push(performance.now() - started);
				if (report.hash !== hash) throw new Error(`${way.transport} has another answer than one thread`);
			}
			for (let i = 0; i < TURN; i += 1) {
				const started = performance.now();
				solve(problem);
				ones.push(performance.now() - started);
			}
		}
		const late = await settled(solver, problem);
		return rowOf({ way, isCut, contacts, solves, ones, warms, early: early!, late });
	} finally {
		await solver.close();
		await new Promise((resolve) => setTimeout(resolve, 500));
		const after = resourceUse();
		const left = after.processes - before.processes + Math.max(0, after.files - before.files - FILES_KEPT);
		if (left > 0 || after.threads > before.threads + THREADS_KEPT) {
			console.log(`left behind: ${JSON.stringify(before)} became ${JSON.stringify(after)}`);
			process.exitCode = 1;
		}
	}
}

/** What Node.js and libraries open once and keep: pipes of its pool, an I/O thread of libzmq with its sockets. */
const FILES_KEPT = 16;
const THREADS_KEPT = 8;

function rowOf(of: {
	way: WarmTransport;
	isCut: boolean;
	contacts: number;
	solves: number;
	ones: readonly number[];
	warms: readonly number[];
	early: ResourceUse;
	late: ResourceUse;
}): WarmRow {
	const { way, isCut, contacts, solves, early, late } = of;
	const [one, ranks] = [sorted(of.ones), sorted(of.warms)];
	const [beyond, beyondMedian] = [ranks.least - one.least, ranks.median - one.median];
	const growth = late.memory / early.memory - 1;
	const isGrown = growth > GROWTH_MAX || late.threads > early.threads || late.files > early.files;
	const limit = BEYOND_MAX[way.transport] ?? BEYOND_BETWEEN_PROCESSES_MAX;
	const text = (milliseconds: number) => milliseconds.toFixed(3);
	return {
		way: way.library ?? way.transport,
		solved: isCut ? "cut for both" : "on one of two",
		contacts,
		solves,
		one: text(one.least),
		oneMedian: text(one.median),
		warm: text(ranks.least),
		warmMedian: text(ranks.median),
		beyond: text(beyond),
		beyondMedian: text(beyondMedian),
		memoryBefore: early.memory.toFixed(0),
		memoryAfter: late.memory.toFixed(0),
		growth: `${(100 * growth).toFixed(1)} %`,
		left: `${late.threads - early.threads} threads, ${late.files - early.files} files more`,
		held: isGrown || (!isCut && beyond > limit) ? "MISSED" : "yes",
	};
}

function lineOf(row: WarmRow): string {
	const times = `one thread ${row.one} (median ${row.oneMedian}) ms, ranks ${row.warm} (${row.warmMedian}) ms: ${row.beyond} (${row.beyondMedian}) beyond`;
	const kept = `memory ${row.memoryBefore} to ${row.memoryAfter} MiB (${row.growth}), ${row.left}`;
	return `${row.way.padEnd(9)}${row.solved.padEnd(15)}${times}; ${kept}; ${row.held}`;
}

export const warmRanks: Bench = {
	name: "warm",
	what: "solves on two ranks that stay up: what each costs beyond one thread, memory, threads and files over 10,000 of them   [threads|zeromq|openmpi|mpich] [--solves N] [--contacts N]",
	async run(args) {
		const number = (name: string, otherwise: number) => {
			const at = args.indexOf(name);
			return at < 0 ? otherwise : Number(args[at + 1]);
		};
		const [solves, contacts] = [number("--solves", SOLVES), number("--contacts", CONTACTS)];
		const named = ways.filter((way) => args.includes(way.library ?? way.transport));
		const rows: WarmRow[] = [];
		for (const way of named.length > 0 ? named : ways) {
			for (const isCut of [false, true]) {
				const row = await warm(way, isCut, contacts, isCut ? Math.min(solves, WARM_UP) : solves);
				console.log(lineOf(row));
				rows.push(row);
			}
		}
		if (named.length === 0) console.log(`recorded in ${recordCsv("warm", rows)}`);
		return rows.some(({ held }) => held !== "yes") ? 1 : undefined;
	},
};
