/**
 * Newton's method, and proximal points (proximal-newton.ts) where that does not get on: where W is singular its steps may cycle without end,
 * and no line search and no shift of W helps.
 *
 *     the best error has not halved in `patience` iterations, no factors, or R is not finite: R = 0, and proximal points from there,
 *     since reactions that such steps have left lie far from any solution
 */
import { brief } from "../base/brief.js";
import type { SavedRecord, SavedSpace } from "../state/saved.js";
import type { System } from "../system/system.js";
import type { Method, MethodState } from "./method.js";
import type { Newton } from "./newton.js";
import type { ProximalNewton } from "./proximal-newton.js";

/** An error that counts as progress, relative to the last that did. */
const GAIN = 0.5;

export class NewtonWithFallback implements Method {
	readonly velocityFresh = true;
	readonly error = Number.POSITIVE_INFINITY;
	readonly #system: System;
	readonly #newton: Newton;
	readonly #proximal: ProximalNewton;
	readonly #patience: number;
	#remedies: string[] = [];
	#hasFallenBack = false;
	/** The error to halve, and iterations since it was set. */
	#mark = Number.POSITIVE_INFINITY;
	#since = 0;
	#iterations = 0;

	constructor(system: System, newton: Newton, proximal: ProximalNewton, patience: number) {
		this.#system = system;
		this.#newton = newton;
		this.#proximal = proximal;
		this.#patience = patience;
	}

	get name(): string {
		return this.#current.name;
	}

	get products(): number {
		return this.#newton.products + this.#proximal.products;
	}

	get exhausted(): boolean {
		return this.#hasFallenBack && this.#proximal.exhausted;
	}

	get remedies(): readonly string[] {
		return this.#remedies;
	}

	get state(): MethodState {
		const { scalars, vectors } = this.#current.state;
		const hasFallenBack = this.#hasFallenBack;
		const [mark, since, iterations] = [this.#mark, this.#since, this.#iterations];
		const remedies = [...this.#remedies];
		return { scalars: { hasFallenBack, mark, since, iterations, remedies, current: scalars }, vectors };
	}

	start(): void {
		this.#remedies = [];
		this.#hasFallenBack = false;
		this.#mark = Number.POSITIVE_INFINITY;
		this.#since = 0;
		this.#iterations = 0;
		this.#newton.start();
	}

	resume(from: SavedRecord, vectors: SavedSpace): void {
		this.#hasFallenBack = from.flag("hasFallenBack");
		this.#mark = from.number("mark");
		this.#iterations = from.integer("iterations");
		this.#since = from.integer("since", 0, this.#iterations);
		this.#remedies = from.texts("remedies");
		const current = from.record("current");
		this.#current.resume(current, vectors);
		current.end();
	}

	iterate(): void {
		if (!this.#hasFallenBack && this.#isStuck()) this.#fallBack();
		this.#current.iterate();
		this.#iterations += 1;
	}

	recover(): boolean {
		if (this.#hasFallenBack || this.#system.best.value === Number.POSITIVE_INFINITY) return false;
		this.#fallBack();
		return true;
	}

	get #current(): Newton | ProximalNewton {
		return this.#hasFallenBack ? this.#proximal : this.#newton;
	}

	#isStuck(): boolean {
		if (this.#newton.exhausted) return true;
		const { value } = this.#system.best;
		this.#since += 1;
		if (value <= GAIN * this.#mark) {
			this.#mark = value;
			this.#since = 0;
		}
		return this.#since >= this.#patience;
	}

	#fallBack(): void {
		const { best, r } = this.#system;
		const { value, name } = best;
		this.#remedies.push(`after ${this.#iterations} iterations at ${name} ${brief(value)}: proximal-newton`);
		r.values.fill(0);
		this.#hasFallenBack = true;
		this.#proximal.start();
	}
}
