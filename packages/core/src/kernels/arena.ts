/**
 * One linear memory per solve, in which every vector and block lives: WebAssembly and TypeScript see the same numbers, and
 * nothing is copied between them. It is a shared memory so that it can grow without detaching the views taken before.
 * Allocation only happens at set-up; there is no free: the whole arena goes when the solve does. A solve that is over hands its
 * memory on to the next one of its thread (`release`), which spares it a reservation of 4 GiB and a page fault for every page.
 */
import { assert, InputError, MemoryLimitError } from "../base/errors.js";
import { BINS, fillBins } from "./bin-table.js";
import { hasWasmKernels, type Kernels, twinKernels, wasmKernels } from "./kernels.js";
import { bind } from "./memory.js";
import { type GrowableMemory, type IntVector, LazyIntVector, LazyVector, type Vector } from "./views.js";

export type { IntVector, Vector } from "./views.js";

const PAGE_BYTES = 65536;
const PAGES_MAX = 65536; // 4 GiB, all that 32-bit addresses reach
/** 64 MiB: with less there is no room for anything beside it either. */
const PAGES_MIN = 1024;
/** Memory grows by a quarter and this much at least: a page costs nothing until it is touched, a call to grow does. */
const GROWTH_PAGES = 16;

/** What the module of kernels itself keeps in memory, references of functions, ends before this. */
export const STATIC_BYTES = 2048;

/** Numbers that a padding has at most. */
const PADDING_MAX = 24;

/** A memory that solves use one after another. */
interface Store {
	readonly memory: GrowableMemory;
	/** Undefined without WebAssembly. */
	readonly wasm: object | undefined;
	readonly pagesMax: number;
	/** What the reservation was limited to when it was made. */
	readonly reservedFor: number;
	/** The kernels on it, once they were asked for. */
	kernels: Kernels | undefined;
	/** Bytes that there are: to ask the memory takes as long as to make a short vector. */
	bytes: number;
	/** Whether it was shown as large. */
	isLarge: boolean;
	/** Bytes that may hold something else than zeros. */
	used: number;
	/** The bins of sums that order cannot change (assembly/bins.ts), the same for all. */
	bins: Vector | undefined;
	/** The views of the last solve, in the order in which they were made: one like it has no need of new objects. */
	readonly vectors: LazyVector[];
	readonly integers: LazyIntVector[];
	/** All of the memory that there was when it was last looked at, for what is written without a view of its own. */
	all: Float64Array;
}

/** The memory that the last solve left; larger ones are given back to the system. */
const KEPT_BYTES_MAX = 2 ** 30;
let kept: Store | undefined;

let reservedPagesMax = PAGES_MAX;

/**
 * Memories that this thread makes from now on reserve at most so many bytes of addresses. Where addresses are limited (ulimit -v), others
 * need some too, and growing takes as many again for a moment.
 */
export function reserveAtMost(bytes: number): void {
	reservedPagesMax = Math.max(PAGES_MIN, Math.min(PAGES_MAX, Math.floor(bytes / PAGE_BYTES)));
}

/** A core remembers the addresses of some two thousand pages: in smaller memories pages of 4 KiB cost little. */
const LARGE_BYTES = 2 ** 23;

/** What is told of a large memory, and how many bytes of addresses it may grow to. */
export type LargeMemory = (memory: ArrayBufferLike, reservedBytes: number) => void;
let showLarge: LargeMemory = () => {};
let largeBytes = LARGE_BYTES;

/** `show` is called once for each memory of this thread that has so many bytes: the system can be asked for large pages there. */
export function whenLarge(show: LargeMemory, bytes = LARGE_BYTES): void {
	showLarge = show;
	largeBytes = bytes;
}

/** Addresses for all that may come are reserved at once: half as many as long as the system refuses. */
function wasmMemory(): { readonly memory: WebAssembly.Memory; readonly pages: number } {
	for (let pages = reservedPagesMax; pages >= PAGES_MIN; pages >>= 1) {
		const memory = tryMemory(pages);
		if (memory) return { memory, pages };
	}
	const problem = "has too little space for the memory of WebAssembly (ulimit -v)";
	const remedy = "raise the limit, or set NODE_OPTIONS=--disable-wasm-trap-handler, which needs only 4 GiB";
	throw new InputError("system", "address space", problem, remedy);
}

function tryMemory(pages: number): WebAssembly.Memory | undefined {
	try {
		return new WebAssembly.Memory({ initial: 1, maximum: pages, shared: true });
	} catch {
		// The engine says in its own words that there is not so much.
		return undefined;
	}
}

function plainMemory(): GrowableMemory {
	const buffer = new ArrayBuffer(PAGE_BYTES, { maxByteLength: PAGE_BYTES * (PAGES_MAX - 1) });
	return { buffer, grow: (pages) => buffer.resize(buffer.byteLength + pages * PAGE_BYTES) };
}

/** What the last solve left, or a new one. */
function takeStore(): Store {
	const store = kept;
	kept = undefined;
	if (store !== undefined && store.reservedFor === reservedPagesMax) return store;
	const { memory: wasm, pages = PAGES_MAX } = typeof WebAssembly === "undefined" ? {} : wasmMemory();
	const memory = wasm ?? plainMemory();
	return {
		memory,
		wasm,
		bytes: memory.buffer.byteLength,
		pagesMax: pages,
		reservedFor: reservedPagesMax,
		kernels: undefined,
		isLarge: false,
		used: 0,
		bins: undefined,
		vectors: [],
		integers: [],
		all: new Float64Array(memory.buffer, 0, memory.buffer.byteLength / 8),
	};
}

export class Arena {
	readonly #store: Store;
	readonly #kernels: Kernels;
	readonly #isTwin: boolean;
	readonly bins: Vector;
	#isReleased = false;
	#peak = 0;
	/** Views made so far. */
	#vectors = 0;
	#integers = 0;
	#top = STATIC_BYTES; // address 0 stays unused, so that no vector is at 0

	/** The twin also where the engine cannot run the WebAssembly kernels. */
	constructor(engine: "wasm" | "twin" = "wasm") {
		const store = takeStore();
		this.#store = store;
		this.#isTwin = engine === "twin" || !hasWasmKernels();
		if (this.#isTwin || store.wasm === undefined) this.#kernels = twinKernels;
		else {
			store.kernels ??= wasmKernels(store.wasm);
			this.#kernels = store.kernels;
		}
		const address = this.#reserve(16 * BINS);
		store.bins ??= this.#filledBins(address);
		this.bins = store.bins;
	}

	#filledBins(address: number): Vector {
		const bins = { at: address / 8, values: new Float64Array(this.#store.memory.buffer, address, 2 * BINS) };
		fillBins(bins.values);
		return bins;
	}

	/** The kernels on this memory. */
	get kernels(): Kernels {
		if (this.#isTwin) bind(this.#store.memory.buffer);
		return this.#kernels;
	}

	/** Ends the use of all vectors: the memory is the next solve's. */
	release(): void {
		if (this.#isReleased) return;
		this.#isReleased = true;
		const store = this.#store;
		store.used = Math.max(store.used, this.#top);
		if (store.bytes <= KEPT_BYTES_MAX) kept = store;
	}

	/** Bytes allocated so far. */
	get bytes(): number {
		return this.#top;
	}

	/** The most bytes that were allocated at a time. */
	get peakBytes(): number {
		return Math.max(this.#peak, this.#top);
	}

	/** Takes back all that was allocated since there were so many bytes: scratch of the set-up. */
	rewind(bytes: number): void {
		assert(bytes <= this.#top, "what was never allocated cannot be taken back");
		this.#peak = this.peakBytes;
		this.#store.used = Math.max(this.#store.used, this.#top);
		this.#top = bytes;
	}

	/** Zeros. */
	vector(count: number): Vector {
		const vector = this.#vectorAt(this.#reserve(count * 8), count);
		this.#clear(vector.at, vector.at + count);
		return vector;
	}

	/** A vector that is written before it is read; what stands in it is of no meaning but for zeros in the last `zeros` numbers. */
	room(count: number, zeros = 0): Vector {
		const vector = this.#vectorAt(this.#reserve(count * 8), count);
		if (zeros > 0) this.#clear(vector.at + Math.max(0, count - zeros), vector.at + count);
		return vector;
	}

	/** So many of them, one after another where their size is a multiple of a cache line's. */
	rooms(vectors: number, count: number, zeros: number): Vector[] {
		const list: Vector[] = [];
		for (let i = 0; i < vectors; i += 1) list.push(this.#vectorAt(this.#reserve(count * 8), count));
		// A call for all of them: of each its own would take as long as all else that is set up for a small problem.
		const [first, second] = list;
		if (first === undefined || zeros === 0 || 8 * first.at >= this.#store.used) return list;
		this.kernels.clearStrided(first.at + count - zeros, zeros, (second?.at ?? first.at) - first.at, vectors);
		return list;
	}

	#vectorAt(address: number, count: number): LazyVector {
		const { memory, vectors } = this.#store;
		const at = address / 8;
		const nth = this.#vectors;
		this.#vectors += 1;
		const known = vectors[nth];
		if (known !== undefined && known.at === at && known.count === count) return known;
		const vector = new LazyVector(memory, at, count);
		vectors[nth] = vector;
		return vector;
	}

	/** Zeros from one place to another; memory that was never used has nothing else. */
	#clear(from: number, end: number): void {
		const store = this.#store;
		if (8 * from >= store.used) return;
		if (store.all.length < end) store.all = new Float64Array(store.memory.buffer, 0, store.bytes / 8);
		const { all } = store;
		// Of the few numbers of a padding a call would take longer than they do.
		if (end - from > PADDING_MAX) all.fill(0, from, end);
		else for (let i = from; i < end; i += 1) all[i] = 0;
	}

	/** Zeros. */
	integers(count: number): IntVector {
		const vector = this.integerRoom(count);
		if (4 * vector.at < this.#store.used) vector.values.fill(0);
		return vector;
	}

	/** Integers that are written before they are read. */
	integerRoom(count: number): IntVector {
		const address = this.#reserve(count * 4);
		const { memory, integers } = this.#store;
		const at = address / 4;
		const nth = this.#integers;
		this.#integers += 1;
		const known = integers[nth];
		if (known !== undefined && known.at === at && known.count === count) return known;
		const vector = new LazyIntVector(memory, at, count);
		integers[nth] = vector;
		return vector;
	}

	/** Room at the next cache line. */
	#reserve(bytes: number): number {
		assert(!this.#isReleased, "the memory is another solve's by now");
		assert(bytes >= 0, "a size is not negative");
		const { bytes: room, pagesMax } = this.#store;
		const address = this.#top;
		const top = Math.ceil((address + bytes) / 64) * 64;
		// Not even up to the last byte: the address behind it would be 0.
		if (top >= pagesMax * PAGE_BYTES) throw new MemoryLimitError(top, pagesMax * PAGE_BYTES);
		if (top > room) {
			const pages = room / PAGE_BYTES;
			const missing = Math.ceil(top / PAGE_BYTES) - pages;
			this.#grow(Math.min(pagesMax - pages, Math.max(missing, GROWTH_PAGES, pages >> 2)), top);
		}
		this.#top = top;
		return address;
	}

	#grow(pages: number, top: number): void {
		const store = this.#store;
		try {
			store.memory.grow(pages);
		} catch {
			throw new MemoryLimitError(top, store.bytes);
		}
		store.bytes = store.memory.buffer.byteLength;
		if (store.isLarge || store.bytes < largeBytes) return;
		store.isLarge = true;
		showLarge(store.memory.buffer, store.pagesMax * PAGE_BYTES);
	}
}
