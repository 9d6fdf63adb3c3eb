/** Common parts of the programs of the conformance suite: merges, and exchanges that check what arrives. */
import { Random } from "@stickslip/core";
import { assert, type Communicator } from "@stickslip/core/parallel";
import { expected, field, type RandomPlan, type Tied } from "./plans.js";

export type Program = (communicator: Communicator, seed: number, patience: { seconds: number }) => unknown;

export const add = (into: Float64Array, from: Float64Array): void => {
	for (let i = 0; i < into.length; i += 1) into[i] = into[i]! + from[i]!;
};
export const most = (into: Float64Array, from: Float64Array): void => {
	for (let i = 0; i < into.length; i += 1) into[i] = Math.max(into[i]!, from[i]!);
};
export const least = (into: Float64Array, from: Float64Array): void => {
	for (let i = 0; i < into.length; i += 1) into[i] = Math.min(into[i]!, from[i]!);
};
/** Puts lists together: every number is NaN on all ranks but one. Any order gives the same. */
export const union = (into: Float64Array, from: Float64Array): void => {
	for (let i = 0; i < into.length; i += 1) if (Number.isNaN(into[i]!)) into[i] = from[i]!;
};

export const same = (a: ArrayLike<number>, b: ArrayLike<number>): boolean => {
	if (a.length !== b.length) return false;
	for (let i = 0; i < a.length; i += 1) if (!Object.is(a[i], b[i])) return false;
	return true;
};

/** Bytes that any rank can reproduce. */
export function noise(seed: number, stream: number, length: number): Uint8Array {
	const words = new Uint32Array(Math.ceil(length / 4));
	const random = new Random(seed, stream);
	for (let i = 0; i < words.length; i += 1) words[i] = random.uint32();
	return new Uint8Array(words.buffer, 0, length);
}

/** One exchange of one plan, by halves, with the arriving blocks spoilt beforehand. */
export function exchangeOnce(communicator: Communicator, tied: Tied, round: number, between = () => {}): void {
	const { plan, exchange } = tied;
	const values = field(plan, communicator.rank, round);
	exchange.begin(values);
	// The blocks have been sent: the caller may change its own blocks again.
	for (const place of plan.send) values.fill(-1, place * plan.width, (place + 1) * plan.width);
	between();
	exchange.finish(values);
	const wanted = expected(plan, round);
	for (let i = 0; i < plan.receive.length; i += 1) {
		const at = plan.receive[i]! * plan.width;
		const got = values.subarray(at, at + plan.width);
		const want = wanted.subarray(i * plan.width, (i + 1) * plan.width);
		assert(same(got, want), `round ${round}: block ${i} is ${got.join(" ")} and should be ${want.join(" ")}`);
	}
}

export function open(communicator: Communicator, plan: RandomPlan): Tied {
	return { plan, exchange: communicator.open(plan) };
}
