/**
 * A wire of libzmq sockets. Every rank binds one PULL socket, which can only be sent to, and connects a PUSH socket to each
 * rank it sends to: so a stranger who finds the port can add frames, which are checked and dropped, and never take any.
 * Everything happens in the rank's own thread, which sleeps inside libzmq while it waits.
 *
 * Inside a machine most messages go through memory (rings.ts): through sockets one passes four threads, in 40 us. Sockets carry the
 * rest, and wake a rank that sleeps. Whichever way frames take, their numbers order them.
 */
import { assert, RankError } from "@stickslip/core/parallel";
import type { Control } from "../base/control.js";
import { type Patience, SLICE_MS } from "../base/patience.js";
import { yieldCore } from "../base/pin.js";
import { checkAndNotify, TAGS, type Wire } from "../base/wire.js";
import { Frames, HEADER_BYTES, type Header, notes, PAYLOAD_BYTES_MAX, REASON_BYTES_MAX } from "./frame.js";
import { Incoming } from "./incoming.js";
import { OutgoingFrames } from "./outgoing.js";
import type { SharedRings } from "./rings.js";
import { type Room, room } from "./room.js";
import { answerMs, Search } from "./search.js";
import { LINGER_MS, type Sockets } from "./socket.js";

/** After a failure the rest is not waited for. */
const LINGER_AFTER_FAILURE_MS = 300;

/** A rank that is sent to. */
interface Peer {
	readonly socket: number;
	/** Frames sent so far, by tag. */
	readonly sequences: number[];
}

export interface ZeromqWireOptions {
	readonly rank: number;
	readonly size: number;
	readonly key: Uint8Array;
	readonly control: Control;
	readonly patience: Patience;
	readonly sockets: Sockets;
	readonly endpoints: readonly string[];
	/** Where all ranks are on one machine. */
	readonly rings: SharedRings | undefined;
}

export class ZeromqWire implements Wire {
	readonly rank: number;
	readonly size: number;
	/** Foreign frames: no key or a wrong one, cut off, too long, for another rank, or seen before. */
	dropped = 0;
	readonly #control: Control;
	readonly #patience: Patience;
	readonly #sockets: Sockets;
	readonly #endpoints: readonly string[];
	readonly #rings: SharedRings | undefined;
	readonly #frames: Frames;
	readonly #incoming = new Incoming();
	readonly #peers = new Map<number, Peer>();
	readonly #outgoing: OutgoingFrames;
	readonly #in = room(PAYLOAD_BYTES_MAX);
	readonly #noteRoom = room(4 + REASON_BYTES_MAX);
	/** The last replies to the query for whom a rank waits. */
	readonly #answers = new Map<number, number>();
	/** For whom this rank waits, -1 for nobody. */
	#waitingFor = -1;
	/** For the message that this rank waits for. */
	#search: Search | undefined;
	/** All ranks know of the failure: this rank announced it, or it was announced to this rank. */
	#isAnnounced = false;
	/** Nothing had arrived when it was last looked for. */
	#isEmpty = false;
	/** A frame has left by a socket since this rank last slept: to spin would keep its core from the thread that sends it. */
	#isSending = false;
	readonly #header: Header = { from: 0, to: 0, tag: 0, sequence: 0, length: 0, rest: 0 };

	constructor({ rank, size, key, control, patience, sockets, endpoints, rings }: ZeromqWireOptions) {
		this.rank = rank;
		this.size = size;
		this.#control = control;
		this.#patience = patience;
		this.#sockets = sockets;
		this.#endpoints = endpoints;
		this.#rings = rings;
		this.#frames = new Frames(key, size);
		this.#outgoing = new OutgoingFrames(this.#frames, rank);
	}

	reserve(bytes: number): Uint8Array {
		return this.#outgoing.reserve(bytes);
	}

	send(to: number, tag: number, bytes: Uint8Array): void {
		assert(tag >= 0 && tag < TAGS, "tags are small integers");
		assert(bytes.length < 2 ** 32, "a message is below 4 GiB");
		const peer = this.#peer(to);
		const ring = this.#rings?.to(to);
		if (ring?.write(tag, peer.sequences[tag]!, bytes)) {
			peer.sequences[tag]! += 1;
			if (!ring.takeSleep()) return;
			this.#note(to, notes.wake, this.rank);
			// The thread that carries it shares this core, on which this rank may be about to spin.
			yieldCore();
			return;
		}
		for (let sent = 0; sent === 0 || sent < bytes.length; sent += PAYLOAD_BYTES_MAX) {
			const length = Math.min(PAYLOAD_BYTES_MAX, bytes.length - sent);
			const part = this.#outgoing.part(bytes, sent, length);
			this.#push(peer, to, tag, part, length, bytes.length - sent - length);
		}
	}

	receive(from: number, tag: number): Uint8Array {
		assert(from >= 0 && from < this.size && from !== this.rank, "a message comes from another rank");
		assert(tag >= 0 && tag < TAGS, "tags are small integers");
		// Nearly always the message is there, or comes within the first slice.
		return this.#incoming.next(from, tag) ?? this.#take(from, tag, true) ?? this.#waitFor(from, tag);
	}

	serve(waitingFor: number): void {
		this.#waitingFor = waitingFor;
		this.#isEmpty = false;
		for (let count = 0; count < 64 && !this.#isEmpty; count += 1) this.#takeFrame(-1, -1, false);
		this.#waitingFor = -1;
	}

	/** Messages that have arrived and were not asked for. */
	get unread(): number {
		this.#rings?.readAll(this.#incoming);
		return this.#incoming.unread;
	}

	abort(rank: number, reason: string): void {
		if (this.#isAnnounced) return;
		this.#isAnnounced = true;
		const text = new TextEncoder().encode(reason).subarray(0, REASON_BYTES_MAX);
		for (let to = 0; to < this.size; to += 1) if (to !== this.rank) this.#note(to, notes.abort, rank, text);
	}

	close(): void {
		this.#rings?.close();
		this.#sockets.close(this.#control.failure() === undefined ? LINGER_MS : LINGER_AFTER_FAILURE_MS);
	}

	/** Continues to wait for a message, up to the limit; then finds the late rank, names it, and ends all ranks. */
	#waitFor(from: number, tag: number): Uint8Array {
		const { seconds } = this.#patience;
		const suspects: number[] = [];
		let end = performance.now() + 1000 * seconds - SLICE_MS;
		this.#waitingFor = from;
		this.#search = new Search(from, tag);
		for (;;) {
			checkAndNotify(this.#control, this);
			const message = this.#incoming.next(from, tag) ?? this.#take(from, tag, false);
			if (message !== undefined) {
				this.#waitingFor = -1;
				this.#search = undefined;
				return message;
			}
			this.#seek(this.#search);
			const suspect = suspects.at(-1);
			const next = suspect === undefined ? from : this.#answers.get(suspect);
			if (performance.now() < end && (suspect === undefined || next === undefined)) continue;
			// A rank that waits for another is not the late one, unless they wait for each other.
			if (next === undefined || next === this.rank || suspects.includes(next)) {
				this.#failAs(suspect ?? from, `is late: after ${seconds} s of waiting for its message`);
			}
			suspects.push(next);
			this.#answers.delete(next);
			this.#note(next, notes.query, this.rank);
			end = performance.now() + answerMs(seconds);
		}
	}

	/** Ends all ranks if a message that was sent has been lost. */
	#seek(search: Search): void {
		const { from, tag } = search;
		const sequence = this.#incoming.expected(from, tag);
		if (search.isDue(sequence)) this.#note(from, notes.seek, tag, new Uint8Array(Float64Array.of(sequence).buffer));
		if (this.#incoming.isBroken(from, tag)) search.confirm();
		if (this.#isEmpty && search.isLost)
			this.#failAs(from, `is cut off: its message to rank ${this.rank} was lost on the way`);
	}

	#failAs(rank: number, reason: string): never {
		this.#control.abort(rank, reason);
		this.abort(rank, reason);
		this.#control.check();
		throw new RankError(rank, reason);
	}

	/** Sends one frame whose payload is in its room. */
	#push(peer: Peer, to: number, tag: number, from: Room, length: number, rest: number): void {
		this.#outgoing.writeHeader(from, to, tag, peer.sequences[tag]!, length, rest);
		if (this.#pushed(peer, tag, from, length)) return;
		const end = performance.now() + 1000 * this.#patience.seconds;
		do {
			checkAndNotify(this.#control, this);
			// The other rank may be waiting for space in this rank's queue, too.
			this.serve(to);
			if (this.#pushed(peer, tag, from, length)) return;
		} while (performance.now() < end);
		this.#failAs(to, `is late: after ${this.#patience.seconds} s it still accepts no messages`);
	}

	/** A frame has been sent when it is counted, and not before: see Search. */
	#pushed(peer: Peer, tag: number, { bytes }: Room, length: number): boolean {
		const isSent = this.#sockets.send(peer.socket, bytes, HEADER_BYTES + length);
		if (isSent) peer.sequences[tag]! += 1;
		this.#isSending = true;
		return isSent;
	}

	/** A message between wires: a rank's number (or a tag), and perhaps more. Lost where there is no room for it. */
	#note(to: number, tag: number, about: number, text: Uint8Array = new Uint8Array()): void {
		// Connected first, since that sends a note of its own.
		const { socket } = this.#peer(to);
		const { words, bytes, payload } = this.#noteRoom;
		words[HEADER_BYTES / 4] = about;
		payload.set(text, 4);
		this.#outgoing.writeHeader(this.#noteRoom, to, tag, 0, 4 + text.length, 0);
		this.#sockets.send(socket, bytes, HEADER_BYTES + 4 + text.length, false);
	}

	/** Handles a note of another wire; false if it is not valid. */
	#handleNote({ from, tag, length }: Readonly<Header>, payload: Uint8Array): boolean {
		const about = this.#in.words[HEADER_BYTES / 4]!;
		if (length < 4 || length > 4 + REASON_BYTES_MAX) return false;
		if (tag === notes.seek || tag === notes.sent) return this.#handleFrameQuery(from, tag, about, payload);
		if (about >= this.size) return false;
		if (tag === notes.memory) return this.#rings?.accept(from, payload.subarray(4)) ?? false;
		if (tag === notes.answer) this.#answers.set(from, about);
		else if (tag === notes.query && this.#waitingFor >= 0) this.#note(from, notes.answer, this.#waitingFor);
		else if (tag === notes.abort) {
			this.#isAnnounced = true;
			this.#control.abort(about, new TextDecoder().decode(payload.subarray(4)));
			this.#control.check();
		}
		return true;
	}

	/** Another rank asks for a frame of this one, or confirms that it has sent one. */
	#handleFrameQuery(from: number, note: number, tag: number, payload: Uint8Array): boolean {
		if (payload.length !== 12 || tag >= TAGS) return false;
		const text = payload.slice(4);
		const [sequence] = new Float64Array(text.buffer);
		if (note === notes.seek) {
			const sent = this.#peers.get(from)?.sequences[tag] ?? 0;
			if (sequence! < sent) this.#note(from, notes.sent, tag, text);
			return true;
		}
		const search = this.#search;
		if (search?.from === from && search.tag === tag && search.sequence === sequence) search.confirm();
		return true;
	}

	/** Takes what comes within a slice, from memory or the socket, and returns it if it is the message asked for. */
	#take(from: number, tag: number, isFirst: boolean): Uint8Array | undefined {
		const ring = this.#rings?.from(from);
		if (ring === undefined) return this.#takeFrame(from, tag, true);
		const there = ring.read(this.#incoming, tag, isFirst && !this.#isSending);
		if (there !== undefined) return there;
		ring.sleeps = true;
		// What was written before that wakes nobody.
		const message = ring.read(this.#incoming, tag, false) ?? this.#takeFrame(from, tag, true);
		ring.sleeps = false;
		this.#isSending = false;
		return message;
	}

	/** Takes one frame of the socket, if one comes: returned if it is the message asked for, kept if it is another one, dropped if it is foreign. */
	#takeFrame(from: number, tag: number, isPatient: boolean): Uint8Array | undefined {
		const bytes = this.#sockets.receive(this.#in.bytes, isPatient);
		this.#isEmpty = bytes < 0;
		if (this.#isEmpty) return undefined;
		const header = this.#header;
		if (!this.#frames.read(this.#in.words, bytes, this.rank, header)) {
			this.dropped += 1;
			return undefined;
		}
		const payload = this.#in.payload.subarray(0, header.length);
		if (header.tag >= TAGS) {
			if (!this.#handleNote(header, payload)) this.dropped += 1;
			return undefined;
		}
		if (this.#incoming.isTakenAtOnce(header, from, tag)) return payload;
		if (!this.#incoming.keep(header, payload)) this.dropped += 1;
		return undefined;
	}

	/** Connected when it is first sent to: a rank talks to few others. */
	#peer(to: number): Peer {
		const known = this.#peers.get(to);
		if (known !== undefined) return known;
		assert(to >= 0 && to < this.size && to !== this.rank, "a message goes to another rank");
		const socket = this.#sockets.push(this.#endpoints[to]!);
		const peer: Peer = { socket, sequences: new Array<number>(TAGS).fill(0) };
		this.#peers.set(to, peer);
		const offer = this.#rings?.offer(to);
		if (offer !== undefined) this.#note(to, notes.memory, this.rank, offer);
		return peer;
	}
}
