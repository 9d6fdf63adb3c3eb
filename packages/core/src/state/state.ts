/**
 * What a run is between two iterations, as plain data: saved on any number of ranks and gone on with on any other, it gives the bits
 * of the run that nobody disturbed. Each rank has the vectors of its own blocks; here they are put together by global id and cut again.
 */
import { InputError } from "../base/errors.js";

export type Plain = number | string | boolean | readonly Plain[] | PlainRecord;

export interface PlainRecord {
	readonly [name: string]: Plain;
}

/** What a run is between two iterations; with any number of ranks it goes on to the same bits. */
export interface RunState {
	readonly iteration: number;
	/** The same on every rank: plain data (numbers incl. NaN and infinities, strings, booleans, arrays and records of them). */
	readonly scalars: PlainRecord;
	/** Global ids of the blocks that `vectors` are of, in their order. */
	readonly ids: Int32Array;
	/** Three numbers per block of `ids`, in the system's units. */
	readonly vectors: Readonly<Record<string, Float64Array>>;
}

/** The error of a state that cannot be gone on with. */
export function badState(place: string, problem: string): InputError {
	return new InputError("checkpoint", place, problem, "go on from another one, or start again");
}

/** The numbers of a vector, after a look at how many there are. */
function numbersOf({ ids, vectors }: RunState, name: string): Float64Array {
	const values = Object.hasOwn(vectors, name) ? vectors[name] : undefined;
	if (values === undefined) throw badState(name, "is not there");
	if (values.length !== 3 * ids.length) {
		throw badState(name, `has ${values.length} numbers, and ${ids.length} blocks have ${3 * ids.length}`);
	}
	return values;
}

/** Three numbers from one place to another. */
function copyBlock(from: Float64Array, at: number, into: Float64Array, to: number): void {
	for (let i = 0; i < 3; i += 1) into[3 * to + i] = from[3 * at + i]!;
}

/** The state of all blocks by ascending id, out of what all ranks have: each block once. */
export function gatherStates(states: readonly RunState[]): RunState {
	const [first] = states;
	if (first === undefined) throw badState("parts", "there are none");
	const { iteration, scalars } = first;
	const blocks = states.reduce((sum, { ids }) => sum + ids.length, 0);
	const names = Object.keys(first.vectors);
	const seen = new Uint8Array(blocks);
	const vectors = Object.fromEntries(names.map((name) => [name, new Float64Array(3 * blocks)]));
	for (const state of states) {
		if (state.iteration !== iteration) {
			throw badState("iteration", `is ${state.iteration} in one part and ${iteration} in another`);
		}
		const other = Object.keys(state.vectors).find((name) => !names.includes(name));
		if (other !== undefined) throw badState(other, "is in one part and not in another");
		for (const id of state.ids) {
			if (id < 0 || id >= blocks) throw badState("ids", `${id} is none of ${blocks} blocks`);
			if (seen[id] === 1) throw badState("ids", `${id} is there twice`);
			seen[id] = 1;
		}
		for (const name of names) {
			const from = numbersOf(state, name);
			const into = vectors[name]!;
			for (let at = 0; at < state.ids.length; at += 1) copyBlock(from, at, into, state.ids[at]!);
		}
	}
	return { iteration, scalars, ids: Int32Array.from({ length: blocks }, (_, id) => id), vectors };
}

/** What one rank goes on from: the blocks that it owns, in its order, out of all. */
export function cutState(whole: RunState, ids: Int32Array): RunState {
	const place = new Int32Array(whole.ids.length).fill(-1);
	for (let at = 0; at < whole.ids.length; at += 1) place[whole.ids[at]!] = at;
	const missing = ids.find((id) => !(place[id]! >= 0));
	if (missing !== undefined) throw badState("ids", `block ${missing} is missing`);
	const cut = (name: string): Float64Array => {
		const from = numbersOf(whole, name);
		const into = new Float64Array(3 * ids.length);
		for (let to = 0; to < ids.length; to += 1) copyBlock(from, place[ids[to]!]!, into, to);
		return into;
	};
	const { iteration, scalars } = whole;
	const vectors = Object.fromEntries(Object.keys(whole.vectors).map((name) => [name, cut(name)]));
	return { iteration, scalars, ids, vectors };
}
