/** Solving on ranks, with the bits of one: cuts problems into parts, has the ranks solve them, and puts their answers together. */
import { hostname } from "node:os";
import { InputError, type Problem, type Solution, type SolveOptions } from "@stickslip/core";
import { assemble, isRankResult, type Prepared, prepare, RankError, type RankResult } from "@stickslip/core/parallel";
import { cutShares, isShareable } from "@stickslip/partition";
import type { Transport } from "../base/transports.js";
import { progressOf, type WholePart } from "../programs/solve.js";
import { isSolution } from "../programs/solve-messages.js";
import { refusalIn } from "../protocol/refusal.js";
import { CallerThread } from "../ranks/caller-thread.js";
import { type Choice, choose, type RankOptions } from "../ranks/choose.js";
import type { Ranks } from "../ranks/ranks.js";
import { RunEvents } from "../ranks/run-events.js";
import { startRanks } from "../ranks/start-ranks.js";
import { ShareSource } from "./share-source.js";

/** Above what an answer takes, in bytes: reports with remedies, the history of some millions of iterations. */
const MESSAGE_BYTES_MIN = 2 ** 28;
const BYTES_PER_BLOCK = 64;
/** Of a state: hundreds of vectors. */
const STATE_BYTES_PER_BLOCK = 2 ** 14;

type Options = SolveOptions & RankOptions;

/**
 * Solves a problem on as many ranks as are asked for, in threads or processes of this machine. The answer is the same for any number and
 * any transport, bit for bit. Throws an InputError for a problem or an option that makes no sense, and a RankError (core/parallel)
 * where a rank is lost or fails; nothing that was started outlives the promise.
 */
export async function solveRanks(problem: Problem, options: Options = {}): Promise<Solution> {
	const started = performance.now();
	const choice = choose(problem.contacts, options);
	const prepared = choice.transport === undefined ? undefined : prepare(problem, ofSolve(options));
	const isCuttable = prepared !== undefined && isShareable(prepared);
	const isWhole = prepared === undefined || (!isCuttable && !(typeof options.ranks === "number"));
	if (!isWhole && !isCuttable) refuseWhole(prepared, choice);
	const way: Choice = isWhole ? ALONE : choice;
	const events = eventsOf(problem, way, options);
	let ranks: Ranks | undefined;
	try {
		ranks = await startRanks("solve", { ...way, patience: options.patience, log: options.log });
		if (isWhole) return await solveWhole(ranks, problem, options, events);
		return await solveCut(ranks, prepared, options, events, { why: choice.why, started });
	} catch (error) {
		events.failed(error);
		// A checkpoint whose parts are all written is completed before the run fails.
		await options.checkpointer?.settle();
		throw refusalIn(error);
	} finally {
		await ranks?.close();
	}
}

/** Ranks that stay up from solve to solve. */
export interface Solver {
	readonly ranks: number;
	/** Why there is nothing left to solve on, if a rank has failed. */
	readonly failure: RankError | undefined;
	/**
	 * One solve at a time; the bits are those of `solve`. A problem that is too small for several ranks to gain anything is solved on one of them, and one
	 * that cannot be cut in the caller's thread.
	 */
	solve(problem: Problem, options?: SolveOptions): Promise<Solution>;
	/** Resolves when nothing of the ranks is left. */
	close(): Promise<void>;
}

export interface SolverOptions extends RankOptions {
	/** Contacts from which on a problem is cut for all ranks. Default: from where two of them take less time than one, by the transport. */
	readonly cutFrom?: number;
}

/** Starts as many ranks as are asked for, by default one for each core. Each solve then costs what its problem does, and no start. */
export async function startSolver({ cutFrom, ...options }: SolverOptions = {}): Promise<Solver> {
	const choice = choose(Number.POSITIVE_INFINITY, options);
	const { patience, log } = options;
	const cutMin = cutFrom ?? (choice.transport === undefined ? 0 : CUT_CONTACTS_MIN[choice.transport]);
	const ranks = await startRanks("solve", { ...choice, patience, log });
	const own = choice.transport === undefined ? ranks : new CallerThread("solve");
	return {
		ranks: ranks.ranks,
		get failure() {
			return ranks.failure;
		},
		async solve(problem, given = {}) {
			const started = performance.now();
			const all = { ...given, ...options };
			try {
				const ofOne = new RunEvents({ ranks: 1, log });
				if (own === ranks) return await solveWhole(own, problem, all, ofOne);
				if (problem.contacts < cutMin) return await solveWhole(ranks, problem, all, ofOne);
				const prepared = prepare(problem, given);
				if (!isShareable(prepared)) return await solveWhole(own, problem, all, ofOne);
				const events = new RunEvents({ ranks: ranks.ranks, log });
				return await solveCut(ranks, prepared, all, events, { why: undefined, started });
			} catch (error) {
				throw refusalIn(error);
			}
		},
		close: () => ranks.close(),
	};
}

/** In the thread of the caller. */
const ALONE: Choice = { ranks: 1, transport: undefined, processes: 1, perProcess: 1 };

/** What concerns the solve, and not the ranks. */
function ofSolve(options: Options): SolveOptions {
	const { ranks: _ranks, transport: _transport, processes: _processes, placement: _placement, ...others } = options;
	const { partition: _partition, patience: _patience, checkpointer: _checkpointer, log: _log, ...rest } = others;
	return rest;
}

function eventsOf(problem: Problem, { ranks, transport, processes }: Choice, options: Options): RunEvents {
	const { checkpointer, log } = options;
	const events = new RunEvents({ ranks, checkpointer, log });
	const facts = { ranks, ...(transport !== undefined && { transport, processes }), contacts: problem.contacts };
	events.write("run", "info", "started", { ...facts, host: hostname(), pid: process.pid });
	return events;
}

/** On the first of the ranks alone. */
async function solveWhole(ranks: Ranks, problem: Problem, options: Options, events: RunEvents): Promise<Solution> {
	const { signal, onProgress, ...rest } = ofSolve(options);
	const part: WholePart = { problem, options: rest };
	const from = options.checkpointer?.from;
	const [solution] = await ranks.run<Solution>({
		alone: 0,
		part: () => ({ part, buffers: [], from }),
		isResult: (value): value is Solution => isSolution(value, problem),
		resultBytesMax: resultBytesMax(problem.contacts),
		stateBytesMax: stateBytesMax(problem.contacts),
		signal,
		onProgress: onProgress && ((numbers) => onProgress(progressOf(numbers))),
		events,
	});
	await events.ended(solution!);
	return solution!;
}

function resultBytesMax(blocks: number): number {
	return MESSAGE_BYTES_MIN + BYTES_PER_BLOCK * blocks;
}

function stateBytesMax(blocks: number): number {
	return MESSAGE_BYTES_MIN + STATE_BYTES_PER_BLOCK * blocks;
}

/** Each rank its share. */
async function solveCut(
	ranks: Ranks,
	prepared: Prepared,
	options: Options,
	events: RunEvents,
	{ why, started }: { readonly why: string | undefined; readonly started: number },
): Promise<Solution> {
	const { signal, onProgress, partition, checkpointer } = options;
	const { blocks } = prepared.plan;
	const source = new ShareSource(prepared, ranks.ranks, partition, checkpointer?.from);
	checkpointer?.releaseStart();
	let foreign = 0;
	const setUp = (performance.now() - started) / 1000;
	const outcomes = await ranks.run<RankResult>({
		prepare: () => source.partition(),
		part: (rank) => source.cut(rank, prepared.options),
		isResult: (value, rank): value is RankResult => isRankResult(value, blocks) && value.rank.rank === rank,
		resultBytesMax: resultBytesMax(blocks),
		stateBytesMax: stateBytesMax(blocks),
		signal,
		onProgress: onProgress && ((numbers) => onProgress(progressOf(numbers))),
		onForeignFrames: (frames) => {
			foreign = frames;
		},
		events,
	});
	requireWhole(outcomes, blocks);
	await events.ended(outcomes[0]!);
	const solution = assemble(outcomes);
	const { report } = solution;
	const dropped = `${foreign} foreign ${foreign === 1 ? "frame was" : "frames were"} dropped`;
	const reason = [report.reason, ...(foreign > 0 ? [dropped] : []), ...(why === undefined ? [] : [why])].join("; ");
	const secondsFirst = setUp + source.seconds + report.secondsFirst;
	return { ...solution, report: { ...report, reason, secondsFirst } };
}

/** Throws a RankError where the answers do not fit together. */
function requireWhole(outcomes: readonly RankResult[], blocks: number): void {
	const owned = new Uint8Array(blocks);
	for (const { ids } of outcomes) for (const id of ids) owned[id]! += 1;
	if (owned.every((times) => times === 1)) return;
	throw new RankError(-1, "the results of the ranks do not fit together: a contact is missing or duplicated");
}

/** Contacts from which on two warm ranks take less time than one (`npm run bench -- warm`). */
const CUT_CONTACTS_MIN: Readonly<Record<Transport, number>> = {
	threads: 1000,
	mpi: 3000,
	"threads+mpi": 3000,
	zeromq: 10_000,
	"threads+zeromq": 10_000,
};

/** What cutShares does not refuse, since it could be one share: its factors cannot leave this thread. */
function refuseWhole({ plan, ...prepared }: Prepared, { ranks, transport }: Choice): void {
	if (ranks > 1) cutShares({ plan, ...prepared }, ranks);
	if (plan.operator !== "global") return;
	const lack = `global is solved in the caller's own thread, not over ${transport}`;
	throw new InputError(plan.problem.name, "operator", lack, "leave the transport out, or use operator=assembled");
}
