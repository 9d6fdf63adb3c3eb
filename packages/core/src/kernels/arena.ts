/**
 * One linear memory per solve, in which every vector and block lives: WebAssembly and TypeScript see the same numbers, and
 * nothing is copied between them. It is a shared memory so that it can grow without detaching the views taken before.
 * Allocation only happens at set-up; there is no free: the whole arena goes when the solve does.
 */
import { assert, InputError, MemoryLimitError } from "../errors.js";
import { BINS, fillBins } from "./bin-table.js";
import { hasWasmKernels, type Kernels, twinKernels, wasmKernels } from "./kernels.js";
import { bind } from "./memory.js";

const PAGE_BYTES = 65536;
const PAGES_MAX = 65536; // 4 GiB, all that 32-bit addresses reach
/** 64 MiB: with less there is no room for anything beside it either. */
const PAGES_MIN = 1024;
/** Memory grows by a quarter and this much at least: a page costs nothing until it is touched, a call to grow does. */
const GROWTH_PAGES = 16;

/** What grows: a shared WebAssembly memory, or for the twin in an engine without WebAssembly a resizable buffer. */
interface Store {
	readonly buffer: ArrayBufferLike;
	grow(pages: number): void;
}

let reservedPagesMax = PAGES_MAX;

/**
 * Memories that this thread makes from now on reserve at most so many bytes of addresses. Where addresses are limited (ulimit -v), others
 * need some too, and growing takes as many again for a moment.
 */
export function reserveAtMost(bytes: number): void {
	reservedPagesMax = Math.max(PAGES_MIN, Math.min(PAGES_MAX, Math.floor(bytes / PAGE_BYTES)));
}

/** Addresses for all that may come are reserved at once: half as many as long as the system refuses. */
function wasmMemory(): { readonly memory: WebAssembly.Memory; readonly pages: number } {
	for (let pages = reservedPagesMax; pages >= PAGES_MIN; pages >>= 1) {
		const memory = tryMemory(pages);
		if (memory) return { memory, pages };
	}
	const problem = "has no room for the memory of WebAssembly (ulimit -v)";
	const remedy = "raise the limit, or set NODE_OPTIONS=--disable-wasm-trap-handler, with which 4 GiB are enough";
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

function plainStore(): Store {
	const buffer = new ArrayBuffer(PAGE_BYTES, { maxByteLength: PAGE_BYTES * (PAGES_MAX - 1) });
	return { buffer, grow: (pages) => buffer.resize(buffer.byteLength + pages * PAGE_BYTES) };
}

/** A vector of numbers: its place for kernels, its view for TypeScript. */
export interface Vector {
	readonly at: number;
	readonly values: Float64Array;
}

/** A vector of integers: its place (counted in integers) and its view. */
export interface IntVector {
	readonly at: number;
	readonly values: Int32Array;
}

export class Arena {
	readonly #memory: Store;
	readonly #kernels: Kernels;
	readonly #isTwin: boolean;
	readonly #pagesMax: number;
	/** The bins of sums that order cannot change (assembly/bins.ts). */
	readonly bins: Vector;
	#top = 64; // address 0 stays unused, so that no vector is at 0

	/** The twin also where the engine cannot run the WebAssembly kernels. */
	constructor(engine: "wasm" | "twin" = "wasm") {
		this.#isTwin = engine === "twin" || !hasWasmKernels();
		const { memory, pages = PAGES_MAX } = typeof WebAssembly === "undefined" ? {} : wasmMemory();
		this.#memory = memory ?? plainStore();
		this.#pagesMax = pages;
		this.#kernels = this.#isTwin || memory === undefined ? twinKernels : wasmKernels(memory);
		this.bins = this.vector(2 * BINS);
		fillBins(this.bins.values);
	}

	/** The kernels on this memory. */
	get kernels(): Kernels {
		if (this.#isTwin) bind(this.#memory.buffer);
		return this.#kernels;
	}

	/** Bytes allocated so far. */
	get bytes(): number {
		return this.#top;
	}

	/** Zeros. */
	vector(count: number): Vector {
		const address = this.#reserve(count * 8);
		return { at: address / 8, values: new Float64Array(this.#memory.buffer, address, count) };
	}

	/** Zeros. */
	integers(count: number): IntVector {
		const address = this.#reserve(count * 4);
		return { at: address / 4, values: new Int32Array(this.#memory.buffer, address, count) };
	}

	/** Room at the next cache line. */
	#reserve(bytes: number): number {
		assert(bytes >= 0, "a size is not negative");
		const address = this.#top;
		const top = Math.ceil((address + bytes) / 64) * 64;
		// Not even up to the last byte: the address behind it would be 0.
		if (top >= this.#pagesMax * PAGE_BYTES) throw new MemoryLimitError(top, this.#pagesMax * PAGE_BYTES);
		const pages = this.#memory.buffer.byteLength / PAGE_BYTES;
		const missing = Math.ceil(top / PAGE_BYTES) - pages;
		if (missing > 0) this.#grow(Math.min(this.#pagesMax - pages, Math.max(missing, GROWTH_PAGES, pages >> 2)), top);
		this.#top = top;
		return address;
	}
	#grow(pages: number, top: number): void {
		try {
			this.#memory.grow(pages);
		} catch {
			throw new MemoryLimitError(top, this.#memory.buffer.byteLength);
		}
	}
}
