/** Inputs of a solve that come to no report: what is said of each, and the exit code that it comes to. */
import { InputError, MemoryLimitError } from "@stickslip/core";
import { RankError } from "@stickslip/core/parallel";
import { isCapsule } from "../capsule/index.js";
import type { Terminal } from "../command.js";
import { describeFailure } from "../last-resort.js";
import { oneLine } from "../output/format.js";
import type { Failure } from "../output/page.js";
import { LaunchError } from "../ranks/refusal.js";
import type { Recorder } from "../runs/recorder.js";

export class Failures {
	/** One for each input without a report. */
	readonly all: Failure[] = [];
	readonly #terminal: Terminal;

	constructor(terminal: Terminal) {
		this.#terminal = terminal;
	}

	/** Tells it in one line. Throws what is wrong for every input: nothing more is tried then. `shown`: what reports call the input. */
	take(input: string, shown: string, error: unknown, recorder: Recorder | undefined): 2 | 3 {
		this.#terminal.passing("");
		if (error instanceof LaunchError && recorder?.hasBegun === true) return this.#lost(shown, error.message, recorder);
		if (error instanceof InputError && error.source === "options") {
			// What a capsule says is wrong for itself alone.
			if (!isCapsule(input)) throw error;
			return this.#refused(shown, error.from(input).message);
		}
		if (error instanceof InputError) return this.#refused(shown, error.message);
		if (error instanceof MemoryLimitError) return this.#refused(shown, `${shown}: ${error.message}`);
		if (error instanceof RankError) return this.#lost(shown, error.message, recorder);
		return this.#broken(shown, error);
	}

	#refused(problem: string, reason: string): 2 {
		this.#terminal.err(`stickslip: ${oneLine(reason)}`);
		this.all.push({ problem, reason });
		return 2;
	}

	#lost(problem: string, message: string, recorder: Recorder | undefined): 3 {
		const remedy = recorder?.remedy ?? `; there is no answer for ${problem}, solve it again`;
		this.#terminal.err(oneLine(`stickslip: ${message}${remedy}`));
		this.all.push({ problem, reason: `${message}; there is no answer, solve it again` });
		return 3;
	}

	#broken(problem: string, error: unknown): 3 {
		const told = describeFailure(error).replace(/^a mistake in this program/, "the solver failed");
		this.#terminal.err(`stickslip: ${oneLine(problem)}: ${told}`);
		this.all.push({ problem, reason: "the solver failed" });
		return 3;
	}
}
