/**
 * Sockets with their options, all of them set here: limits, time-outs and, where traffic leaves the machine, encryption
 * belong to this file and to no other.
 */
import { constants } from "node:os";
import { assert, RankError } from "@stickslip/core/parallel";
import { SLICE_MS } from "../base/patience.js";
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
const IPV6 = 42;
const CURVE_SERVER = 47;
const CURVE_PUBLICKEY = 48;
const CURVE_SECRETKEY = 49;
const CURVE_SERVERKEY = 50;
const HANDSHAKE_IVL = 66;
const HEARTBEAT_IVL = 75;
const HEARTBEAT_TIMEOUT = 77;
const CONNECT_TIMEOUT = 79;
/** zmq.h has numbers of its own only for what a system lacks. */
const ETERM = 156384765;
const { EINTR, ENOTSOCK } = constants.errno;

/**
 * Frames that may wait in one connection. Ranks in lock step are never so far apart (see WiredCommunicator), so none blocks on it; and the memory that a
 * foreign connection can take is limited.
 */
const FRAMES_WAITING_MAX = 1024;
/** A connection that does not authenticate within this time is closed. */
const HANDSHAKE_MS = 3000;
/** How long closing waits for what was sent to leave. */
export const LINGER_MS = 2000;
/**
 * Between hosts: how often either side of a connection shows that it is there, after what silence the connection is given up and
 * made anew, and how long one attempt at it takes. A link that was away for 3 s carries TCP again after 6.2 s at the latest,
 * which doubles its pauses from 0.2 s on; giving up before that would lose what is on its way.
 */
const HEARTBEAT_MS = 1000;
const SILENCE_MS = 8000;
const CONNECT_MS = 2000;

const CURVE_KEY_BYTES = 32;
/** What encryption adds to a frame at most. */
const CURVE_BYTES_MAX = 64;
/** libzmq writes a key as text of this length, with a zero at its end. */
const CURVE_TEXT_BYTES = 41;

/** CURVE keys (X25519) that all ranks of a run bind with; a client without the public key gets no answer. */
export interface CurveKeys {
	readonly publicKey: Uint8Array;
	readonly secretKey: Uint8Array;
}

/** The sockets of one rank. With keys all that leaves them is encrypted, and they are made for links between hosts. */
export class Sockets {
	readonly #library: Zeromq = zeromq();
	readonly #rank: number;
	readonly #curve: CurveKeys | undefined;
	/** This rank's own pair for connecting; it is not checked, so it lives as long as its sockets. */
	readonly #own = { publicKey: new Uint8Array(CURVE_TEXT_BYTES), secretKey: new Uint8Array(CURVE_TEXT_BYTES) };
	readonly #open: number[] = [];
	#context: number;
	/** What others send to. */
	#bound = 0;

	constructor(rank: number, curve?: CurveKeys) {
		for (const key of curve === undefined ? [] : [curve.publicKey, curve.secretKey]) {
			assert(key.length === CURVE_KEY_BYTES, `a key of CURVE has ${CURVE_KEY_BYTES} bytes`);
		}
		this.#rank = rank;
		this.#curve = curve;
		this.#context = this.#library.contextNew();
		if (this.#context === 0) this.#fail("zmq_ctx_new");
		if (curve && this.#library.curveKeypair(this.#own.publicKey, this.#own.secretKey) !== 0)
			this.#fail("zmq_curve_keypair");
	}

	/** Binds, once, where all others send to: an address of this host or the path of a socket. Returns the address that was found. */
	pull(at: { readonly host: string } | { readonly path: string }): string {
		const socket = this.#socket(PULL);
		this.#bound = socket;
		this.#set(socket, RCVHWM, FRAMES_WAITING_MAX);
		this.#set(socket, RCVTIMEO, SLICE_MS);
		this.#set(socket, MAXMSGSIZE, FRAME_BYTES_MAX + (this.#curve ? CURVE_BYTES_MAX : 0), 8);
		if (this.#curve) {
			this.#set(socket, CURVE_SERVER, 1);
			this.#setBytes(socket, CURVE_SECRETKEY, this.#curve.secretKey);
		}
		const isV6 = "host" in at && at.host.includes(":");
		if (isV6) this.#set(socket, IPV6, 1);
		const address = "path" in at ? `ipc://${at.path}` : `tcp://${isV6 ? `[${at.host}]` : at.host}:*`;
		if (this.#library.bind(socket, address) !== 0) this.#fail(`zmq_bind to ${address}`);
		const text = new Uint8Array(256);
		const length = BigUint64Array.of(BigInt(text.length));
		if (this.#library.getOption(socket, LAST_ENDPOINT, text, length) !== 0) this.#fail("zmq_getsockopt");
		return new TextDecoder().decode(text.subarray(0, Number(length[0]) - 1));
	}

	push(endpoint: string): number {
		const socket = this.#socket(PUSH);
		this.#set(socket, SNDHWM, FRAMES_WAITING_MAX);
		this.#set(socket, SNDTIMEO, SLICE_MS);
		if (endpoint.includes("[")) this.#set(socket, IPV6, 1);
		if (this.#curve) {
			this.#setBytes(socket, CURVE_SERVERKEY, this.#curve.publicKey);
			this.#setBytes(socket, CURVE_PUBLICKEY, this.#own.publicKey);
			this.#setBytes(socket, CURVE_SECRETKEY, this.#own.secretKey);
		}
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
	receive(data: Data, isPatient: boolean): number {
		const length = this.#library.receive(this.#bound, data, data.byteLength, isPatient ? 0 : DONTWAIT);
		if (length < 0) this.#unlessEmpty("zmq_recv");
		return length;
	}

	/** Delivers sent messages for at most this many milliseconds, and releases everything. */
	close(lingerMs: number): void {
		if (this.#context === 0) return;
		for (const socket of this.#open.splice(0)) {
			this.#set(socket, LINGER, lingerMs);
			this.#library.close(socket);
		}
		// A signal interrupts it; a few of them must not leave threads of the library behind.
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
		this.#set(socket, HANDSHAKE_IVL, HANDSHAKE_MS);
		if (this.#curve) {
			this.#set(socket, HEARTBEAT_IVL, HEARTBEAT_MS);
			this.#set(socket, HEARTBEAT_TIMEOUT, SILENCE_MS);
			this.#set(socket, CONNECT_TIMEOUT, CONNECT_MS);
		}
		return socket;
	}

	#set(socket: number, option: number, value: number, bytes: 4 | 8 = 4): void {
		if (this.#library.setOption(socket, option, Int32Array.of(value, 0), bytes) !== 0) this.#fail("zmq_setsockopt");
	}

	#setBytes(socket: number, option: number, value: Uint8Array): void {
		if (this.#library.setOption(socket, option, value, value.length) !== 0) this.#fail("zmq_setsockopt of a key");
	}

	/**
	 * Nothing arrived, or nothing could be sent: not a failure. Only other error numbers count, since the JavaScript engine may have made system calls of
	 * its own between the call and reading its error.
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
