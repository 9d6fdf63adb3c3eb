/**
 * The memory that the threads of one communicator share, and its layout. All of it is allocated beforehand, since a working rank never returns to its event
 * loop to receive anything:
 *
 *   words   one generation and arrival counter for all; a wake-up counter per rank; two counters per directed pair; what each rank
 *           announces at `open` to each other, and where it is, for two openings in turn
 *   slots   for each rank two slots (for rounds in turn) of 16 bytes of heading and REDUCE_MAX numbers
 *   arena   rooms for halos, taken at `open`; it grows in place, so that every thread sees the new part without a message
 *
 * Words that different ranks write lie on cache lines of their own.
 */
import { assert, InputError, REDUCE_MAX } from "@stickslip/core/parallel";

/** Structured-clonable: pass the same one to all ranks. */
export interface ThreadsShared {
	readonly size: number;
	/** Arriving places are NaN while an exchange is under way, so that whoever reads them early shows it. */
	readonly strict: boolean;
	readonly words: SharedArrayBuffer;
	readonly slots: SharedArrayBuffer;
	readonly arena: SharedArrayBuffer;
}

export interface ThreadsOptions {
	readonly strict?: boolean;
}

/** 32-bit words to a cache line. */
const LINE = 16;
/** Pairs take 128 bytes each: 128 MiB for so many ranks. */
const THREADS_MAX = 1024;

/** How many ranks have come to the present round. */
export const ARRIVED = 0;
/** How many rounds are over; the low 32 bits. */
export const GENERATION = LINE;
/** How much of the arena is taken, in cache lines. */
const TAKEN = 2 * LINE;
const WAKEUPS = 3 * LINE;

export interface Layout {
	/** The words of a rank's wake-up: how often it was woken, then whom the rank waits for (rank + 1; 0 while it does not sleep). */
	wakeup(rank: number): number;
	/** The words of what `from` sends `to`: messages sent; a line later, messages taken. */
	pair(from: number, to: number): number;
	/** The words of what `from` says at an opening of this parity it will send `to`: blocks, the place of the rooms (in cache lines), the numbers of each. */
	announced(parity: number, from: number, to: number): number;
	readonly words: number;
}

export const PAIR_TAKEN = LINE;
export const ANNOUNCED_BLOCKS = 0;
export const ANNOUNCED_LINE = 1;
export const ANNOUNCED_NUMBERS = 2;
const ANNOUNCED_WORDS = 3;

export function layoutOf(size: number): Layout {
	const pairs = WAKEUPS + size * LINE;
	const announcements = pairs + size * size * 2 * LINE;
	return {
		wakeup: (rank) => WAKEUPS + rank * LINE,
		pair: (from, to) => pairs + (from * size + to) * 2 * LINE,
		announced: (parity, from, to) => announcements + ((parity * size + from) * size + to) * ANNOUNCED_WORDS,
		words: announcements + 2 * size * size * ANNOUNCED_WORDS,
	};
}

/** Bytes from one slot to the next: the heading's line and the numbers, which begin on the heading's line. */
export const SLOT_BYTES = 64 + 8 * REDUCE_MAX;

/** Address space, not memory: pages come as rooms are taken. */
const ARENA_BYTES_MAX = 2 ** 36;
const ARENA_BYTES_MIN = 2 ** 26;

export function shareThreads(size: number, { strict = false }: ThreadsOptions = {}): ThreadsShared {
	if (!(Number.isInteger(size) && size >= 1 && size <= THREADS_MAX)) {
		throw new InputError(
			"threads",
			"ranks",
			`${size} is not a number of threads`,
			`give an integer from 1 to ${THREADS_MAX}`,
		);
	}
	return {
		size,
		strict,
		words: new SharedArrayBuffer(layoutOf(size).words * 4),
		slots: new SharedArrayBuffer(2 * size * SLOT_BYTES),
		arena: reserve(ARENA_BYTES_MAX),
	};
}

/** As much address space as the system's limits leave us, up to a maximum. */
function reserve(bytes: number): SharedArrayBuffer {
	try {
		return new SharedArrayBuffer(0, { maxByteLength: bytes });
	} catch (error) {
		if (bytes <= ARENA_BYTES_MIN) throw error;
		return reserve(bytes / 2);
	}
}

/** Room for so many numbers in the arena, from a cache line on; returns that line. */
export function takeRoom({ arena }: ThreadsShared, words: Int32Array, numbers: number): number {
	const lines = Math.ceil(numbers / 8);
	const line = Atomics.add(words, TAKEN, lines);
	const end = (line + lines) * 64;
	const wanted = Math.ceil(end / 2 ** 16) * 2 ** 16;
	assert(wanted <= arena.maxByteLength, "halos of one process fit into the address space that was reserved for them");
	// Several ranks may do so at once: growing to less than the present size is refused, and not needed.
	while (arena.byteLength < end) {
		try {
			arena.grow(wanted);
		} catch (error) {
			if (arena.byteLength < end) throw error;
		}
	}
	return line;
}
