/** The ranks that touch each body, the contacts of bodies that several ranks touch, and the resulting bodies of each rank. */
import type { RigidContacts } from "@stickslip/core";
import { type Borders, onceEach } from "./ghosts.js";

/** In place of a rank: more than one has contacts at the body. */
export const SHARED_BODY = -2;

export interface BodyContacts {
	/** The rank that has all contacts of a body; SHARED_BODY for several, -1 for a body without any. */
	readonly rankOf: Int32Array;
	/** Where each body's contacts start in `contact`, by id; bodies + 1 entries. None are listed of a body that is not shared. */
	readonly start: Int32Array;
	readonly contact: Int32Array;
}

export function bodyContactsOf({ body, inverseMass }: RigidContacts, owner: Int32Array): BodyContacts {
	const bodies = inverseMass.length;
	const rankOf = new Int32Array(bodies).fill(-1);
	for (let k = 0; k < body.length; k += 1) {
		const b = body[k]!;
		if (b < 0) continue;
		const rank = owner[k >> 1]!;
		if (rankOf[b] === -1) rankOf[b] = rank;
		else if (rankOf[b] !== rank) rankOf[b] = SHARED_BODY;
	}
	const sides: number[] = [];
	for (let k = 0; k < body.length; k += 1) if (body[k]! >= 0 && rankOf[body[k]!] === SHARED_BODY) sides.push(k);
	const start = new Int32Array(bodies + 1);
	for (let i = 0; i < sides.length; i += 1) start[body[sides[i]!]! + 1]! += 1;
	for (let b = 0; b < bodies; b += 1) start[b + 1]! += start[b]!;
	const next = start.slice(0, bodies);
	const contact = new Int32Array(sides.length);
	for (let i = 0; i < sides.length; i += 1) {
		const b = body[sides[i]!]!;
		contact[next[b]!] = sides[i]! >> 1;
		next[b]! += 1;
	}
	return { rankOf, start, contact };
}

/** Borders of ranks whose contacts couple by bodies. */
export interface BordersOfBodies extends Borders {
	/** By rank the bodies that its contacts touch, ascending. */
	readonly bodies: readonly Int32Array[];
}

export function bordersOfBodies(
	{ rankOf, start, contact }: BodyContacts,
	owner: Int32Array,
	ranks: number,
): BordersOfBodies {
	const bodies = Array.from({ length: ranks }, (): number[] => []);
	const ghosts = Array.from({ length: ranks }, (): number[] => []);
	const last = new Int32Array(ranks).fill(-1);
	for (let b = 0; b < rankOf.length; b += 1) {
		if (rankOf[b]! >= 0) bodies[rankOf[b]!]!.push(b);
		for (let k = start[b]!; k < start[b + 1]!; k += 1) {
			const rank = owner[contact[k]!]!;
			if (last[rank] === b) continue;
			last[rank] = b;
			bodies[rank]!.push(b);
			for (let other = start[b]!; other < start[b + 1]!; other += 1) {
				if (owner[contact[other]!] !== rank) ghosts[rank]!.push(contact[other]!);
			}
		}
	}
	return {
		bodies: bodies.map((list) => new Int32Array(list)),
		waiting: contact,
		ghosts: ghosts.map((list) => onceEach(list, owner)),
	};
}
