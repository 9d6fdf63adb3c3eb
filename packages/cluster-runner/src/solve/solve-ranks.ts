/** Solving on ranks, with the bits of one: cuts problems into parts, has the ranks solve them, and puts their answers together. */
import { hostname } from "node:os";
import { InputError, type Problem, type Solution, type SolveOptions } from "@stickslip/core";
import { type Prepared, prepare, type RankResult } from "@stickslip/core/parallel";
import { cutShares, isShareable, type PointOwners } from "@stickslip/partition";
import type { WholePart } from "../programs/solve.js";
import { isSolution } from "../programs/solve-messages.js";
import { refusalIn } from "../protocol/refusal.js";
import { type Choice, choose, type RankOptions } from "../ranks/choose.js";
import type { Ranks, StopSignal } from "../ranks/ranks.js";
import { RunEvents } from "../ranks/run-events.js";
import { type StartOptions, startRanks } from "../ranks/start-ranks.js";
import { ShareSource } from "./share-source.js";
import { cutTask, joined, solveTask } from "./solve-tasks.js";

type Options = SolveOptions & RankOptions & Pick<StartOptions, "isEncrypted">;

/** The options of a solve that is cut; it can be stopped by anything that can be aborted. */
export type CutOptions = Pick<Options, "onProgress" | "partition" | "checkpointer"> & {
	readonly signal?: StopSignal | undefined;
	/** Owners that were found while the plan was made. */
	readonly known?: PointOwners | undefined;
};

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
		const { patience, log, isEncrypted } = options;
		ranks = await startRanks("solve", { ...way, patience, log, isEncrypted });
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

/** In the thread of the caller. */
const ALONE: Choice = { ranks: 1, transport: undefined, processes: 1, perProcess: 1 };

/** What concerns the solve, and not the ranks. */
function ofSolve(options: Options): SolveOptions {
	const { ranks: _ranks, transport: _transport, processes: _processes, placement: _placement, ...others } = options;
	const { partition: _partition, patience: _patience, checkpointer: _checkpointer, log: _log, ...more } = others;
	const { isEncrypted: _isEncrypted, ...rest } = more;
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
		...solveTask(problem.contacts, { signal, onProgress }, events),
		alone: 0,
		part: () => ({ part, buffers: [], from }),
		isResult: (value): value is Solution => isSolution(value, problem),
	});
	await events.ended(solution!);
	return solution!;
}

/** Each rank its share. */
export async function solveCut(
	ranks: Ranks,
	prepared: Prepared,
	options: CutOptions,
	events: RunEvents,
	{ why, started }: { readonly why: string | undefined; readonly started: number },
): Promise<Solution> {
	const { partition, checkpointer, known } = options;
	const { blocks } = prepared.plan;
	const source = new ShareSource(prepared, ranks.ranks, { method: partition, known }, checkpointer?.from);
	checkpointer?.releaseStart();
	let foreign = 0;
	const setUp = (performance.now() - started) / 1000;
	const outcomes = await ranks.run<RankResult>({
		...cutTask(blocks, options, events),
		prepare: () => source.partition(),
		part: (rank) => source.cut(rank, prepared.options),
		onForeignFrames: (frames) => {
			foreign = frames;
		},
	});
	const solution = joined(outcomes, blocks, setUp + source.seconds);
	await events.ended(outcomes[0]!);
	const { report } = solution;
	const dropped = `${foreign} foreign ${foreign === 1 ? "frame was" : "frames were"} dropped`;
	const reason = [report.reason, ...(foreign > 0 ? [dropped] : [])].join("; ");
	const choices = [report.choice, why].filter((each) => each !== undefined);
	const choice = choices.length === 0 ? {} : { choice: choices.join("; ") };
	return { ...solution, report: { ...report, reason, ...choice } };
}

/** Not refused by cutShares, since it could be one share: its factors cannot leave this thread. */
function refuseWhole({ plan, ...prepared }: Prepared, { ranks, transport }: Choice): void {
	if (ranks > 1) cutShares({ plan, ...prepared }, ranks);
	if (plan.operator !== "global") return;
	const lack = `global is solved in the caller's own thread, not over ${transport}`;
	throw new InputError(plan.problem.name, "operator", lack, "leave the transport out, or use operator=assembled");
}
