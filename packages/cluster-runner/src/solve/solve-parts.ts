/** Solving problems in parts on ranks: parts that the caller has, parts that arrive one by one, and parts that the ranks make themselves. */
import { randomUUID } from "node:crypto";
import type { PartSolution, PartsCollection, PartsSolution, ProblemPart, Report, SolveOptions } from "@stickslip/core";
import {
	checkCount,
	checkIndex,
	checkPartsOptions,
	type PartOfReport,
	RankError,
	type RunOptions,
	reportOf,
} from "@stickslip/core/parallel";
import type { Check } from "@stickslip/core/schema";
import type { PartitionMethod } from "@stickslip/partition";
import { errorOf } from "../parts/agreement.js";
import { isKept, isSolvedOrRefused, type PartsTask } from "../parts/parts-task.js";
import type { Refused, SolvedParts } from "../parts/solve-parts.js";
import type { SolveOfParts } from "../parts/survey.js";
import type { OwnPartsResult, OwnPartsTask } from "../programs/own-parts.js";
import { PARTS_OF } from "../programs/programs.js";
import { progressOf } from "../programs/solve.js";
import { refusalIn } from "../protocol/refusal.js";
import { choose, type RankOptions } from "../ranks/choose.js";
import type { Ranks, StopSignal, Task } from "../ranks/ranks.js";
import { RunEvents } from "../ranks/run-events.js";
import { startRanks } from "../ranks/start-ranks.js";

/** Starts are in the parts. */
export interface PartsSolveOptions extends Omit<SolveOptions, "start" | "keep" | "signal"> {
	readonly signal?: StopSignal | undefined;
	/** How contacts are shared out; bits do not depend on it. Default auto. */
	readonly partition?: PartitionMethod;
}

/** The ranks that have the parts, and solve. */
export type RanksOfParts = Pick<Ranks, "ranks" | "run">;

/** Of one rank, above its own arrays: reports, the history of some millions of iterations. */
const RESULT_BYTES_MAX = 2 ** 28;
const BYTES_PER_CONTACT = 64;

/**
 * The parts of one problem, which arrive one by one: each is sent to a rank at once, and this process keeps none. A group that is not solved has to be
 * dropped. The ranks must not get another task for all of them meanwhile.
 */
export class PartsGroup implements PartsCollection {
	readonly of: number;
	readonly #ranks: RanksOfParts;
	readonly #name = randomUUID();
	#contacts = 0;

	constructor(ranks: RanksOfParts, of: number) {
		this.of = checkCount(of);
		this.#ranks = ranks;
	}

	/** Sends a part to its rank. If ranks are threads, buffers that are no longer needed are moved without a copy. */
	async add(index: number, part: ProblemPart, buffers: readonly ArrayBuffer[] = []): Promise<void> {
		checkIndex(index, this.of);
		this.#contacts += contactsOf(part);
		const alone = index % this.#ranks.ranks;
		const given: PartsTask = { group: this.#name, parts: [{ index, part }] };
		await this.#ranks.run({ ...this.#task(isKept), alone, part: () => ({ part: given, buffers }) });
	}

	/** Solves the problem; its parts are forgotten in any case. Throws an InputError that names the part and the field which are wrong. */
	async solve(options: PartsSolveOptions = {}): Promise<PartsSolution> {
		return await this.#solve(options, () => []);
	}

	/** The same with parts that all go to their ranks now. */
	async solveAll(parts: readonly ProblemPart[], options: PartsSolveOptions): Promise<PartsSolution> {
		for (const part of parts) this.#contacts += contactsOf(part);
		const { ranks } = this.#ranks;
		const given = parts.map((part, index) => ({ index, part }));
		return await this.#solve(options, (rank) => given.filter(({ index }) => index % ranks === rank));
	}

	async drop(): Promise<void> {
		const dropped: PartsTask = { group: this.#name, drop: true, parts: [] };
		await this.#ranks.run({ ...this.#task(isKept), part: () => ({ part: dropped, buffers: [] }) });
	}

	async #solve(options: PartsSolveOptions, partsOf: (rank: number) => PartsTask["parts"]): Promise<PartsSolution> {
		const solve = splitOptions(options, this.of);
		const part = (rank: number) => ({
			part: { group: this.#name, parts: partsOf(rank), solve } satisfies PartsTask,
			buffers: [],
		});
		const results = await this.#ranks.run({ ...this.#task(isSolvedOrRefused, options), part });
		return solutionOf(results, this.of);
	}

	#task<Result>(isResult: Check<Result>, options: PartsSolveOptions = {}): Omit<Task<Result>, "part"> {
		return taskOf(this.#ranks.ranks, this.#contacts, isResult, options);
	}
}

/** The size of a value that may not be a part: the ranks report that. */
function contactsOf(part: ProblemPart): number {
	return part?.ids?.length ?? 0;
}

function taskOf<Result>(
	ranks: number,
	contacts: number,
	isResult: Check<Result>,
	{ signal, onProgress }: PartsSolveOptions,
): Omit<Task<Result>, "part"> {
	return {
		isResult: (value): value is Result => isResult(value),
		resultBytesMax: RESULT_BYTES_MAX + BYTES_PER_CONTACT * contacts,
		stateBytesMax: RESULT_BYTES_MAX,
		signal,
		onProgress: onProgress && ((numbers) => onProgress(progressOf(numbers))),
		events: new RunEvents({ ranks }),
	};
}

/** What the ranks are told of the options. */
function splitOptions(
	{ partition, signal: _signal, onProgress: _onProgress, ...options }: PartsSolveOptions,
	of: number,
) {
	checkPartsOptions(options);
	return { of, options: options as RunOptions, ...(partition && { partition }) } satisfies SolveOfParts;
}

/** Throws the refusal where there is one. */
function solutionOf(results: readonly (SolvedParts | Refused)[], of: number): PartsSolution {
	const answers = results.flatMap((result) => ("refusal" in result ? [] : result.answers));
	const byIndex = new Map(answers.map((answer) => [answer.index, answer]));
	const parts = Array.from({ length: of }, (_, index) => byIndex.get(index));
	const report = wholeReport(results);
	if (parts.some((part) => part === undefined)) throw new RankError(-1, "the answer of a part is missing");
	return { report, parts: parts.map((part) => ({ reaction: part!.reaction, velocity: part!.velocity })) };
}

function wholeReport(results: readonly ((PartOfReport & { readonly hash: string }) | Refused)[]): Report {
	const solved = results.filter((result): result is SolvedParts => !("refusal" in result));
	const refused = results.find((result): result is Refused => "refusal" in result);
	if (refused) throw errorOf(refused.refusal);
	return reportOf(solved, solved[0]!.hash);
}

/** Ranks that make their parts themselves. */
export interface OwnPartsOptions extends PartsSolveOptions, Omit<RankOptions, "checkpointer"> {
	/** Plain data for the module's functions. */
	readonly argument?: unknown;
}

export interface OwnPartsSolution {
	readonly report: Report;
	/** By rank, unless the module has a function `answer`. */
	readonly parts: readonly PartSolution[];
	/** By rank what that function returned. */
	readonly returned: readonly unknown[];
}

const isOwnResult: Check<OwnPartsResult> = (value): value is OwnPartsResult => {
	if (typeof value !== "object" || value === null) return false;
	const { returned: _returned, ...solved } = value as { returned?: unknown };
	return isSolvedOrRefused(solved);
};

/**
 * Solves a problem of which each rank has a part: `module` (a file: URL) is loaded by every rank, and its default export, `(rank, ranks, argument) =>
 * ProblemPart`, makes the rank's own. The bits are those of the whole problem, in one piece. Throws an InputError that names the part (the rank) and
 * the field which are wrong; nothing that was started outlives the promise.
 */
export async function solveOwnParts(module: URL | string, options: OwnPartsOptions = {}): Promise<OwnPartsSolution> {
	const { ranks, transport, processes, placement, patience, log, argument, ...rest } = options;
	const choice = choose(Number.POSITIVE_INFINITY, { ...options, ranks: ranks ?? "auto" });
	const started = await startRanks(`${PARTS_OF}${new URL(module).href}`, { ...choice, patience, log });
	try {
		const solve = splitOptions(rest, started.ranks);
		const task: OwnPartsTask = { argument, solve };
		const results = await started.run({
			...taskOf(started.ranks, CONTACTS_OF_ANY, isOwnResult, rest),
			part: () => ({ part: task, buffers: [] }),
		});
		const report = wholeReport(results);
		const solved = results as (SolvedParts & { returned?: unknown })[];
		const hasParts = solved.every(({ answers }) => answers.length > 0);
		return {
			report,
			parts: hasParts ? solutionOf(results, started.ranks).parts : [],
			returned: hasParts ? [] : solved.map(({ returned }) => returned),
		};
	} catch (error) {
		throw refusalIn(error);
	} finally {
		await started.close();
	}
}

/** What a rank returns may have any size. */
const CONTACTS_OF_ANY = 2 ** 31;
