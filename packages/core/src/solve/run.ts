/**
 * A run: a method on a system, stepped until it is solved or ends otherwise. The run decides when to measure: where a method
 * leaves U fresh that costs no product, and every iteration is measured; elsewhere `Checks` says when it is worth one.
 */
import type { MeasureName } from "../measures/measures.js";
import { type MethodEntry, methodEntry } from "../methods/catalogue.js";
import type { Method } from "../methods/method.js";
import { resolve } from "../methods/options.js";
import type { Communicator, Traffic } from "../parallel/communicator.js";
import type { Share } from "../parallel/share.js";
import { System, systemDefaults } from "../system/system.js";
import { Checks } from "./checks.js";
import type { RunOptions } from "./options.js";
import type { Status } from "./report.js";

const ITERATIONS_MAX = 100_000;

export class Run {
	readonly system: System;
	readonly method: Method;
	readonly entry: MethodEntry;
	readonly measure: MeasureName;
	readonly tolerance: number;
	readonly history: number[] | undefined;
	iterations = 0;
	status: Status | undefined;
	/** The measure taken last. */
	value = Number.POSITIVE_INFINITY;
	/** The iteration it was taken at; -1 for none yet. */
	#valueAt = -1;
	readonly #communicator: Communicator;
	readonly #iterationsMax: number;
	readonly #hasStart: boolean;
	readonly #checks: Checks;
	#productsBefore = 0;
	#before: Traffic;

	/** Collective. The options have been checked. */
	constructor(share: Share, options: RunOptions, communicator: Communicator) {
		this.measure = options.measure ?? "energy";
		this.tolerance = options.tolerance ?? 1e-6;
		this.#iterationsMax = options.maxIterations ?? ITERATIONS_MAX;
		this.entry = methodEntry(options.method ?? "auto");
		const settings = resolve(this.entry.name, this.entry.options, options.set);
		const wanted = { ...systemDefaults, ...this.entry.system(settings), measure: this.measure };
		this.#hasStart = share.start !== undefined;
		this.#communicator = communicator;
		this.#before = communicator.traffic;
		this.system = new System(share, wanted, communicator);
		this.method = this.entry.make(this.system, settings);
		this.history = options.history === true ? [] : undefined;
		this.#checks = new Checks(this.tolerance, this.measure === "merit", share.blocks);
	}

	get products(): number {
		return this.method.products - this.#productsBefore;
	}

	/** The measure of this iterate where it was taken, or else an estimate; infinite where there is nothing to go by. */
	get progress(): { error: number; exact: boolean } {
		const exact = this.#valueAt === this.iterations;
		if (exact) return { error: this.value, exact };
		if (this.#valueAt >= 0) return { error: this.#checks.guess(this.method.error), exact };
		return { error: this.measure === "energy" ? this.method.error : Number.POSITIVE_INFINITY, exact };
	}

	/** What was exchanged and how long it took since the solve began. */
	get traffic(): Traffic {
		const [now, before] = [this.#communicator.traffic, this.#before];
		return {
			exchanges: now.exchanges - before.exchanges,
			reductions: now.reductions - before.reductions,
			messages: now.messages - before.messages,
			bytes: now.bytes - before.bytes,
			pack: now.pack - before.pack,
			wait: now.wait - before.wait,
			reduce: now.reduce - before.reduce,
		};
	}

	/** What all ranks have agreed to stop for: 0 for nothing. */
	get stopRequest(): number {
		return this.system.reducer.stop;
	}

	/** Collective. Back to the start, for a solve or its repetition. A start that is good enough is no iteration at all. */
	begin(): void {
		const { system, method } = this;
		this.iterations = 0;
		this.status = undefined;
		this.value = Number.POSITIVE_INFINITY;
		this.#valueAt = -1;
		this.#checks.clear();
		this.#productsBefore = method.products;
		this.#before = this.#communicator.traffic;
		if (this.history) this.history.length = 0;
		system.reducer.request = 0;
		system.reducer.stop = 0;
		system.best.clear();
		system.startAt(system.r);
		if (this.#hasStart) {
			system.project(system.r);
			this.#check(false);
			if (this.status !== undefined) return;
		}
		method.start();
	}

	/** Collective. One iteration; afterwards `status` says whether it was the last. */
	step(): void {
		if (this.iterations >= this.#iterationsMax) {
			this.#end("iteration-limit");
			return;
		}
		const { method } = this;
		method.iterate();
		this.iterations += 1;
		const due = method.velocityFresh || this.#checks.isDue(this.iterations, method.error);
		if (due) this.#check(method.velocityFresh);
		// A history watches: what is measured for it alone is neither kept nor acted on, so that it changes no bit.
		if (this.history) this.history.push(due ? this.value : this.system.best.measure(false));
		if (this.status === undefined && method.exhausted) this.#end("stalled");
	}

	/** Collective. Ends the run from outside, with the best iterate so far. */
	stop(status: "time-limit" | "cancelled"): void {
		this.#end(status);
	}

	#check(velocityFresh: boolean): void {
		const { system, method } = this;
		// Some methods take the energy error with every U.
		const known = velocityFresh && this.measure === "energy" && Number.isFinite(method.error);
		const value = known ? method.error : system.best.measure(velocityFresh);
		this.value = value;
		this.#valueAt = this.iterations;
		if (value <= this.tolerance) {
			this.status = "solved";
			return;
		}
		if (!Number.isFinite(value)) {
			if (method.recover?.() !== true) this.#end("diverged");
			return;
		}
		system.best.keep(value);
		this.#checks.note(this.iterations, method.error, value);
	}

	/** Unsolved: the best iterate is the answer, unless it turns out to be good enough after all. */
	#end(status: Status): void {
		const { system, method } = this;
		if (status !== "diverged") system.best.offer(this.iterations > 0 && method.velocityFresh);
		// Nothing but infinities from the start on: zero is the one reaction left that has a meaning.
		if (status === "diverged" && system.best.value === Number.POSITIVE_INFINITY) system.r.values.fill(0);
		system.best.restore();
		this.value = system.best.value;
		this.status = this.value <= this.tolerance ? "solved" : status;
	}
}
