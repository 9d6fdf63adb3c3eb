/** Steps without contacts. */
import type { Bodies } from "../bodies/bodies.js";
import type { Impulses } from "../bodies/generalized.js";
import type { Model } from "../bodies/model.js";
import type { Scheme } from "../time/scheme.js";

function noImpulses({ count }: Bodies): Impulses {
	return {
		linear: new Float64Array(3 * count),
		angular: new Float64Array(3 * count),
		rate: new Float64Array(9 * count),
	};
}

/** Observed order of a quantity's errors at steps that are halved one after another. */
export function orders(errors: readonly number[]): number[] {
	return errors.slice(1).map((error, k) => Math.log2(errors[k]! / error));
}

export function fly(
	scheme: Scheme,
	model: Model,
	bodies: Bodies,
	h: number,
	steps: number,
	each: (step: number) => void = () => {},
): void {
	const impulses = noImpulses(bodies);
	for (let step = 0; step < steps; step += 1) {
		scheme.configure(model, bodies, step * h, h);
		scheme.freeVelocity(model, bodies, step * h, h);
		scheme.finish(model, bodies, impulses, step * h, h);
		each(step);
	}
}
