/** Warm starts: the reactions that were found last, by the numbers that the caller gives to contacts. */
import { InputError } from "../base/errors.js";
import { isReals } from "../base/reals.js";

/** Series that are remembered by default; the one that was used least recently is forgotten first. */
const SERIES_MAX = 4096;

interface Remembered {
	readonly keys: Float64Array;
	readonly reaction: Float64Array;
}

/** One solve that starts warm. */
export interface WarmStart {
	/** What is remembered of its contacts, zero for new ones; undefined where nothing is. Valid until `remember`. */
	readonly start: Float64Array | undefined;
	/** Takes in what was found, for the next solve of the series. */
	remember(reaction: Float64Array): void;
}

function refuse(place: string, problem: string, remedy: string): never {
	throw new InputError("options", place, problem, remedy);
}

/** Where each key stands. Throws an InputError unless they are whole numbers, one per contact, each once. */
function placesOf(keys: Float64Array, contacts: number): Map<number, number> {
	if (!isReals(keys)) refuse("keys", "is not a Float64Array", "give the number of each contact in a Float64Array");
	if (keys.length !== contacts) {
		refuse("keys", `has ${keys.length} numbers`, `give ${contacts}, one per contact`);
	}
	const places = new Map<number, number>();
	for (let at = 0; at < contacts; at += 1) {
		const key = keys[at]!;
		if (!(Number.isSafeInteger(key) && key >= 0)) {
			refuse(`keys[${at}]`, `${key} is not a whole number`, "give whole numbers from 0 to 2^53 - 1");
		}
		places.set(key, at);
		if (places.size !== at + 1) refuse(`keys[${at}]`, `${key} is there twice`, "give each contact a number of its own");
	}
	return places;
}

export class WarmStarts {
	/** By series, the one used last at the end. */
	readonly #remembered = new Map<string, Remembered>();
	readonly #seriesMax: number;

	constructor(seriesMax: number = SERIES_MAX) {
		this.#seriesMax = seriesMax;
	}

	/** Throws an InputError for keys that make no sense. */
	begin(series: string, keys: Float64Array, contacts: number): WarmStart {
		const last = this.#remembered.get(series);
		if (last !== undefined && contacts === last.keys.length && areEqual(keys, last.keys)) {
			return { start: last.reaction, remember: (reaction) => this.#keep(series, last, reaction) };
		}
		placesOf(keys, contacts);
		const own = keys.slice();
		return {
			start: last && startFrom(last, own),
			remember: (reaction) => this.#keep(series, { keys: own, reaction: new Float64Array(3 * contacts) }, reaction),
		};
	}

	/** Forgets a series, or all of them. */
	forget(series?: string): void {
		if (series === undefined) this.#remembered.clear();
		else this.#remembered.delete(series);
	}

	#keep(series: string, remembered: Remembered, reaction: Float64Array): void {
		remembered.reaction.set(reaction);
		this.#remembered.delete(series);
		this.#remembered.set(series, remembered);
		if (this.#remembered.size <= this.#seriesMax) return;
		const [oldest] = this.#remembered.keys();
		this.#remembered.delete(oldest!);
	}
}

function areEqual(one: Float64Array, other: Float64Array): boolean {
	if (!isReals(one) || one.length !== other.length) return false;
	for (let i = 0; i < one.length; i += 1) if (one[i] !== other[i]) return false;
	return true;
}

function startFrom(last: Remembered, keys: Float64Array): Float64Array {
	// Not kept: it needs more memory than all that is remembered.
	const places = placesOf(last.keys, last.keys.length);
	const start = new Float64Array(3 * keys.length);
	for (let at = 0; at < keys.length; at += 1) {
		const place = places.get(keys[at]!);
		if (place === undefined) continue;
		for (let d = 0; d < 3; d += 1) start[3 * at + d] = last.reaction[3 * place + d]!;
	}
	return start;
}
