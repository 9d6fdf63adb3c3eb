/** One rank's part of a conformance run, as plain data that travels from a worker or a process. */
import { assert, type Communicator, RankError } from "@stickslip/core/parallel";
import { programs } from "./programs.js";

/** What a transport's rank is to run; sent as JSON. */
export interface Run {
	/** One of programs.ts. */
	readonly program: string;
	readonly size: number;
	/** The program runs once for each, on the same communicator. */
	readonly seeds: readonly number[];
	/** How long ranks wait for each other to begin with: starting takes time on a busy machine. */
	readonly patienceSeconds: number;
}

/** `values` are by seed; `rank` is set where the error is a RankError. */
export type Outcome =
	| { readonly ok: true; readonly values: readonly unknown[] }
	| { readonly ok: false; readonly message: string; readonly rank?: number };

/**
 * Makes the communicator, runs the program on it and closes it; whatever is thrown on the way becomes the outcome, and ends the
 * other ranks unless they have ended. Programs in which a rank is late shorten `patience`, which has to be the one that the
 * communicator waits with.
 */
export function runProgram(run: Run, start: () => Communicator, patience: { seconds: number }): Outcome {
	let communicator: Communicator | undefined;
	try {
		const program = programs[run.program];
		assert(program !== undefined, `no program is named ${run.program}`);
		const started = start();
		communicator = started;
		const values = run.seeds.map((seed) => program(started, seed, patience) ?? null);
		communicator.close();
		return { ok: true, values };
	} catch (error) {
		if (error instanceof RankError) return { ok: false, message: error.message, rank: error.rank };
		communicator?.abort(`failed: ${error instanceof Error ? error.message : String(error)}`);
		return { ok: false, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
	}
}

/** Reorders the outcomes of all ranks, from rank and run to run and rank. */
export function byRun(outcomes: readonly (readonly Outcome[])[], runs: readonly Run[]): Outcome[][] {
	const missing: Outcome = { ok: false, message: "no outcome" };
	return runs.map((_, index) => outcomes.map((ofRank) => ofRank[index] ?? missing));
}
