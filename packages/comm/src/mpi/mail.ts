/**
 * Messages of any length that can be sent without a matching receive: they are copied, and released when MPI has sent them. The head of a message comes
 * into a receive that is posted for as much as a head may be, since asking first how long a message is costs as much as the message. A full head says that
 * chunks follow, which are asked for; several of them where a message is longer than MPI's int counts.
 */
import { assert } from "@stickslip/core/parallel";
import { type Block, block, type Mpi, STATUS_BYTES } from "./bindings.js";
import { Probe } from "./probe.js";
import { Ring } from "./ring.js";
import type { Waiter } from "./waiter.js";

/** A head that is shorter is all of its message. What both libraries send at once. */
const HEAD_BYTES = 2048;
/** A chunk that is shorter than this is the last of its message. */
const CHUNK_BYTES = 2 ** 30;
/** How long a rank that is idle, or waits by other means, progresses its messages at each poll. */
export const POLL_MS_MAX = 2;
/** Memory of larger messages is not kept. */
const KEPT_BYTES_MAX = 2 ** 20;
/** The most messages in transit; then the next one waits for the oldest. */
const PENDING_MAX = 256;

interface Slot {
	readonly memory: Block;
	readonly request: Block;
	to: number;
}

export class Mail {
	readonly #mpi: Mpi;
	readonly #startAll: Mpi["call"]["MPI_Startall"];
	readonly #comm: number;
	readonly #waiter: Waiter;
	readonly #probe: Probe;
	readonly #chunkBytes: number;
	readonly #ring: Ring;
	readonly #pending: Slot[] = [];
	readonly #free: Slot[] = [];
	readonly #flag = block(8);
	readonly #status = block(STATUS_BYTES);
	readonly #statusWords = new Int32Array(this.#status.buffer);
	/** Heads come into the one, and long messages are put together in the other. */
	readonly #head = block(HEAD_BYTES);
	#inbox: Block = block(2 * HEAD_BYTES);
	/** The length of the last head: most are as long as the one before. */
	#got = new Uint8Array(this.#head.buffer, 0, 0);
	/** Persistent receives of heads, by sender and tag. */
	readonly #posts: (Map<number, Block> | undefined)[] = [];
	/** The receive of a chunk. */
	readonly #chunk: Block;
	/** The one under way, when a wait has failed. */
	#post: Block | undefined;

	constructor(mpi: Mpi, comm: number, waiter: Waiter, chunkBytes = CHUNK_BYTES) {
		this.#mpi = mpi;
		this.#startAll = mpi.call.MPI_Startall;
		this.#comm = comm;
		this.#waiter = waiter;
		this.#probe = new Probe(mpi, comm);
		this.#chunkBytes = chunkBytes;
		this.#ring = new Ring(mpi, comm, HEAD_BYTES);
		this.#chunk = mpi.requests(1);
	}

	send(to: number, tag: number, bytes: Uint8Array): void {
		const isWhole = bytes.length < HEAD_BYTES;
		const head = isWhole ? bytes : bytes.subarray(0, HEAD_BYTES);
		const slot = this.#ring.take();
		if (slot < 0) this.#postAside(to, tag, head);
		else {
			this.#ring.bytes.set(head, slot * HEAD_BYTES);
			this.#ring.post(slot, head.length, this.#mpi.constants.byte, to, tag);
		}
		if (isWhole) return;
		for (let offset = HEAD_BYTES; ; ) {
			const chunk = bytes.subarray(offset, offset + this.#chunkBytes);
			this.#postAside(to, tag, chunk);
			offset += chunk.length;
			if (chunk.length < this.#chunkBytes) return;
		}
	}

	/** Blocks; the bytes are good until the next call. `rank` and `what` describe the late rank and the message, if it is late. */
	receive(from: number, tag: number, rank: number, what: string): Uint8Array {
		const post = this.#posted(from, tag);
		this.#post = post;
		const code = this.#startAll(1, post.at);
		if (code !== 0) this.#mpi.must(code, "MPI_Startall");
		this.#waiter.one(post.at, this.#status.at, rank, what);
		this.#post = undefined;
		const bytes = this.#statusWords[this.#mpi.constants.statusWord]!;
		if (this.#got.length !== bytes) this.#got = new Uint8Array(this.#head.buffer, 0, bytes);
		return bytes < HEAD_BYTES ? this.#got : this.#receiveRest(from, tag, rank, what);
	}

	/**
	 * Lets the library progress sent messages until all have left or the time is up: a long message leaves in pieces, and only during calls of the library.
	 */
	moveOn(milliseconds: number): void {
		const end = performance.now() + milliseconds;
		do {
			while (this.#pending.length > 0 && this.#isSettled(this.#pending[0])) this.#retire();
			if (this.#pending.length === 0 && this.#ring.isSettled()) return;
		} while (performance.now() < end);
	}

	/** Waits until all sent messages have left. */
	flush(): void {
		while (this.#pending.length > 0) this.#settleOldest();
		this.#waiter.until(() => this.#ring.isSettled(), this.#ring.to, "its receipt of a message");
	}

	/** Releases all receives; after a failure one may be active. */
	release(): void {
		if (this.#post !== undefined) this.#mpi.withdraw(this.#post, 1);
		for (const posts of this.#posts) for (const post of posts?.values() ?? []) this.#mpi.free(post, 1);
		this.#posts.length = 0;
	}

	#posted(from: number, tag: number): Block {
		return this.#posts[from]?.get(tag) ?? this.#makePost(from, tag);
	}

	#makePost(from: number, tag: number): Block {
		const { call, constants } = this.#mpi;
		const post = this.#mpi.requests(1);
		const code = call.MPI_Recv_init(this.#head.at, HEAD_BYTES, constants.byte, from, tag, this.#comm, post.at);
		this.#mpi.must(code, "MPI_Recv_init");
		while (this.#posts.length <= from) this.#posts.push(undefined);
		const posts = this.#posts[from] ?? new Map<number, Block>();
		this.#posts[from] = posts.set(tag, post);
		return post;
	}

	#receiveRest(from: number, tag: number, rank: number, what: string): Uint8Array {
		let length = HEAD_BYTES;
		for (let last = this.#chunkBytes; last === this.#chunkBytes; length += last) {
			this.#waiter.until(() => this.#probe.look(from, tag), rank, what);
			last = this.#probe.count();
			this.#makeRoom(length, length + last);
			this.#probe.begin(this.#inbox.at + length, last, this.#chunk.at);
			this.#post = this.#chunk;
			this.#waiter.one(this.#chunk.at, this.#status.at, rank, what);
			this.#post = undefined;
		}
		const whole = new Uint8Array(this.#inbox.buffer, 0, length);
		whole.set(this.#got);
		return whole;
	}

	#makeRoom(kept: number, bytes: number): void {
		if (this.#inbox.buffer.byteLength >= bytes) return;
		const larger = block(2 * bytes);
		new Uint8Array(larger.buffer).set(new Uint8Array(this.#inbox.buffer, 0, kept));
		this.#inbox = larger;
	}

	/** In memory of its own, for as long as it takes. */
	#postAside(to: number, tag: number, chunk: Uint8Array): void {
		while (this.#pending.length > 0 && this.#isSettled(this.#pending[0])) this.#retire();
		if (this.#pending.length >= PENDING_MAX) this.#settleOldest();
		const slot = this.#slot(chunk.length);
		slot.to = to;
		new Uint8Array(slot.memory.buffer).set(chunk);
		const { call, constants } = this.#mpi;
		const code = call.MPI_Isend(slot.memory.at, chunk.length, constants.byte, to, tag, this.#comm, slot.request.at);
		this.#mpi.must(code, "MPI_Isend");
		this.#pending.push(slot);
	}

	#slot(bytes: number): Slot {
		const index = this.#free.findIndex(({ memory }) => memory.buffer.byteLength >= bytes);
		const [slot] = index < 0 ? [] : this.#free.splice(index, 1);
		if (slot !== undefined) return slot;
		// Powers of two, so that a slot can be reused for any message of about its size.
		const size = bytes > KEPT_BYTES_MAX ? bytes : Math.max(HEAD_BYTES, 2 ** Math.ceil(Math.log2(bytes)));
		return { memory: block(size), request: this.#mpi.requests(1), to: -1 };
	}

	#settleOldest(): void {
		const slot = this.#pending[0];
		assert(slot !== undefined, "something is pending");
		this.#waiter.until(() => this.#isSettled(slot), slot.to, "its receipt of a message");
		this.#retire();
	}

	#isSettled(slot: Slot | undefined): boolean {
		assert(slot !== undefined, "a message is pending");
		this.#mpi.must(this.#mpi.call.MPI_Test(slot.request.at, this.#flag.at, this.#status.at), "MPI_Test");
		return this.#mpi.int(this.#flag) !== 0;
	}

	/** Small slots are reused; large ones are released. */
	#retire(): void {
		const slot = this.#pending.shift();
		if (slot !== undefined && slot.memory.buffer.byteLength <= KEPT_BYTES_MAX) this.#free.push(slot);
	}
}
