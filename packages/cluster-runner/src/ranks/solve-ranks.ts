/** Solving on many ranks, with the bits of one: decides on how many, cuts the problem, starts the ranks and puts their answers together. */
import { hostname } from "node:os";
import { InputError, type Problem, type Solution, type SolveOptions, solveAsync } from "@stickslip/core";
import { assemble, type Outcome, type Prepared, prepare, reserveAtMost, STOP } from "@stickslip/core/parallel";
import { cutShares } from "@stickslip/partition";
import { reservation } from "../base/address-space.js";
import { refusalIn } from "../protocol/refusal.js";
import { type Choice, choose, type RankOptions } from "./choose.js";
import { type Job, onAbort, ShareSource } from "./job.js";
import { RunEvents } from "./run-events.js";

const PATIENCE_SECONDS = 60;
const START_SECONDS = 30;

/**
 * Solves a problem on as many ranks as are asked for, in threads or processes of this machine. The answer is the same for any number and
 * any transport, bit for bit. Throws an InputError for a problem or an option that makes no sense, and a RankError (core/parallel)
 * where a rank is lost or fails; nothing that was started outlives the promise.
 */
export async function solveRanks(problem: Problem, options: SolveOptions & RankOptions = {}): Promise<Solution> {
	const { ranks: _ranks, transport: _transport, processes: _processes, placement: _gang, ...others } = options;
	const { partition: _partition, patience: _patience, checkpointer, log, ...rest } = others;
	const choice = choose(problem.contacts, options);
	const events = new RunEvents({ ranks: choice.ranks, checkpointer, log });
	if (choice.transport === undefined) return await solveAlone(problem, rest, events);
	const started = performance.now();
	const job = prepared(problem, rest, choice, options, events);
	if (job === undefined) return await solveAlone(problem, rest, new RunEvents({ ranks: 1, checkpointer, log }));
	const setUp = (performance.now() - started) / 1000;
	const { ranks, processes } = choice;
	const facts = { ranks, transport: choice.transport, processes, contacts: problem.contacts };
	events.write("run", "info", "started", { ...facts, ...here });
	try {
		const outcomes = await run(job);
		await events.ended(outcomes[0]!);
		return withReason(assemble(outcomes), choice, setUp + job.source.seconds);
	} catch (error) {
		events.failed(error);
		// A checkpoint whose parts are all written is completed before the run fails.
		await checkpointer?.settle();
		throw refusalIn(error);
	}
}

const here = { host: hostname(), pid: process.pid };

/** In the caller's own thread. */
async function solveAlone(problem: Problem, options: SolveOptions, events: RunEvents): Promise<Solution> {
	const { checkpointer } = events;
	const reserveBytes = reservation(0, 1);
	if (reserveBytes !== undefined) reserveAtMost(reserveBytes);
	events.write("run", "info", "started", { ranks: 1, contacts: problem.contacts, ...here });
	events.ready(0);
	if (checkpointer === undefined) {
		const solution = await solveAsync(problem, options);
		await events.ended(solution);
		return solution;
	}
	const { signal, ...rest } = options;
	const controller = new AbortController();
	const unwatch = onAbort({ signal, events }, (code) => {
		if (code === STOP.cancelled) controller.abort();
	});
	try {
		const solution = await solveAsync(problem, { ...rest, signal: controller.signal, keep: checkpointer.hooks() });
		await events.ended(solution);
		return solution;
	} finally {
		unwatch();
		await checkpointer.settle();
	}
}

/** Undefined where it is to be solved in this thread after all. What only the cutting needs does not outlive this call. */
function prepared(
	problem: Problem,
	options: SolveOptions,
	choice: Choice,
	{ ranks, partition, patience, checkpointer }: RankOptions,
	events: RunEvents,
): Job | undefined {
	const whole = prepare(problem, options);
	if (!isShareable(whole)) {
		if (ranks === undefined || ranks === "auto") return undefined;
		refuseWhole(whole, choice);
	}
	const source = new ShareSource(whole, choice.ranks, partition, checkpointer?.from);
	checkpointer?.releaseStart();
	return {
		choice,
		source,
		options: whole.options,
		blocks: whole.plan.blocks,
		patience: patience ?? PATIENCE_SECONDS,
		startSeconds: choice.placement?.waitSeconds ?? patience ?? START_SECONDS,
		signal: options.signal,
		onProgress: options.onProgress,
		events,
	};
}

async function run(job: Job): Promise<Outcome[]> {
	if (job.choice.transport !== "threads") {
		const { inProcesses } = await import("./in-processes.js");
		return await inProcesses(job);
	}
	const { inThreads } = await import("./in-threads.js");
	return await inThreads(job);
}

/** The global form and orders that visit one contact after another stay on one rank, in this thread. */
function isShareable({ plan }: Prepared): boolean {
	return plan.operator !== "global" && plan.layout.name === "coloured";
}

/** What cutShares does not refuse, since it could be one share: its factors cannot leave this thread. */
function refuseWhole({ plan, ...prepared }: Prepared, { ranks, transport }: Choice): void {
	if (ranks > 1) cutShares({ plan, ...prepared }, ranks);
	if (plan.operator !== "global") return;
	const lack = `global is solved in the caller's own thread, not over ${transport}`;
	throw new InputError(plan.problem.name, "operator", lack, "leave the transport out, or use operator=assembled");
}

function withReason(solution: Solution, { why }: Choice, setUp: number): Solution {
	const { report } = solution;
	const reason = why === undefined ? report.reason : `${report.reason}; ${why}`;
	return { ...solution, report: { ...report, reason, secondsFirst: setUp + report.secondsFirst } };
}
