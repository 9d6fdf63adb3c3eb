/**
 * The rings of one rank to and from the others on its machine. A rank that sends to another for the first time makes memory for it and offers
 * it in a note; until the other has opened it, and wherever that fails, messages go by the sockets.
 */
import type { Patience } from "../base/patience.js";
import type { Header } from "./frame.js";
import type { Incoming } from "./incoming.js";
import { RING_BYTES, RingReader, RingWriter } from "./ring.js";
import { createMemory, openMemory, type SharedMemory } from "./shared-memory.js";

/** The numbers of an offer's note. */
const OFFER_NUMBERS = 2;

interface OutgoingFrames {
	readonly memory: SharedMemory;
	readonly writer: RingWriter;
	isFileOpen: boolean;
}

/** What a rank receives through memory from one other. */
class IncomingRing {
	readonly #reader: RingReader;
	readonly #from: number;
	readonly #patience: Patience;
	readonly #header: Header = { from: 0, to: 0, tag: 0, sequence: 0, length: 0, rest: 0 };
	readonly #hasFrame = () => this.#reader.hasFrame;

	constructor(reader: RingReader, from: number, patience: Patience) {
		this.#reader = reader;
		this.#from = from;
		this.#patience = patience;
	}

	/** The message with this tag, where it is among the frames that are there, or that come while this rank spins; others are kept. */
	read(incoming: Incoming, tag: number, spins: boolean): Uint8Array | undefined {
		// The frame before makes room for the next one, which this rank may be about to wait for.
		this.#reader.release();
		if (spins) this.#patience.spin(this.#hasFrame);
		for (;;) {
			const payload = this.#reader.next(this.#header);
			if (payload === undefined || incoming.isTakenAtOnce(this.#header, this.#from, tag)) return payload;
			incoming.keep(this.#header, payload);
			const message = incoming.next(this.#from, tag);
			if (message !== undefined) return message;
		}
	}

	set sleeps(value: boolean) {
		this.#reader.sleeps = value;
	}
}

export class SharedRings {
	readonly #outgoing = new Map<number, OutgoingFrames>();
	readonly #incoming = new Map<number, IncomingRing>();
	readonly #opened: Pick<SharedMemory, "release">[] = [];
	readonly #patience: Patience;

	constructor(patience: Patience) {
		this.#patience = patience;
	}

	/** What a note to the rank says of the memory that was made for it; undefined where there is none. */
	offer(to: number): Uint8Array | undefined {
		const memory = createMemory(RING_BYTES);
		if (memory === undefined) return undefined;
		this.#outgoing.set(to, { memory, writer: new RingWriter(memory.buffer), isFileOpen: true });
		return new Uint8Array(Int32Array.of(process.pid, memory.file).buffer);
	}

	/** Opens what another rank offers; false where that is not an offer. */
	accept(from: number, offer: Uint8Array): boolean {
		if (offer.length !== 4 * OFFER_NUMBERS || this.#incoming.has(from)) return false;
		const [id, file] = new Int32Array(offer.slice().buffer);
		const memory = openMemory({ process: id!, file: file! }, RING_BYTES);
		if (memory === undefined) return true;
		this.#opened.push(memory);
		this.#incoming.set(from, new IncomingRing(new RingReader(memory.buffer, from), from, this.#patience));
		return true;
	}

	/** Undefined until the other rank has opened it. */
	to(rank: number): RingWriter | undefined {
		const ring = this.#outgoing.get(rank);
		if (ring === undefined || !ring.writer.isOpen) return undefined;
		if (ring.isFileOpen) {
			ring.isFileOpen = false;
			ring.memory.closeFile();
		}
		return ring.writer;
	}

	from(rank: number): IncomingRing | undefined {
		return this.#incoming.get(rank);
	}

	/** Keeps all that is there. */
	readAll(incoming: Incoming): void {
		for (const ring of this.#incoming.values()) ring.read(incoming, -1, false);
	}

	close(): void {
		for (const { memory, isFileOpen } of this.#outgoing.values()) {
			if (isFileOpen) memory.closeFile();
			memory.release();
		}
		for (const memory of this.#opened) memory.release();
		this.#outgoing.clear();
		this.#incoming.clear();
		this.#opened.length = 0;
	}
}
