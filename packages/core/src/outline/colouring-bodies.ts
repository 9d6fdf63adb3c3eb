/** Colouring of rigid contacts, which couple where they meet at a moving body: without lists of the neighbours of each. */
import { BodyColours } from "./body-colours.js";
import type { Surroundings } from "./colouring.js";

/** The colours around contacts are those at their two bodies. */
export class BodySurroundings implements Surroundings {
	readonly #body: Int32Array;
	readonly #bodies: number;
	#colours: BodyColours;

	constructor(body: Int32Array, bodies: number) {
		this.#body = body;
		this.#bodies = bodies;
		this.#colours = new BodyColours(bodies);
	}

	clear(): void {
		this.#colours = new BodyColours(this.#bodies);
	}

	take(a: number): number {
		return this.#colours.take(this.#body[2 * a]!, this.#body[2 * a + 1]!);
	}

	free(a: number, colour: number): boolean {
		return this.#colours.free(this.#body[2 * a]!, this.#body[2 * a + 1]!, colour);
	}

	move(a: number, from: number, to: number): void {
		this.#colours.move(this.#body[2 * a]!, this.#body[2 * a + 1]!, from, to);
	}
}

/** The most contacts at one body; a contact of a body with itself is one of its contacts. */
export function mostAtBody(blocks: number, body: Int32Array, bodies: number): number {
	const contacts = new Int32Array(bodies);
	// Between obstacles alone there is a colour, too.
	let most = Math.min(blocks, 1);
	for (let a = 0; a < blocks; a += 1) {
		const first = body[2 * a]!;
		const second = body[2 * a + 1]!;
		if (first >= 0) contacts[first]! += 1;
		if (second >= 0 && second !== first) contacts[second]! += 1;
		most = Math.max(most, first < 0 ? 0 : contacts[first]!, second < 0 ? 0 : contacts[second]!);
	}
	return most;
}
