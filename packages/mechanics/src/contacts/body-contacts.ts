/** The contacts of each body that moves, as sides in ascending order: 2 * contact, or 2 * contact + 1 where it is the second body. */
import { grown } from "../base/grow.js";
import type { Bodies } from "../bodies/bodies.js";
import type { Contacts } from "./contacts.js";

export class BodyContacts {
	/** Where the sides of the body at each place begin, and where the last ones end. */
	start = new Int32Array(0);
	side = new Int32Array(0);

	fill(bodies: Bodies, { count, body }: Contacts): void {
		this.start = grown(this.start, bodies.count + 1);
		this.side = grown(this.side, 2 * count);
		const { start, side } = this;
		start.fill(0, 0, bodies.count + 1);
		for (let k = 0; k < 2 * count; k += 1) if (moves(bodies, body[k]!)) start[body[k]! + 1]! += 1;
		for (let place = 0; place < bodies.count; place += 1) start[place + 1]! += start[place]!;
		for (let k = 0; k < 2 * count; k += 1) {
			const place = body[k]!;
			if (!moves(bodies, place)) continue;
			side[start[place]!] = k;
			start[place]! += 1;
		}
		// Each entry has become the end of its body's sides.
		start.copyWithin(1, 0, bodies.count);
		start[0] = 0;
	}
}

export function moves({ obstacles, isHeld }: Bodies, place: number): boolean {
	return place >= obstacles && isHeld[place] === 0;
}
