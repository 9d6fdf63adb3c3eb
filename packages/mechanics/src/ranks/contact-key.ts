/** What the order, the colours and the rows of a rank that is alone follow from: as long as it is the same, so are they. */
import { grown } from "../base/grow.js";
import type { Contacts } from "../contacts/contacts.js";

export interface KeyParts {
	/** How many bodies and tiles there are. */
	readonly bodies: number;
	readonly tiles: number;
	/** Two bodies of each contact, and its tile, in arrays that may be longer. */
	readonly body: Int32Array;
	readonly tile: Int32Array;
	readonly contacts: Pick<Contacts, "count" | "laws" | "law" | "isMoment">;
}

type Numbers = Int32Array | Uint8Array;

/** A copy of it, since arrays of steps are written over; in arrays that the next copy is written to. */
export class ContactKey {
	#bodies = -1;
	#tiles = -1;
	#count = -1;
	#laws = 0;
	#body: Int32Array = new Int32Array(0);
	#tile: Int32Array = new Int32Array(0);
	#law: Uint8Array = new Uint8Array(0);
	#isMoment: Uint8Array = new Uint8Array(0);

	isOf({ bodies, tiles, body, tile, contacts }: KeyParts): boolean {
		const { count, laws, law, isMoment } = contacts;
		if (this.#count !== count || this.#bodies !== bodies || this.#tiles !== tiles) return false;
		if (this.#laws !== laws.length) return false;
		if (!startAlike(this.#body, body, 2 * count) || !startAlike(this.#tile, tile, count)) return false;
		if (laws.length === 0) return true;
		return startAlike(this.#law, law, count) && (isMoment.length === 0 || startAlike(this.#isMoment, isMoment, count));
	}

	set({ bodies, tiles, body, tile, contacts }: KeyParts): void {
		const { count, laws, law, isMoment } = contacts;
		this.#bodies = bodies;
		this.#tiles = tiles;
		this.#count = count;
		this.#laws = laws.length;
		this.#body = copied(body, 2 * count, this.#body);
		this.#tile = copied(tile, count, this.#tile);
		if (laws.length === 0) return;
		this.#law = copied(law, count, this.#law);
		if (isMoment.length > 0) this.#isMoment = copied(isMoment, count, this.#isMoment);
	}
}

function startAlike(one: Numbers, other: Numbers, count: number): boolean {
	for (let k = 0; k < count; k += 1) if (one[k] !== other[k]) return false;
	return true;
}

function copied<T extends Numbers>(from: T, count: number, to: T): T {
	const room = grown(to, count);
	for (let k = 0; k < count; k += 1) room[k] = from[k]!;
	return room;
}
