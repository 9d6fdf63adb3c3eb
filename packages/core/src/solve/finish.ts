/** The end of a run: what each rank has of the answer, measured afresh, and the whole of it in the problem's order and units. */

import { version } from "../base/version.js";
import type { MeasureName } from "../measures/measures.js";
import { efficiencyOf } from "./efficiency.js";
import { hashOf } from "./hash.js";
import type { Reach } from "./reach.js";
import type { PartOfReport, RankResult, Report, Solution, Status } from "./report.js";
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
}

/** Why it ended so, for people; `why` is why this method. */
export function reasonOf(run: Ending, measures: Record<MeasureName, number>, why: string | undefined): string {
	const { status, measure, tolerance } = run;
	const reached = `${measure} ${measures[measure].toExponential(1)}`;
	const wanted = `tolerance ${tolerance.toExponential(1)}`;
	const inReach = run.reach?.describe();
	const unsolved = `${reached}, ${wanted}${inReach === undefined ? "" : `; ${inReach}`}`;
	const words: Record<Status, string> = {
		solved: `${reached} is within the ${wanted}`,
		stalled: `no further progress at ${unsolved}; a larger tolerance or more products may help`,
		"iteration-limit": `stopped after ${run.iterations} iterations at ${unsolved}`,
		"time-limit": `time limit reached at ${unsolved}`,
		diverged: `the iterate is not finite; the best one before it has ${reached}`,
		cancelled: `${run.isSuspended ? "suspended" : "stopped"} on request at ${reached}, ${wanted}`,
	};
	return why === undefined ? words[status ?? "stalled"] : `${words[status ?? "stalled"]} (${why})`;
}

/** Collective. `traffic` is that of the solve that is reported. */
export function finish(run: Run, timing: Timing, traffic = run.traffic): RankResult {
	const { system, status } = run;
	const { r, u, measures, share, operator, reducer } = system;
	const { products } = run;
	system.velocity(r, u);
	const taken = measures.all(r, u);
	const { exchanges, reductions, messages, bytes, pack, wait, reduce } = traffic;
	const { communicator } = reducer;
	const compute = timing.seconds - timing.secondsBefore - pack - wait - reduce;
	return {
		ids: share.ids,
		reaction: system.load(r, -1),
		velocity: system.load(u, 1),
		equalityRows: share.equalityRows,
		rank: {
			rank: communicator.rank,
			contacts: share.ownContacts,
			exchanges,
			reductions,
			messages,
			bytes,
			phases: { compute: Math.max(0, compute), pack, wait, reduce },
			peakMemory: system.peakBytes,
		},
		report: {
			problem: share.name,
			contacts: share.contacts,
			method: run.entry.name,
			status: status ?? "stalled",
			reason: reasonOf(run, taken, run.entry.reason?.(system)),
			remedies: [...run.method.remedies],
			iterations: run.iterations,
			products,
			measure: run.measure,
			tolerance: run.tolerance,
			...taken,
			seconds: timing.seconds,
			secondsFirst: timing.secondsFirst,
			ranks: communicator.size,
			transport: communicator.transport,
			operator: `${operator.kind} (${share.operatorReason})`,
			exchanges,
			reductions,
			version,
			...(run.history ? { history: [...run.history] } : {}),
		},
	};
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
	const { report, equalityRows } = outcomes[0]!;
	const blocks = outcomes.reduce((sum, { ids }) => sum + ids.length, 0);
	const reactions = new Float64Array(3 * blocks);
	const velocities = new Float64Array(3 * blocks);
	for (const outcome of outcomes) {
		scatter(outcome, outcome.reaction, reactions);
		scatter(outcome, outcome.velocity, velocities);
	}
	const numbers = 3 * report.contacts;
	// Without equality rows the contacts are all there is.
	const ofContacts = (all: Float64Array) => (all.length === numbers ? all : all.slice(0, numbers));
	const reaction = ofContacts(reactions);
	return {
		reaction,
		velocity: ofContacts(velocities),
		multiplier: reactions.slice(numbers, numbers + equalityRows),
		report: reportOf(outcomes, hashOf(reaction)),
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
