/** What the caller of a session's solve says beside the solve's own options: until when it is wanted, and what it starts from. */
import { InputError } from "../base/errors.js";
import { shown } from "../base/shown.js";
import { REQUEST } from "../parallel/program.js";
import { checkNames, isSolveOption, optionsBut, requireOptions } from "../solve/check-options.js";
import type { Progress, SolveOptions } from "../solve/options.js";
import type { Watch } from "../solve/requests.js";
import type { Results, SessionSolveOptions } from "./session.js";
import { whenAborted } from "./when-aborted.js";

/** The longest that timers wait. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export interface SplitOptions {
	readonly keys: Float64Array | undefined;
	readonly series: string;
	readonly deadline: number;
	readonly results: Results;
	/** Those of `solve`. */
	readonly options: SolveOptions;
}

function refuse(name: string, problem: string, remedy: string): never {
	throw new InputError("options", name, problem, remedy);
}

/** Besides those of a solve. */
const OWN_NAMES: readonly string[] = ["keys", "series", "deadline", "results"];
const isKnown = (name: string) => OWN_NAMES.includes(name) || isSolveOption(name);

/** What sessions take: `results` is for the solves of patterns alone. */
export const SESSION_OPTIONS: readonly string[] = [...optionsBut("keep"), "keys", "series", "deadline"];
export const PATTERN_OPTIONS: readonly string[] = [...SESSION_OPTIONS, "results"];
export const PARTS_OPTIONS: readonly string[] = [...optionsBut("keep", "start"), "deadline"];

const OF_SOLVES = ["keep", "signal", "onProgress", "start"] as const;
const PREPARE_OPTIONS = optionsBut(...OF_SOLVES);

/** Throws an InputError for options that a session's `prepare` does not take. */
export function checkPrepareOptions(options: SolveOptions): void {
	requireOptions(options);
	for (const name of OF_SOLVES) {
		if (name in options) refuse(name, "is not an option of prepare", "give it to the solves of the pattern");
	}
	checkNames(options, isSolveOption, PREPARE_OPTIONS);
}

/** Checks what is a session's of the options, and leaves the rest to the solve; `usable` are the options that this caller may use. */
export function splitOptions(
	given: SessionSolveOptions & { readonly results?: Results },
	usable: readonly string[] = PATTERN_OPTIONS,
): SplitOptions {
	requireOptions(given);
	checkNames(given, isKnown, usable);
	const { keys, series, deadline = Number.POSITIVE_INFINITY, results = "owned", ...options } = given;
	if (!(typeof deadline === "number" && deadline >= 0)) {
		refuse("deadline", `${shown(deadline)} is not at least 0`, "give a number of seconds that is at least 0");
	}
	if (series !== undefined && typeof series !== "string") refuse("series", "is not a text", "give a name");
	if (series !== undefined && keys === undefined)
		refuse("series", "has no keys beside it", "give the keys of contacts");
	if (results !== "owned" && results !== "view") {
		refuse("results", `${shown(results)} is not one of its values`, "give owned or view");
	}
	if ("keep" in options) refuse("keep", "is not an option of sessions", "call solveAsync(problem, options) for it");
	const warm: SolveOptions = keys === undefined ? options : { worseStart: "drop", ...options };
	return { keys, series: series ?? "", deadline, results, options: warm };
}

/** A solve that is asked for: waiting or under way. */
export class SolveRequest implements Watch {
	readonly #signals: readonly AbortSignal[];
	/** On the clock of `performance`. */
	readonly #deadline: number;
	readonly progress?: (progress: Progress) => void;

	/** `closing` is aborted when the session is closed. */
	constructor({ options: { signal, onProgress }, deadline }: SplitOptions, closing: AbortSignal) {
		this.#signals = signal === undefined ? [closing] : [closing, signal];
		this.#deadline = performance.now() + 1000 * deadline;
		if (onProgress) this.progress = onProgress;
	}

	get request(): number {
		for (const { aborted } of this.#signals) if (aborted) return REQUEST.cancelled;
		return performance.now() >= this.#deadline ? REQUEST.timeLimit : 0;
	}

	/** Has it told when it need not wait any longer; returns how not to be told. */
	whenOver(tell: () => void): () => void {
		const forget = this.#signals.map((signal) => whenAborted(signal, tell));
		const left = () => this.#deadline - performance.now();
		let timer: ReturnType<typeof setTimeout> | undefined;
		const wait = () => {
			if (left() <= TIMER_MS_MAX) timer = setTimeout(look, Math.max(0, Math.ceil(left())));
		};
		// Timers may come up to a millisecond early: who is told then would find the deadline not over yet.
		const look = () => (left() > 0 ? wait() : tell());
		wait();
		return () => {
			for (const each of forget) each();
			clearTimeout(timer);
		};
	}

	/** Options of a solve that begins now: what is over already takes no iteration. */
	optionsNow({ onProgress: _onProgress, ...options }: SolveOptions): SolveOptions {
		const signal = this.#signals.find(({ aborted }) => aborted);
		if (signal) return { ...options, signal };
		return this.request === REQUEST.timeLimit ? { ...options, timeLimit: 0 } : options;
	}
}
