/** A hub of two members for its tests, the messages it has sent to each, and a clock that the test sets. Its task is a dummy: a few numbers each. */
import { version } from "@stickslip/core";
import { RankError } from "@stickslip/core/parallel";
import { array, integer, record } from "@stickslip/core/schema";
import { packLargeMessage } from "../src/protocol/large-message.js";
import type { ToHub, ToMember } from "../src/protocol/messages.js";
import { Hub } from "../src/ranks/hub.js";
import type { Task } from "../src/ranks/ranks.js";
import { RunEvents } from "../src/ranks/run-events.js";

const isNumbers = record({ rank: integer(0, 1), numbers: array(Float64Array) });

export function taskOfNumbers(events = new RunEvents({ ranks: 2 }), partNumbers = 3): Task<unknown> {
	return {
		part: (rank) => ({ part: { rank, numbers: new Float64Array(partNumbers) }, buffers: [] }),
		isResult: (value, rank): value is unknown => isNumbers(value) && value.rank === rank,
		resultBytesMax: 2 ** 20,
		stateBytesMax: 2 ** 20,
		events,
	};
}

/** With a task in progress, a dummy unless one is given. */
export function hubOfTwo(task = taskOfNumbers()) {
	const sent: [string, ToMember][] = [];
	const killed: number[] = [];
	const clock = { now: 0 };
	const hub = new Hub({
		ranks: 2,
		processes: 2,
		start: (process) => ({
			program: "numbers",
			transport: "zeromq",
			ranks: 2,
			firstRank: process,
			perProcess: 1,
			ranksHere: 2,
			cores: [],
			patience: 10,
		}),
		hasEndpoints: true,
		send: (identity) => (message) => sent.push([identity, message]),
		kill: (process) => killed.push(process),
		now: () => clock.now,
	});
	const first = hub.start(task);
	const { outcome } = first;
	const hello = (process: number, theirs = version) =>
		hub.take(`m${process}`, { kind: "hello", version: theirs, process, pid: 1000 + process });
	const kinds = (identity: string) => sent.filter(([to]) => to === identity).map(([, { kind }]) => kind);
	return { hub, first, outcome, sent, killed, clock, hello, kinds };
}

/** A result of a rank, as its process sends it. */
export function answer(hub: Hub, rank: number, from = rank, of = rank): void {
	const result = { rank: of, numbers: Float64Array.of(rank, 2) };
	for (const { message, bytes } of packLargeMessage(rank, result)) hub.take(`m${from}`, message, bytes);
}

export const bound = (process: number): ToHub => ({
	kind: "bound",
	endpoints: [`tcp://127.0.0.1:${5000 + process}`],
});

export async function failureOf(outcome: Promise<unknown>): Promise<RankError> {
	const error: unknown = await outcome.then(
		() => undefined,
		(reason) => reason,
	);
	if (!(error instanceof RankError)) throw new Error(`no RankError but ${String(error)}`);
	return error;
}
