/**
 * What a simulation is between two steps, as plain data: bodies by id, the reactions that the next solve starts from, the tiles of the last epoch. Saved on
 * any number of ranks it is gone on with on any other.
 */
import {
	cutState,
	moveRecords,
	type Outbox,
	type PlainRecord,
	type RunState,
	SavedState,
	type StateVector,
} from "@stickslip/core/parallel";
import { type Bodies, emptyBodies, FIELDS, type Field } from "../bodies/bodies.js";
import { KEY, type WarmStarts } from "../contacts/warm-starts.js";
import { allGather } from "../ranks/all-gather.js";
import type { Domain } from "../ranks/domain.js";

const FIELD_NAMES = Object.keys(FIELDS).filter((name) => name !== "id") as Exclude<Field, "id">[];

/** Numbers of a contact that was remembered: of its key without what tells a moment from its force, which stands apart where there are moments. */
const NAME = 3;
const REACTION = 3;

/** Collective. */
export function stateOf(steps: number, scalars: PlainRecord, domain: Domain, warm: WarmStarts): RunState {
	const { bodies, tiles, communicator } = domain;
	const { rank } = communicator;
	// All ranks have the obstacles, and the first one tells.
	const from = rank === 0 ? 0 : bodies.obstacles;
	const end = bodies.obstacles + bodies.own;
	const vectors: Record<string, StateVector> = {};
	for (const name of FIELD_NAMES) {
		const width = bodies[name].length === 0 ? 0 : FIELDS[name];
		if (width > 0)
			vectors[name] = { width, values: Float64Array.from(bodies[name].subarray(width * from, width * end)) };
	}
	const counts = allGather(communicator, Float64Array.of(warm.count)).map((count) => count[0]!);
	const before = counts.slice(0, rank).reduce((sum, count) => sum + count, 0);
	const first = tiles?.first ?? new Float64Array(0);
	const told = rank === 0 ? first : new Float64Array(0);
	return {
		iteration: steps,
		scalars: { ...scalars, low: [...(tiles?.low ?? [0, 0, 0])], edge: tiles?.edge ?? 1 },
		spaces: {
			bodies: { count: bodies.total, ids: bodies.id.slice(from, end), vectors },
			contacts: {
				count: counts.reduce((sum, count) => sum + count, 0),
				ids: Int32Array.from({ length: warm.count }, (_, i) => before + i),
				vectors: {
					key: { width: NAME, values: keyColumns(warm, 0, NAME) },
					...(warm.haveMoments && { moment: { width: 1, values: keyColumns(warm, NAME, KEY) } }),
					reaction: { width: REACTION, values: warm.reaction.slice(0, REACTION * warm.count) },
				},
			},
			tiles: {
				count: first.length,
				ids: Int32Array.from(told, (_, i) => i),
				vectors: { first: { width: 1, values: told.slice() } },
			},
		},
	};
}

/** Columns from..to-1 of the keys. */
function keyColumns({ key, count }: WarmStarts, from: number, to: number): Float64Array {
	const width = to - from;
	return Float64Array.from({ length: width * count }, (_, i) => key[KEY * Math.floor(i / width) + from + (i % width)]!);
}

/** What rank `rank` of so many goes on from: it has to be nothing that makes sense in space, since bodies go to their regions in the next step. */
export function dealState(whole: RunState, rank: number, ranks: number): RunState {
	const dealt = (name: string, isAllOfFirst = false) => {
		const count = whole.spaces[name]?.count ?? 0;
		const all = Int32Array.from({ length: count }, (_, id) => id);
		return isAllOfFirst ? all.filter(() => rank === 0) : all.filter((id) => dealtTo(id, ranks) === rank);
	};
	return cutState(whole, { bodies: dealt("bodies"), contacts: dealt("contacts"), tiles: dealt("tiles", true) });
}

/** The rank that has a body before anybody knows where it is. */
function dealtTo(id: number, ranks: number): number {
	return id % ranks;
}

/** Collective. Reads a state that was dealt; bodies and contacts go where they are looked for in the next step. */
export function readState(from: RunState, domain: Domain, warm: WarmStarts): SavedState {
	const saved = new SavedState(from);
	const { communicator, bodies } = domain;
	const space = saved.space("bodies");
	const hasRates = domain.hasRates;
	const all = emptyLike(bodies, space.ids, hasRates);
	for (const name of FIELD_NAMES) {
		if (name === "rate" && !hasRates) continue;
		const values = new Float64Array(FIELDS[name] * space.ids.length);
		space.vector(name, FIELDS[name], values);
		all[name].set(values);
	}
	const tiles = saved.space("tiles");
	const first = new Float64Array(tiles.ids.length);
	tiles.vector("first", 1, first);
	const known = allGather(communicator, first)[0]!;
	const [x = 0, y = 0, z = 0] = saved.scalars.numbers("low", 3);
	const edge = saved.scalars.number("edge");
	domain.restore(all, space.count, known.length === 0 ? undefined : { low: [x, y, z], edge, first: known.slice() });
	readContacts(saved, domain, warm);
	return saved;
}

/** Collective. Each to the rank that has its body. */
function readContacts(saved: SavedState, { communicator, bodies }: Domain, warm: WarmStarts): void {
	const contacts = saved.space("contacts");
	const count = contacts.ids.length;
	const key = new Float64Array(NAME * count);
	const moment = new Float64Array(count);
	const reaction = new Float64Array(REACTION * count);
	contacts.vector("key", NAME, key);
	if (warm.haveMoments) contacts.vector("moment", 1, moment);
	contacts.vector("reaction", REACTION, reaction);
	const arrived: Float64Array[] = [];
	let next = 0;
	const produce = (outbox: Outbox): boolean => {
		for (; next < count && !outbox.isFull; next += 1) {
			const home = key[NAME * next]! < bodies.obstacles ? key[NAME * next + 1]! : key[NAME * next]!;
			const record = outbox.record(dealtTo(home, communicator.size), KEY + REACTION);
			record.set(key.subarray(NAME * next, NAME * next + NAME));
			record[NAME] = moment[next]!;
			record.set(reaction.subarray(REACTION * next, REACTION * next + REACTION), KEY);
		}
		return next < count;
	};
	moveRecords(communicator, produce, (records) => {
		for (let at = 0; at < records.length; at += KEY + REACTION) arrived.push(records.slice(at, at + KEY + REACTION));
	});
	warm.count = 0;
	warm.arrive(arrived);
}

/** Room for bodies of these ids. */
function emptyLike(bodies: Bodies, ids: Int32Array, hasRates: boolean): Bodies {
	const obstacles = ids.filter((id) => id < bodies.obstacles).length;
	const counts = { obstacles, own: ids.length - obstacles, count: ids.length, total: bodies.total };
	const all = emptyBodies(counts, hasRates);
	all.id.set(ids);
	return all;
}
