/** The end of a run: what each rank has of the answer, measured afresh, and the whole of it in the problem's order and units. */

import { brief } from "../base/brief.js";
import { version } from "../base/version.js";
import type { Arena } from "../kernels/arena.js";
import { errorOf, type MeasureName, type MeasuresTaken } from "../measures/measures.js";
import type { Traffic } from "../parallel/communicator.js";
import { ROLLING } from "../problem/rolling.js";
import type { ConeRange } from "../system/cone-ranges.js";
import { efficiencyOf } from "./efficiency.js";
import { DOUBTFUL_ENERGY } from "./growth.js";
import { hashOf } from "./hash.js";
import type { Reach } from "./reach.js";
import type { PartOfReport, RankReport, RankResult, Report, ReportWarning, Solution, Status } from "./report.js";
import type { Run } from "./run.js";

export interface Timing {
	seconds: number;
	secondsFirst: number;
	/** Of these, seconds of runs that this one goes on from. */
	secondsBefore: number;
}

/** What the reason of an ending is made of. */
export interface Ending {
	readonly status: Status | undefined;
	readonly measure: MeasureName;
	readonly tolerance: number;
	readonly iterations: number;
	readonly isSuspended: boolean;
	/** Of an ending that may be unsolved. */
	readonly reach?: Reach;
	/** True if a solution need not exist. */
	readonly missesDualCone?: boolean;
	/** Id of a contact that cannot be stopped; of an infeasible problem. */
	readonly blocked?: number | undefined;
}

/** Reason of the ending, for people, with the error in its measure. */
export function reasonOf(run: Ending, error: number): string {
	const { status, measure, tolerance } = run;
	const reached = `${measure} error ${brief(error)}`;
	const compared = `${reached} (tolerance ${brief(tolerance)})`;
	const inReach = run.reach?.describe();
	const existence = run.missesDualCone ? `; ${MISSED}` : "";
	const unsolved = `${compared}${inReach === undefined ? "" : `; ${inReach}`}${existence}`;
	const words: Record<Status, string> = {
		solved: compared,
		stalled: `no further progress at ${unsolved}; a larger tolerance or more products may help`,
		"iteration-limit": `stopped after ${run.iterations} iterations at ${unsolved}`,
		"time-limit": `time limit reached at ${unsolved}`,
		diverged: `the iterate grows without bound; the best one has ${reached}${existence}`,
		infeasible: `contact ${run.blocked} approaches, and its diagonal block of W lets nothing stop it; leave it out, or free a body`,
		cancelled: `${run.isSuspended ? "suspended" : "stopped"} on request at ${compared}`,
	};
	return words[status ?? "stalled"];
}

/** Field of a report: why `auto` chose its method. */
export function withChoice(choice: string | undefined): Pick<Report, "choice"> {
	return choice === undefined ? {} : { choice };
}

const MISSED = "existence is not guaranteed: no reaction brings all velocities into the dual cones";

/** Doubts about an answer with this error; undefined without any. */
function warningsOf(ending: Ending, taken: MeasuresTaken): { readonly warnings?: ReportWarning[] } {
	const { measure, tolerance } = ending;
	const warnings: ReportWarning[] = [];
	if (ending.missesDualCone && ending.status !== "solved")
		warnings.push({ code: "existence-not-guaranteed", text: MISSED });
	const isWithin = errorOf({ ...taken, measure }) <= tolerance * (1 + ROUNDING);
	if (measure !== "energy" && isWithin && taken.energy > DOUBTFUL_ENERGY) {
		const text = `${measure} is within its tolerance, but the energy error is ${taken.energy.toExponential(1)}; solve to a tolerance of the energy error`;
		warnings.push({ code: "energy-error", text });
	}
	return warnings.length > 0 ? { warnings } : {};
}

/** Collective. The measures of the R that the run ended with, afresh but for those that a product with this very R gave last. */
function measuresAtEnd({ system, isMeasured, measure, value }: Run): MeasuresTaken {
	const { r, u, measures } = system;
	if (isMeasured) return measures.all(r, u, { [measure]: value }, measure);
	system.velocity(r, u);
	return measures.all(r, u, {}, measure);
}

/** Contacts of two blocks each. */
function pairsOf(ranges: readonly ConeRange[]): number {
	return ranges.reduce((sum, { law, from, to }) => (law === ROLLING ? sum + (to - from) / 2 : sum), 0);
}

/** A method whose velocities go on from step to step may have lost them in rounding: then what it called solved is not. */
const ROUNDING = 1e-3;

function statusOf({ status = "stalled", tolerance }: Run, error: number): Status {
	const isWithin = error <= tolerance * (1 + ROUNDING);
	return status === "solved" && !isWithin ? "stalled" : status;
}

function rankReportOf({ system }: Run, timing: Timing, traffic: Traffic): RankReport {
	const { exchanges, reductions, messages, bytes, pack, wait, reduce } = traffic;
	const compute = timing.seconds - timing.secondsBefore - pack - wait - reduce;
	return {
		rank: system.reducer.communicator.rank,
		contacts: system.share.ownContacts - pairsOf(system.cones.ranges),
		exchanges,
		reductions,
		messages,
		bytes,
		phases: { compute: Math.max(0, compute), pack, wait, reduce },
		peakMemory: system.peakBytes,
	};
}

/** Collective. */
function ownReportOf(run: Run, timing: Timing, { exchanges, reductions }: Traffic): RankResult["report"] {
	const { share, operator, reducer } = run.system;
	const taken = measuresAtEnd(run);
	const { measure, tolerance, iterations, isSuspended, reach } = run;
	const error = errorOf({ ...taken, measure });
	const status = statusOf(run, error);
	const { missesDualCone } = run;
	const { blocked } = run.system;
	const ending = { status, measure, tolerance, iterations, isSuspended, reach, missesDualCone, blocked };
	return {
		problem: share.name,
		contacts: share.counted,
		method: run.entry.name,
		status,
		reason: reasonOf(ending, error),
		...withChoice(run.entry.reason?.(run.system)),
		remedies: [...run.method.remedies],
		iterations,
		products: run.products,
		measure,
		tolerance,
		...taken,
		seconds: timing.seconds,
		secondsFirst: timing.secondsFirst,
		ranks: reducer.communicator.size,
		transport: reducer.communicator.transport,
		operator: `${operator.kind} (${share.operatorReason})`,
		exchanges,
		reductions,
		...warningsOf(ending, taken),
		version,
		...(run.history ? { history: [...run.history] } : {}),
	};
}

/** Collective. `traffic` is that of the solve that is reported. */
export function finish(run: Run, timing: Timing, traffic = run.traffic): RankResult {
	const { system } = run;
	const report = ownReportOf(run, timing, traffic);
	return {
		ids: system.share.ids,
		reaction: system.load(system.r, -1),
		velocity: system.load(system.u, 1),
		equalityRows: system.share.equalityRows,
		rank: rankReportOf(run, timing, traffic),
		report,
	};
}

/** What a step of a simulation is told of its solve, the same on every rank but for the time. */
export type SolveFacts = Pick<Report, "status" | "reason" | "iterations" | "products" | "seconds"> & {
	/** In the measure of the tolerance. */
	readonly error: number;
	/** True if a test showed that a solution need not exist. */
	readonly missesDualCone: boolean;
};

/** Collective. The error as in `measuresAtEnd`, and nothing beside it. */
function errorAtEnd({ system, isMeasured, measure, value }: Run): number {
	if (isMeasured) return value;
	system.velocity(system.r, system.u);
	return system.measures.measure(measure, system.r, system.u);
}

/** Collective. What a step needs: reactions, each to the block of `reaction` that `to` says by place, and the facts. Why it ended is put in words when it is asked for. */
export function finishStep(run: Run, timing: Timing, reaction: Float64Array, to: Int32Array): SolveFacts {
	const { system, measure, tolerance, iterations, isSuspended, reach, missesDualCone } = run;
	const { blocked } = system;
	const error = errorAtEnd(run);
	const status = statusOf(run, error);
	system.load(system.r, -1, reaction, to);
	return {
		status,
		iterations,
		products: run.products,
		error,
		seconds: timing.seconds,
		missesDualCone,
		get reason(): string {
			return reasonOf({ status, measure, tolerance, iterations, isSuspended, reach, missesDualCone, blocked }, error);
		},
	};
}

/** Arrays for three numbers per block. */
export interface AnswerRoom {
	readonly reaction: Float64Array;
	readonly velocity: Float64Array;
}

/** The same of a rank that is alone, at once in the problem's order, and in arrays of the caller's where there are some. */
export function finishAlone(run: Run, timing: Timing, traffic: Traffic, room?: AnswerRoom): Solution {
	const { system } = run;
	const { ids, equalityRows } = system.share;
	const report = ownReportOf(run, timing, traffic);
	const reactions = system.load(system.r, -1, room?.reaction, ids);
	const velocities = system.load(system.u, 1, room?.velocity, ids);
	const parts = [{ rank: rankReportOf(run, timing, traffic), report }];
	return solutionOf(parts, equalityRows, reactions, velocities, system.arena);
}

/** Puts blocks where their ids say. */
function scatter(outcome: RankResult, values: Float64Array, into: Float64Array): void {
	const { ids } = outcome;
	for (let at = 0, from = 0; at < ids.length; at += 1, from += 3) {
		const to = 3 * ids[at]!;
		into[to] = values[from]!;
		into[to + 1] = values[from + 1]!;
		into[to + 2] = values[from + 2]!;
	}
}

/** The answer out of what all ranks ended with, by rank. */
export function assemble(outcomes: readonly RankResult[]): Solution {
	const blocks = outcomes.reduce((sum, { ids }) => sum + ids.length, 0);
	const reactions = new Float64Array(3 * blocks);
	const velocities = new Float64Array(3 * blocks);
	for (const outcome of outcomes) {
		scatter(outcome, outcome.reaction, reactions);
		scatter(outcome, outcome.velocity, velocities);
	}
	return solutionOf(outcomes, outcomes[0]!.equalityRows, reactions, velocities);
}

/** Of three numbers per block, contacts first, then equality blocks; the arena is one that is in use. */
export function solutionOf(
	outcomes: readonly PartOfReport[],
	equalityRows: number,
	reactions: Float64Array,
	velocities: Float64Array,
	arena?: Arena,
): Solution {
	const numbers = reactions.length - 3 * Math.ceil(equalityRows / 3);
	// Without equality rows the contacts are all there is.
	const ofContacts = (all: Float64Array) => (all.length === numbers ? all : all.slice(0, numbers));
	const reaction = ofContacts(reactions);
	return {
		reaction,
		velocity: ofContacts(velocities),
		multiplier: reactions.slice(numbers, numbers + equalityRows),
		report: reportOf(outcomes, hashOf(reaction, arena)),
	};
}

/** What all ranks report, of an answer with this hash. */
export function reportOf(outcomes: readonly PartOfReport[], hash: string): Report {
	const { history, version: made, ...facts } = outcomes[0]!.report;
	const perRank = outcomes.map(({ rank }) => rank);
	return {
		...facts,
		perRank,
		efficiency: efficiencyOf(perRank.map(({ phases }) => phases)),
		hash,
		version: made,
		...(history ? { history } : {}),
	};
}
