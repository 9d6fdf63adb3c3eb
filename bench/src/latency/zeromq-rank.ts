/**
 * One of two ranks that measure the wire of zeromq: a process of its own, on its own core. Rank 0 is told by its parent what to do and how often, and tells
 * rank 1 over the wire.
 */

import { bindZeromq, Control, cores, Patience, pin, spinsFor, type Wire, WiredCommunicator } from "@stickslip/comm";
import type { HaloPlan } from "@stickslip/core/parallel";
import { assert } from "@stickslip/core/parallel";

/** From the parent; the endpoint goes the other way, and then the nanoseconds of each task. */
export type Order =
	| {
			readonly rank: number;
			readonly core: number;
			readonly key: readonly number[];
			readonly folder?: string | undefined;
			/** With a folder: whether messages go through memory, too. */
			readonly sharesMemory?: boolean | undefined;
	  }
	| { readonly endpoints: readonly string[] }
	| { readonly kind: Kind; readonly bytes: number; readonly count: number };

/** A round trip of the bare wire; both neighbours' exchange at once; a reduction. */
const kinds = ["end", "round trip", "exchange", "reduction"] as const;
export type Kind = (typeof kinds)[number];

const TAG = 9;
const add = (into: Float64Array, from: Float64Array): void => {
	for (let i = 0; i < into.length; i += 1) into[i] = into[i]! + from[i]!;
};

function work(wire: Wire, all: WiredCommunicator, kind: Kind, bytes: number): () => void {
	const other = 1 - wire.rank;
	const numbers = new Float64Array(bytes / 8);
	if (kind === "reduction") return () => all.reduce(numbers, add);
	if (kind === "exchange") {
		const exchange = all.open(plan(other, bytes / 8));
		const values = new Float64Array((2 * bytes) / 8);
		return () => {
			exchange.begin(values);
			exchange.finish(values);
		};
	}
	const message = wire.reserve?.(bytes) ?? new Uint8Array(bytes);
	const send = () => wire.send(other, TAG, message);
	const receive = () => assert(wire.receive(other, TAG).length === bytes, "an echo is as long as what was sent");
	const isFirst = wire.rank === 0;
	return () => {
		if (isFirst) send();
		receive();
		if (!isFirst) send();
	};
}

function plan(other: number, count: number): HaloPlan {
	const start = Int32Array.of(0, count);
	const ranks = Int32Array.of(other);
	const places = (from: number) => Int32Array.from({ length: count }, (_, i) => from + i);
	const lists = { targets: ranks, sendStart: start, send: places(0) };
	return { width: 1, ...lists, sources: ranks, receiveStart: start, receive: places(count) };
}

/** Both ranks; returns the nanoseconds of all rounds. */
function run(wire: Wire, all: WiredCommunicator, kind: Kind, bytes: number, count: number): number {
	const once = work(wire, all, kind, bytes);
	const start = process.hrtime.bigint();
	for (let i = 0; i < count; i += 1) once();
	return Number(process.hrtime.bigint() - start);
}

/** Rank 1 does what it is told until it is told to end. */
function follow(wire: Wire, all: WiredCommunicator): void {
	for (;;) {
		const [kind, bytes, count] = new Int32Array(wire.receive(0, TAG + 1).slice().buffer);
		const name = kinds[kind!]!;
		if (name === "end") return;
		run(wire, all, name, bytes!, count!);
	}
}

function serve(): void {
	const control = Control.create();
	let binding: ReturnType<typeof bindZeromq> | undefined;
	let wire: Wire | undefined;
	let all: WiredCommunicator | undefined;
	process.on("disconnect", () => process.exit(1));
	process.on("message", (order: Order) => {
		if ("core" in order) {
			const spins = spinsFor(2, cores().length);
			if (order.core >= 0) pin(order.core);
			const patience = new Patience({ control, spins });
			const { rank, folder, sharesMemory = true } = order;
			const key = Uint8Array.from(order.key);
			binding = bindZeromq({ rank, size: 2, key, control, patience, ...(folder && { folder, sharesMemory }) });
			process.send?.(binding.endpoint);
		} else if ("endpoints" in order) {
			wire = binding!.connect(order.endpoints);
			all = new WiredCommunicator(wire, { control, transport: "zeromq" });
			if (wire.rank === 1) {
				follow(wire, all);
				wire.close();
				process.exit(0);
			}
			process.send?.("ready");
		} else if (wire !== undefined && all !== undefined) {
			const { kind, bytes, count } = order;
			wire.send(1, TAG + 1, new Uint8Array(Int32Array.of(kinds.indexOf(kind), bytes, count).buffer));
			if (kind === "end") wire.close();
			process.send?.(kind === "end" ? 0 : run(wire, all, kind, bytes, count));
		}
	});
}

if (process.argv[2] === "latency-rank") serve();
