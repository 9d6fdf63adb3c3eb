/** How near bodies must be for a contact. */
import { type Bodies, KIND } from "./bodies.js";
import type { Model } from "./model.js";

export interface ContactRange {
	/** Gaps up to this count. */
	readonly margin: number;
	/** So do those that are no larger after this time at the velocities that bodies have: fast bodies are seen before they touch. */
	readonly ahead: number;
}

/** How far from a body to look, so that two bodies between which a contact counts are at most as far apart as both together look. */
export function contactRangeOf(model: Model, bodies: Bodies, place: number, { margin, ahead }: ContactRange): number {
	if (ahead === 0) return 0.5 * margin;
	const { velocity, spin } = bodies;
	const { reach } = model.shapes[bodies.shape[place]!]!;
	let speed = size(velocity, 3 * place, 3);
	// A plane turns about a point that is nowhere near: what it does there is not looked for.
	if (reach < Number.POSITIVE_INFINITY) {
		speed +=
			reach * (bodies.kind[place] === KIND.pseudoRigid ? size(bodies.rate, 9 * place, 9) : size(spin, 3 * place, 3));
	}
	return 0.5 * margin + ahead * speed;
}

function size(array: Float64Array, at: number, count: number): number {
	let squares = 0;
	for (let k = at; k < at + count; k += 1) squares += array[k]! * array[k]!;
	return Math.sqrt(squares);
}
