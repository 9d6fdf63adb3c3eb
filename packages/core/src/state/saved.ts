/** Reads a state with a look at everything: what is missing, of another kind or left over is a state of something else, and is refused. */
import { badState, ownField, type Plain, type PlainRecord, type RunState, type StateSpace, vectorOf } from "./state.js";

/** A whole state: its scalars and its spaces are read one by one, and then its end is looked at. */
export class SavedState {
	readonly scalars: SavedRecord;
	readonly #state: RunState;
	readonly #spaces = new Map<string, SavedSpace>();

	constructor(state: RunState) {
		this.#state = state;
		this.scalars = new SavedRecord(state.scalars);
	}

	/** The iteration that the state is of. */
	get iteration(): number {
		const { iteration } = this.#state;
		if (!Number.isSafeInteger(iteration) || iteration < 0) throw badState("iteration", `${iteration} is not a count`);
		return iteration;
	}

	space(name: string): SavedSpace {
		const space = ownField(this.#state.spaces, name);
		if (space === undefined) throw badState(name, "is not there");
		const saved = this.#spaces.get(name) ?? new SavedSpace(name, space);
		this.#spaces.set(name, saved);
		return saved;
	}

	/** Nothing may be left over: no scalar, no vector, no space. */
	end(): void {
		this.scalars.end();
		for (const name of Object.keys(this.#state.spaces)) {
			const space = this.#spaces.get(name);
			if (space === undefined) throw badState(name, "is unknown");
			space.end();
		}
	}
}

/** The vectors of one space. */
export class SavedSpace {
	/** Of all ranks together. */
	readonly count: number;
	readonly ids: Int32Array;
	readonly #name: string;
	readonly #space: StateSpace;
	/** Not read yet. */
	readonly #left: Set<string>;

	constructor(name: string, space: StateSpace) {
		this.count = space.count;
		this.ids = space.ids;
		this.#name = name;
		this.#space = space;
		this.#left = new Set(Object.keys(space.vectors));
	}

	/** A vector of this width goes where it belongs, in the order of the ids. */
	vector(name: string, width: number, into: Float64Array): void {
		into.set(vectorOf(this.#name, this.#space, name, width).values);
		this.#left.delete(name);
	}

	/** Nothing may be left over of its vectors. */
	end(): void {
		for (const name of this.#left) throw badState(`${this.#name}.${name}`, "is unknown");
	}
}

/** A record of scalars. */
export class SavedRecord {
	readonly #scalars: PlainRecord;
	/** In front of names in messages. */
	readonly #place: string;
	/** Names not read yet. */
	readonly #left: Set<string>;

	constructor(scalars: PlainRecord, place = "") {
		this.#scalars = scalars;
		this.#place = place;
		this.#left = new Set(Object.keys(scalars));
	}

	/** True if there is a field of this name. */
	has(name: string): boolean {
		return ownField(this.#scalars, name) !== undefined;
	}

	/** Any number, also one that is none. */
	number(name: string): number {
		const value = this.#take(name);
		if (typeof value !== "number") throw this.#bad(name, "is not a number");
		return value;
	}

	/** An integer that is at least `low` and at most `high`. */
	integer(name: string, low = 0, high = Number.MAX_SAFE_INTEGER): number {
		const value = this.number(name);
		if (!Number.isInteger(value)) throw this.#bad(name, `${value} is not an integer`);
		if (value < low || value > high) throw this.#bad(name, `${value} is not from ${low} to ${high}`);
		return value;
	}

	/** A finite number that is at least 0. */
	seconds(name: string): number {
		const value = this.number(name);
		if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) throw this.#bad(name, `${value} is not a time`);
		return value;
	}

	flag(name: string): boolean {
		const value = this.#take(name);
		if (typeof value !== "boolean") throw this.#bad(name, "is not true or false");
		return value;
	}

	/** One of some words. */
	word<Word extends string>(name: string, words: readonly Word[]): Word {
		const value = this.#take(name);
		const word = words.find((one) => one === value);
		if (word === undefined) throw this.#bad(name, `is ${JSON.stringify(value)}, not ${words.join(" or ")}`);
		return word;
	}

	/** So many numbers. */
	numbers(name: string, count: number): number[] {
		const numbers: number[] = [];
		for (const value of this.#list(name)) if (typeof value === "number") numbers.push(value);
		if (numbers.length !== count || this.#list(name).length !== count) throw this.#bad(name, `is not ${count} numbers`);
		return numbers;
	}

	texts(name: string): string[] {
		const texts: string[] = [];
		for (const value of this.#list(name)) if (typeof value === "string") texts.push(value);
		if (texts.length !== this.#list(name).length) throw this.#bad(name, "is not all text");
		return texts;
	}

	/** A record within this one; its end is to be looked at as well. */
	record(name: string): SavedRecord {
		const value = this.#take(name);
		if (!isRecord(value)) throw this.#bad(name, "is not a record");
		return new SavedRecord(value, `${this.#place}${name}.`);
	}

	/** Nothing may be left over of this record. */
	end(): void {
		for (const name of this.#left) throw this.#bad(name, "is unknown");
	}

	#take(name: string): Plain {
		const value = ownField(this.#scalars, name);
		if (value === undefined) throw this.#bad(name, "is not there");
		this.#left.delete(name);
		return value;
	}

	#list(name: string): readonly Plain[] {
		const value = this.#take(name);
		if (!isList(value)) throw this.#bad(name, "is not a list");
		return value;
	}

	#bad(name: string, problem: string): Error {
		return badState(`${this.#place}${name}`, problem);
	}
}

function isList(value: Plain): value is readonly Plain[] {
	return Array.isArray(value);
}

function isRecord(value: Plain): value is PlainRecord {
	return typeof value === "object" && value !== null && !isList(value);
}
