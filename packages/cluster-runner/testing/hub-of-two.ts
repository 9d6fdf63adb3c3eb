/** A hub of two members for its tests, what it has sent to whom, and a clock that the test moves. */
import { generate, version } from "@stickslip/core";
import { type Outcome, prepare, RankError, runShare, SelfCommunicator } from "@stickslip/core/parallel";
import { cutShares } from "@stickslip/partition";
import { runDigest } from "../src/base/digest.js";
import { packLargeMessage } from "../src/protocol/large-message.js";
import type { ToHub, ToMember } from "../src/protocol/messages.js";
import { Hub } from "../src/ranks/hub.js";
import type { RunEvents } from "../src/ranks/run-events.js";

const problem = generate("spheres", { contacts: 20 });
const prepared = prepare(problem, { maxIterations: 3 });
export const { blocks } = prepared.plan;
export const whole = cutShares(prepared, 1).share(0);
const shares = cutShares(prepared, 2);
export const digest = runDigest(shares.share(0), prepared.options, "zeromq");

/** A hub of two members, what it has sent to whom, and a clock that the test moves. */
export function hubOfTwo(events?: RunEvents) {
	const sent: [string, ToMember][] = [];
	const killed: number[] = [];
	const clock = { now: 0 };
	const hub = new Hub({
		ranks: 2,
		processes: 2,
		blocks,
		digest: () => digest,
		task: (process) => ({
			digest,
			transport: "zeromq",
			ranks: 2,
			firstRank: process,
			ranksHere: 2,
			cores: [],
			library: undefined,
			patience: 10,
			options: prepared.options,
			shares: [shares.share(process)] as never,
			from: undefined,
			site: undefined,
		}),
		hasEndpoints: true,
		events,
		send: (identity) => (message) => sent.push([identity, message]),
		kill: (process) => killed.push(process),
		now: () => clock.now,
	});
	const hello = (process: number, theirs = version) =>
		hub.take(`m${process}`, { kind: "hello", version: theirs, process, pid: 1000 + process });
	const kinds = (identity: string) => sent.filter(([to]) => to === identity).map(([, { kind }]) => kind);
	return { hub, sent, killed, clock, hello, kinds };
}

/** An answer with these ids, made of that of one rank. */
function outcomeOf(rank: number, ids: Int32Array): Outcome {
	const all = runShare(whole, prepared.options, new SelfCommunicator(), { request: 0 });
	const numbers = (values: Float64Array) => Float64Array.from(ids, (_, i) => values[i]!).slice();
	const part = (values: Float64Array) => {
		const taken = new Float64Array(3 * ids.length);
		taken.set(numbers(values));
		return taken;
	};
	return { ...all, ids, reaction: part(all.reaction), velocity: part(all.velocity), rank: { ...all.rank, rank } };
}

export function answer(hub: Hub, rank: number, ids: Int32Array, from = rank): void {
	for (const { message, bytes } of packLargeMessage(rank, outcomeOf(rank, ids))) hub.take(`m${from}`, message, bytes);
}

export const bound = (process: number): ToHub => ({
	kind: "bound",
	digest,
	endpoints: [`tcp://127.0.0.1:${5000 + process}`],
});

/** The ids of the blocks of either rank. */
export const halves = [
	Int32Array.from({ length: blocks >> 1 }, (_, i) => i),
	Int32Array.from({ length: blocks - (blocks >> 1) }, (_, i) => i + (blocks >> 1)),
] as const;

export async function failureOf(hub: Hub): Promise<RankError> {
	const error: unknown = await hub.outcomes.then(
		() => undefined,
		(reason) => reason,
	);
	if (!(error instanceof RankError)) throw new Error(`no RankError but ${String(error)}`);
	return error;
}
