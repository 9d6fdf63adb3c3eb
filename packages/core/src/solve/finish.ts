/** The end of a run: the answer in the problem's order and units, measured afresh, and the report. */
import type { MeasureName } from "../measures/measures.js";
import { version } from "../version.js";
import { hashOf } from "./hash.js";
import type { Report, Solution, Status } from "./report.js";
import type { Run } from "./run.js";

export interface Timing {
	seconds: number;
	secondsFirst: number;
}

/** Why it ended so, for people. */
function reasonOf(run: Run, measures: Record<MeasureName, number>): string {
	const { status, measure, tolerance } = run;
	const reached = `${measure} ${measures[measure].toExponential(1)}`;
	const wanted = `tolerance ${tolerance.toExponential(1)}`;
	const why = run.entry.reason?.(run.system);
	const words: Record<Status, string> = {
		solved: `${reached} is within the ${wanted}`,
		stalled: `nothing left to try at ${reached}, ${wanted}; a looser tolerance or more products may end it`,
		"iteration-limit": `stopped after ${run.iterations} iterations at ${reached}, ${wanted}`,
		"time-limit": `out of time at ${reached}, ${wanted}`,
		diverged: `the iterate left the finite numbers; the best before that has ${reached}`,
		cancelled: `stopped on request at ${reached}, ${wanted}`,
	};
	return why === undefined ? words[status ?? "stalled"] : `${words[status ?? "stalled"]} (${why})`;
}

export function finish(run: Run, timing: Timing): Solution {
	const { system, status } = run;
	const { r, u, measures, blocks, contacts, problem } = system;
	const { products, reductions } = run;
	system.velocity(r, u);
	const taken = { energy: measures.energy(r, u), natural: measures.natural(r, u), merit: measures.merit(r, u) };
	const reactions = new Float64Array(3 * blocks);
	const velocities = new Float64Array(3 * blocks);
	system.load(r, reactions, -1);
	system.load(u, velocities, 1);
	const count = problem.equalities?.count ?? 0;
	const reaction = reactions.slice(0, 3 * contacts);
	const perRank = {
		exchanges: 0,
		reductions,
		bytes: 0,
		phases: { solve: timing.seconds },
		peakMemory: system.arena.bytes,
	};
	const report: Report = {
		problem: problem.name,
		contacts,
		method: run.entry.name,
		status: status ?? "stalled",
		reason: reasonOf(run, taken),
		remedies: [...run.method.remedies],
		iterations: run.iterations,
		products,
		measure: run.measure,
		tolerance: run.tolerance,
		...taken,
		seconds: timing.seconds,
		secondsFirst: timing.secondsFirst,
		ranks: 1,
		transport: "self",
		operator: `${system.operator.kind} (${system.operatorReason})`,
		exchanges: 0,
		reductions,
		perRank: [perRank],
		hash: hashOf(reaction),
		version,
		...(run.history ? { history: [...run.history] } : {}),
	};
	return {
		reaction,
		velocity: velocities.slice(0, 3 * contacts),
		multiplier: reactions.slice(3 * contacts, 3 * contacts + count),
		report,
	};
}
