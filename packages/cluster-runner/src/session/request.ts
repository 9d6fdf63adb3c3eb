/** A solve requested from a session: its deadline, and what may stop it. */
import type { SolveOptions } from "@stickslip/core";
import type { SplitOptions } from "@stickslip/core/parallel";
import { STOP_FOR_TIME } from "../ranks/ranks.js";
import { StopSource } from "./stop-source.js";

/** The longest that timers wait. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export class SessionRequest {
	readonly #options: SolveOptions;
	readonly #given: AbortSignal | undefined;
	/** Aborted when its result is no longer needed: by its caller, or after its deadline. */
	readonly signal = new StopSource();
	readonly #timer: NodeJS.Timeout | undefined;
	/** By the caller's onProgress. */
	thrown: { readonly error: unknown } | undefined;

	constructor({ options, deadline }: SplitOptions) {
		const { signal, ...rest } = options;
		this.#options = rest;
		this.#given = signal;
		const isNear = 1000 * deadline <= TIMER_MS_MAX;
		if (deadline === 0) this.signal.abort(STOP_FOR_TIME);
		else if (isNear) this.#timer = setTimeout(() => this.signal.abort(STOP_FOR_TIME), 1000 * deadline);
		if (signal?.aborted) this.cancel();
		signal?.addEventListener("abort", this.cancel);
	}

	/** If the caller's function throws, only this solve ends. */
	get onProgress(): SolveOptions["onProgress"] {
		const { onProgress } = this.#options;
		if (onProgress === undefined) return undefined;
		return (progress) => {
			try {
				onProgress(progress);
			} catch (error) {
				this.thrown ??= { error };
				this.cancel();
			}
		};
	}

	readonly cancel = (): void => this.signal.abort();

	/** What travels to the ranks. */
	get options(): Omit<SolveOptions, "signal" | "onProgress"> {
		const { onProgress: _onProgress, ...options } = this.#options;
		return options;
	}

	/** Of a solve that takes no iteration any more. */
	get optionsOver(): SolveOptions {
		return this.signal.reason === STOP_FOR_TIME ? { timeLimit: 0 } : { signal: AbortSignal.abort() };
	}

	/** Calls it when the signal is aborted. */
	whenOver(tell: () => void): void {
		if (this.signal.aborted) tell();
		else this.signal.addEventListener("abort", tell);
	}

	/** It is answered. */
	end(): void {
		clearTimeout(this.#timer);
		this.#given?.removeEventListener("abort", this.cancel);
	}
}
