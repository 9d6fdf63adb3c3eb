/**
 * Seeded random numbers, the same on every engine: xoshiro128** 1.1 of D. Blackman and S. Vigna (prng.di.unimi.it/xoshiro128starstar.c,
 * public domain), its state filled from seed and stream by the 32-bit finaliser of MurmurHash3 (A. Appleby, public domain).
 */
import { InputError } from "./errors.js";

/** Throws unless the value can be a seed: an integer from 0 to 2^53 - 1. */
export function checkSeed(seed: unknown, source: string): asserts seed is number {
	if (Number.isSafeInteger(seed) && (seed as number) >= 0) return;
	throw new InputError(source, "seed", `${String(seed)} is not a seed`, "give an integer from 0 to 2^53 - 1");
}

export class Random {
	readonly #state = new Uint32Array(4);

	/** The same seed with another stream gives numbers that have nothing to do with those of the first. */
	constructor(seed: number, stream = 0) {
		checkSeed(seed, "random");
		const low = seed >>> 0;
		const high = Math.floor(seed / 2 ** 32) >>> 0;
		// A counter through a bijective finaliser: no two of the four words can both be zero, as the state demands.
		let key = mix(low ^ mix(high ^ mix(stream >>> 0)));
		for (let i = 0; i < 4; i += 1) {
			key = (key + 0x9e3779b9) >>> 0;
			this.#state[i] = mix(key);
		}
	}

	/** Uniform among the integers 0 .. 2^32 - 1. */
	uint32(): number {
		const s = this.#state;
		const s1 = s[1]!;
		const product = Math.imul(s1, 5);
		const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
		s[2] = s[2]! ^ s[0]!;
		s[3] = s[3]! ^ s1;
		s[1] = s1 ^ s[2]!;
		s[0] = s[0]! ^ s[3]!;
		s[2] = s[2]! ^ (s1 << 9);
		s[3] = (s[3]! << 11) | (s[3]! >>> 21);
		return result;
	}

	/** Uniform in [0, 1), with all 53 bits. */
	uniform(): number {
		const high = this.uint32() >>> 5;
		const low = this.uint32() >>> 6;
		return (high * 2 ** 26 + low) / 2 ** 53;
	}

	/** Uniform in [from, to). */
	between(from: number, to: number): number {
		return from + (to - from) * this.uniform();
	}

	/** Uniform among 0 .. count - 1; the bias is below count / 2^53. */
	below(count: number): number {
		return Math.floor(this.uniform() * count);
	}

	/** Shuffles in place (Fisher and Yates) and returns the same array. */
	shuffle<List extends Int32Array | Uint32Array | Float64Array>(list: List): List {
		for (let last = list.length - 1; last > 0; last -= 1) {
			const other = this.below(last + 1);
			const kept = list[last]!;
			list[last] = list[other]!;
			list[other] = kept;
		}
		return list;
	}

	/** The state, for a checkpoint. */
	save(): Uint32Array {
		return this.#state.slice();
	}

	/** Goes on from a saved state. */
	restore(state: Uint32Array): void {
		if (state.length !== 4 || state.every((word) => word === 0)) {
			throw new InputError("random", "state", "not a saved state", "restore what save() returned");
		}
		this.#state.set(state);
	}
}

/** MurmurHash3's 32-bit finaliser: a bijection in which every input bit reaches every output bit. */
function mix(word: number): number {
	let h = word;
	h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
	h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
	return (h ^ (h >>> 16)) >>> 0;
}
