/**
 * Nonlinear block Gauss-Seidel: every contact solved exactly in turn (assembly/local.ts), in the coloured order of the layout,
 * its whole sweeps accelerated by Anderson mixing. R after an iteration is the plain result of a sweep, in the cone.
 *
 *     repeat  x = proj_K(mix of the last sweeps)      (x = R where the window is empty)
 *             R = sweep(x),  f = R - x
 *             |f| > 1.2 |f_last| after a mix: back to the last plain point, empty the window
 *             |f| has no new least in 100 sweeps: mixing only makes the sweeps cycle; go on without it
 */
import { brief } from "../base/brief.js";
import type { Vector } from "../kernels/arena.js";
import type { SavedRecord, SavedSpace } from "../state/saved.js";
import type { System } from "../system/system.js";
import { Anderson, andersonVectors } from "./anderson.js";
import type { Method, MethodState } from "./method.js";

/** A mixed step may be this much longer than the one before it. */
const GROWTH_MAX = 1.2;
/** Sweeps after which mixing is given up where it has not brought |f| below this share of its least. */
const MIX_PATIENCE = 100;
const MIX_GAIN = 0.9;

export interface GaussSeidelOptions {
	/** Sweeps mixed by Anderson; 0 for plain sweeps. */
	readonly window: number;
	/** Over-relaxation of each contact, in (0, 2). */
	readonly relax: number;
	/** Every second sweep backwards. */
	readonly reverse: boolean;
}

/** Vectors that the method takes from a pool. */
export function gaussSeidelVectors(window: number): number {
	return 1 + andersonVectors(window);
}

export class GaussSeidel implements Method {
	readonly name: string;
	readonly velocityFresh = false;
	readonly exhausted = false;
	remedies: string[] = [];
	products = 0;
	error = Number.POSITIVE_INFINITY;
	protected readonly system: System;
	/** Of a whole step towards the exact local solution, how much a sweep takes: what estimates of the error are divided by. */
	protected readonly stepShare: number = 1;
	readonly #options: GaussSeidelOptions;
	readonly #anderson: Anderson;
	readonly #x: Vector;
	#lastSquare = 0;
	/** The first sweep's f is only formed when a second follows: a problem solved by one sweep pays for one. */
	#firstPending = false;
	#sweeps = 0;
	#mixes = true;
	/** The estimate to fall below, and the sweep that reached it. */
	#mark = 0;
	#markedAt = 0;

	constructor(system: System, options: GaussSeidelOptions, pool: readonly Vector[], name = "gauss-seidel") {
		this.name = name;
		this.system = system;
		this.#options = options;
		this.#x = pool[0]!;
		this.#anderson = new Anderson(system, options.window, pool.slice(1));
	}

	start(): void {
		this.#anderson.clear();
		this.#lastSquare = Number.POSITIVE_INFINITY;
		this.#sweeps = 0;
		this.#firstPending = false;
		this.#mixes = true;
		this.#mark = Number.POSITIVE_INFINITY;
		this.#markedAt = 0;
		this.remedies = [];
		this.error = Number.POSITIVE_INFINITY;
	}

	/** The window only where it is mixed any more; x only where its sweep is not settled. */
	get state(): MethodState {
		const { error } = this;
		const window = this.#mixes ? this.#anderson.state : undefined;
		return {
			scalars: {
				name: this.name,
				lastSquare: this.#lastSquare,
				firstPending: this.#firstPending,
				sweeps: this.#sweeps,
				mixes: this.#mixes,
				mark: this.#mark,
				markedAt: this.#markedAt,
				remedies: [...this.remedies],
				error,
				...(window && { window: window.scalars }),
			},
			vectors: { ...(this.#firstPending && { x: this.#x }), ...window?.vectors },
		};
	}

	resume(from: SavedRecord, vectors: SavedSpace): void {
		from.word("name", [this.name]);
		this.#lastSquare = from.number("lastSquare");
		this.#firstPending = from.flag("firstPending");
		this.#sweeps = from.integer("sweeps");
		this.#mixes = from.flag("mixes");
		this.#mark = from.number("mark");
		this.#markedAt = from.integer("markedAt", 0, this.#sweeps);
		this.remedies = from.texts("remedies");
		this.error = from.number("error");
		this.#anderson.clear();
		if (this.#firstPending) vectors.vector("x", 3, this.#x.values);
		if (!this.#mixes) return;
		const window = from.record("window");
		this.#anderson.resume(window, vectors, this.system.r);
		window.end();
	}

	iterate(): void {
		const system = this.system;
		const { r, arena, length } = system;
		if (this.#firstPending) this.#settle();
		if (this.#mixes && this.#sweeps > 0 && this.#anderson.mix(r)) system.project(r);
		arena.kernels.copy(r.at, this.#x.at, length);
		this.sweep(this.#sweeps);
		this.#sweeps += 1;
		if (this.#sweeps === 1) this.#firstPending = true;
		else this.#settle();
	}

	/** Sweeps over R, `sweeps` being those before. */
	protected sweep(sweeps: number): void {
		const { system } = this;
		system.operator.sweep?.(system, system.r, this.#options.reverse && sweeps % 2 === 1, this.#options.relax);
		this.products += 1;
	}

	/** Takes the sweep into the window, or goes back. */
	#settle(): void {
		const { r } = this.system;
		this.#firstPending = false;
		const mixed = this.#mixes && this.#anderson.mixes;
		const square = this.#anderson.offer(this.#x, r);
		if (mixed && !(square <= GROWTH_MAX * GROWTH_MAX * this.#lastSquare)) {
			this.#anderson.reject(r);
			this.#lastSquare = Number.POSITIVE_INFINITY;
			return;
		}
		this.#anderson.accept(r);
		this.#lastSquare = square;
		this.error = Math.sqrt(square) / (this.stepShare * this.system.measures.energyScale);
		if (this.#mixes) this.#watchMixing();
	}

	#watchMixing(): void {
		if (this.error <= MIX_GAIN * this.#mark) {
			this.#mark = this.error;
			this.#markedAt = this.#sweeps;
		}
		if (this.#options.window === 0 || this.#sweeps - this.#markedAt < MIX_PATIENCE) return;
		this.#mixes = false;
		this.#anderson.clear();
		this.remedies.push(
			`after ${this.#sweeps} sweeps at energy about ${brief(this.error)}: Anderson acceleration switched off`,
		);
	}
}
