/** Reads a state with a look at everything: what is missing, of another kind or left over is a state of something else, and is refused. */
import type { Vector } from "../kernels/arena.js";
import { badState, type Plain, type PlainRecord, type RunState } from "./state.js";

export class Saved {
	readonly #scalars: PlainRecord;
	/** In front of names in messages. */
	readonly #place: string;
	readonly #state: RunState;
	/** Names not read yet: of this record, and of the state's vectors. */
	readonly #left: Set<string>;
	readonly #vectorsLeft: Set<string>;

	constructor(state: RunState, within?: { scalars: PlainRecord; place: string; vectorsLeft: Set<string> }) {
		this.#state = state;
		this.#scalars = within?.scalars ?? state.scalars;
		this.#place = within?.place ?? "";
		this.#left = new Set(Object.keys(this.#scalars));
		this.#vectorsLeft = within?.vectorsLeft ?? new Set(Object.keys(state.vectors));
	}

	/** The iteration that the state is of. */
	get iteration(): number {
		const { iteration } = this.#state;
		if (!Number.isSafeInteger(iteration) || iteration < 0) throw badState("iteration", `${iteration} is no count`);
		return iteration;
	}

	/** Any number, also one that is none. */
	number(name: string): number {
		const value = this.#take(name);
		if (typeof value !== "number") throw this.#bad(name, "is no number");
		return value;
	}

	/** An integer that is at least `low` and at most `high`. */
	integer(name: string, low = 0, high = Number.MAX_SAFE_INTEGER): number {
		const value = this.number(name);
		if (!Number.isInteger(value)) throw this.#bad(name, `${value} is no integer`);
		if (value < low || value > high) throw this.#bad(name, `${value} is not from ${low} to ${high}`);
		return value;
	}

	/** A finite number that is at least 0. */
	seconds(name: string): number {
		const value = this.number(name);
		if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) throw this.#bad(name, `${value} is no time`);
		return value;
	}

	flag(name: string): boolean {
		const value = this.#take(name);
		if (typeof value !== "boolean") throw this.#bad(name, "is neither true nor false");
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
	record(name: string): Saved {
		const value = this.#take(name);
		if (!isRecord(value)) throw this.#bad(name, "is no record");
		const place = `${this.#place}${name}.`;
		return new Saved(this.#state, { scalars: value, place, vectorsLeft: this.#vectorsLeft });
	}

	/** A vector goes where it belongs: own blocks only, three numbers each. */
	vector(name: string, into: Vector): void {
		const { ids, vectors } = this.#state;
		const values = Object.hasOwn(vectors, name) ? vectors[name] : undefined;
		if (values === undefined) throw badState(name, "is not there");
		const numbers = 3 * ids.length;
		if (values.length !== numbers) throw badState(name, `has ${values.length} numbers instead of ${numbers}`);
		into.values.set(values);
		this.#vectorsLeft.delete(name);
	}

	/** Nothing may be left over of this record. */
	end(): void {
		for (const name of this.#left) throw this.#bad(name, "is not known here");
	}

	/** Nor of the vectors. */
	endOfAll(): void {
		this.end();
		for (const name of this.#vectorsLeft) throw badState(name, "is not known here");
	}

	#take(name: string): Plain {
		const value = Object.hasOwn(this.#scalars, name) ? this.#scalars[name] : undefined;
		if (value === undefined) throw this.#bad(name, "is not there");
		this.#left.delete(name);
		return value;
	}

	#list(name: string): readonly Plain[] {
		const value = this.#take(name);
		if (!isList(value)) throw this.#bad(name, "is no list");
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
