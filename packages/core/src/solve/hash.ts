/**
 * The hash by which answers are compared: SHA-256 of the numbers, little-endian, in file order. Node's own takes a tenth of the time of the kernel (assembly/hash.ts), which
 * is there for browsers, and for answers so short that loading the other would take longer.
 */
import { Arena } from "../kernels/arena.js";

/** Numbers, of one answer or of several, from which on Node's own is loaded. */
export const NATIVE_MIN = 8192;
let numbersHashed = 0;

/** Numbers whose room is kept for the next answer. */
const KEPT_MAX = 2 ** 20;
let kept = new Float64Array(0);

interface NativeCrypto {
	hash(name: "sha256", bytes: Uint8Array, form: "hex"): string;
}

/** Undefined where this is not Node.js. */
function nativeCrypto(): NativeCrypto | undefined {
	const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
	return process?.getBuiltinModule?.("crypto") as NativeCrypto | undefined;
}

/** The numbers as they stand in memory, which is little-endian wherever WebAssembly's can be a Float64Array. Valid until the next call. */
function bytesOf(numbers: Float64Array): Uint8Array {
	const { length } = numbers;
	if (kept.length < length && length <= KEPT_MAX) kept = new Float64Array(length);
	const room = length <= KEPT_MAX ? kept : new Float64Array(length);
	// Adding 0 makes -0 into +0: they are the same reaction.
	for (let i = 0; i < length; i += 1) room[i] = numbers[i]! + 0;
	return new Uint8Array(room.buffer, 0, 8 * length);
}

/** In this arena, where one is in use; what is taken of it is given back. */
export function hashOf(numbers: Float64Array, arena?: Arena): string {
	numbersHashed += numbers.length;
	const native = numbersHashed < NATIVE_MIN ? undefined : nativeCrypto();
	if (native) return native.hash("sha256", bytesOf(numbers), "hex");
	const hash = new PiecewiseHash(arena);
	hash.add(numbers);
	return hash.finish();
}

/** What sums of SHA-256 begin with, and what its rounds add: FIPS 180-4, sections 5.3.3 and 4.2.2. */
const STATE = Int32Array.of(
	...[0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19],
);
const CONSTANTS = Int32Array.of(
	...[0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5],
	...[0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174],
	...[0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da],
	...[0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967],
	...[0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85],
	...[0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070],
	...[0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3],
	...[0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2],
);

/** Numbers that go through the kernel's memory at a time, in whole blocks of eight, and those of the padding. */
const PIECE = 1024;
const PADDING = 12;
/** Integers that the kernel works with, the state last. */
const WORK = 136;

/** The same hash of numbers that come in pieces. */
export class PiecewiseHash {
	readonly #given: Arena | undefined;
	readonly #state = STATE.slice();
	readonly #piece = new Float64Array(PIECE);
	#held = 0;
	#count = 0;

	constructor(arena?: Arena) {
		this.#given = arena;
	}

	add(numbers: Float64Array): void {
		for (let from = 0; from < numbers.length; ) {
			if (this.#held === PIECE) this.#take(-1);
			const end = Math.min(numbers.length, from + PIECE - this.#held);
			this.#piece.set(from === 0 && end === numbers.length ? numbers : numbers.subarray(from, end), this.#held);
			this.#held += end - from;
			from = end;
		}
		this.#count += numbers.length;
	}

	/** As hexadecimal. Nothing can be added after that. */
	finish(): string {
		this.#take(this.#count);
		let text = "";
		for (let i = 0; i < this.#state.length; i += 1) text += (this.#state[i]! >>> 0).toString(16).padStart(8, "0");
		return text;
	}

	/** The numbers that are held; `total` is how many there are in all where no more come. */
	#take(total: number): void {
		const arena = this.#given ?? new Arena();
		const before = arena.bytes;
		try {
			const numbers = arena.room(PIECE + PADDING);
			numbers.values.set(this.#piece);
			const work = arena.integerRoom(WORK);
			work.values.set(CONSTANTS);
			work.values.set(this.#state, WORK - this.#state.length);
			arena.kernels.sha256(numbers.at, this.#held, total, work.at);
			for (let i = 0; i < this.#state.length; i += 1) {
				this.#state[i] = work.values[WORK - this.#state.length + i]!;
			}
			this.#held = 0;
		} finally {
			if (this.#given === undefined) arena.release();
			else arena.rewind(before);
		}
	}
}
