/**
 * Discrete events of ranks that compute, send and wait. The rank that is furthest behind acts next, so that messages enter the network in the order of
 * their times. Ranks may share cores, where they take turns, and hosts, whose messages to other hosts leave one after another.
 */
import { Random } from "@stickslip/core";
import { RankQueue } from "./rank-queue.js";

/** How long messages take. */
export interface Wires {
	/** The host of each rank. */
	readonly host: Int32Array;
	/** Seconds of an empty message, and of each byte, inside a host and between two. */
	readonly within: LineCost;
	readonly between: LineCost;
	/** Seconds between two messages that a host sends or receives, at least. */
	readonly gap: number;
}

export interface LineCost {
	readonly latency: number;
	readonly perByte: number;
}

export interface Cores {
	/** The core of each rank. */
	readonly core: Int32Array;
	/** Seconds to wake a rank that waits, and to pass a core from one rank to another. */
	readonly wake: number;
	readonly turn: number;
}

/** Compute times are lengthened by up to twice `mean`, at random. */
export interface Jitter {
	readonly mean: number;
	readonly seed: number;
}

/** What a rank does next; a program fills it in and yields. */
export interface Action {
	kind: "compute" | "overhead" | "send" | "receive" | "meet";
	/** compute, overhead, and of a meeting what it takes from the last arrival on. */
	seconds: number;
	/** The other rank, or the number of the group that meets. */
	peer: number;
	bytes: number;
	/** How many ranks meet. */
	members: number;
}

export type RankProgram = (rank: number, action: Action) => Iterator<void>;

export interface Timeline {
	/** When the last rank ended. */
	readonly seconds: number;
	/** By rank. */
	readonly compute: Float64Array;
	readonly overhead: Float64Array;
	readonly messages: number;
	readonly bytes: number;
}

/** Messages on their way from one rank to another, by the time at which they arrive. */
class Mailboxes {
	readonly #ranks: number;
	readonly #boxes = new Map<number, number[]>();

	constructor(ranks: number) {
		this.#ranks = ranks;
	}

	put(from: number, to: number, arrival: number): void {
		const key = from * this.#ranks + to;
		const box = this.#boxes.get(key);
		if (box === undefined) this.#boxes.set(key, [arrival]);
		else box.push(arrival);
	}

	take(from: number, to: number): number | undefined {
		return this.#boxes.get(from * this.#ranks + to)?.shift();
	}
}

export function simulate(program: RankProgram, wires: Wires, cores: Cores, jitter: Jitter): Timeline {
	return new Simulation(program, wires, cores, jitter).run();
}

const NOBODY = -1;

class Simulation {
	readonly #ranks: number;
	readonly #wires: Wires;
	readonly #cores: Cores;
	readonly #jitter: Jitter;
	readonly #random: readonly Random[];
	readonly #programs: readonly Iterator<void>[];
	readonly #actions: readonly Action[];
	readonly #clock: Float64Array;
	readonly #compute: Float64Array;
	readonly #overhead: Float64Array;
	/** Of whom a rank waits for a message. */
	readonly #awaited: Int32Array;
	readonly #mail: Mailboxes;
	/** When a host can send, and receive, another message. */
	readonly #leaves: Float64Array;
	readonly #enters: Float64Array;
	readonly #coreFree: Float64Array;
	readonly #coreUser: Int32Array;
	readonly #meetings = new Map<number, number[]>();
	readonly #queue: RankQueue;
	#messages = 0;
	#bytes = 0;
	#ended = 0;

	constructor(program: RankProgram, wires: Wires, cores: Cores, jitter: Jitter) {
		const ranks = wires.host.length;
		this.#ranks = ranks;
		this.#wires = wires;
		this.#cores = cores;
		this.#jitter = jitter;
		this.#random = Array.from({ length: ranks }, (_, rank) => new Random(jitter.seed, rank));
		this.#actions = Array.from({ length: ranks }, () => ({
			...({ kind: "compute", seconds: 0, peer: 0, bytes: 0, members: 0 } as const),
		}));
		this.#programs = this.#actions.map((action, rank) => program(rank, action));
		this.#clock = new Float64Array(ranks);
		this.#compute = new Float64Array(ranks);
		this.#overhead = new Float64Array(ranks);
		this.#awaited = new Int32Array(ranks).fill(NOBODY);
		this.#mail = new Mailboxes(ranks);
		const hosts = 1 + Math.max(...wires.host);
		this.#leaves = new Float64Array(hosts);
		this.#enters = new Float64Array(hosts);
		const count = 1 + Math.max(...cores.core);
		this.#coreFree = new Float64Array(count);
		this.#coreUser = new Int32Array(count).fill(NOBODY);
		this.#queue = new RankQueue(this.#clock);
	}

	run(): Timeline {
		for (let rank = 0; rank < this.#ranks; rank += 1) this.#advance(rank);
		for (let rank = this.#queue.pop(); rank >= 0; rank = this.#queue.pop()) this.#act(rank);
		if (this.#ended < this.#ranks) throw new Error(`${this.#ranks - this.#ended} ranks wait for ever`);
		return {
			seconds: this.#clock.reduce((most, seconds) => Math.max(most, seconds), 0),
			compute: this.#compute,
			overhead: this.#overhead,
			messages: this.#messages,
			bytes: this.#bytes,
		};
	}

	/** What a rank has yielded waits for its time. */
	#advance(rank: number): void {
		if (this.#programs[rank]!.next().done === true) this.#ended += 1;
		else this.#queue.push(rank);
	}

	#act(rank: number): void {
		const action = this.#actions[rank]!;
		switch (action.kind) {
			case "compute": {
				const { mean } = this.#jitter;
				const factor = mean > 0 ? 1 + 2 * mean * this.#random[rank]!.uniform() : 1;
				const seconds = factor * action.seconds;
				this.#compute[rank]! += seconds;
				this.#occupy(rank, seconds);
				break;
			}
			case "overhead":
				this.#overhead[rank]! += action.seconds;
				this.#occupy(rank, action.seconds);
				break;
			case "send":
				this.#send(rank, action.peer, action.bytes);
				break;
			case "receive":
				this.#receive(rank, action.peer);
				return;
			case "meet":
				this.#meet(rank, action);
				return;
		}
		this.#advance(rank);
	}

	/** Takes the rank's core, when it is free. */
	#occupy(rank: number, seconds: number): void {
		const core = this.#cores.core[rank]!;
		const user = this.#coreUser[core]!;
		let start = Math.max(this.#clock[rank]!, this.#coreFree[core]!);
		if (user !== rank && user !== NOBODY) start += this.#cores.turn;
		this.#coreUser[core] = rank;
		this.#clock[rank] = start + seconds;
		this.#coreFree[core] = start + seconds;
	}

	#send(rank: number, to: number, bytes: number): void {
		const { host, within, between, gap } = this.#wires;
		this.#messages += 1;
		this.#bytes += bytes;
		const [from, at] = [host[rank]!, host[to]!];
		let arrival = this.#clock[rank]!;
		if (from === at) arrival += within.latency + bytes * within.perByte;
		else {
			// A message occupies the sender's line for as long as its bytes take, and then the receiver's, which lies a latency behind.
			const occupied = Math.max(gap, bytes * between.perByte);
			const start = Math.max(arrival, this.#leaves[from]!);
			this.#leaves[from] = start + occupied;
			const entry = Math.max(start + between.latency, this.#enters[at]!);
			this.#enters[at] = entry + occupied;
			arrival = entry + bytes * between.perByte;
		}
		this.#mail.put(rank, to, arrival);
		if (this.#awaited[to] !== rank) return;
		this.#awaited[to] = NOBODY;
		this.#queue.push(to);
	}

	#receive(rank: number, from: number): void {
		const arrival = this.#mail.take(from, rank);
		if (arrival === undefined) {
			this.#awaited[rank] = from;
			return;
		}
		this.#wait(rank, arrival);
		this.#advance(rank);
	}

	#wait(rank: number, until: number): void {
		if (until <= this.#clock[rank]!) return;
		this.#clock[rank] = until;
		const { wake } = this.#cores;
		if (wake === 0) return;
		this.#overhead[rank]! += wake;
		this.#occupy(rank, wake);
	}

	#meet(rank: number, { peer: group, members, seconds }: Action): void {
		const arrived = this.#meetings.get(group) ?? [];
		arrived.push(rank);
		this.#meetings.set(group, arrived);
		if (arrived.length < members) return;
		this.#meetings.delete(group);
		// Ranks arrive in the order of their clocks: the last one is the latest.
		const end = this.#clock[rank]! + seconds;
		for (const each of arrived) {
			this.#wait(each, end);
			this.#advance(each);
		}
	}
}
