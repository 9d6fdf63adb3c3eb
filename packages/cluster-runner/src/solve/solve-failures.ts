/** Inputs of a solve that end without a report: their messages, and the exit code. */
import { InputError, MemoryLimitError, type Report } from "@stickslip/core";
import { RankError } from "@stickslip/core/parallel";
import { oneLine } from "../base/format.js";
import { describeFailure } from "../base/last-resort.js";
import { isCapsule } from "../capsule/index.js";
import type { Terminal } from "../cli/command.js";
import { asFailure } from "../output/failure.js";
import type { Failure } from "../output/page.js";
import { LaunchError } from "../protocol/refusal.js";
import type { Recorder } from "../runs/recorder.js";

export class Failures {
	/** One for each input without a report. */
	readonly all: Failure[] = [];
	readonly #terminal: Terminal;

	/** `reports`: the inputs with a report; for --json every other one gets an object too. */
	constructor(
		terminal: Terminal,
		readonly reports: readonly Report[] | undefined,
	) {
		this.#terminal = terminal;
	}

	#add(failure: Failure, isFinal: boolean): void {
		this.all.push(failure);
		const { problem, reason } = failure;
		// An answer that could not be written has a report.
		const isReported = this.reports === undefined || this.reports.some((report) => report.problem === problem);
		if (isFinal && !isReported) this.#terminal.out(JSON.stringify({ problem, ...asFailure(reason) }));
	}

	/** Prints it in one line. Throws errors that affect every input: nothing more is tried then. `shown`: what reports call the input. */
	take(input: string, shown: string, error: unknown, recorder: Recorder | undefined): 2 | 3 {
		this.#terminal.passing("");
		if (error instanceof LaunchError && recorder?.hasBegun === true) return this.#lost(shown, error.message, recorder);
		if (error instanceof InputError && error.source === "options") {
			// An error in a capsule only concerns that capsule.
			if (!isCapsule(input)) throw error;
			return this.#refused(shown, error.from(input).message, recorder);
		}
		// If nothing could be started, the file is not to blame.
		if (error instanceof InputError)
			return this.#refused(shown, error.message, recorder, !(error instanceof LaunchError));
		if (error instanceof MemoryLimitError) return this.#refused(shown, `${shown}: ${error.message}`, recorder);
		if (error instanceof RankError) return this.#lost(shown, error.message, recorder);
		return this.#broken(shown, error, recorder);
	}

	#refused(problem: string, reason: string, recorder: Recorder | undefined, isFinal = true): 2 {
		this.#terminal.err(`stickslip: ${oneLine(reason)}`);
		recorder?.explain(oneLine(reason));
		this.#add({ problem, reason }, isFinal);
		return 2;
	}

	#lost(problem: string, message: string, recorder: Recorder | undefined): 3 {
		const remedy = recorder?.remedy ?? `; there is no answer for ${problem}, solve it again`;
		this.#terminal.err(oneLine(`stickslip: ${message}${remedy}`));
		recorder?.explain(oneLine(message));
		this.#add({ problem, reason: `${message}; there is no answer, solve it again` }, recorder === undefined);
		return 3;
	}

	#broken(problem: string, error: unknown, recorder: Recorder | undefined): 3 {
		const reason = describeFailure(error).replace(/^a bug in stickslip/, "the solver failed");
		this.#terminal.err(`stickslip: ${oneLine(problem)}: ${reason}`);
		recorder?.explain(`${oneLine(problem)}: ${reason}`);
		this.#add({ problem, reason: "the solver failed" }, recorder === undefined);
		return 3;
	}
}
