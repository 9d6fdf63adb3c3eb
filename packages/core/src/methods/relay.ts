/**
 * The relay: legs of Gauss-Seidel sweeps and of projected quasi-Newton, each run until it stops paying and then handed over.
 * Limit cycles, not lack of information, are how both fail, so a leg that stalls is followed by the other kind, and
 * the next quasi-Newton leg has other (damping, m, epsilon). A leg ends when its best error has not halved in `patience`
 * iterations; patience is counted in iterations and the budget in products, never in seconds, so every machine takes the same legs.
 */
import type { Saved } from "../solve/saved.js";
import { badState } from "../solve/state.js";
import type { System } from "../system/system.js";
import type { GaussSeidel } from "./gauss-seidel.js";
import type { Method, MethodState } from "./method.js";
import type { Pqn, PqnSettings } from "./pqn.js";

export interface SweepLeg {
	readonly kind: "mixed" | "plain";
	readonly patience: number;
	readonly relax?: number;
}

export interface NewtonLeg {
	readonly kind: "newton";
	readonly patience: number;
	/** All that legs differ in. */
	readonly settings: Pick<PqnSettings, "damping" | "m" | "epsilon">;
}

export type Leg = SweepLeg | NewtonLeg;

/** The legs in turn; after the last it goes on at `again` with patience doubled, and after some rounds with `last` to the end. */
export interface Course {
	readonly legs: readonly Leg[];
	readonly again: number;
	/** What still gains where everything else has been tried. */
	readonly last?: Leg;
	/** The legs after the first where that one, at most `HARD_ITERATIONS` long, leaves an error above `HARD_ERROR`. */
	readonly hard?: readonly Leg[];
}

/** The methods a relay hands over between; without rows to sweep over there is only one. */
export interface Runners {
	readonly newton: Pqn;
	readonly mixed?: GaussSeidel;
	readonly plain?: GaussSeidel;
}

/** A leg that ends this much worse than the best iterate is followed from the best, not from where it ended. */
const SETBACK = 10;
/** The free motion has energy error 1 at most: a leg beyond this has blown up. */
const BLOW_UP = 1e3;
const HARD_ITERATIONS = 60;
const HARD_ERROR = 4e-3;
/** Rounds before `last`. */
const ROUNDS = 2;

export class Relay implements Method {
	remedies: string[] = [];
	exhausted = false;
	readonly #system: System;
	readonly #course: Course;
	readonly #runners: Runners;
	readonly #productsMax: number;
	readonly #overrides: Partial<PqnSettings>;
	#legs: readonly Leg[];
	#again: number;
	#current: Method;
	#leg = 0;
	#rounds = 0;
	/** Twice as patient in every round. */
	#lenience = 1;
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
		this.#legs = course.legs;
		this.#again = course.again;
		this.#current = runners.newton;
	}

	get name(): string {
		return this.#current.name;
	}

	get products(): number {
		const { newton, mixed, plain } = this.#runners;
		return newton.products + (mixed?.products ?? 0) + (plain?.products ?? 0);
	}

	get velocityFresh(): boolean {
		return this.#current.velocityFresh;
	}

	get error(): number {
		return this.#current.error;
	}

	start(): void {
		this.#legs = this.#course.legs;
		this.#again = this.#course.again;
		this.#leg = 0;
		this.#rounds = 0;
		this.#lenience = 1;
		this.#productsBefore = this.products;
		this.exhausted = false;
		this.remedies = [];
		this.#begin();
	}

	get state(): MethodState {
		const { scalars, vectors } = this.#current.state;
		return {
			scalars: {
				stretch: this.#stretch,
				leg: this.#leg,
				rounds: this.#rounds,
				lenience: this.#lenience,
				products: this.products - this.#productsBefore,
				iterations: this.#iterations,
				mark: this.#mark,
				markedAt: this.#markedAt,
				remedies: [...this.remedies],
				current: scalars,
			},
			vectors,
		};
	}

	/** The legs are those of the course; the one at work says for itself what it is in the middle of. */
	resume(from: Saved): void {
		const { legs, again, hard, last } = this.#course;
		const stretch = from.word("stretch", ["first", "hard", "last"]);
		const legsOf = { first: legs, hard, last: last && [last] };
		const now = legsOf[stretch];
		if (now === undefined) throw badState("stretch", `there is no ${stretch} here`);
		this.#legs = now;
		this.#again = stretch === "first" ? again : 0;
		this.#leg = from.integer("leg", 0, now.length - 1);
		this.#rounds = from.integer("rounds");
		this.#lenience = from.number("lenience");
		this.#productsBefore = this.products - from.integer("products");
		this.exhausted = false;
		this.remedies = from.texts("remedies");
		this.#takeUp();
		const current = from.record("current");
		this.#current.resume(current);
		current.end();
		this.#iterations = from.integer("iterations");
		this.#mark = from.number("mark");
		this.#markedAt = from.integer("markedAt", 0, this.#iterations);
	}

	/** Which of the course's legs these are. */
	get #stretch(): "first" | "hard" | "last" {
		if (this.#legs === this.#course.legs) return "first";
		return this.#legs === this.#course.hard ? "hard" : "last";
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

	/** The first leg left, or has had time and still leaves, a large error. */
	#isHard(): boolean {
		const { hard, legs } = this.#course;
		return hard !== undefined && this.#legs === legs && this.#leg === 0 && this.#current.error > HARD_ERROR;
	}

	#isOver(): boolean {
		const { error, velocityFresh } = this.#current;
		if (velocityFresh && !(error <= BLOW_UP)) return true;
		if (this.#iterations < 2) return false;
		if (!(error <= BLOW_UP)) return true;
		const { patience } = this.#legs[this.#leg]!;
		if (this.#iterations >= HARD_ITERATIONS && this.#isHard()) return true;
		return this.#iterations - this.#markedAt >= patience * this.#lenience;
	}

	recover(): boolean {
		if (this.#system.best.value === Number.POSITIVE_INFINITY) return false;
		this.#handOver();
		return !this.exhausted;
	}

	#begin(): void {
		this.#takeUp();
		this.#current.start();
		this.#iterations = 0;
		this.#mark = this.#current.error;
		this.#markedAt = 0;
	}

	/** The method of this leg, set as the leg says. */
	#takeUp(): void {
		const leg = this.#legs[this.#leg]!;
		const { newton, mixed, plain } = this.#runners;
		if (leg.kind === "newton") newton.settings = { ...newton.settings, ...leg.settings, ...this.#overrides };
		else if (leg.kind === "plain" && plain) plain.relax = leg.relax ?? 1;
		this.#current = (leg.kind === "newton" ? newton : leg.kind === "mixed" ? mixed : plain) ?? newton;
	}

	/** The next leg, from where this one ended unless that is far worse than the best. */
	#handOver(): void {
		const { best } = this.#system;
		const value = best.offer(this.velocityFresh);
		if (!(value <= SETBACK * best.value)) best.restore();
		if (this.#isHard()) {
			this.#legs = this.#course.hard!;
			this.#again = 0;
			this.#leg = 0;
		} else {
			this.#leg += 1;
		}
		if (this.#leg === this.#legs.length) {
			this.#leg = this.#again;
			this.#rounds += 1;
			this.#lenience *= 2;
		}
		if (this.#rounds === ROUNDS && this.#course.last) {
			this.#legs = [this.#course.last];
			this.#again = 0;
			this.#leg = 0;
		}
		const products = this.products - this.#productsBefore;
		this.remedies.push(`after ${products} products at ${best.name} ${value.toExponential(1)}: ${this.#describe()}`);
		this.#begin();
	}

	#describe(): string {
		const leg = this.#legs[this.#leg]!;
		if (leg.kind === "newton") {
			const { damping, m, epsilon } = { ...leg.settings, ...this.#overrides };
			return `pqn with damping ${damping}, m ${m}, epsilon ${epsilon}`;
		}
		return leg.kind === "mixed" ? "gauss-seidel with mixing" : `gauss-seidel unmixed, relax ${leg.relax ?? 1}`;
	}
}
