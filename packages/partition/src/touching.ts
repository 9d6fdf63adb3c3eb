/** Which contacts touch each body, and whose they are. */
import type { RigidContacts } from "@stickslip/core";

/** In place of a rank: more than one has contacts at the body. */
export const SHARED = -2;

export interface Touching {
	/** Where each body's contacts start in `contact`, by id; bodies + 1 entries. */
	readonly start: Int32Array;
	readonly contact: Int32Array;
	/** The rank that has all contacts of a body; SHARED for several, -1 for a body without any. */
	readonly rankOf: Int32Array;
}

export function contactsOfBodies({ body, inverseMass }: RigidContacts, owner: Int32Array): Touching {
	const bodies = inverseMass.length;
	const start = new Int32Array(bodies + 1);
	const rankOf = new Int32Array(bodies).fill(-1);
	for (let k = 0; k < body.length; k += 1) {
		const b = body[k]!;
		if (b < 0) continue;
		start[b + 1]! += 1;
		const rank = owner[k >> 1]!;
		if (rankOf[b] === -1) rankOf[b] = rank;
		else if (rankOf[b] !== rank) rankOf[b] = SHARED;
	}
	for (let b = 0; b < bodies; b += 1) start[b + 1]! += start[b]!;
	const next = start.slice(0, bodies);
	const contact = new Int32Array(start[bodies]!);
	for (let k = 0; k < body.length; k += 1) {
		const b = body[k]!;
		if (b < 0) continue;
		contact[next[b]!] = k >> 1;
		next[b]! += 1;
	}
	return { start, contact, rankOf };
}
