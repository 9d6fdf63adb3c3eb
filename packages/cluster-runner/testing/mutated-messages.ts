/** Messages between hub, members, registry and node agents over spoilt input, for the bench of mutations: the sender knows the run's key. */
import { Readable } from "node:stream";
import { InputError, type Random, version } from "@stickslip/core";
import type { Check } from "@stickslip/core/schema";
import { nodeIdentity } from "../src/processes/rendezvous/node-identity.js";
import {
	isFromRegistry,
	isToRegistry,
	type MessageFromRegistry,
	type MessageToRegistry,
} from "../src/processes/rendezvous/registry-messages.js";
import { bootstrapOf, readBootstrap } from "../src/protocol/bootstrap.js";
import { Frames, KEY_BYTES, pack } from "../src/protocol/frames.js";
import { LargeMessages, packLargeMessage } from "../src/protocol/large-message.js";
import {
	type Chunk,
	isToHub,
	isToMember,
	type LargeMessageHead,
	type ToHub,
	type ToMember,
} from "../src/protocol/messages.js";
import { hubOfTwo } from "./hub-of-two.js";
import type { Outcome } from "./mutated-files.js";
import { spoilBytes, spoilJson } from "./spoil.js";

const key = new Uint8Array(KEY_BYTES).fill(7);
/** Messages of one conversation; then another begins. */
const MESSAGES = 40;
const PARCEL_BYTES_MAX = 2 ** 20;

const largeMessages: readonly (LargeMessageHead | Chunk)[] = [
	{ kind: "large-message", id: 1, lengths: [40, 8, 24] },
	{ kind: "chunk", id: 1 },
];
const toHub: readonly ToHub[] = [
	{ kind: "hello", version, process: 1, pid: 77 },
	{ kind: "place", host: "n1", machine: "abc", cores: [0, 1, 2] },
	{ kind: "bound", endpoints: ["tcp://10.0.0.1:5", "ipc:///tmp/x"] },
	{ kind: "failed", rank: 1, reason: "why" },
	{ kind: "ready", rank: 1 },
	{ kind: "saved", rank: 1, iteration: 10, counts: { blocks: 5, bodies: 0 }, bytes: 100, sha256: "0".repeat(64) },
	{ kind: "unsaved", rank: 1, iteration: 10, reason: "ENOSPC" },
	{ kind: "log", rank: 1, level: "info", event: "pinned", facts: { core: 3, isPinned: true, to: "this" } },
	{ kind: "progress", numbers: [3, 4, 0.5, 1, 0.25, 2] },
	{ kind: "progress", rank: 1, numbers: [3, 4, 0.5] },
	{ kind: "received", task: 1 },
	{ kind: "request-stop" },
	{ kind: "beat" },
	...largeMessages,
];
const toMember: readonly ToMember[] = [
	{ kind: "go", endpoints: ["tcp://10.0.0.1:5", "tcp://10.0.0.2:6"] },
	{
		kind: "start",
		program: "solve",
		transport: "zeromq",
		ranks: 2,
		firstRank: 1,
		perProcess: 1,
		ranksHere: 2,
		cores: [1],
		patience: 10,
	},
	{ kind: "stop", task: 1, code: 2 },
	{ kind: "save", task: 1 },
	{ kind: "abort", rank: 0, reason: "why" },
	{ kind: "bye" },
	{ kind: "beat" },
	...largeMessages,
];
const toRegistry: readonly MessageToRegistry[] = [
	{ kind: "join", version, line: "same", node: 1, nodes: 2, host: "n1", pid: 7, running: "" },
	{ kind: "ended", id: "a", reason: "" },
	{ kind: "gather", id: "a", hub: "tcp://10.0.0.1:5", secret: "0".repeat(64) },
	{ kind: "kill", id: "a", node: 1 },
	{ kind: "disperse", id: "a", milliseconds: 10 },
	{ kind: "leave" },
];
const fromRegistry: readonly MessageFromRegistry[] = [
	{ kind: "refused", reason: "why" },
	{ kind: "start", id: "a", hub: "tcp://10.0.0.1:5", secret: "0".repeat(64) },
	{ kind: "end", id: "a", milliseconds: 10 },
	{ kind: "over", code: 3, more: false },
	{ kind: "lost", id: "a", node: 1, reason: "why" },
];

export function messageReaders() {
	const hub = conversation(isToHub, toHub, () => {
		const { hub: one, hello } = hubOfTwo();
		hello(0);
		hello(1);
		return (message, bytes) => one.take(`m1`, message, bytes);
	});
	const member = conversation(isToMember, toMember, () => {
		const own = new LargeMessages(PARCEL_BYTES_MAX);
		return (message, bytes) => {
			if (message.kind === "large-message" || message.kind === "chunk") own.take(message, bytes);
		};
	});
	return {
		hub,
		member,
		registry: conversation(isToRegistry, toRegistry, () => () => {}),
		agent: conversation(isFromRegistry, fromRegistry, () => () => {}),
		chunks: largeMessageReader,
		bootstrap: bootstrapReader,
		environment: environmentReader,
	};
}

/** Mutated frames of valid messages; those that are still valid are handled. */
function conversation<Message>(
	isMessage: Check<Message>,
	good: readonly Message[],
	begin: () => (message: Message, bytes?: Uint8Array) => void,
) {
	const frames = new Frames<Message, Message>(key, isMessage);
	let take = begin();
	let seen = 0;
	return (random: Random): Outcome => {
		seen += 1;
		if (seen % MESSAGES === 0) take = begin();
		const packed = pack(good[random.below(good.length)]);
		const spoilt = random.below(8) === 0 ? packed : spoilBytes(Buffer.from(packed), random);
		const beside = new Uint8Array(random.below(64));
		const read = frames.read(random.below(3) === 0 ? [key, spoilt, beside] : [key, spoilt]);
		if (read === undefined) return "refused";
		try {
			take(read.message, read.bytes);
			return "read";
		} catch (error) {
			return assemblerRefusal(error);
		}
	};
}

const shipped = [
	...packLargeMessage(1, { f: Float64Array.of(1, 2, 3), list: Array.from({ length: 70 }, (_, i) => i / 3), n: -0 }, 64),
];

/** The parts of a large message, of which one is spoilt. */
function largeMessageReader(random: Random): Outcome {
	const own = new LargeMessages(PARCEL_BYTES_MAX);
	const chosen = random.below(shipped.length);
	try {
		for (const [index, { message, bytes }] of shipped.entries()) {
			const isChosen = index === chosen;
			if (message.kind === "large-message" && isChosen) {
				const lengths = message.lengths.map((length) =>
					random.below(3) === 0 ? random.below(2 * length + 2) : length,
				);
				own.take({ ...message, lengths }, bytes);
			} else own.take(message, bytes && isChosen ? spoilBytes(Buffer.from(bytes), random) : bytes);
		}
		return "read";
	} catch (error) {
		return assemblerRefusal(error);
	}
}

/** An Error of the assembler, which its caller turns into the sender's failure; a slip of the language is none. */
function assemblerRefusal(error: unknown): Outcome {
	if (!(error instanceof Error) || error.constructor !== Error || !/large message|chunk/.test(error.message))
		throw error;
	return "refused";
}

const environment = {
	STICKSLIP_HUB: "tcp://127.0.0.1:9",
	STICKSLIP_HUB_PID: "7",
	STICKSLIP_KEY: "0".repeat(64),
	STICKSLIP_PROCESS: "1",
};

/** What a member reads on standard input, and then makes of it. */
async function bootstrapReader(random: Random): Promise<Outcome> {
	const line = spoilJson(JSON.stringify(environment), random).replaceAll("\n", " ");
	const variables = await readBootstrap(Readable.from([Buffer.from(`${line}\n`, "latin1")]), () => {});
	return variables !== undefined && bootstrapOf(variables, true) !== undefined ? "read" : "refused";
}

/** As they are where nothing is wrong. */
const sound = {
	STICKSLIP_NODE: "1",
	STICKSLIP_NODES: "2",
	STICKSLIP_RENDEZVOUS: "n1:1",
	SLURM_PROCID: "1",
	SLURM_NTASKS: "2",
	SLURM_STEP_NODELIST: "n[1-2]",
	JOB_COMPLETION_INDEX: "1",
} as const;
const values = [
	"",
	"0",
	"1",
	"2",
	"-1",
	"1e9",
	"99999999999",
	"a:1",
	"a",
	"[",
	"n[1-",
	"\u0000",
	"a b:1",
	"::1",
	"n[1-4]",
];

function environmentReader(random: Random): Outcome {
	const spoilt = (value: string) => (random.below(4) === 0 ? values[random.below(values.length)] : value);
	const env = Object.fromEntries(Object.entries(sound).map(([name, value]) => [name, spoilt(value)]));
	try {
		nodeIdentity(env);
		return "read";
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		return "refused";
	}
}
