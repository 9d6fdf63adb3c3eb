/** Opens a session of a page: its ranks are Web Workers, and the page's own thread stays free. */
import { InputError, type Session } from "@stickslip/core";
import { BrowserSession } from "./browser-session.js";
import { chooseRanks } from "./isolation.js";
import { RankWorkers } from "./rank-workers.js";

export interface SessionOptions {
	/** auto (default): one for each core where the page is cross-origin isolated, otherwise one. */
	readonly ranks?: number | "auto";
	/** Contacts from which on a problem is cut for all ranks; below, one rank solves it alone. Default 1,000. */
	readonly cutFrom?: number;
	/** The most seconds that a rank waits for another. Default 300: a page in the background may be suspended. */
	readonly patience?: number;
	/** The address of the script that ranks run, `@stickslip/browser/rank.js`, or what starts a worker of it. Default: beside this module. */
	readonly worker?: string | URL | (() => Worker);
}

const PATIENCE_SECONDS = 300;

/** Where two threads of one process take less time than one (bench `warm`). */
const CUT_CONTACTS_MIN = 1000;

const NAMES: Readonly<Record<keyof SessionOptions, true>> = {
	ranks: true,
	cutFrom: true,
	patience: true,
	worker: true,
};

function refuse(place: string, problem: string, remedy: string): never {
	throw new InputError("options", place, problem, remedy);
}

/** Resolves when all ranks have started. Rejects with an InputError for options that make no sense, with a RankError where a rank does not start. */
export async function openSession(options: SessionOptions = {}): Promise<Session> {
	for (const name of Object.keys(options)) {
		if (!Object.hasOwn(NAMES, name)) refuse(name, "unknown option", `use one of ${Object.keys(NAMES).join(", ")}`);
	}
	const { ranks = "auto", cutFrom = CUT_CONTACTS_MIN, patience = PATIENCE_SECONDS, worker } = options;
	if (!(typeof cutFrom === "number" && cutFrom >= 0)) {
		refuse("cutFrom", `${String(cutFrom)} is not at least 0`, "give a number of contacts");
	}
	if (!(typeof patience === "number" && patience > 0)) {
		refuse("patience", `${String(patience)} is not above 0`, "give a number of seconds");
	}
	const workers = new RankWorkers({ ranks: chooseRanks(ranks), start: starter(worker), patienceSeconds: patience });
	await workers.ready;
	return new BrowserSession(workers, cutFrom);
}

function starter(worker: SessionOptions["worker"]): () => Worker {
	if (typeof worker === "function") return worker;
	if (worker !== undefined) return () => new Worker(worker);
	// Written as bundlers look for it.
	return () => new Worker(new URL("../bundled/rank.js", import.meta.url));
}
