/**
 * The trace of a real solve: what its ranks do together, operation by operation, with the seconds that one rank took for the work in between. It says
 * nothing of ranks: a replay (replay.ts) shares the work out.
 */

import { InputError } from "@stickslip/core";

/**
 * product: one exchange of all ghosts, and rows of W meanwhile and after it; sweep: the same in each step, of what the step before changed; triangle:
 * a sweep whose first step waits for nobody; local: work on own contacts alone; reduce: a sum or a maximum over all ranks.
 */
const KINDS = ["product", "sweep", "triangle", "local", "reduce"] as const;
export type OperationKind = (typeof KINDS)[number];

export interface Operation {
	readonly kind: OperationKind;
	/** Of one rank with all contacts; of a reduction 0. */
	readonly seconds: number;
	/** How many a reduction takes. */
	readonly numbers: number;
}

export interface Trace {
	readonly problem: string;
	readonly contacts: number;
	readonly method: string;
	readonly operator: string;
	readonly status: string;
	readonly iterations: number;
	/** Steps of a sweep. */
	readonly steps: number;
	readonly operations: readonly Operation[];
}

/** An event as a communicator sees it: an exchange of one of its plans, by the order in which they were opened, or a reduction. */
export interface TraceEvent {
	readonly what: "exchange" | "reduce";
	/** The number of the plan, or how many numbers are reduced. */
	readonly of: number;
	/** Seconds since the event before ended, and from the beginning of this one to its end. */
	readonly before: number;
	readonly during: number;
}

/** The plans of a halo, in the order in which it opens them; a rank that is alone has one for all steps. */
const FULL = 0;

/** Makes operations of events. `plans` are the plans of a halo: others are of methods that exchange more than that, which is refused. */
export function operationsOf(events: readonly TraceEvent[], steps: number, plans: number): Operation[] {
	const operations: Operation[] = [];
	const local = (seconds: number) => {
		const last = operations.at(-1);
		if (last?.kind === "local") operations[operations.length - 1] = { ...last, seconds: last.seconds + seconds };
		else operations.push({ kind: "local", seconds, numbers: 0 });
	};
	for (let at = 0; at < events.length; ) {
		const { what, of, before, during } = events[at]!;
		local(before);
		if (what === "reduce") {
			operations.push({ kind: "reduce", seconds: 0, numbers: of });
			at += 1;
			continue;
		}
		if (of >= plans) {
			const remedy = "choose a method of sweeps, or of products and projections";
			throw new InputError("options", "method", "exchanges more than its halo, which is not replayed", remedy);
		}
		const passes = countPasses(events, of === FULL ? at + 1 : at, steps - 1, plans);
		const isSweep = steps > 1 && passes === steps - 1;
		if (of !== FULL && !isSweep) throw new Error("a sweep has all its steps");
		let seconds = during;
		const first = of === FULL ? 1 : 0;
		const end = at + first + (isSweep ? passes : 0);
		for (let k = at + 1; k < end; k += 1) seconds += events[k]!.before + events[k]!.during;
		operations.push({ kind: of === FULL ? (isSweep ? "sweep" : "product") : "triangle", seconds, numbers: 0 });
		at = end;
	}
	return operations;
}

function countPasses(events: readonly TraceEvent[], from: number, most: number, plans: number): number {
	let count = 0;
	while (count < most) {
		const event = events[from + count];
		if (event?.what !== "exchange" || event.of === FULL || event.of >= plans) break;
		count += 1;
	}
	return count;
}

/** Of all operations. */
export function secondsOf({ operations }: Trace): number {
	return operations.reduce((sum, { seconds }) => sum + seconds, 0);
}

/** Of traces of the same solve the one that took least. Undefined where they did not do the same. */
export function leastOf(traces: readonly Trace[]): Trace | undefined {
	const [first, ...others] = traces;
	if (first === undefined) return undefined;
	const isSame = others.every(
		({ operations }) =>
			operations.length === first.operations.length &&
			operations.every(({ kind, numbers }, i) => {
				const own = first.operations[i]!;
				return kind === own.kind && numbers === own.numbers;
			}),
	);
	if (!isSame) return undefined;
	const seconds = traces.map(secondsOf);
	return traces[seconds.indexOf(Math.min(...seconds))];
}

/**
 * Operations between the same neighbours do the same in every iteration, and each takes the median of them here: what disturbed one of them was not
 * its own, and would look like waiting for a rank that is late.
 */
export function steadied(operations: readonly Operation[]): Operation[] {
	const groups = new Map<string, number[]>();
	const key = (at: number) => {
		const [before, own, after] = [operations[at - 1], operations[at]!, operations[at + 1]];
		return [before?.kind, before?.numbers, own.kind, after?.kind, after?.numbers].join(" ");
	};
	for (const [at, { seconds }] of operations.entries()) {
		const group = groups.get(key(at));
		if (group === undefined) groups.set(key(at), [seconds]);
		else group.push(seconds);
	}
	const medians = new Map([...groups].map(([name, values]) => [name, median(values)]));
	return operations.map((operation, at) => ({ ...operation, seconds: medians.get(key(at))! }));
}

function median(values: number[]): number {
	const sorted = values.sort((one, other) => one - other);
	const half = sorted.length >> 1;
	return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

export interface KindTotals {
	readonly count: number;
	readonly seconds: number;
}

/** How often each kind of work occurs, and the seconds of all of it. */
export function totalsOf(operations: readonly Operation[]): Record<OperationKind, KindTotals> {
	const totals = Object.fromEntries(KINDS.map((kind) => [kind, { count: 0, seconds: 0 }])) as Record<
		OperationKind,
		{ count: number; seconds: number }
	>;
	for (const { kind, seconds } of operations) {
		totals[kind].count += 1;
		totals[kind].seconds += seconds;
	}
	return totals;
}
