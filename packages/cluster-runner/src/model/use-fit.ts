/**
 * What loops of calls do not show of a transport: in a solve a rank's threads find its core at work, its memory is not in the cache, and ranks are late by
 * turns. Two constants are such that a simulated solve takes what a measured one took: how many times more everything costs that ranks with a core each do to
 * talk, and what it takes to wake a rank that shares its core.
 */
import { simulate } from "./events.js";
import type { EndCosts, LineCosts } from "./line-costs.js";
import type { RankLoad } from "./loads.js";
import { measuredPlatform } from "./platform.js";
import { replay } from "./replay.js";
import type { Operation } from "./trace.js";
import type { Work } from "./work.js";

const TIMES_MAX = 8;
/** Where less of a solve's time than this is talk, an error in its work would be taken for some. */
const TALK_MIN = 0.3;
/** Seconds. */
const WAKE_MAX = 0.01;
const HALVINGS = 40;
const STILL = { mean: 0, seed: 1 };

/** A solve on so many ranks of so many cores, and the seconds that it took. */
export interface TimedSolve {
	readonly cores: number;
	readonly operations: readonly Operation[];
	readonly loads: readonly RankLoad[];
	readonly work: Work;
	readonly seconds: number;
}

/** `alone`: with a core for each rank. */
export function fitCostsToSolves(costs: LineCosts, alone: TimedSolve, crowd: TimedSolve): LineCosts {
	const scaled = timesMore(costs, timesOf(costs, alone));
	const woken = (wake: number): LineCosts => ({ ...scaled, crowded: { wake, turn: 0 } });
	const wake = leastReaching(0, WAKE_MAX, crowd.seconds, (value) => simulated(woken(value), crowd));
	return woken(wake);
}

function timesOf(costs: LineCosts, use: TimedSolve): number {
	const own = use.loads.map((load) => use.operations.reduce((sum, _, i) => sum + use.work.seconds(i, load), 0));
	if (1 - Math.max(...own) / simulated(costs, use) < TALK_MIN) return 1;
	return leastReaching(1, TIMES_MAX, use.seconds, (times) => simulated(timesMore(costs, times), use));
}

function timesMore(costs: LineCosts, times: number): LineCosts {
	const { begin, finish, within, reduction } = costs;
	const end = ({ exchange, messages, less }: EndCosts): EndCosts => {
		// What packing adds to the shortest message is work, and stays.
		const more = (times - 1) * (messages[0]?.seconds ?? 0);
		return {
			exchange: times * exchange,
			messages: messages.map(({ numbers, seconds }) => ({ numbers, seconds: seconds + more })),
			less: times * less,
		};
	};
	return {
		...costs,
		begin: end(begin),
		finish: end(finish),
		within: { ...within, latency: times * within.latency },
		reduction: { ...reduction, step: times * reduction.step },
	};
}

function simulated(costs: LineCosts, { cores, operations, loads, work }: TimedSolve): number {
	const platform = measuredPlatform(loads.length, cores, costs);
	const { wires, cores: shared } = platform;
	return simulate(replay({ operations, loads, work, platform }), wires, shared, STILL).seconds;
}

/** The least value between two at which a function that grows has reached another; the lower where it has there. */
function leastReaching(low: number, high: number, wanted: number, grows: (value: number) => number): number {
	if (grows(low) >= wanted) return low;
	let [below, above] = [low, high];
	for (let k = 0; k < HALVINGS; k += 1) {
		const middle = (below + above) / 2;
		if (grows(middle) < wanted) below = middle;
		else above = middle;
	}
	return above;
}
