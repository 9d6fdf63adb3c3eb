/**
 * Sockets with their options, all of them set here: limits, time-outs and, where traffic leaves the machine, encryption
 * belong to this file and to no other.
 */
import { constants } from "node:os";
import { assert, RankError } from "@stickslip/core/parallel";
import { SLICE_MS } from "../patience.js";
import { FRAME_BYTES_MAX } from "./frame.js";
import { type Data, type Zeromq, zeromq } from "./library.js";

/** Numbers of zmq.h. */
const PULL = 7;
const PUSH = 8;
const DONTWAIT = 1;
const LINGER = 17;
const MAXMSGSIZE = 22;
const SNDHWM = 23;
const RCVHWM = 24;
const RCVTIMEO = 27;
const SNDTIMEO = 28;
const LAST_ENDPOINT = 32;
/** zmq.h has numbers of its own only for what a system lacks. */
const ETERM = 156384765;
const { EINTR, ENOTSOCK } = constants.errno;

/**
 * Frames that may wait in one connection. Ranks in lock step are never so far apart (see WiredCommunicator), so nobody
 * blocks on it; and what a foreign connection can make us hold is bounded.
 */
const FRAMES_WAITING_MAX = 1024;
/** How long closing waits for what was sent to leave. */
export const LINGER_MS = 2000;

/** The sockets of one rank. */
export class Sockets {
	readonly #library: Zeromq = zeromq();
	readonly #rank: number;
	readonly #open: number[] = [];
	#context: number;

	constructor(rank: number) {
		this.#rank = rank;
		this.#context = this.#library.contextNew();
		if (this.#context === 0) this.#fail("zmq_ctx_new");
	}

	/** Binds where all others send to; returns the socket and the address that was found. */
	pull(host: string): { readonly socket: number; readonly endpoint: string } {
		const socket = this.#socket(PULL);
		this.#set(socket, RCVHWM, FRAMES_WAITING_MAX);
		this.#set(socket, RCVTIMEO, SLICE_MS);
		this.#set(socket, MAXMSGSIZE, FRAME_BYTES_MAX, 8);
		if (this.#library.bind(socket, `tcp://${host}:*`) !== 0) this.#fail(`zmq_bind to ${host}`);
		const text = new Uint8Array(256);
		const length = BigUint64Array.of(BigInt(text.length));
		if (this.#library.getOption(socket, LAST_ENDPOINT, text, length) !== 0) this.#fail("zmq_getsockopt");
		return { socket, endpoint: new TextDecoder().decode(text.subarray(0, Number(length[0]) - 1)) };
	}

	push(endpoint: string): number {
		const socket = this.#socket(PUSH);
		this.#set(socket, SNDHWM, FRAMES_WAITING_MAX);
		this.#set(socket, SNDTIMEO, SLICE_MS);
		if (this.#library.connect(socket, endpoint) !== 0) this.#fail(`zmq_connect to ${endpoint}`);
		return socket;
	}

	/** False where the frame could not leave within a slice. */
	send(socket: number, data: Data, bytes: number, isPatient = true): boolean {
		if (this.#library.send(socket, data, bytes, isPatient ? 0 : DONTWAIT) >= 0) return true;
		this.#unlessEmpty("zmq_send");
		return false;
	}

	/** The length of the next frame, or -1 where none came within a slice (or at once). */
	receive(socket: number, data: Data, isPatient: boolean): number {
		const length = this.#library.receive(socket, data, data.byteLength, isPatient ? 0 : DONTWAIT);
		if (length < 0) this.#unlessEmpty("zmq_recv");
		return length;
	}

	/** Delivers what was sent, for at most so many milliseconds, and lets go of everything. */
	close(lingerMs: number): void {
		if (this.#context === 0) return;
		for (const socket of this.#open.splice(0)) {
			this.#set(socket, LINGER, lingerMs);
			this.#library.close(socket);
		}
		// A signal interrupts it; a handful of them is no reason to leave the threads of the library behind.
		for (let attempt = 0; attempt < 100; attempt += 1) {
			if (this.#library.contextTerm(this.#context) === 0 || this.#library.errno() !== EINTR) break;
		}
		this.#context = 0;
	}

	#socket(type: number): number {
		assert(this.#context !== 0, "the sockets of this rank are closed");
		const socket = this.#library.socket(this.#context, type);
		if (socket === 0) this.#fail("zmq_socket");
		this.#open.push(socket);
		return socket;
	}

	#set(socket: number, option: number, value: number, bytes: 4 | 8 = 4): void {
		if (this.#library.setOption(socket, option, Int32Array.of(value, 0), bytes) !== 0) this.#fail("zmq_setsockopt");
	}

	/**
	 * Nothing came, or nothing could leave: no failure. Only the numbers that say otherwise are looked for, since the
	 * JavaScript engine may have made system calls of its own between the call and the question for its error.
	 */
	#unlessEmpty(call: string): void {
		const errno = this.#library.errno();
		if (errno === ETERM || errno === ENOTSOCK) this.#fail(call, errno);
	}

	#fail(call: string, errno = this.#library.errno()): never {
		const text = errno === ETERM ? "its sockets are closed" : this.#library.text(errno);
		throw new RankError(this.#rank, `cannot go on with zeromq: ${call}: ${text}`);
	}
}
