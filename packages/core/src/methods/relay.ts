/**
 * The relay: legs of proximal sweeps and of projected quasi-Newton, each run until it stops paying and then handed over.
 * Both fail by cycling or creeping, not for lack of information, so a leg that stalls is followed by the other kind, and
 * the next quasi-Newton leg has other (damping, m, epsilon). Rounds grow more patient, and where sweeps pay and quasi-Newton does not, the sweeps do. A leg ends when its best error has not halved in `patience`
 * iterations; patience is counted in iterations and the budget in products, never in seconds, so every machine takes the same legs.
 */
import type { Saved } from "../solve/saved.js";
import type { System } from "../system/system.js";
import type { Method, MethodState } from "./method.js";
import type { Pqn, PqnSettings } from "./pqn.js";
import type { ProximalGaussSeidel } from "./proximal-gauss-seidel.js";

export interface SweepLeg {
	readonly kind: "proximal";
	readonly patience: number;
}

export interface NewtonLeg {
	readonly kind: "newton";
	readonly patience: number;
	/** All that legs differ in. */
	readonly settings: Pick<PqnSettings, "damping" | "m" | "epsilon">;
}

export type Leg = SweepLeg | NewtonLeg;

/** The legs in turn; after the last it goes on at `again`, with more patience. */
export interface Course {
	readonly legs: readonly [Leg, ...Leg[]];
	readonly again: number;
}

/** The methods a relay hands over between, those that its course has. */
export interface Runners {
	readonly newton?: Pqn;
	readonly proximal?: ProximalGaussSeidel;
}

/** A leg that ends this much worse than the best iterate is followed from the best, not from where it ended. */
const SETBACK = 10;
/** The free motion has energy error 1 at most: a leg beyond this has blown up. */
const BLOW_UP = 1e3;
/** A round is followed by one with this much more patience. */
const PATIENCE_GROWTH = 2;
/** The same for sweeps that gained where quasi-Newton gained nothing, which gets no more than it had. */
const SWEEPS_GROWTH = 4;
/** By what factor the best error falls in a leg that pays; quasi-Newton that falls short of the second gained nothing. */
const PAYS = 0.5;
const NOTHING = 0.9;

export class Relay implements Method {
	exhausted = false;
	readonly #system: System;
	readonly #course: Course;
	readonly #runners: Runners;
	readonly #productsMax: number;
	readonly #overrides: Partial<PqnSettings>;
	#current: Method;
	/** What was changed before the leg at work, which says for itself what it changes. */
	#remedies: string[] = [];
	#leg = 0;
	/** How much more patient the legs of a kind are than in the first round. */
	#lenience: Record<Leg["kind"], number> = { proximal: 1, newton: 1 };
	/** The best error where this leg began, and whether the sweeps before it paid. */
	#bestBefore = Number.POSITIVE_INFINITY;
	#sweepsPaid = false;
	#productsBefore = 0;
	/** Of this leg: iterations, the error to beat by half, and when that was set. */
	#iterations = 0;
	#mark = 0;
	#markedAt = 0;

	/** overrides: settings that a user fixed for all quasi-Newton legs. */
	constructor(
		system: System,
		course: Course,
		runners: Runners,
		productsMax: number,
		overrides: Partial<PqnSettings> = {},
	) {
		this.#system = system;
		this.#course = course;
		this.#runners = runners;
		this.#productsMax = productsMax;
		this.#overrides = overrides;
		this.#current = this.#runnerOf(course.legs[0]);
	}

	get name(): string {
		return this.#current.name;
	}

	get products(): number {
		const { newton, proximal } = this.#runners;
		return (newton?.products ?? 0) + (proximal?.products ?? 0);
	}

	get velocityFresh(): boolean {
		return this.#current.velocityFresh;
	}

	get error(): number {
		return this.#current.error;
	}

	get remedies(): readonly string[] {
		return [...this.#remedies, ...this.#current.remedies];
	}

	start(): void {
		this.#leg = 0;
		this.#lenience = { proximal: 1, newton: 1 };
		this.#bestBefore = Number.POSITIVE_INFINITY;
		this.#sweepsPaid = false;
		this.#productsBefore = this.products;
		this.exhausted = false;
		this.#remedies = [];
		this.#begin();
	}

	get state(): MethodState {
		const { scalars, vectors } = this.#current.state;
		const { proximal } = this.#runners;
		return {
			scalars: {
				leg: this.#leg,
				lenience: { ...this.#lenience },
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

	/** The legs are those of the course; the one at work says for itself what it is in the middle of. */
	resume(from: Saved): void {
		this.#leg = from.integer("leg", 0, this.#course.legs.length - 1);
		const lenience = from.record("lenience");
		this.#lenience = { proximal: lenience.number("proximal"), newton: lenience.number("newton") };
		lenience.end();
		this.#bestBefore = from.number("bestBefore");
		this.#sweepsPaid = from.flag("sweepsPaid");
		this.#productsBefore = this.products - from.integer("products");
		this.exhausted = false;
		this.#remedies = from.texts("remedies");
		this.#runners.proximal?.resumeAlpha(from);
		this.#takeUp();
		const current = from.record("current");
		this.#current.resume(current);
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
		const { kind, patience } = this.#course.legs[this.#leg]!;
		return this.#iterations - this.#markedAt >= patience * this.#lenience[kind];
	}

	recover(): boolean {
		if (this.#system.best.value === Number.POSITIVE_INFINITY) return false;
		this.#handOver();
		return !this.exhausted;
	}

	#begin(): void {
		this.#takeUp();
		const { proximal } = this.#runners;
		// In later rounds sweeps without an anchor have been tried, and the weight is what this problem has asked for.
		if (this.#current === proximal && this.#lenience.proximal > 1) proximal.startAgain();
		else this.#current.start();
		this.#iterations = 0;
		this.#mark = this.#current.error;
		this.#markedAt = 0;
	}

	/** The method of this leg, set as the leg says. */
	#takeUp(): void {
		const leg = this.#course.legs[this.#leg]!;
		const { newton } = this.#runners;
		if (leg.kind === "newton" && newton) {
			newton.settings = { ...newton.settings, ...leg.settings, ...this.#overrides };
		}
		this.#current = this.#runnerOf(leg);
	}

	#runnerOf({ kind }: Leg): Method {
		const runner = this.#runners[kind];
		if (runner === undefined) throw new Error(`a relay without ${kind} has a leg of it`);
		return runner;
	}

	/** The next leg, from where this one ended unless that is far worse than the best. */
	#handOver(): void {
		const { best } = this.#system;
		const value = best.offer(this.velocityFresh);
		if (!(value <= SETBACK * best.value)) best.restore();
		this.#nextLeg(best.value / this.#bestBefore);
		this.#bestBefore = best.value;
		const products = this.products - this.#productsBefore;
		this.#remedies.push(
			...this.#current.remedies,
			`after ${products} products at ${best.name} ${value.toExponential(1)}: ${this.#describe()}`,
		);
		this.#begin();
	}

	/** left: of the best error that this leg began with. */
	#nextLeg(left: number): void {
		const { legs, again } = this.#course;
		const { kind } = legs[this.#leg]!;
		const lenience = this.#lenience;
		const isSweepsAlone = kind === "newton" && this.#sweepsPaid && !(left <= NOTHING);
		if (kind === "proximal") this.#sweepsPaid = left <= PAYS;
		this.#leg += 1;
		if (this.#leg < legs.length) return;
		this.#leg = again;
		lenience.proximal *= isSweepsAlone ? SWEEPS_GROWTH : PATIENCE_GROWTH;
		if (!isSweepsAlone) lenience.newton *= PATIENCE_GROWTH;
	}

	#describe(): string {
		const leg = this.#course.legs[this.#leg]!;
		if (leg.kind === "proximal") return "proximal-gauss-seidel";
		const { damping, m, epsilon } = { ...leg.settings, ...this.#overrides };
		return `pqn with damping ${damping}, m ${m}, epsilon ${epsilon}`;
	}
}
