/** The contacts that a rank has to know of a step: its own ones and its ghosts, which are others' at bodies that its own ones touch, in the order of all. */

import type { Communicator } from "@stickslip/core/parallel";
import { ascendingNumbers } from "../base/ascending-numbers.js";
import { grown } from "../base/grow.js";
import { ReusedArray } from "../base/reused-array.js";
import type { Bodies } from "../bodies/bodies.js";
import { moves } from "../contacts/body-contacts.js";
import type { Contacts } from "../contacts/contacts.js";
import { ContactKey } from "./contact-key.js";
import { type ContactOrder, orderContacts } from "./contact-order.js";
import { type ContactOwners, ghostCrossings } from "./contact-owners.js";
import { exchange } from "./crossing-plan.js";
import type { Domain } from "./domain.js";
import { shareTileGraph, type TileGraph } from "./tile-graph.js";

export interface LocalContacts {
	/** Numbers in the step's list of contacts, in the order of all. */
	readonly contact: Int32Array;
	/** Their places in the order of all ranks' contacts, ascending; the tile and the rank of each. */
	readonly place: Int32Array;
	readonly tile: Int32Array;
	readonly rank: Int32Array;
	/** Of all ranks; and the same without moments, which are no contacts of their own. */
	readonly total: number;
	readonly counted: number;
	/** How many blocks W has at most, of all ranks: two contacts may share both bodies. */
	readonly blocks: number;
	readonly graph: TileGraph;
}

/**
 * Finds them. Of a rank that is alone they are those of the last step, and the same object, as long as contacts are of the same bodies in the same tiles: their
 * order, their colours and the rows that they have in W follow from these alone.
 */
export class LocalContactFinder {
	readonly #key = new ContactKey();
	#found: LocalContacts | undefined;
	/** Of one that is not. */
	readonly #room: InOrderRoom = {
		contact: new ReusedArray(new Int32Array(0)),
		place: new ReusedArray(new Int32Array(0)),
		tile: new ReusedArray(new Int32Array(0)),
		rank: new ReusedArray(new Int32Array(0)),
	};

	/** Collective. */
	find(bodies: Bodies, contacts: Contacts, owner: ContactOwners, domain: Domain): LocalContacts {
		const body = movingBodies(bodies, contacts);
		if (domain.communicator.size > 1) return findAnew(body, bodies, contacts, owner, domain, this.#room);
		const key = { bodies: bodies.count, tiles: domain.tiles!.first.length, body, tile: owner.tile, contacts };
		if (this.#found && this.#key.isOf(key)) return this.#found;
		this.#found = findAnew(body, bodies, contacts, owner, domain, undefined);
		this.#key.set(key);
		return this.#found;
	}
}

/** Collective. `body` has two places of bodies per contact, -1 for what does not move; a rank that is alone needs no room. */
function findAnew(
	body: Int32Array,
	bodies: Bodies,
	contacts: Contacts,
	owner: ContactOwners,
	domain: Domain,
	room: InOrderRoom | undefined,
): LocalContacts {
	const { communicator } = domain;
	const { rank } = communicator;
	const tiles = domain.tiles!.first.length;
	const degree = degreesOf(body, contacts.count, bodies.count);
	const law = contacts.laws.length > 0 ? contacts.law : undefined;
	const own = orderContacts(body, degree, owner, rank, tiles, law, contacts.isMoment);
	const counts = [blocksOf(own.order, body, degree), momentsOf(own.order, contacts)];
	const graph = shareTileGraph(communicator, own, body, bodies.count, owner, tiles, counts);
	const [blocksOfAll = 0, momentsOfAll = 0] = graph.sums;
	const found = room ? withGhosts(own, graph, body, bodies.count, owner, communicator, room) : ofAlone(own, owner);
	const { contact, place, tile, rank: ranks } = found;
	const total = graph.start[tiles]!;
	return { contact, place, tile, rank: ranks, total, counted: total - momentsOfAll, blocks: blocksOfAll, graph };
}

type InOrder = Pick<LocalContacts, "contact" | "place" | "tile" | "rank">;
type InOrderRoom = Readonly<Record<keyof InOrder, ReusedArray<Int32Array>>>;

/** Collective. Own contacts and ghosts by their places. */
function withGhosts(
	own: ContactOrder,
	graph: TileGraph,
	body: Int32Array,
	bodies: number,
	owner: ContactOwners,
	communicator: Communicator,
	room: InOrderRoom,
): InOrder {
	placeOf = grown(placeOf, owner.tile.length).fill(-1, 0, owner.tile.length);
	placeOwn(own, graph, placeOf);
	const crossings = ghostCrossings(body, bodies, owner, communicator.rank);
	exchange(communicator, crossings, 1, placeOf);
	const contact = inOrder(own, placeOf, crossings.received, room.contact);
	const [place, tile, rank] = [room.place, room.tile, room.rank].map((each) => each.of(contact.length)) as [
		Int32Array,
		Int32Array,
		Int32Array,
	];
	for (let i = 0; i < contact.length; i += 1) {
		place[i] = placeOf[contact[i]!]!;
		tile[i] = owner.tile[contact[i]!]!;
		rank[i] = owner.rank[contact[i]!]!;
	}
	return { contact, place, tile, rank };
}

/** Of a rank that is alone: all contacts, tile after tile. */
function ofAlone({ order, tiles, start }: ContactOrder, owner: ContactOwners): InOrder {
	const tile = new Int32Array(order.length);
	for (let t = 0; t < tiles.length; t += 1) for (let i = start[t]!; i < start[t + 1]!; i += 1) tile[i] = tiles[t]!;
	return { contact: order, place: ascendingNumbers(order.length), tile, rank: owner.rank };
}

/** Two places of bodies per contact, -1 for what does not move. */
function movingBodies(bodies: Bodies, { count, body }: Contacts): Int32Array {
	moving = grown(moving, 2 * count);
	for (let k = 0; k < 2 * count; k += 1) moving[k] = moves(bodies, body[k]!) ? body[k]! : -1;
	return moving;
}

function degreesOf(body: Int32Array, contacts: number, bodies: number): Int32Array {
	degree = grown(degree, bodies).fill(0, 0, bodies);
	for (let k = 0; k < 2 * contacts; k += 1) if (body[k]! >= 0) degree[body[k]!]! += 1;
	return degree;
}

/** Used again by each step. */
let placeOf = new Float64Array(0);
let moving = new Int32Array(0);
let degree = new Int32Array(0);

function blocksOf(order: Int32Array, body: Int32Array, degree: Int32Array): number {
	let blocks = order.length;
	for (let i = 0; i < order.length; i += 1) {
		const first = body[2 * order[i]!]!;
		const second = body[2 * order[i]! + 1]!;
		if (first >= 0) blocks += degree[first]! - 1;
		if (second >= 0) blocks += degree[second]! - 1;
	}
	return blocks;
}

function momentsOf(order: Int32Array, { isMoment }: Contacts): number {
	let moments = 0;
	if (isMoment.length > 0) for (let i = 0; i < order.length; i += 1) moments += isMoment[order[i]!]!;
	return moments;
}

function placeOwn({ order, tiles, start }: ContactOrder, graph: TileGraph, place: Float64Array): void {
	for (let t = 0; t < tiles.length; t += 1) {
		const first = graph.start[tiles[t]!]!;
		for (let i = start[t]!; i < start[t + 1]!; i += 1) place[order[i]!] = first + i - start[t]!;
	}
}

/** Own contacts, which are in order, and the others merged by their places. */
function inOrder(
	{ order }: ContactOrder,
	place: Float64Array,
	others: ReadonlyMap<number, readonly number[]>,
	room: ReusedArray<Int32Array>,
): Int32Array {
	const ghosts = byPlace([...others.values()].flat(), place);
	const merged = room.of(order.length + ghosts.length);
	for (let to = 0, i = 0, j = 0; to < merged.length; to += 1) {
		const isOwn = j === ghosts.length || (i < order.length && place[order[i]!]! < place[ghosts[j]!]!);
		merged[to] = isOwn ? order[i]! : ghosts[j]!;
		if (isOwn) i += 1;
		else j += 1;
	}
	return merged;
}

function byPlace(contacts: readonly number[], place: Float64Array): Int32Array {
	// Sorted as numbers that have both: nothing is compared by a function.
	const keys = new Float64Array(contacts.length);
	for (let i = 0; i < keys.length; i += 1) keys[i] = place[contacts[i]!]! * place.length + contacts[i]!;
	keys.sort();
	const sorted = new Int32Array(keys.length);
	for (let i = 0; i < keys.length; i += 1) sorted[i] = keys[i]! % place.length;
	return sorted;
}
