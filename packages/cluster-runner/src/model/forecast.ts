/** A forecast: a trace replayed on the ranks of a partition over a network, and where its time goes, in the factors of POP (pop-coe.eu). */
import { type Jitter, simulate, type Timeline } from "./events.js";
import type { RankLoad } from "./loads.js";
import { freePlatform, type Platform } from "./platform.js";
import { replay } from "./replay.js";
import type { Operation } from "./trace.js";
import type { Work } from "./work.js";

export interface ForecastOptions {
	readonly operations: readonly Operation[];
	readonly loads: readonly RankLoad[];
	readonly work: Work;
	readonly platform: Platform;
	readonly jitter: Jitter;
}

export interface Forecast {
	/** Of all operations. */
	readonly seconds: number;
	/** Seconds of computing: of all ranks, and of the one that computes most. */
	readonly computeSum: number;
	readonly computeMost: number;
	readonly messages: number;
	readonly bytes: number;
	/** Shares that multiply to the first. */
	readonly parallel: number;
	readonly loadBalance: number;
	/** On a network that costs nothing: waiting for ranks that are late. */
	readonly serialisation: number;
	/** What messages, packing and reductions leave. */
	readonly transfer: number;
}

export function forecast(options: ForecastOptions): Forecast {
	const { platform, loads } = options;
	const timeline = timelineOf(options);
	// The same ranks, with the same delays of their own, over a network that costs nothing.
	const ideal = loads.length === 1 ? timeline : timelineOf({ ...options, platform: freePlatform(platform) });
	const sum = timeline.compute.reduce((total, seconds) => total + seconds, 0);
	const most = timeline.compute.reduce((largest, seconds) => Math.max(largest, seconds), 0);
	const mean = sum / loads.length;
	return {
		seconds: timeline.seconds,
		computeSum: sum,
		computeMost: most,
		messages: timeline.messages,
		bytes: timeline.bytes,
		parallel: mean / timeline.seconds,
		loadBalance: mean / most,
		serialisation: most / ideal.seconds,
		transfer: ideal.seconds / timeline.seconds,
	};
}

function timelineOf({ jitter, ...replayed }: ForecastOptions): Timeline {
	const { wires, cores } = replayed.platform;
	return simulate(replay(replayed), wires, cores, jitter);
}
