/**
 * Discrete events of ranks that compute, send and wait. The rank that is furthest behind acts next, so that messages enter the network in the order of
 * their times. Ranks may share cores, and hosts, whose messages to other hosts leave one after another. A rank keeps its core until it has to wait.
 */
import { Random } from "@stickslip/core";
import { type WakeUpCost, wakeUpSeconds } from "./line-costs.js";
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
	/** Seconds that a rank takes to go on after a wait. */
	readonly waking: readonly WakeUpCost[];
	/** Seconds to pass a core from one rank to another. */
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
	/** Who has a core, who had it last and until when, and who wants it. */
	readonly #coreUser: Int32Array;
	readonly #lastUser: Int32Array;
	readonly #coreFree: Float64Array;
	readonly #coreQueues: readonly number[][];
	/** Seconds that a rank takes to go on where it has waited. */
	readonly #waking: Float64Array;
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
		this.#lastUser = new Int32Array(count).fill(NOBODY);
		this.#coreQueues = Array.from({ length: count }, () => []);
		this.#waking = new Float64Array(ranks);
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
		if (this.#programs[rank]!.next().done !== true) {
			this.#queue.push(rank);
			return;
		}
		this.#ended += 1;
		this.#clock[rank]! += this.#waking[rank]!;
		this.#leaveCore(rank);
	}

	#act(rank: number): void {
		const action = this.#actions[rank]!;
		const needsCore = action.kind === "compute" || action.kind === "overhead" || this.#waking[rank]! > 0;
		if (needsCore && !this.#takeCore(rank)) return;
		switch (action.kind) {
			case "compute": {
				const { mean } = this.#jitter;
				const factor = mean > 0 ? 1 + 2 * mean * this.#random[rank]!.uniform() : 1;
				const seconds = factor * action.seconds;
				this.#compute[rank]! += seconds;
				this.#clock[rank]! += seconds;
				break;
			}
			case "overhead":
				this.#overhead[rank]! += action.seconds;
				this.#clock[rank]! += action.seconds;
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

	/** False where another has it: what the rank has to do comes up again when that one waits. */
	#takeCore(rank: number): boolean {
		const core = this.#cores.core[rank]!;
		const user = this.#coreUser[core]!;
		if (user === rank) return true;
		if (user !== NOBODY) {
			this.#coreQueues[core]!.push(rank);
			return false;
		}
		const last = this.#lastUser[core]!;
		const turn = last === rank || last === NOBODY ? 0 : this.#cores.turn;
		const waking = this.#waking[rank]!;
		this.#waking[rank] = 0;
		this.#overhead[rank]! += waking;
		this.#clock[rank] = Math.max(this.#clock[rank]!, this.#coreFree[core]!) + turn + waking;
		this.#coreUser[core] = rank;
		this.#lastUser[core] = rank;
		return true;
	}

	#leaveCore(rank: number): void {
		const core = this.#cores.core[rank]!;
		if (this.#coreUser[core] !== rank) return;
		this.#coreUser[core] = NOBODY;
		this.#coreFree[core] = this.#clock[rank]!;
		const next = this.#coreQueues[core]!.shift();
		if (next !== undefined) this.#queue.push(next);
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
			this.#leaveCore(rank);
			return;
		}
		this.#wait(rank, arrival);
		this.#advance(rank);
	}

	#wait(rank: number, until: number): void {
		const wait = until - this.#clock[rank]!;
		if (wait <= 0) return;
		this.#leaveCore(rank);
		this.#clock[rank] = until;
		this.#waking[rank] = wakeUpSeconds(this.#cores.waking, wait);
	}

	#meet(rank: number, { peer: group, members, seconds }: Action): void {
		const arrived = this.#meetings.get(group) ?? [];
		arrived.push(rank);
		this.#meetings.set(group, arrived);
		if (arrived.length < members) {
			this.#leaveCore(rank);
			return;
		}
		this.#meetings.delete(group);
		// Ranks arrive in the order of their clocks: the last one is the latest.
		const end = this.#clock[rank]! + seconds;
		for (const each of arrived) {
			this.#wait(each, end);
			this.#advance(each);
		}
	}
}
