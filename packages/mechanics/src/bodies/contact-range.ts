/** How near bodies must be for a contact. */
import { type Bodies, KIND } from "./bodies.js";
import type { Model } from "./model.js";

export interface ContactRange {
	/** Gaps up to this count. */
	readonly margin: number;
	/** Length of the step, in which gaps may close at the velocities that bodies have; 0 if only touching bodies count. */
	readonly ahead: number;
	/** Distance that gravity adds to what closes in the step. */
	readonly fall: number;
	/** Gaps up to this count too if both bodies together move that far in the step: impacts of others may close them, whatever the velocities are before it. */
	readonly beside: number;
	/** True if contacts that bounce count before they touch, too. */
	readonly anticipatesBounces: boolean;
}

/** Range of contacts with gaps up to a margin. */
export function touching(margin: number): ContactRange {
	return { margin, ahead: 0, fall: 0, beside: 0, anticipatesBounces: false };
}

/** Half the search distance of a body: two bodies between which a contact counts are at most as far apart as the sum of theirs. */
export function contactRangeOf(model: Model, bodies: Bodies, place: number, near: ContactRange): number {
	const { margin, ahead, fall } = near;
	if (ahead === 0) return 0.5 * margin;
	return 0.5 * (margin + fall) + ahead * (speedOf(bodies, place) + turningSpeed(model, bodies, place));
}

/** Speed of a body's centre. */
export function speedOf({ velocity }: Bodies, place: number): number {
	return size(velocity, 3 * place, 3);
}

/** Upper bound of the speed of points of a body relative to its centre. A plane turns about a point that is nowhere near: it counts as not turning. */
export function turningSpeed(model: Model, bodies: Bodies, place: number): number {
	const { reach } = model.shapes[bodies.shape[place]!]!;
	if (reach === Number.POSITIVE_INFINITY) return 0;
	return (
		reach *
		(bodies.kind[place] === KIND.pseudoRigid ? size(bodies.rate, 9 * place, 9) : size(bodies.spin, 3 * place, 3))
	);
}

function size(array: Float64Array, at: number, count: number): number {
	let squares = 0;
	for (let k = at; k < at + count; k += 1) squares += array[k]! * array[k]!;
	return Math.sqrt(squares);
}
