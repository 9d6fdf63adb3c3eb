/** What the operations of a trace take on each rank. */
import { interpolate, type Machine, type WorkTable } from "./machine.js";
import { type Operation, type OperationKind, type Trace, totalsOf } from "./trace.js";

export interface Work {
	/** Of an operation, by its place in the trace, on a rank with so many contacts. */
	seconds(operation: number, contacts: number): number;
}

/** By shares of the very solve that were timed, of different sizes: a rank takes what those next to it in size take, operation by operation. */
export function sampledWork(samples: readonly Trace[]): Work {
	const sorted = [...samples].sort((one, other) => one.contacts - other.contacts);
	const sizes = sorted.map(({ contacts }) => contacts);
	return {
		seconds(operation, contacts) {
			let above = sizes.findIndex((size) => size >= contacts);
			if (above < 0) above = sizes.length - 1;
			const low = sorted[Math.max(0, above - 1)]!;
			const high = sorted[above]!;
			const [from, to] = [low.operations[operation]!.seconds, high.operations[operation]!.seconds];
			const nearest = Math.max(contacts, 1) / Math.max(high.contacts, 1);
			// Beyond the largest and the smallest, and between two of one size, in proportion.
			if (high.contacts === low.contacts || contacts > high.contacts) return to * nearest;
			const part = Math.max(0, (contacts - low.contacts) / (high.contacts - low.contacts));
			return from + part * (to - from);
		},
	};
}

/** By constants of a machine: the operations of a trace, each in proportion to its part of all of its kind. */
export function tabledWork(trace: Trace, machine: Machine): Work {
	const table = machine.work.find((each) => each.method === trace.method) as WorkTable;
	const totals = totalsOf(trace.operations);
	const sizes = table.points.map(({ contacts }) => contacts);
	const perContact = (kind: Exclude<OperationKind, "reduce">) =>
		table.points.map((point) => point[kind] / point.contacts);
	const rates = {
		product: perContact("product"),
		sweep: perContact("sweep"),
		triangle: perContact("triangle"),
		local: perContact("local"),
	};
	return {
		seconds(operation, contacts) {
			const { kind, seconds } = trace.operations[operation] as Operation;
			if (kind === "reduce") return 0;
			const mean = totals[kind].seconds / totals[kind].count;
			return contacts * interpolate(sizes, rates[kind], contacts) * (mean > 0 ? seconds / mean : 1);
		},
	};
}

/**
 * Of a machine with all cores at work; a method that was not measured is like the mean of those that were. What cores share, larger shares need more of: a
 * smaller one that seemed to suffer more was disturbed.
 */
export function workTogether(work: Work, method: string, { together }: Pick<Machine, "together">): Work {
	if (together.length === 0) return work;
	const own = together.filter((each) => each.method === method);
	const points = own.length > 0 ? own : together;
	const sizes = [...new Set(points.map(({ contacts }) => contacts))].sort((one, other) => one - other);
	const ratios = sizes.map((size) => {
		const found = points.filter(({ contacts }) => contacts === size);
		return found.reduce((sum, { ratio }) => sum + ratio, 0) / found.length;
	});
	for (let i = ratios.length - 2; i >= 0; i -= 1) ratios[i] = Math.min(ratios[i]!, ratios[i + 1]!);
	return {
		seconds: (operation, contacts) =>
			work.seconds(operation, contacts) * interpolate(sizes, ratios, Math.max(1, contacts)),
	};
}
