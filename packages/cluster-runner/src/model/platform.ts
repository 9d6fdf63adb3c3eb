/** The machine that a forecast is of: which rank is where, and what it costs them to talk to each other. */
import type { Cores, Wires } from "./events.js";
import { FREE, type LineCosts, nextMessageSeconds } from "./line-costs.js";
import type { Network } from "./networks.js";

export interface Platform {
	readonly costs: LineCosts;
	readonly wires: Wires;
	readonly cores: Cores;
	/** Seconds of a core that a message to or from another host costs beyond one inside: of an exchange, and of a reduction. */
	readonly overhead: number;
	readonly stepOverhead: number;
}

/** Ranks host by host, one on each core; or all of them on so many `cores`, where hosts are those of a machine that stands for several. */
export function clusterPlatform(
	ranks: number,
	ranksPerHost: number,
	costs: LineCosts,
	network: Network,
	cores = ranks,
): Platform {
	const { between, gap } = network;
	const overhead = Math.max(0, network.overhead - nextMessageSeconds(costs));
	const stepOverhead = Math.max(0, network.overhead - costs.reduction.step / 2);
	// Latency as it is published has the cores' part in it.
	const latency = Math.max(0, between.latency - 2 * network.overhead);
	return {
		costs,
		wires: { host: blocksOf(ranks, ranksPerHost), within: costs.within, between: { ...between, latency }, gap },
		cores: coresOf(ranks, cores, costs),
		overhead,
		stepOverhead,
	};
}

/** Ranks of this machine, over a transport that was measured on it. They take turns where there are more than cores. */
export function measuredPlatform(ranks: number, cores: number, costs: LineCosts): Platform {
	const { within } = costs;
	return {
		costs,
		wires: { host: new Int32Array(ranks), within, between: within, gap: 0 },
		cores: coresOf(ranks, cores, costs),
		overhead: 0,
		stepOverhead: 0,
	};
}

/** Ranks take turns where there are more than cores. */
function coresOf(ranks: number, cores: number, { waking, crowded }: LineCosts): Cores {
	const core = Int32Array.from({ length: ranks }, (_, rank) => rank % cores);
	if (ranks <= cores) return { core, waking, turn: 0 };
	return { core, waking: [{ wait: 0, seconds: crowded.wake }], turn: crowded.turn };
}

/** The same where messages cost nothing. */
export function freePlatform(platform: Platform): Platform {
	const none = { latency: 0, perByte: 0 };
	return {
		costs: FREE,
		wires: { ...platform.wires, within: none, between: none, gap: 0 },
		cores: { ...platform.cores, waking: [], turn: 0 },
		overhead: 0,
		stepOverhead: 0,
	};
}

function blocksOf(ranks: number, each: number): Int32Array {
	return Int32Array.from({ length: ranks }, (_, rank) => Math.floor(rank / each));
}
