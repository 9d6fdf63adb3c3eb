/** Whose contacts are whose: a contact belongs to its body of smaller id that is no obstacle, and so to that body's rank and tile. */
import type { Bodies } from "../bodies/bodies.js";
import type { Contacts } from "../contacts/contacts.js";

/** By place of bodies: the tile that each is in, and the rank of that; -1 for obstacles. */
export interface BodyOwners {
	readonly tile: Int32Array;
	readonly rank: Int32Array;
}

/** By contact. */
export interface ContactOwners {
	readonly tile: Int32Array;
	readonly rank: Int32Array;
	/** How many of this rank's there are. */
	readonly own: number;
}

export function ownersOfContacts(bodies: Bodies, contacts: Contacts, owners: BodyOwners, rank: number): ContactOwners {
	const { count, body } = contacts;
	const { obstacles } = bodies;
	const [tile, owner] = [new Int32Array(count), new Int32Array(count)];
	let own = 0;
	for (let a = 0; a < count; a += 1) {
		const first = body[2 * a]!;
		const home = first < obstacles ? body[2 * a + 1]! : first;
		tile[a] = owners.tile[home]!;
		owner[a] = owners.rank[home]!;
		if (owner[a] === rank) own += 1;
	}
	return { tile, rank: owner, own };
}

/** Lists of contacts by rank, ascending. */
export type ByRank = ReadonlyMap<number, readonly number[]>;

/** Which contacts go to which other ranks, and which come from them, in the same order on both. */
export interface Crossings {
	readonly sent: ByRank;
	readonly received: ByRank;
}

function add(lists: Map<number, number[]>, rank: number, contact: number): void {
	const list = lists.get(rank);
	if (list === undefined) lists.set(rank, [contact]);
	else list.push(contact);
}

/** Contacts at own bodies of one rank that another one solves. */
export function bodyCrossings(contacts: Contacts, owners: BodyOwners, owner: ContactOwners, rank: number): Crossings {
	const sent = new Map<number, number[]>();
	const received = new Map<number, number[]>();
	for (let a = 0; a < contacts.count; a += 1) {
		const from = owner.rank[a]!;
		// The body that it belongs to is the owner's, so that only the other one can be of another rank.
		const first = owners.rank[contacts.body[2 * a]!]!;
		const second = owners.rank[contacts.body[2 * a + 1]!]!;
		const to = first >= 0 && first !== from ? first : second;
		if (to < 0 || to === from) continue;
		if (from === rank) add(sent, to, a);
		else if (to === rank) add(received, from, a);
	}
	return { sent, received };
}

/** Contacts that share a moving body with another rank's: those ranks have them as ghosts. `body` has two numbers per contact, -1 for what does not move. */
export function ghostCrossings(body: Int32Array, bodies: number, owner: ContactOwners, rank: number): Crossings {
	const shared = sharedBodies(body, bodies, owner);
	const ranksAt = (b: number) => (b >= 0 && shared.is[b] === 1 ? shared.ranks.get(b)! : NOBODY);
	const sent = new Map<number, number[]>();
	const received = new Map<number, number[]>();
	for (let a = 0; a < owner.rank.length; a += 1) {
		const from = owner.rank[a]!;
		const one = ranksAt(body[2 * a]!);
		const other = ranksAt(body[2 * a + 1]!);
		if (one === NOBODY && other === NOBODY) continue;
		if (from !== rank) {
			if (one.includes(rank) || other.includes(rank)) add(received, from, a);
			continue;
		}
		for (const to of one) if (to !== rank) add(sent, to, a);
		for (const to of other) if (to !== rank && !one.includes(to)) add(sent, to, a);
	}
	return { sent, received };
}

const NOBODY: readonly number[] = [];

/** Bodies at which several ranks have contacts, and these ranks. */
function sharedBodies(body: Int32Array, bodies: number, { rank }: ContactOwners) {
	const first = new Int32Array(bodies).fill(-1);
	const is = new Uint8Array(bodies);
	const ranks = new Map<number, number[]>();
	for (let k = 0; k < 2 * rank.length; k += 1) {
		const b = body[k]!;
		if (b < 0) continue;
		const owner = rank[k >> 1]!;
		if (first[b]! < 0) first[b] = owner;
		if (first[b] === owner) continue;
		if (is[b] === 0) ranks.set(b, [first[b]!, owner]);
		else if (!ranks.get(b)!.includes(owner)) ranks.get(b)!.push(owner);
		is[b] = 1;
	}
	return { is, ranks };
}
