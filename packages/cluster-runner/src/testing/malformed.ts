/** Malformed messages of a client, by seed: heads, arrays, frames and their transport. Some are still valid, and are answered. */
import { generate, Random } from "@stickslip/core";
import { pack } from "./message-pack.js";
import { packetOf } from "./raw-peers.js";

type Frames = readonly ArrayLike<number>[];

const problem = generate("spheres", { contacts: 6, seed: 9 });
const bytesOf = (array: Float64Array | Int32Array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
const arrays: [name: string, type: string, bytes: Uint8Array][] = [
	["q", "f64", bytesOf(problem.q)],
	["mu", "f64", bytesOf(problem.mu)],
	...Object.entries(problem.rigid!).map(([name, array]): [string, string, Uint8Array] => [
		`rigid.${name}`,
		array instanceof Int32Array ? "i32" : "f64",
		bytesOf(array),
	]),
];
const { contacts } = problem;
const names = arrays.map(([name, type]) => [name, type]);
/** A valid one must not keep the service busy. */
const options = { timeLimit: 0.02, maxIterations: 20, method: "gauss-seidel", set: {} };

const heads: readonly object[] = [
	{ type: "hello", version: 1, client: "spoilt", token: "spoilt" },
	{ type: "prepare", id: "m", pattern: "spoilt", contacts, arrays: names },
	{ type: "release", id: "m", pattern: "spoilt" },
	{ type: "solve", id: "m", contacts, options, arrays: names },
	{ type: "solve", id: "m", contacts, options, arrays: names },
	{ type: "solve", id: "m", contacts, options, pattern: "spoilt", arrays: [["q", "f64"]] },
	{ type: "solve", id: "m", contacts, options, progress: true, keep: true, deadline: 0.1, arrays: names },
	{ type: "solve", id: "m", contacts, part: { group: "g", index: 0, of: 2 }, arrays: names },
	{ type: "cancel", id: "m" },
	{ type: "fetch", id: "m" },
	{ type: "forget", ids: ["m"] },
	{ type: "ping" },
	{ type: "pong" },
];

/** Claims of more than there is, types that no head has, and nesting without end. */
const claims: readonly number[][] = [
	[0xdd, 0xff, 0xff, 0xff, 0xff],
	[0xdf, 0xff, 0xff, 0xff, 0xff],
	[0xdb, 0xff, 0xff, 0xff, 0xff],
	[0xc6, 0xff, 0xff, 0xff, 0xff],
	[0xc9, 0xff, 0xff, 0xff, 0xff, 1],
	[0xc1],
	[0xd4, 0x72, 0x40],
	[0xd6, 0xff, 0, 0, 0, 0],
	[0x81, 0xa9, ...Buffer.from("__proto__"), 0x81, 0xa4, ...Buffer.from("type"), 0xa4, ...Buffer.from("ping")],
	Array.from({ length: 20_000 }, () => 0x91),
	Array.from({ length: 20_000 }, () => 0x81),
];

const strange: readonly unknown[] = [
	...[-1, 0.5, 1e308, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, true, "", "x".repeat(20_000), "a b", "../m"],
	...[[], [[[[]]]], [["q"]], [["q", "f64"]], {}, { type: "solve" }, { group: "g", index: 5, of: 2 }],
];

export class Malformed {
	readonly #seed: number;
	readonly #random: Random;
	#count = 0;

	constructor(seed: number) {
		this.#seed = seed;
		this.#random = new Random(seed);
	}

	/** The frames of the next message. */
	next(): Frames {
		this.#count += 1;
		const id = `m.${this.#seed}.${this.#count}`;
		const chosen = this.#one(heads);
		const head = { ...chosen, ...("id" in chosen && { id }) };
		const frames =
			"arrays" in head ? arrays.slice(0, (head.arrays as unknown[]).length).map(([, , bytes]) => bytes) : [];
		switch (this.#random.below(8)) {
			case 0:
				return [this.#flipped(pack(head)), ...frames];
			case 1:
				return [pack(head).slice(0, this.#random.below(pack(head).length)), ...frames];
			case 2:
				return [this.#noise(), ...frames];
			case 3:
				return [this.#one(claims), ...frames];
			case 4:
				return [pack(this.#odd(head)), ...frames];
			case 5:
				return [pack(head), ...this.#fewer(frames)];
			case 6:
				return [pack(head), ...frames.map((frame) => this.#flipped(frame))];
			default:
				return this.#random.below(20) === 0 ? Array.from({ length: 5000 }, () => []) : [pack(this.#odd(head))];
		}
	}

	/** The frames as bytes for WebSocket, which may be spoilt too. */
	packet(frames: Frames): ArrayLike<number> {
		const packet = packetOf(frames);
		switch (this.#random.below(6)) {
			case 0:
				return this.#flipped(packet.slice(0, 16)).concat(packet.slice(16));
			case 1:
				return packet.slice(0, this.#random.below(packet.length));
			default:
				return packet;
		}
	}

	#one<Item>(items: readonly Item[]): Item {
		return items[this.#random.below(items.length)]!;
	}

	#flipped(bytes: ArrayLike<number>): number[] {
		const spoilt = Array.from(bytes);
		for (let times = 1 + this.#random.below(4); times > 0 && spoilt.length > 0; times -= 1) {
			spoilt[this.#random.below(spoilt.length)] = this.#random.below(256);
		}
		return spoilt;
	}

	#noise(): number[] {
		return Array.from({ length: this.#random.below(300) }, () => this.#random.below(256));
	}

	/** A changed, missing or additional field. */
	#odd(head: object): object {
		const fields = Object.keys(head);
		const name = this.#random.below(4) === 0 ? "speed" : this.#one(fields);
		const rest = Object.fromEntries(Object.entries(head).filter(([each]) => each !== name));
		return this.#random.below(4) === 0 ? rest : { ...rest, [name]: this.#one(strange) };
	}

	#fewer(frames: Frames): Frames {
		const at = this.#random.below(frames.length + 1);
		const [before, frame = [], after] = [frames.slice(0, at), frames[at], frames.slice(at + 1)];
		if (this.#random.below(3) === 0) return [...before, ...after];
		if (this.#random.below(2) === 0) return [...before, frame, frame, ...after];
		return [...before, Array.from(frame).slice(0, this.#random.below(frame.length + 1)), ...after];
	}
}
