/** Opens sessions: ranks that stay up and solve problem after problem. */
import { InputError, openSession as openHere, type Session } from "@stickslip/core";
import { reservation } from "../base/address-space.js";
import { prepareMemory } from "../base/solver-memory.js";
import type { Transport } from "../base/transports.js";
import { choose, type RankOptions } from "../ranks/choose.js";
import { startRanks } from "../ranks/start-ranks.js";
import { RankSession } from "./rank-session.js";

export interface SessionOptions extends Omit<RankOptions, "checkpointer"> {
	/** Contacts from which on a problem is cut for all ranks. Default: from where two of them take less time than one, by the transport. */
	readonly cutFrom?: number;
}

const KNOWN: Readonly<Record<keyof SessionOptions, true>> = {
	ranks: true,
	transport: true,
	processes: true,
	partition: true,
	patience: true,
	placement: true,
	log: true,
	cutFrom: true,
};

/** Contacts from which on two warm ranks take less time than one (`npm run bench -- warm`). */
const CUT_CONTACTS_MIN: Readonly<Record<Transport, number>> = {
	threads: 1000,
	mpi: 3000,
	"threads+mpi": 3000,
	zeromq: 10_000,
	"threads+zeromq": 10_000,
};

/**
 * Starts as many ranks as are asked for, by default one for each core. Each solve then costs what its problem does, and no start. One rank without a
 * transport is the calling thread. Throws an InputError for options that make no sense.
 */
export async function openSession(options: SessionOptions = {}): Promise<Session> {
	const { cutFrom, partition, patience, log, ...rest } = checked(options);
	const choice = choose(Number.POSITIVE_INFINITY, { ...rest, ...(patience !== undefined && { patience }) });
	if (choice.transport === undefined) {
		prepareMemory(reservation(0, 1));
		return await openHere();
	}
	const ranks = await startRanks("session", { ...choice, patience, log });
	const sharesMemory = choice.transport === "threads";
	return new RankSession(ranks, {
		cutFrom: cutFrom ?? CUT_CONTACTS_MIN[choice.transport],
		sharesMemory,
		partition,
		log,
	});
}

function checked(options: SessionOptions): SessionOptions {
	for (const name of Object.keys(options)) {
		if (Object.hasOwn(KNOWN, name)) continue;
		throw new InputError("options", name, "unknown option", `use ${Object.keys(KNOWN).join(", ")}`);
	}
	const { cutFrom } = options;
	if (cutFrom !== undefined && !(cutFrom >= 0)) {
		throw new InputError(
			"options",
			"cutFrom",
			`${cutFrom} is not a number of contacts`,
			"give one from 0, or Infinity",
		);
	}
	return options;
}
