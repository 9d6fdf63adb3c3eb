/** The contacts and bodies that a rank has, out of those of the whole problem. */
import type { RigidContacts } from "@stickslip/core";
import { gather } from "@stickslip/core/parallel";

/**
 * The contacts of these ids, and the bodies of those that are listed: their place in the list is their number. A body that is not
 * listed is like an obstacle. `number` is scratch for a number per body of the whole problem, -1 before and after.
 */
export function rigidOfRank(
	whole: RigidContacts,
	ids: Int32Array,
	bodies: Int32Array,
	number: Int32Array,
): RigidContacts {
	const { frame, arm, inverseMass, inverseInertia, moment } = whole;
	for (let i = 0; i < bodies.length; i += 1) number[bodies[i]!] = i;
	const body = new Int32Array(2 * ids.length);
	for (let i = 0; i < ids.length; i += 1) {
		const first = whole.body[2 * ids[i]!]!;
		const second = whole.body[2 * ids[i]! + 1]!;
		body[2 * i] = first < 0 ? -1 : number[first]!;
		body[2 * i + 1] = second < 0 ? -1 : number[second]!;
	}
	for (let i = 0; i < bodies.length; i += 1) number[bodies[i]!] = -1;
	return {
		body,
		frame: gather(frame, ids, 9),
		arm: gather(arm, ids, 6),
		inverseMass: gather(inverseMass, bodies, 1),
		inverseInertia: gather(inverseInertia, bodies, 6),
		...(moment && { moment: Uint8Array.from(ids, (id) => moment[id]!) }),
	};
}
