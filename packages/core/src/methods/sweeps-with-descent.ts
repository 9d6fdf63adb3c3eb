/**
 * Proximal Gauss-Seidel on large problems, with Gauss-Newton on the residual between two anchors: where R as the next anchor has an energy error from
 * which that may reach the tolerance (descent-rules.ts), it is tried, a step in each iteration. Where it falls short, the sweeps go on from R as it was:
 * they do not stay at the point that it found, from which they would only come back to where they were.
 */
import type { Vector } from "../kernels/arena.js";
import { lawCode } from "../problem/laws.js";
import type { SavedRecord, SavedSpace } from "../state/saved.js";
import type { System } from "../system/system.js";
import { DescentRules } from "./descent-rules.js";
import { GaussNewton } from "./gauss-newton.js";
import type { Measurement, Method, MethodState } from "./method.js";
import { ProximalGaussSeidel } from "./proximal-gauss-seidel.js";
import type { ProximalOptions } from "./proximal-options.js";

/** Fewer blocks have phases with factors; on more the vectors of it, 432 bytes a contact, would be missed. */
const BLOCKS_MIN = 4001;
const BLOCKS_MAX = 2 ** 20;
/** The error is measured where the sweeps' estimate, which is some four times as large, is below so many times the tolerance. */
const NEAR = 20;

/** Sweeping; in the middle of steps of Gauss-Newton; after the last of them, before the sweeps go on from where they were. */
const STAGES = ["sweeps", "descends", "returns"] as const;

const LAWS: ReadonlySet<number> = new Set([lawCode("coulomb"), lawCode("frictionless")]);

/** Sweeps as relays have them for a phase. */
export interface SweepMethod extends Method {
	/** The weight of the anchor. */
	readonly alpha: number;
	/** Begins around an anchor at the system's R, with the weight as it is. */
	startAgain(): void;
	resumeAlpha(from: SavedRecord): void;
}

/** Proximal sweeps, with Gauss-Newton between anchors where the problem and what is asked for are those that it is for. */
export function sweepMethod(system: System, options: ProximalOptions, pool: readonly Vector[]): SweepMethod {
	const sweeps = new ProximalGaussSeidel(system, options, pool);
	const { blocks, contacts, lawsUsed } = system.share;
	const isFit = blocks >= BLOCKS_MIN && blocks <= BLOCKS_MAX && blocks === contacts;
	const { name, tolerance } = system.best;
	const isWanted = options.descent > 0 && name === "energy" && tolerance > 0;
	if (!isFit || !isWanted || !lawsUsed.every((law) => LAWS.has(law))) return sweeps;
	return new SweepsWithDescent(system, sweeps, new DescentRules(options.descent, tolerance));
}

class SweepsWithDescent implements SweepMethod {
	readonly exhausted = false;
	/** Whether U belongs to R, and the energy error where it does. */
	velocityFresh = false;
	#energy = Number.POSITIVE_INFINITY;
	readonly #system: System;
	readonly #sweeps: ProximalGaussSeidel;
	readonly #rules: DescentRules;
	/** Made when its turn comes for the first time, if ever; R as the sweeps left it, to go back to. */
	#newton: GaussNewton | undefined;
	#left: Vector | undefined;
	#stage: (typeof STAGES)[number] = "sweeps";
	/** Products that measured an anchor, and those of the sweeps before this solve. */
	#measured = 0;
	#sweepsBefore = 0;

	constructor(system: System, sweeps: ProximalGaussSeidel, rules: DescentRules) {
		this.#system = system;
		this.#sweeps = sweeps;
		this.#rules = rules;
	}

	get name(): string {
		return this.#sweeps.name;
	}

	get alpha(): number {
		return this.#sweeps.alpha;
	}

	get products(): number {
		return this.#sweeps.products + this.#measured + (this.#newton?.products ?? 0);
	}

	/** Of the sweeps, also while it descends: what they gain is what others judge. */
	get error(): number {
		return this.#sweeps.error;
	}

	get measured(): Measurement | undefined {
		return this.velocityFresh ? { name: "energy", value: this.#energy } : undefined;
	}

	get remedies(): readonly string[] {
		return this.#sweeps.remedies;
	}

	start(): void {
		this.#sweeps.start();
		this.#sweepsBefore = this.#sweeps.products;
		this.#rules.start();
		this.#stage = "sweeps";
		this.velocityFresh = false;
	}

	startAgain(): void {
		this.#sweeps.startAgain();
		this.#stage = "sweeps";
		this.velocityFresh = false;
	}

	resumeAlpha(from: SavedRecord): void {
		this.#sweeps.resumeAlpha(from);
	}

	get state(): MethodState {
		const { scalars, vectors } = this.#sweeps.state;
		return {
			scalars: {
				name: this.name,
				made: this.#made,
				isFresh: this.velocityFresh,
				stage: this.#stage,
				energy: this.#energy,
				rules: this.#rules.state,
				sweeping: scalars,
			},
			vectors: { ...vectors, ...(this.#stage !== "sweeps" && { left: this.#left! }) },
		};
	}

	resume(from: SavedRecord, vectors: SavedSpace): void {
		from.word("name", [this.name]);
		this.#sweepsBefore = this.#sweeps.products - from.integer("made");
		this.velocityFresh = from.flag("isFresh");
		this.#stage = from.word("stage", STAGES);
		this.#energy = from.number("energy");
		this.#rules.resume(from.record("rules"));
		const sweeping = from.record("sweeping");
		this.#sweeps.resume(sweeping, vectors);
		sweeping.end();
		const { r, u } = this.#system;
		if (this.velocityFresh) this.#system.velocity(r, u);
		if (this.#stage === "sweeps") return;
		this.#prepare();
		vectors.vector("left", 3, this.#left!.values);
	}

	iterate(): void {
		if (this.#stage === "descends") this.#descend();
		else this.#sweep();
	}

	#sweep(): void {
		const { r, u, measures, best } = this.#system;
		if (this.#stage === "returns") this.#copy(this.#left!, r);
		this.#stage = "sweeps";
		this.velocityFresh = false;
		this.#sweeps.iterate();
		if (!this.#sweeps.hasLeftAnchor || !(this.error <= NEAR * best.tolerance)) return;
		this.#system.velocity(r, u);
		this.#measured += 1;
		this.#energy = measures.energy(r, u);
		this.velocityFresh = true;
		if (this.#energy <= best.tolerance || !this.#rules.begins(this.#energy, this.#made)) return;
		this.#prepare();
		this.#copy(r, this.#left!);
		this.#stage = "descends";
	}

	/** U belongs to R: the step before has left it so, or the measure of the anchor. */
	#descend(): void {
		const before = this.#energy;
		this.#energy = this.#newton!.take(before, this.#rules.length);
		if (!this.#rules.goesOn(before, this.#energy)) this.#stage = "returns";
	}

	/** Sweeps in this solve. */
	get #made(): number {
		return this.#sweeps.products - this.#sweepsBefore;
	}

	#prepare(): void {
		this.#newton ??= new GaussNewton(this.#system);
		this.#left ??= this.#system.room();
	}

	#copy(from: Vector, to: Vector): void {
		this.#system.arena.kernels.copy(from.at, to.at, this.#system.length);
	}
}
