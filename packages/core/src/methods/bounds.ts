/**
 * Problems with bounds alone: the unknowns stand in a box, low <= R <= high. Without friction 0 <= R_N and R_T = 0; joints and equality rows are free, and the law box says its own.
 * The gradient U splits into what unknowns between their bounds feel (free), and what draws others off theirs (chopped):
 *
 *     phi_i = U_i where low_i < R_i < high_i,  beta_i = min(U_i, 0) where R_i = low_i,  max(U_i, 0) where R_i = high_i
 */
import { InputError } from "../base/errors.js";
import type { Vector } from "../kernels/arena.js";
import type { Problem } from "../problem/problem.js";
import type { Sums } from "../sums/sums.js";
import { COULOMB } from "../system/cone-ranges.js";
import type { System } from "../system/system.js";
import type { Refusal } from "./entry.js";

const NONE = Number.POSITIVE_INFINITY;

export class Bounds {
	readonly #system: System;
	readonly #low: Float64Array;
	readonly #high: Float64Array;
	readonly #furthest = new Float64Array(1);

	constructor(system: System) {
		this.#system = system;
		this.#low = new Float64Array(system.length);
		this.#high = new Float64Array(system.length);
		system.cones.writeBounds(this.#low, this.#high);
	}

	/** r <- P(r + factor d). */
	addProjected(factor: number, d: Vector, r: Vector): void {
		addClamped(this.#low, this.#high, factor, d.values, r.values);
	}

	/** phi and beta of R and the gradient. */
	split(r: Vector, u: Vector, phi: Vector, beta: Vector): void {
		splitGradient(this.#low, this.#high, r.values, u.values, phi.values, beta.values);
	}

	/** z = (r - P(r - step d)) / step: what is left of d within the bounds. */
	reduced(r: Vector, step: number, d: Vector, z: Vector): void {
		reduce(this.#low, this.#high, r.values, step, d.values, z.values);
	}

	/** x <- x where `like` is between its bounds, 0 where it is at one. */
	mask(like: Vector, x: Vector): void {
		const [low, high, at, values] = [this.#low, this.#high, like.values, x.values];
		for (let i = 0; i < low.length; i += 1) if (at[i]! <= low[i]! || at[i]! >= high[i]!) values[i] = 0;
	}

	/** Adds the number of unknowns that are at a bound in one vector and not in the other to the sums of the next reduction. */
	addChanges(one: Vector, other: Vector, sums: Sums): void {
		const [low, high, x, y] = [this.#low, this.#high, one.values, other.values];
		const isChanged = (i: number) =>
			(x[i]! <= low[i]! || x[i]! >= high[i]!) === (y[i]! <= low[i]! || y[i]! >= high[i]!) ? 0 : 1;
		sums.terms(this.#system.blocks, (a) => isChanged(3 * a) + isChanged(3 * a + 1) + isChanged(3 * a + 2));
	}

	/** Collective. The largest step for which r - step p is within the bounds. */
	feasibleStep(r: Vector, p: Vector): number {
		const [low, high, x, by] = [this.#low, this.#high, r.values, p.values];
		let nearest = NONE;
		for (let i = 0; i < low.length; i += 1) {
			if (by[i]! > 0) nearest = Math.min(nearest, (x[i]! - low[i]!) / by[i]!);
			else if (by[i]! < 0) nearest = Math.min(nearest, (x[i]! - high[i]!) / by[i]!);
		}
		this.#furthest[0] = -nearest;
		this.#system.reducer.largest(this.#furthest);
		return -this.#furthest[0]!;
	}
}

type Numbers = Float64Array;

/** What is no number stays so. */
function addClamped(low: Numbers, high: Numbers, factor: number, d: Numbers, x: Numbers): void {
	for (let i = 0; i < low.length; i += 1) {
		x[i] = Math.max(low[i]!, Math.min(x[i]! + factor * d[i]!, high[i]!));
	}
}

function splitGradient(low: Numbers, high: Numbers, x: Numbers, g: Numbers, free: Numbers, chopped: Numbers): void {
	for (let i = 0; i < low.length; i += 1) {
		const value = g[i]!;
		const isLow = x[i]! <= low[i]!;
		const isHigh = x[i]! >= high[i]!;
		free[i] = isLow || isHigh ? 0 : value;
		const isDrawn = (isLow && !isHigh && value < 0) || (isHigh && !isLow && value > 0);
		chopped[i] = isDrawn ? value : 0;
	}
}

function reduce(low: Numbers, high: Numbers, x: Numbers, step: number, d: Numbers, z: Numbers): void {
	for (let i = 0; i < low.length; i += 1) {
		const value = x[i]! - step * d[i]!;
		z[i] = value < low[i]! ? (x[i]! - low[i]!) / step : value > high[i]! ? (x[i]! - high[i]!) / step : d[i]!;
	}
}

/** What of a problem has no bounds: friction. */
export function frictionRefusal(what: string, { mu, laws }: Pick<Problem, "mu" | "laws">): Refusal | undefined {
	const at = mu.findIndex((value, a) => value > 0 && (laws === undefined || laws.law[a] === COULOMB));
	if (at < 0) return undefined;
	return {
		place: `mu[${at}]`,
		problem: `${what} is for problems without friction, and contact ${at} has mu ${mu[at]}`,
	};
}

/** Collective. The same of a problem in parts, which nobody has as a whole. */
export function needFrictionless(system: System, what: string, remedy: string): void {
	const largest = new Float64Array(1);
	for (const { law, from, to } of system.cones.ranges) {
		if (law !== COULOMB) continue;
		for (let a = from; a < to; a += 1) largest[0] = Math.max(largest[0]!, system.cones.mu.values[a]!);
	}
	system.reducer.largest(largest);
	if (!(largest[0]! > 0)) return;
	const lack = `${what} is for problems without friction, and a contact here has mu ${largest[0]}`;
	throw new InputError(system.share.name, "mu", lack, remedy);
}
