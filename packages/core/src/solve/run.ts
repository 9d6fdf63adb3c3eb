/**
 * A run: a method on a system, stepped until it is solved or ends otherwise. The run decides when to measure: where a method
 * leaves U fresh that costs no product, and every iteration is measured; elsewhere `Checks` says when it is worth one.
 */

import { beginPhase } from "../base/setup-phase.js";
import { DEFAULT_TOLERANCES, type MeasureName } from "../measures/measures.js";
import { type MethodEntry, methodEntry } from "../methods/catalogue.js";
import type { Method } from "../methods/method.js";
import { resolve } from "../methods/options.js";
import type { Communicator, Traffic } from "../parallel/communicator.js";
import type { Share } from "../parallel/share.js";
import { NO_TRAFFIC } from "../parallel/traffic.js";
import { SavedState } from "../state/saved.js";
import { badState, type RunState } from "../state/state.js";
import { System, systemDefaults } from "../system/system.js";
import { Checks } from "./checks.js";
import { missesDualCone } from "./dual-cone.js";
import { DOUBTFUL_ENERGY, Growth, LARGE_REACTION } from "./growth.js";
import type { RunOptions } from "./options.js";
import { Patience } from "./patience.js";
import { Reach } from "./reach.js";
import type { Status } from "./report.js";

const ITERATIONS_MAX = 100_000;

/** The space of a solve's state: contacts and, after them, equality blocks. */
export const BLOCK_SPACE = "blocks";

export class Run {
	readonly system: System;
	readonly method: Method;
	readonly entry: MethodEntry;
	readonly measure: MeasureName;
	readonly tolerance: number;
	readonly history: number[] | undefined;
	readonly reach = new Reach();
	iterations = 0;
	status: Status | undefined;
	/** Whether it ended with an R that was measured by a product of its own: U and `value` are what a product would give once more. */
	isMeasured = false;
	/** The measure taken last. */
	value = Number.POSITIVE_INFINITY;
	/** The iterations that it was taken at, and that the best iterate is of where it has been since; -1 for none. */
	#valueAt = -1;
	#bestAt = -1;
	/** Seconds of the runs that this one goes on from. */
	secondsBefore = 0;
	/** Whether it ended so that another can go on from it. */
	isSuspended = false;
	readonly #iterationsMax: number;
	/** What is done with a start that is worse than zero; undefined where there is none. */
	readonly #worseStart: "use" | "drop" | undefined;
	readonly #checks: Checks;
	readonly #patience: Patience;
	readonly #growth = new Growth();
	/** Made once: an iteration allocates nothing. */
	readonly #testDualCone = () => missesDualCone(this.system);
	#productsBefore = 0;

	/** Collective. The options have been checked. */
	constructor(share: Share, options: RunOptions, communicator: Communicator) {
		this.measure = options.measure ?? "energy";
		this.tolerance = options.tolerance ?? DEFAULT_TOLERANCES[this.measure];
		this.#iterationsMax = options.maxIterations ?? ITERATIONS_MAX;
		this.entry = methodEntry(options.method ?? "auto");
		const settings = resolve(this.entry.name, this.entry.options, options.set);
		const { measure, tolerance } = this;
		const wanted = { ...systemDefaults, ...this.entry.system(settings), measure, tolerance };
		this.#worseStart = share.start && (options.worseStart ?? "use");
		this.system = new System(share, wanted, communicator);
		beginPhase("allocate");
		try {
			this.method = this.entry.make(this.system, settings);
		} catch (error) {
			this.system.close(error);
			throw error;
		}
		beginPhase("done");
		this.history = options.history === true ? [] : undefined;
		const isQuadratic = this.measure === "merit";
		this.#checks = new Checks(this.tolerance, isQuadratic, share.blocks);
		this.#patience = new Patience({ window: options.patience, isQuadratic });
	}

	/** True if a test showed that a solution need not exist. */
	get missesDualCone(): boolean {
		return this.#patience.isMissed;
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

	/** What was exchanged and how long it took since the solve began; exchanges and reductions with those of runs before. */
	get traffic(): Traffic {
		return this.system.reducer.counter.traffic;
	}

	/** What all ranks have agreed on, told once: 0 for nothing. An iteration may do without a reduction, and learns nothing new. */
	takeAgreedRequest(): number {
		const { reducer } = this.system;
		const agreed = reducer.stop;
		reducer.stop = 0;
		return agreed;
	}

	/** Collective. Back to the start, for a solve or its repetition. */
	begin(): void {
		const { system, method } = this;
		this.#clear();
		this.#productsBefore = method.products;
		system.reducer.counter.startFrom();
		system.startAt(system.r);
		if (system.blocked !== undefined) this.#end("infeasible");
		else if (this.#worseStart) this.#takeStart();
		if (this.status === undefined) method.start();
	}

	/** Collective. Measures the start: one that is good enough is no iteration at all, and one that is worse than zero may be dropped. */
	#takeStart(): void {
		const { best, r } = this.system;
		this.system.project(r);
		const value = best.measure(false);
		const isKept = this.#worseStart === "use" || value <= this.tolerance || !best.isWorseThanZero(value);
		if (isKept) this.#take(value, true);
		else r.values.fill(0);
	}

	#clear(): void {
		const { reducer, best } = this.system;
		this.iterations = 0;
		this.status = undefined;
		this.isMeasured = false;
		this.isSuspended = false;
		this.secondsBefore = 0;
		this.value = Number.POSITIVE_INFINITY;
		this.#valueAt = -1;
		this.#bestAt = -1;
		this.#checks.clear();
		this.#patience.clear();
		this.#growth.clear();
		this.reach.clear();
		if (this.history) this.history.length = 0;
		reducer.request = 0;
		reducer.stop = 0;
		best.clear();
	}

	/**
	 * Collective. What the run is after this iteration, for another one to go on from; `seconds` is how long this one has taken.
	 * The clocks of ranks differ, so that it costs a reduction, which is not counted.
	 */
	state(seconds: number): RunState {
		const { system, method, history } = this;
		const { best, share, blocks } = system;
		const traffic = this.traffic;
		const longest = Float64Array.of(seconds);
		system.reducer.largest(longest);
		system.reducer.counter.startFrom(traffic);
		const { scalars, vectors } = method.state;
		const bestIsHere = this.#bestAt === this.iterations;
		const kept = {
			r: system.r,
			...(best.value < Number.POSITIVE_INFINITY && !bestIsHere && { best: best.r }),
			...vectors,
		};
		return {
			iteration: this.iterations,
			scalars: {
				method: this.entry.name,
				measure: this.measure,
				seconds: this.secondsBefore + longest[0]!,
				products: this.products,
				exchanges: traffic.exchanges,
				reductions: traffic.reductions,
				value: this.value,
				valueAt: this.#valueAt,
				best: best.value,
				bestIsHere,
				checks: this.#checks.state,
				patience: this.#patience.state,
				growth: this.#growth.state,
				reach: this.reach.state,
				...(history && { history: [...history] }),
				stepper: scalars,
			},
			spaces: {
				[BLOCK_SPACE]: {
					count: share.blocks,
					ids: share.ids.slice(),
					vectors: Object.fromEntries(
						Object.entries(kept).map(([name, { values }]) => [name, { width: 3, values: values.slice(0, 3 * blocks) }]),
					),
				},
			},
		};
	}

	/** Collective. Goes on from the state of another run instead of beginning. What that exchanges is not counted. */
	resume(from: RunState): void {
		const { system, method, history } = this;
		const { best, r, share } = system;
		const saved = new SavedState(from);
		const { scalars } = saved;
		const vectors = saved.space(BLOCK_SPACE);
		const { count, ids } = vectors;
		const isOwn =
			count === share.blocks && ids.length === share.ids.length && ids.every((id, at) => id === share.ids[at]);
		if (!isOwn) {
			throw badState(`${BLOCK_SPACE}.ids`, "are not those of this problem's blocks");
		}
		this.#clear();
		scalars.word("method", [this.entry.name]);
		scalars.word("measure", [this.measure]);
		this.iterations = saved.iteration;
		this.secondsBefore = scalars.seconds("seconds");
		this.value = scalars.number("value");
		this.#valueAt = scalars.integer("valueAt", -1, this.iterations);
		r.values.fill(0);
		vectors.vector("r", 3, r.values);
		const value = scalars.number("best");
		if (scalars.flag("bestIsHere")) {
			if (!best.keep(value)) throw badState("best", `${value} is not a value of a best iterate`);
			this.#bestAt = this.iterations;
		} else if (value < Number.POSITIVE_INFINITY) {
			vectors.vector("best", 3, best.r.values);
			best.value = value;
		}
		this.#checks.resume(scalars.record("checks"));
		this.#patience.resume(scalars.record("patience"));
		this.#growth.resume(scalars.record("growth"));
		this.reach.resume(scalars.record("reach"));
		if (history) for (const number of scalars.numbers("history", this.iterations)) history.push(number);
		const products = scalars.integer("products");
		const exchanges = scalars.integer("exchanges");
		const reductions = scalars.integer("reductions");
		const stepper = scalars.record("stepper");
		method.resume(stepper, vectors);
		stepper.end();
		saved.end();
		this.#productsBefore = method.products - products;
		system.reducer.counter.startFrom({ ...NO_TRAFFIC, exchanges, reductions });
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
		const due = method.velocityFresh
			? this.iterations % (method.measureEvery ?? 1) === 0
			: this.#checks.isDue(this.iterations, method.error);
		if (due) this.#check(method.velocityFresh);
		// A history watches: what is measured for it alone is neither kept nor acted on, so that it changes no bit.
		if (this.history) this.history.push(due ? this.value : this.system.best.measure(false));
		if (this.status !== undefined) return;
		if (method.exhausted || this.#patience.isOver(this.iterations, this.system.best.value, this.#testDualCone)) {
			this.#end("stalled");
		}
	}

	/** Collective. Ends the run from outside, with the best iterate so far. */
	stop(status: "time-limit" | "cancelled"): void {
		this.#end(status);
	}

	/** Collective. Ends the run as cancelled, also where its best iterate is good enough: it is not known yet that it will end with that one. */
	suspend(): void {
		this.#end("cancelled");
		this.status = "cancelled";
		this.isSuspended = true;
	}

	#check(velocityFresh: boolean): void {
		const { measured } = this.method;
		const isTaken = velocityFresh && measured?.name === this.measure;
		this.#take(isTaken ? measured.value : this.system.best.measure(velocityFresh), !velocityFresh);
	}

	/** Takes in the measure of the system's R, for which a product may have refreshed U. */
	#take(value: number, byProduct: boolean): void {
		const { system, method } = this;
		this.value = value;
		this.#valueAt = this.iterations;
		this.reach.note(value, this.products);
		if (value <= this.tolerance) {
			if (this.#isDoubtful()) return;
			this.status = "solved";
			this.isMeasured = byProduct;
			return;
		}
		if (!Number.isFinite(value)) {
			if (method.recover?.() !== true) this.#end("diverged");
			return;
		}
		if (system.best.keep(value)) this.#bestAt = this.iterations;
		this.#checks.note(this.iterations, method.error, value);
	}

	/**
	 * Collective. True for an iterate within the tolerance of another measure than energy, with U, whose energy error is that of no solution: R may be
	 * growing then. Ends the run if it has grown.
	 */
	#isDoubtful(): boolean {
		const { system, measure, iterations } = this;
		const { r, u, measures, best } = system;
		if (measure === "energy" || !(measures.energy(r, u) > DOUBTFUL_ENERGY)) return false;
		if (!this.#growth.isDoubted) {
			const { w } = system;
			const energy = system.sumOver((a) => {
				const trace = w.values[9 * a]! + w.values[9 * a + 4]! + w.values[9 * a + 8]!;
				const [r0, r1, r2] = [r.values[3 * a]!, r.values[3 * a + 1]!, r.values[3 * a + 2]!];
				return (trace / 3) * (r0 * r0 + r1 * r1 + r2 * r2);
			});
			if (!(Math.sqrt(energy) > LARGE_REACTION * measures.energyScale)) return false;
			this.#growth.doubt(iterations, system.norm(r));
		}
		if (best.keep(this.value)) this.#bestAt = iterations;
		if (!this.#growth.isDue(iterations)) return true;
		if (!this.#growth.hasGrown(system.norm(r))) return false;
		this.#end("diverged");
		return true;
	}

	/** Unsolved: the best iterate is the answer, unless it turns out to be good enough after all. */
	#end(status: Status): void {
		const { system, method } = this;
		const hasGrown = this.#growth.isDoubted && this.#growth.hasGrown(system.norm(system.r));
		if (status !== "diverged") system.best.offer(this.iterations > 0 && method.velocityFresh);
		// Nothing but infinities from the start on: zero is the one reaction left that has a meaning.
		if (status === "diverged" && system.best.value === Number.POSITIVE_INFINITY) system.r.values.fill(0);
		system.best.restore();
		this.value = system.best.value;
		this.reach.note(this.value, this.products);
		const isWithin = this.value <= this.tolerance;
		if (status === "infeasible") this.status = status;
		else if (isWithin) this.status = hasGrown ? "diverged" : "solved";
		else this.status = status;
		if (this.status === "stalled") this.#patience.test(this.#testDualCone);
	}
}
