/**
 * Proximal Gauss-Seidel: sweeps of exact local solves around an anchor A, whose pull makes the map of a sweep monotone enough for
 * Anderson mixing where it cycles without. docs/decisions/0010-proximal-sweeps.md has what was measured and tried.
 *
 *     1)  R from mixed sweeps (gauss-seidel), until |f| has not halved in `patience` of them
 *     repeat
 *         2)  the first |f| around the last three anchors were alike: R = proj_K(R + 8 (R - A)), since R only drifts; back where |f| is 16 times as long
 *             on many contacts, the last two were each c of the one before, a series: R = proj_K(R + c / (1 - c) (R - A)), back likewise
 *             A = R; the window is kept: an anchor adds a constant to the map, which differences do not see
 *         at most `sweeps` times
 *             3)  x = proj_K(mix of the last sweeps)      (x = R where the window is empty)
 *             4)  R = sweep(x) with W_aa + alpha w_a I and q_a - alpha w_a A_a,  w_a = trace(W_aa) / 3;   f = R - x
 *             5)  |f| > 1.5 |f_last| after a mix: back to the last plain point, empty the window
 *             6)  leave when |f| < rho |f of the first around A|;  rho is 0.5 at least where that first was below 0.8 of the one before, twice in a row,
 *                 and on many contacts 0.15 at most where it was like the one before
 *         7)  ran out: alpha = min(0.3, 2 alpha), empty the window;  done in less than half of them: alpha = max(1e-4, 0.8 alpha)
 *
 * The law is exact in every local solve: nothing but diagonal blocks and q changes. R is taken as the next anchor also where the
 * sweeps ran out.
 */
import { brief } from "../base/brief.js";
import type { Vector } from "../kernels/arena.js";
import type { SavedRecord, SavedSpace } from "../state/saved.js";
import { badState } from "../state/state.js";
import type { SweepData } from "../system/operator.js";
import type { System } from "../system/system.js";
import { Anderson, andersonVectors } from "./anderson.js";
import { FirstSteps } from "./first-steps.js";
import { GaussSeidel } from "./gauss-seidel.js";
import type { Method, MethodState } from "./method.js";
import type { ProximalOptions } from "./proximal-options.js";

/** A mixed step may be this much longer than the one before it. */
const GROWTH_MAX = 1.5;
/** Anchors that gain this much, by their first steps, do not need to be closed in on: the next ones gain as much after fewer sweeps. */
const GAIN_TIMES = 2;
const RHO_GAINING = 0.5;
/** Anchors of large problems whose first steps are alike gain little each, and more for their sweeps where they are closed in on. */
const RHO_CREEPING = 0.15;
const LARGE_BLOCKS = 4001;
/** A drift was none where the first square after following it is more than this times the one before: large piles get nearer in steps that are alike, too. */
const DRIFT_GROWTH_MAX = 256;
const ALPHA_MIN = 1e-4;
const ALPHA_MAX = 0.3;
const ALPHA_GROWTH = 2;
const ALPHA_DECAY = 0.8;

/** Vectors that the method takes from a pool. */
export function proximalVectors(window: number): number {
	return 3 + andersonVectors(window);
}

export class ProximalGaussSeidel implements Method {
	readonly name = "proximal-gauss-seidel";
	readonly velocityFresh = false;
	readonly exhausted = false;
	/** The weight of the anchor. */
	alpha: number;
	remedies: string[] = [];
	/** By the first step around an anchor, which is that of a sweep without one. */
	error = Number.POSITIVE_INFINITY;
	readonly #system: System;
	readonly #options: ProximalOptions;
	/** The sweeps without an anchor; they share the pool. */
	readonly #plain: GaussSeidel;
	readonly #anderson: Anderson;
	readonly #x: Vector;
	readonly #anchor: Vector;
	readonly #data: SweepData;
	#products = 0;
	/** Whether there is no anchor yet: sweeps until now, and when the estimate last halved, to what. */
	#isPlain = false;
	#plainSweeps = 0;
	#mark = 0;
	#markedAt = 0;
	/** Of the anchor: sweeps around it, and |f|^2 of the last. */
	#sweeps = 0;
	#lastSquare = 0;
	readonly #first: FirstSteps;

	constructor(system: System, options: ProximalOptions, pool: readonly Vector[]) {
		const { window } = options;
		const [anchor, q, x, ...rest] = pool as [Vector, Vector, Vector, ...Vector[]];
		this.#system = system;
		this.#options = options;
		this.alpha = options.alpha;
		this.#plain = new GaussSeidel(system, { window, relax: 1, reverse: false }, [x, ...rest]);
		this.#anderson = new Anderson(system, window, rest);
		this.#x = x;
		this.#anchor = anchor;
		this.#data = { q, w: system.w, cones: system.cones };
		this.#first = new FirstSteps(this.#isLarge);
	}

	get products(): number {
		return this.#products + this.#plain.products;
	}

	/** Whether sweeps around an anchor have just ended: R is the next one. */
	get hasLeftAnchor(): boolean {
		return !this.#isPlain && this.#sweeps === 0 && this.#first.square > 0;
	}

	get #isLarge(): boolean {
		return this.#system.share.blocks >= LARGE_BLOCKS;
	}

	get #rho(): number {
		const { rho } = this.#options;
		if (this.#first.gaining >= GAIN_TIMES) return Math.max(RHO_GAINING, rho);
		return this.#first.alike > 0 && this.#isLarge ? Math.min(RHO_CREEPING, rho) : rho;
	}

	start(): void {
		this.alpha = this.#options.alpha;
		this.startAgain();
		this.#isPlain = this.#options.patience > 0;
		this.#plainSweeps = 0;
		this.#mark = Number.POSITIVE_INFINITY;
		this.#markedAt = 0;
		if (this.#isPlain) this.#plain.start();
	}

	/** Begins around an anchor at the system's R, with the weight as it is. */
	startAgain(): void {
		this.#isPlain = false;
		this.#sweeps = 0;
		this.#first.start();
		this.#anderson.clear();
		this.remedies = [];
		this.error = Number.POSITIVE_INFINITY;
	}

	/** Between two anchors there are the window, and of the last one only what a drift or a series is followed by. */
	get state(): MethodState {
		const common = { name: this.name, isPlain: this.#isPlain, remedies: [...this.remedies], error: this.error };
		if (this.#isPlain) {
			const { scalars, vectors } = this.#plain.state;
			const progress = { plainSweeps: this.#plainSweeps, mark: this.#mark, markedAt: this.#markedAt };
			return { scalars: { ...common, ...progress, plain: scalars }, vectors };
		}
		const { scalars, vectors } = this.#anderson.state;
		const isAround = this.#sweeps > 0;
		return {
			scalars: {
				...common,
				alpha: this.alpha,
				sweeps: this.#sweeps,
				first: this.#first.state,
				...(isAround && { lastSquare: this.#lastSquare }),
				window: scalars,
			},
			vectors: { ...((isAround || this.#first.ahead > 0) && { anchor: this.#anchor }), ...vectors },
		};
	}

	resume(from: SavedRecord, vectors: SavedSpace): void {
		from.word("name", [this.name]);
		this.startAgain();
		this.#isPlain = from.flag("isPlain");
		this.remedies = from.texts("remedies");
		this.error = from.number("error");
		if (this.#isPlain) {
			this.alpha = this.#options.alpha;
			this.#plainSweeps = from.integer("plainSweeps");
			this.#mark = from.number("mark");
			this.#markedAt = from.integer("markedAt", 0, this.#plainSweeps);
			const plain = from.record("plain");
			this.#plain.resume(plain, vectors);
			plain.end();
			return;
		}
		this.resumeAlpha(from);
		this.#sweeps = from.integer("sweeps", 0, this.#options.sweeps - 1);
		this.#first.resume(from.record("first"));
		const isAround = this.#sweeps > 0;
		if (isAround || this.#first.ahead > 0) vectors.vector("anchor", 3, this.#anchor.values);
		if (isAround) {
			this.#lastSquare = from.number("lastSquare");
			this.#anchorFree();
		}
		const window = from.record("window");
		this.#anderson.resume(window, vectors, this.#system.r);
		window.end();
	}

	resumeAlpha(from: SavedRecord): void {
		this.alpha = from.number("alpha");
		if (!(this.alpha > 0 && this.alpha < 1)) throw badState("stepper.alpha", `${this.alpha} is not between 0 and 1`);
	}

	iterate(): void {
		if (this.#isPlain) {
			this.#sweepPlain(); // 1
			return;
		}
		const { r, arena, length, operator } = this.#system;
		const isFirst = this.#sweeps === 0;
		const isFollowing = isFirst && this.#first.ahead > 0;
		if (isFirst)
			this.#takeAnchor(); // 2
		else if (this.#anderson.mix(r)) this.#system.project(r); // 3
		if (!isFirst) arena.kernels.copy(r.at, this.#x.at, length);
		operator.sweep?.(this.#data, r, false, 1, this.alpha); // 4
		this.#products += 1;
		this.#sweeps += 1;
		// The first sweep begins at the anchor.
		const square = this.#settle(isFirst ? this.#anchor : this.#x); // 5
		if (isFollowing && !(square <= DRIFT_GROWTH_MAX * this.#first.square)) {
			this.#comeBack(); // 2
			return;
		}
		if (isFirst) {
			this.#first.take(square);
			this.error = Math.sqrt(square) / this.#system.measures.energyScale;
		}
		const rho = this.#rho;
		const isDone = square < rho * rho * this.#first.square; // 6
		if (isDone || this.#sweeps === this.#options.sweeps) this.#leaveAnchor(isDone); // 7
	}

	#sweepPlain(): void {
		const plain = this.#plain;
		plain.iterate();
		this.#plainSweeps += 1;
		this.error = plain.error;
		if (plain.error <= 0.5 * this.#mark) {
			this.#mark = plain.error;
			this.#markedAt = this.#plainSweeps;
		}
		if (this.#plainSweeps - this.#markedAt < this.#options.patience) return;
		this.#isPlain = false;
		const reached = `after ${this.#plainSweeps} sweeps at energy about ${brief(plain.error)}`;
		this.remedies.push(`${reached}: proximal sweeps from alpha ${this.#options.alpha}`);
	}

	/** Where it follows a drift, x is where that began. */
	#takeAnchor(): void {
		const { r, arena, length } = this.#system;
		const anchor = this.#anchor;
		const { ahead } = this.#first;
		if (ahead > 0) {
			arena.kernels.copy(r.at, this.#x.at, length);
			arena.kernels.subtract(r.at, anchor.at, anchor.at, length);
			this.#system.addProjected(ahead, anchor, r);
		}
		arena.kernels.copy(r.at, anchor.at, length);
		this.#anchorFree();
		this.#anderson.carryOver();
		this.#lastSquare = Number.POSITIVE_INFINITY;
	}

	/** To where a drift was followed from; the next anchor is there. */
	#comeBack(): void {
		this.#system.arena.kernels.copy(this.#x.at, this.#system.r.at, this.#system.length);
		this.#sweeps = 0;
		this.#first.stop();
	}

	/** q_a - alpha w_a A_a */
	#anchorFree(): void {
		const { arena, blocks, w, q } = this.#system;
		arena.kernels.anchorFree(0, blocks, this.alpha, w.at, q.at, this.#anchor.at, this.#data.q.at);
	}

	/** Takes the sweep from x into the window, or goes back; |f|^2. */
	#settle(x: Vector): number {
		const { r } = this.#system;
		const isMixed = this.#anderson.mixes;
		const square = this.#anderson.offer(x, r);
		if (isMixed && !(square <= GROWTH_MAX * GROWTH_MAX * this.#lastSquare)) {
			this.#anderson.reject(r);
			this.#lastSquare = Number.POSITIVE_INFINITY;
		} else {
			this.#anderson.accept(r);
			this.#lastSquare = square;
		}
		return square;
	}

	#leaveAnchor(isDone: boolean): void {
		if (!isDone) {
			this.alpha = Math.min(ALPHA_MAX, ALPHA_GROWTH * this.alpha);
			this.#first.stop();
			this.#anderson.clear();
		} else if (2 * this.#sweeps < this.#options.sweeps) this.alpha = Math.max(ALPHA_MIN, ALPHA_DECAY * this.alpha);
		this.#sweeps = 0;
	}
}
