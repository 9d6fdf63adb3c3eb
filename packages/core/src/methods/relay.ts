/**
 * The relay: phases of proximal sweeps and of projected quasi-Newton, each run until it stops paying and then handed over.
 * Both fail by cycling or creeping, not for lack of information, so a phase that stalls is followed by the other kind, and
 * the next quasi-Newton phase has other (damping, m, epsilon). Rounds grow more patient, and where sweeps pay and quasi-Newton does not, the sweeps do. A phase ends when its best error has not halved in `patience`
 * iterations; patience is counted in iterations and the budget in products, never in seconds, so every machine takes the same phases.
 */
import type { SavedRecord, SavedSpace } from "../state/saved.js";
import type { System } from "../system/system.js";
import type { Measurement, Method, MethodState } from "./method.js";
import type { Pqn, PqnSettings } from "./pqn.js";
import type { ProximalGaussSeidel } from "./proximal-gauss-seidel.js";

export interface SweepPhase {
	readonly kind: "proximal";
	readonly patience: number;
}

export interface NewtonPhase {
	readonly kind: "newton";
	readonly patience: number;
	/** All that phases differ in. */
	readonly settings: Pick<PqnSettings, "damping" | "m" | "epsilon">;
}

export type Phase = SweepPhase | NewtonPhase;

/** The phases in turn; after the last it goes on at `again`, with more patience. */
export interface Schedule {
	readonly phases: readonly [Phase, ...Phase[]];
	readonly again: number;
}

/** The methods a relay hands over between, those that its schedule has. */
export interface PhaseMethods {
	readonly newton?: Pqn;
	readonly proximal?: ProximalGaussSeidel;
}

/** A phase that ends this much worse than the best iterate is followed from the best, not from where it ended. */
const SETBACK = 10;
/** The free motion has energy error 1 at most: a phase beyond this has blown up. */
const BLOW_UP = 1e3;
/** A round is followed by one with this much more patience. */
const PATIENCE_GROWTH = 2;
/** The same for sweeps that gained where quasi-Newton gained nothing, which gets no more than it had. */
const SWEEPS_GROWTH = 4;
/** By what factor the best error falls in a phase that pays; quasi-Newton that falls short of the second gained nothing. */
const PAYS = 0.5;
const NOTHING = 0.9;

export class Relay implements Method {
	exhausted = false;
	readonly #system: System;
	readonly #schedule: Schedule;
	readonly #methods: PhaseMethods;
	readonly #productsMax: number;
	readonly #overrides: Partial<PqnSettings>;
	#current: Method;
	/** What was changed before the phase at work, which says for itself what it changes. */
	#remedies: string[] = [];
	#phase = 0;
	/** How much more patient the phases of a kind are than in the first round. */
	#patienceFactor: Record<Phase["kind"], number> = { proximal: 1, newton: 1 };
	/** The best error where this phase began, and whether the sweeps before it paid. */
	#bestBefore = Number.POSITIVE_INFINITY;
	#sweepsPaid = false;
	#productsBefore = 0;
	/** Of this phase: iterations, the error to beat by half, and when that was set. */
	#iterations = 0;
	#mark = 0;
	#markedAt = 0;

	/** overrides: settings that a user fixed for all quasi-Newton phases. */
	constructor(
		system: System,
		schedule: Schedule,
		methods: PhaseMethods,
		productsMax: number,
		overrides: Partial<PqnSettings> = {},
	) {
		this.#system = system;
		this.#schedule = schedule;
		this.#methods = methods;
		this.#productsMax = productsMax;
		this.#overrides = overrides;
		this.#current = this.#methodOf(schedule.phases[0]);
	}

	get name(): string {
		return this.#current.name;
	}

	get products(): number {
		const { newton, proximal } = this.#methods;
		return (newton?.products ?? 0) + (proximal?.products ?? 0);
	}

	get velocityFresh(): boolean {
		return this.#current.velocityFresh;
	}

	get error(): number {
		return this.#current.error;
	}

	get measured(): Measurement | undefined {
		return this.#current.measured;
	}

	get remedies(): readonly string[] {
		return [...this.#remedies, ...this.#current.remedies];
	}

	start(): void {
		this.#phase = 0;
		this.#patienceFactor = { proximal: 1, newton: 1 };
		this.#bestBefore = Number.POSITIVE_INFINITY;
		this.#sweepsPaid = false;
		this.#productsBefore = this.products;
		this.exhausted = false;
		this.#remedies = [];
		this.#begin();
	}

	get state(): MethodState {
		const { scalars, vectors } = this.#current.state;
		const { proximal } = this.#methods;
		return {
			scalars: {
				phase: this.#phase,
				patienceFactor: { ...this.#patienceFactor },
				bestBefore: this.#bestBefore,
				sweepsPaid: this.#sweepsPaid,
				products: this.products - this.#productsBefore,
				iterations: this.#iterations,
				mark: this.#mark,
				markedAt: this.#markedAt,
				remedies: [...this.#remedies],
				...(proximal && { alpha: proximal.alpha }),
				current: scalars,
			},
			vectors,
		};
	}

	/** The phases are those of the schedule; the one at work says for itself what it is in the middle of. */
	resume(from: SavedRecord, vectors: SavedSpace): void {
		this.#phase = from.integer("phase", 0, this.#schedule.phases.length - 1);
		const patienceFactor = from.record("patienceFactor");
		this.#patienceFactor = { proximal: patienceFactor.number("proximal"), newton: patienceFactor.number("newton") };
		patienceFactor.end();
		this.#bestBefore = from.number("bestBefore");
		this.#sweepsPaid = from.flag("sweepsPaid");
		this.#productsBefore = this.products - from.integer("products");
		this.exhausted = false;
		this.#remedies = from.texts("remedies");
		this.#methods.proximal?.resumeAlpha(from);
		this.#selectPhase();
		const current = from.record("current");
		this.#current.resume(current, vectors);
		current.end();
		this.#iterations = from.integer("iterations");
		this.#mark = from.number("mark");
		this.#markedAt = from.integer("markedAt", 0, this.#iterations);
	}

	iterate(): void {
		if (this.#isOver()) this.#handOver();
		this.#current.iterate();
		this.#iterations += 1;
		const { error } = this.#current;
		if (error <= 0.5 * this.#mark) {
			this.#mark = error;
			this.#markedAt = this.#iterations;
		}
		this.exhausted = this.products - this.#productsBefore >= this.#productsMax;
	}

	#isOver(): boolean {
		const { error, velocityFresh } = this.#current;
		if (velocityFresh && !(error <= BLOW_UP)) return true;
		if (this.#iterations < 2) return false;
		if (!(error <= BLOW_UP)) return true;
		const { kind, patience } = this.#schedule.phases[this.#phase]!;
		return this.#iterations - this.#markedAt >= patience * this.#patienceFactor[kind];
	}

	recover(): boolean {
		if (this.#system.best.value === Number.POSITIVE_INFINITY) return false;
		this.#handOver();
		return !this.exhausted;
	}

	#begin(): void {
		this.#selectPhase();
		const { proximal } = this.#methods;
		// In later rounds sweeps without an anchor have been tried, and the weight is what this problem has asked for.
		if (this.#current === proximal && this.#patienceFactor.proximal > 1) proximal.startAgain();
		else this.#current.start();
		this.#iterations = 0;
		this.#mark = this.#current.error;
		this.#markedAt = 0;
	}

	/** The method of this phase, set as the phase says. */
	#selectPhase(): void {
		const phase = this.#schedule.phases[this.#phase]!;
		const { newton } = this.#methods;
		if (phase.kind === "newton" && newton) {
			newton.settings = { ...newton.settings, ...phase.settings, ...this.#overrides };
		}
		this.#current = this.#methodOf(phase);
	}

	#methodOf({ kind }: Phase): Method {
		const method = this.#methods[kind];
		if (method === undefined) throw new Error(`a relay without ${kind} has a phase of it`);
		return method;
	}

	/** The next phase, from where this one ended unless that is far worse than the best. */
	#handOver(): void {
		const { best } = this.#system;
		const value = best.offer(this.velocityFresh);
		if (!(value <= SETBACK * best.value)) best.restore();
		this.#nextPhase(best.value / this.#bestBefore);
		this.#bestBefore = best.value;
		const products = this.products - this.#productsBefore;
		this.#remedies.push(
			...this.#current.remedies,
			`after ${products} products at ${best.name} ${value.toExponential(1)}: ${this.#describe()}`,
		);
		this.#begin();
	}

	/** left: of the best error that this phase began with. */
	#nextPhase(left: number): void {
		const { phases, again } = this.#schedule;
		const { kind } = phases[this.#phase]!;
		const patienceFactor = this.#patienceFactor;
		const isSweepsAlone = kind === "newton" && this.#sweepsPaid && !(left <= NOTHING);
		if (kind === "proximal") this.#sweepsPaid = left <= PAYS;
		this.#phase += 1;
		if (this.#phase < phases.length) return;
		this.#phase = again;
		patienceFactor.proximal *= isSweepsAlone ? SWEEPS_GROWTH : PATIENCE_GROWTH;
		if (!isSweepsAlone) patienceFactor.newton *= PATIENCE_GROWTH;
	}

	#describe(): string {
		const phase = this.#schedule.phases[this.#phase]!;
		if (phase.kind === "proximal") return "proximal-gauss-seidel";
		const { damping, m, epsilon } = { ...phase.settings, ...this.#overrides };
		return `pqn with damping ${damping}, m ${m}, epsilon ${epsilon}`;
	}
}
