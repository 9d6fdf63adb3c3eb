/**
 * P W + Q of rigid bodies as a whole on any number of ranks (factor/body-matrix.ts): one rank has all contacts and bodies and factors, the others send
 * P, Q and right-hand sides and get their part of the answer. Ranks number bodies on their own; what all of them know of a body is the least contact
 * that it has, and which of its two bodies it is. Contacts go by id, and bodies in that order: no bit depends on ranks.
 */
import { BodyMatrix, type StoredBodies, type StoredOfRank } from "../factor/body-matrix.js";
import { moveRecords } from "../parallel/records.js";
import type { System } from "../system/system.js";
import { idsOf, Schwarz } from "./schwarz.js";

/** The rank that factors. */
const ROOT = 0;
const OBSTACLE = -1;
/** Numbers of a contact, and of a body (assembly/bodies.ts). */
const OF_CONTACT = 15;
const OF_BODY = 7;
/** Of a record: id, the keys of both bodies, the contact, both bodies. */
const HEAD = 3;
const RECORD = HEAD + OF_CONTACT + 2 * OF_BODY;

/** Collective. */
export function wholeOfBodies(system: System, stored: StoredOfRank): Schwarz {
	const { blocks, arena, reducer } = system;
	const { communicator } = reducer;
	const all = new AllContacts();
	const keys = keysOf(system, stored);
	let at = 0;
	moveRecords(
		communicator,
		(outbox) => {
			for (; at < blocks && !outbox.isFull; at += 1) {
				write(outbox.record(ROOT, RECORD), system.share.ids[at]!, at, stored, keys);
			}
			return at < blocks;
		},
		(records, from) => all.take(records, from),
	);
	const one = Array.from({ length: blocks }, () => Int32Array.of(0));
	const owner = Array.from({ length: blocks }, () => Int32Array.of(ROOT));
	const isHere = communicator.rank === ROOT;
	const { ids, homes } = all.sorted();
	return new Schwarz(system, {
		subdomains: { of: one, owner },
		here: isHere ? [{ number: 0, ids, homes, isOwn: new Uint8Array(ids.length).fill(1) }] : [],
		matrices: isHere ? [new BodyMatrix(arena, all.stored(system))] : [],
		isAdditive: false,
	});
}

/** Twice the least contact that each body has, and one more where it is its second body. */
function keysOf(system: System, { contacts, bodies, body, sharedPlace, sharedBody }: StoredOfRank): Float64Array {
	const keys = new Float64Array(bodies + 1).fill(Number.POSITIVE_INFINITY);
	const idAt = idsOf(system);
	const take = (b: number, key: number) => {
		if (b < bodies && key < keys[b]!) keys[b] = key;
	};
	for (let k = 0; k < 2 * contacts; k += 1) take(body.values[k]!, 2 * idAt(k >> 1) + (k & 1));
	for (let k = 0; k < 2 * sharedPlace.length; k += 1)
		take(sharedBody.values[k]!, 2 * idAt(sharedPlace[k >> 1]!) + (k & 1));
	return keys;
}

function write(record: Float64Array, id: number, at: number, stored: StoredOfRank, keys: Float64Array): void {
	const { bodies, h, body, m } = stored;
	record[0] = id;
	for (let side = 0; side < 2; side += 1) {
		const b = body.values[2 * at + side]!;
		record[1 + side] = b < bodies ? keys[b]! : OBSTACLE;
		for (let i = 0; i < OF_BODY; i += 1) record[HEAD + OF_CONTACT + OF_BODY * side + i] = m.values[OF_BODY * b + i]!;
	}
	for (let i = 0; i < OF_CONTACT; i += 1) record[HEAD + i] = h.values[2 * OF_CONTACT * (at >> 1) + 2 * i + (at & 1)]!;
}

/** On the root, the contacts of all ranks with their bodies; elsewhere nothing. */
class AllContacts {
	readonly #contacts: { readonly home: number; readonly record: Float64Array }[] = [];

	take(records: Float64Array, home: number): void {
		for (let from = 0; from < records.length; from += RECORD) {
			this.#contacts.push({ home, record: records.slice(from, from + RECORD) });
		}
	}

	/** By id, from here on. */
	sorted(): { ids: Int32Array; homes: Int32Array } {
		this.#contacts.sort((a, b) => a.record[0]! - b.record[0]!);
		return {
			ids: Int32Array.from(this.#contacts, ({ record }) => record[0]!),
			homes: Int32Array.from(this.#contacts, ({ home }) => home),
		};
	}

	/** As one rank would store them, bodies by their keys. */
	stored({ arena }: System): StoredBodies {
		const all = this.#contacts;
		const keys = new Set(all.flatMap(({ record }) => [record[1]!, record[2]!]));
		keys.delete(OBSTACLE);
		const numberOf = new Map([...keys].sort((a, b) => a - b).map((key, number) => [key, number]));
		const bodies = numberOf.size;
		const h = arena.vector(2 * OF_CONTACT * Math.ceil(all.length / 2));
		const body = arena.integerRoom(4 * Math.ceil(all.length / 2));
		const m = arena.vector(OF_BODY * (bodies + 1));
		h.values.fill(0);
		m.values.fill(0);
		body.values.fill(bodies);
		for (const [k, { record }] of all.entries()) {
			for (let i = 0; i < OF_CONTACT; i += 1) h.values[2 * OF_CONTACT * (k >> 1) + 2 * i + (k & 1)] = record[HEAD + i]!;
			for (let side = 0; side < 2; side += 1) {
				const number = numberOf.get(record[1 + side]!) ?? bodies;
				body.values[2 * k + side] = number;
				if (number === bodies) continue;
				const from = HEAD + OF_CONTACT + OF_BODY * side;
				m.values.set(record.subarray(from, from + OF_BODY), OF_BODY * number);
			}
		}
		return { contacts: all.length, bodies, h, body, m };
	}
}
