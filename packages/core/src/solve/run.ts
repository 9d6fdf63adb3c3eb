/**
 * A run: a method on a system, stepped until it is solved or ends otherwise. The run decides when to measure: where a method
 * leaves U fresh that costs no product, and every iteration is measured; elsewhere `Checks` says when it is worth one.
 */
import { InputError } from "../errors.js";
import { MEASURES, type MeasureName } from "../measures/measures.js";
import { type MethodEntry, methodEntry } from "../methods/catalogue.js";
import type { Method } from "../methods/method.js";
import { type Options, resolve } from "../methods/options.js";
import type { Guess, Problem } from "../problem/problem.js";
import { System, systemDefaults } from "../system/system.js";
import { checkOptions } from "./check-options.js";
import { Checks } from "./checks.js";
import type { SolveOptions } from "./options.js";
import type { Status } from "./report.js";

const ITERATIONS_MAX = 100_000;

/** The start as the problem's guess or the caller's reaction; undefined for zero. */
function startOf(problem: Problem, start: SolveOptions["start"]): Guess | undefined {
	if (start === undefined || start === "zero") return undefined;
	if (start === "guess") {
		const guess = problem.guesses?.[0];
		if (guess === undefined) throw new InputError(problem.name, "guesses", "there is none", "start from zero");
		return guess;
	}
	if (!(start instanceof Float64Array)) {
		throw new InputError("options", "start", `${String(start)} is no start`, "give zero, guess or a Float64Array");
	}
	if (start.length !== 3 * problem.contacts) {
		const remedy = `give ${3 * problem.contacts} numbers, 3 per contact`;
		throw new InputError("options", "start", `has ${start.length} numbers`, remedy);
	}
	if (!start.every(Number.isFinite)) throw new InputError("options", "start", "is not finite", "give finite numbers");
	return { r: start };
}

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
	readonly #iterationsMax: number;
	readonly #start: Guess | undefined;
	readonly #checks: Checks;
	#productsBefore = 0;
	#reductionsBefore = 0;

	constructor(problem: Problem, options: SolveOptions) {
		checkOptions(options);
		this.measure = options.measure ?? "energy";
		if (!MEASURES.includes(this.measure)) {
			throw new InputError("options", "measure", `${this.measure} is no measure`, `use one of ${MEASURES.join(", ")}`);
		}
		this.tolerance = options.tolerance ?? 1e-6;
		this.#iterationsMax = options.maxIterations ?? ITERATIONS_MAX;
		this.entry = methodEntry(options.method ?? "auto");
		const settings: Options = resolve(this.entry.name, this.entry.options, options.set);
		this.#start = startOf(problem, options.start);
		this.system = new System(problem, { ...systemDefaults, ...this.entry.system(settings), measure: this.measure });
		this.method = this.entry.make(this.system, settings);
		this.history = options.history === true ? [] : undefined;
		this.#checks = new Checks(this.tolerance, this.measure === "merit", this.system.blocks);
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

	get reductions(): number {
		return this.system.reducer.count - this.#reductionsBefore;
	}

	/** Back to the start, for a solve or its repetition. A start that is good enough is no iteration at all. */
	begin(): void {
		const { system, method } = this;
		this.iterations = 0;
		this.status = undefined;
		this.value = Number.POSITIVE_INFINITY;
		this.#valueAt = -1;
		this.#checks.clear();
		this.#productsBefore = method.products;
		this.#reductionsBefore = system.reducer.count;
		if (this.history) this.history.length = 0;
		system.best.clear();
		system.startAt(this.#start, system.r);
		if (this.#start !== undefined) {
			system.project(system.r);
			this.#check(false);
			if (this.status !== undefined) return;
		}
		method.start();
	}

	/** One iteration; afterwards `status` says whether it was the last. */
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

	/** Ends the run from outside, with the best iterate so far. */
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
