/** Chooses the number of ranks, the transport and the number of processes, from the options and the cores of this machine. */
import { cores, type MpiLibrary } from "@stickslip/comm";
import { InputError } from "@stickslip/core";
import type { PartitionMethod } from "@stickslip/partition";
import { count } from "../base/format.js";
import { isBetweenProcesses, isJoined, TRANSPORTS, type Transport, transportOver } from "../base/transports.js";
import type { Checkpointer } from "../checkpoints/checkpointer.js";
import { DAY_SECONDS } from "../cli/arguments.js";
import type { Placement } from "../placement/placement.js";
import type { Starter } from "../processes/starter.js";
import { RANKS_MAX } from "../protocol/messages.js";
import type { Log } from "../records/log.js";

/** The placement of processes, with their starter. `library` is the MPI that ranks communicate over, if any. */
export interface LaunchedPlacement extends Placement {
	starter(library: MpiLibrary | undefined): Promise<Starter>;
}

export interface RankOptions {
	/** An integer from 1, or auto (default): all cores that this process may use where the problem is large enough or a transport is named, else 1. */
	readonly ranks?: number | "auto";
	/** Default threads. */
	readonly transport?: Transport;
	/** For threads+zeromq and threads+mpi, among which ranks are divided evenly. Default 2. */
	readonly processes?: number;
	/** How contacts are shared out; bits do not depend on it. Default auto. */
	readonly partition?: PartitionMethod;
	/** The most seconds that a rank waits for another, and a run for its processes to start. Default 60 and 30. */
	readonly patience?: number;
	/** What `stickslip launch` decided; it decides on ranks and transport too. */
	readonly placement?: LaunchedPlacement | undefined;
	/** Makes checkpoints of the solve: an aborted signal then stops it with a checkpoint, and the solve continues from an earlier checkpoint. */
	readonly checkpointer?: Checkpointer | undefined;
	/** The log of events. */
	readonly log?: Log | undefined;
}

/**
 * With fewer contacts starting threads costs more than they gain. Measured with `auto` at 1e-4 on two busy cores: two ranks start in 0.25 s; spheres and
 * planks of 1,000 to 4,000 contacts took as long on two ranks as on one or longer, 8,000 spheres 8.0 s instead of 10.4 s.
 */
export const AUTO_CONTACTS_MIN = 5000;

export interface Choice {
	readonly ranks: number;
	/** Undefined for one rank in the caller's own thread. */
	readonly transport: Transport | undefined;
	readonly processes: number;
	readonly perProcess: number;
	readonly placement?: LaunchedPlacement;
	/** The reason for an automatic number of ranks. */
	readonly why?: string;
}

/** Throws an InputError for invalid combinations. */
export function choose(contacts: number, options: RankOptions): Choice {
	const { ranks: requested = "auto", transport, processes } = options;
	if (transport !== undefined && !TRANSPORTS.includes(transport)) {
		refuse("transport", `there is no "${transport}"`, `choose among ${TRANSPORTS.join(", ")}`);
	}
	if (requested !== "auto" && !(Number.isInteger(requested) && requested >= 1 && requested <= RANKS_MAX)) {
		refuse("ranks", `"${requested}" is not an integer from 1 to ${RANKS_MAX}`, "give one, or auto");
	}
	const { patience } = options;
	if (patience !== undefined && !(patience > 0 && patience <= DAY_SECONDS)) {
		refuse("patience", `${patience} is not a number of seconds above 0`, `give one, at most ${DAY_SECONDS}`);
	}
	if (options.placement !== undefined) return chosenBy(options.placement, options);
	const { ranks, why } = requested === "auto" ? automatic(contacts, options) : { ranks: requested, why: undefined };
	const chosen = transport ?? (ranks > 1 ? "threads" : undefined);
	const divided = divide(ranks, chosen, processes);
	return { ranks, transport: chosen, ...divided, ...(why === undefined ? {} : { why }) };
}

/** HDF5 takes some 50 MiB in each rank's process (`npm run bench -- rows`): with less to unpack they are better sent their rows. */
const PACKED_BYTES_MIN = 2 ** 26;

/**
 * Whether ranks will be processes of their own with access to this machine's files: threads share the memory of this process. `packedBytes`: of the
 * values in a file that HDF5 has to unpack.
 */
export function canRanksRead(contacts: number, options: RankOptions, packedBytes?: number): boolean {
	if (packedBytes !== undefined && packedBytes < PACKED_BYTES_MIN) return false;
	const { transport, placement } = choose(contacts, options);
	const isHere = placement === undefined || placement.where === "local";
	return transport !== undefined && isBetweenProcesses(transport) && isHere;
}

/** One process per node. */
function chosenBy(
	placement: LaunchedPlacement,
	{ ranks: requested, transport: named, processes }: RankOptions,
): Choice {
	const given = Object.entries({ ranks: requested, transport: named, processes }).find(
		([, value]) => value !== undefined,
	);
	if (given) {
		refuse(
			given[0],
			`${given[1]} cannot be given for a run on several nodes`,
			"use --nodes and --ranks-per-node of launch",
		);
	}
	const { where, nodes, ranksPerNode, between } = placement;
	const ranks = nodes * ranksPerNode;
	if (where === "local" && nodes === 1) {
		return { ranks, transport: ranks > 1 ? "threads" : undefined, processes: 1, perProcess: ranks };
	}
	const transport = transportOver(between, ranksPerNode > 1);
	return { ranks, transport, processes: nodes, perProcess: ranksPerNode, placement };
}

function automatic(contacts: number, { transport }: RankOptions): { ranks: number; why: string | undefined } {
	const isSmall = contacts < AUTO_CONTACTS_MIN;
	if (transport === undefined && isSmall) return { ranks: 1, why: undefined };
	const most = Math.min(RANKS_MAX, cores().length);
	if (transport !== undefined && isJoined(transport)) return { ranks: most + (most % 2), why: undefined };
	if (transport !== undefined) return { ranks: most, why: undefined };
	if (most === 1) return { ranks: 1, why: undefined };
	return { ranks: most, why: `${most} ranks: ${count(contacts)} contacts are enough for all cores` };
}

/** Waiting ranks spin for a while: with more ranks per core than this, that takes most of the time. */
const CROWDED = 2;

/** A warning for more ranks than this machine has cores; undefined if there are not too many. */
export function oversubscriptionWarning({ ranks: requested, placement }: RankOptions): string | undefined {
	const own = placement === undefined ? requested : placement.nodes * placement.ranksPerNode;
	const here = placement === undefined || placement.where === "local";
	if (!here || typeof own !== "number" || own <= CROWDED) return undefined;
	const most = cores().length;
	if (own <= CROWDED * most) return undefined;
	const on = most === 1 ? "1 core" : `${most} cores`;
	return `${own} ranks share ${on}: the answer is the same, but takes longer than with ${Math.max(1, most)}`;
}

function divide(
	ranks: number,
	transport: Transport | undefined,
	processes: number | undefined,
): { readonly processes: number; readonly perProcess: number } {
	if (transport === undefined || !isJoined(transport)) {
		const own = transport !== undefined && isBetweenProcesses(transport) ? ranks : 1;
		if (processes === undefined || processes === own) return { processes: own, perProcess: ranks / own };
		const remedy = `leave it out, or use --transport ${TRANSPORTS.filter(isJoined).join(" or ")}`;
		return refuse("processes", `${transport ?? "one rank"} has ${own} of them, not ${processes}`, remedy);
	}
	const count = processes ?? 2;
	if (!Number.isInteger(count) || count < 1)
		refuse("processes", `"${count}" is not an integer from 1`, "give one, e.g. 2");
	if (ranks % count === 0) return { processes: count, perProcess: ranks / count };
	const problem = `${ranks} ranks cannot be divided evenly among ${count} processes`;
	return refuse("processes", problem, `give a number of ranks that ${count} divides`);
}

function refuse(place: string, problem: string, remedy: string): never {
	throw new InputError("options", place, problem, remedy);
}
