/** Ranks of a program of the caller's own: started once, given task after task, closed. */
import type { RankError, RunState } from "@stickslip/core/parallel";
import { choose, type RankOptions } from "../ranks/choose.js";
import type { Ranks, StopSignal } from "../ranks/ranks.js";
import { RunEvents } from "../ranks/run-events.js";
import { startRanks } from "../ranks/start-ranks.js";

const RESULT_BYTES_MAX = 2 ** 28;
const STATE_BYTES_MAX = 2 ** 34;
/** The number of ranks of `auto` is all cores: of another program's work nothing is known. */
const CONTACTS = 1e9;

export type ProgramOptions = Pick<RankOptions, "ranks" | "transport" | "processes" | "patience">;

export interface ProgramTask<Part, Result> {
	/** What the rank gets; called once for each. */
	part(rank: number, ranks: number): Part;
	/** Checks what comes from another process. Default: anything is a result. */
	readonly isResult?: (value: unknown) => value is Result;
	/** The state that the rank continues from, with the vectors of its own ids (`cutState` of `@stickslip/core/parallel`). */
	from?(rank: number, ranks: number): RunState | undefined;
	/** Takes what the rank gives to `context.save`. */
	onState?(rank: number, state: RunState): void;
	/** Aborted: the ranks' `context.request` becomes `REQUEST.cancelled`. */
	readonly signal?: StopSignal;
	/** Takes what rank 0 gives to `context.progress`. */
	readonly onProgress?: (numbers: readonly number[]) => void;
}

export interface ProgramRanks {
	readonly ranks: number;
	/** Why they have ended, if one has failed. */
	readonly failure: RankError | undefined;
	/** Collective, one task at a time: the results by rank. Rejects with a RankError if a rank is lost or fails; then all have ended. */
	run<Part, Result>(task: ProgramTask<Part, Result>): Promise<Result[]>;
	/** Resolves when nothing of them is left. */
	close(): Promise<void>;
}

/** `module` has a program as its default export. With one rank it runs in the calling thread. Throws an InputError for options that make no sense. */
export async function startProgram(module: URL, options: ProgramOptions = {}): Promise<ProgramRanks> {
	const choice = choose(CONTACTS, options);
	return new StartedProgram(await startRanks(module.href, { ...choice, patience: options.patience }));
}

class StartedProgram implements ProgramRanks {
	readonly ranks: number;
	readonly #running: Ranks;

	constructor(running: Ranks) {
		this.#running = running;
		this.ranks = running.ranks;
	}

	get failure(): RankError | undefined {
		return this.#running.failure;
	}

	run<Part, Result>(task: ProgramTask<Part, Result>): Promise<Result[]> {
		const { ranks } = this;
		const { isResult, signal, onProgress } = task;
		return this.#running.run<Result>({
			part: (rank) => ({ part: task.part(rank, ranks), buffers: [], from: task.from?.(rank, ranks) }),
			isResult: (value): value is Result => isResult === undefined || isResult(value),
			...{ resultBytesMax: RESULT_BYTES_MAX, stateBytesMax: STATE_BYTES_MAX, signal, onProgress },
			events: new StatesPassedOn({ ranks }, task),
		});
	}

	close(): Promise<void> {
		return this.#running.close();
	}
}

class StatesPassedOn extends RunEvents {
	readonly #task: Pick<ProgramTask<never, never>, "onState">;

	constructor(options: { readonly ranks: number }, task: Pick<ProgramTask<never, never>, "onState">) {
		super(options);
		this.#task = task;
	}

	override async save(rank: number, state: RunState): Promise<void> {
		this.#task.onState?.(rank, state);
	}
}
