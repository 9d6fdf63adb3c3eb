/**
 * What a program is between two iterations, as plain data: saved on any number of ranks and continued on any other, it gives the bits of the run
 * that nobody disturbed. What there is one of per contact, body or the like is kept in spaces of ids: each rank has the vectors of the ids that it
 * owns; here they are put together by global id, and cut for other owners.
 */
import { InputError } from "../base/errors.js";

export type Plain = number | string | boolean | readonly Plain[] | PlainRecord;

export interface PlainRecord {
	readonly [name: string]: Plain;
}

/** `width` numbers for each id of its space, in the order of the ids. */
export interface StateVector {
	readonly width: number;
	readonly values: Float64Array;
}

export interface StateSpace {
	/** Of all ranks together. */
	readonly count: number;
	/** Global ids, 0 .. count - 1, each on one rank; a rank that owns none has the space and its vectors all the same. */
	readonly ids: Int32Array;
	readonly vectors: Readonly<Record<string, StateVector>>;
}

export interface RunState {
	readonly iteration: number;
	/** The same on every rank: plain data (numbers incl. NaN and infinities, strings, booleans, arrays and records of them). */
	readonly scalars: PlainRecord;
	/** By name: a solver has its blocks, other programs may have bodies, contacts and others side by side. */
	readonly spaces: Readonly<Record<string, StateSpace>>;
}

/** The error of a state that cannot be gone on with. */
export function badState(place: string, problem: string): InputError {
	return new InputError("checkpoint", place, problem, "go on from another one, or start again");
}

/** The value of a record's own field. */
export function ownField<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
	return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** A vector of a space, with as many numbers as its ids and its width ask for. */
export function vectorOf(space: string, { ids, vectors }: StateSpace, name: string, width?: number): StateVector {
	const place = `${space}.${name}`;
	const vector = ownField(vectors, name);
	if (vector === undefined) throw badState(place, "is not there");
	if (width !== undefined && vector.width !== width) {
		throw badState(place, `is of width ${vector.width} instead of ${width}`);
	}
	const numbers = vector.width * ids.length;
	if (vector.values.length !== numbers) {
		throw badState(place, `has ${vector.values.length} numbers instead of ${numbers}`);
	}
	return vector;
}

/** The state of all ids in ascending order, put together from what all ranks have; the scalars are those of the first. */
export function gatherStates(states: readonly RunState[]): RunState {
	const [first, ...others] = states;
	if (first === undefined) throw badState("parts", "there are none");
	const { iteration, scalars } = first;
	const names = Object.keys(first.spaces);
	for (const state of others) {
		if (state.iteration !== iteration) {
			throw badState("iteration", `is ${state.iteration} in one part and ${iteration} in another`);
		}
		checkNames(state.spaces, names, "");
	}
	const gathered = names.map((space) => {
		const parts = states.map((state) => {
			const part = ownField(state.spaces, space);
			if (part === undefined) throw badState(space, "is in one part and not in another");
			return part;
		});
		return [space, gatherSpace(space, parts)] as const;
	});
	return { iteration, scalars, spaces: Object.fromEntries(gathered) };
}

/** Throws where a part has names that the first has not. */
function checkNames(part: Readonly<Record<string, unknown>>, names: readonly string[], place: string): void {
	const other = Object.keys(part).find((name) => !names.includes(name));
	if (other !== undefined) throw badState(`${place}${other}`, "is in one part and not in another");
}

function gatherSpace(space: string, parts: readonly StateSpace[]): StateSpace {
	const { count, vectors } = parts[0]!;
	checkIds(space, parts, count);
	const names = Object.keys(vectors);
	for (const part of parts) checkNames(part.vectors, names, `${space}.`);
	const gathered = names.map((name) => {
		const { width } = vectors[name]!;
		const own = parts.map((part) => vectorOf(space, part, name, width).values);
		const values = new Float64Array(width * count);
		for (const [rank, { ids }] of parts.entries()) {
			for (let at = 0; at < ids.length; at += 1) copyEntry(width, own[rank]!, at, values, ids[at]!);
		}
		return [name, { width, values }] as const;
	});
	return { count, ids: Int32Array.from({ length: count }, (_, id) => id), vectors: Object.fromEntries(gathered) };
}

/** Each of 0 .. count - 1 once. */
function checkIds(space: string, parts: readonly StateSpace[], count: number): void {
	const other = parts.find((part) => part.count !== count);
	if (other) throw badState(`${space}.count`, `is ${other.count} in one part and ${count} in another`);
	const own = parts.reduce((sum, { ids }) => sum + ids.length, 0);
	// Before memory is asked for: a count may be any number.
	if (own !== count) throw badState(`${space}.ids`, `${own} are there instead of ${count}`);
	const seen = new Uint8Array(count);
	for (const { ids } of parts) {
		for (const id of ids) {
			if (id < 0 || id >= count) throw badState(`${space}.ids`, `${id} is not from 0 to ${count - 1}`);
			if (seen[id] === 1) throw badState(`${space}.ids`, `${id} is there twice`);
			seen[id] = 1;
		}
	}
}

/** What one rank continues from: of each space the ids that it owns, in its order, out of all. It names every space, also one of which it owns none. */
export function cutState(whole: RunState, owned: Readonly<Record<string, Int32Array>>): RunState {
	const { iteration, scalars, spaces } = whole;
	const missing = Object.keys(owned).find((space) => !Object.hasOwn(spaces, space));
	if (missing !== undefined) throw badState(missing, "is not there");
	const cut = Object.keys(spaces).map((space) => {
		const ids = ownField(owned, space);
		if (ids === undefined) throw badState(space, "is unknown");
		return [space, cutSpace(space, spaces[space]!, ids)] as const;
	});
	return { iteration, scalars, spaces: Object.fromEntries(cut) };
}

function cutSpace(space: string, whole: StateSpace, ids: Int32Array): StateSpace {
	const place = new Int32Array(whole.ids.length).fill(-1);
	for (let at = 0; at < whole.ids.length; at += 1) place[whole.ids[at]!] = at;
	const missing = ids.find((id) => !(place[id]! >= 0));
	if (missing !== undefined) throw badState(`${space}.ids`, `${missing} is missing`);
	const cut = Object.keys(whole.vectors).map((name) => {
		const { width, values: from } = vectorOf(space, whole, name);
		const values = new Float64Array(width * ids.length);
		for (let to = 0; to < ids.length; to += 1) copyEntry(width, from, place[ids[to]!]!, values, to);
		return [name, { width, values }] as const;
	});
	return { count: whole.count, ids, vectors: Object.fromEntries(cut) };
}

/** The numbers of one id, from one place to another. */
function copyEntry(width: number, from: Float64Array, at: number, into: Float64Array, to: number): void {
	for (let i = 0; i < width; i += 1) into[width * to + i] = from[width * at + i]!;
}
