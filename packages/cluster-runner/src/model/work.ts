/** What the operations of a trace take on each rank. */
import type { RankLoad } from "./loads.js";
import { interpolate, type Machine, type WorkTable } from "./machine.js";
import { type Operation, type OperationKind, secondsOf, type Trace, totalsOf } from "./trace.js";

/** What the work of a rank depends on: its contacts, and copies of others at whose bodies it sums as well. */
export type ShareSize = Pick<RankLoad, "contacts" | "ghosts">;

export interface Work {
	/** Of an operation, by its place in the trace, on a rank with such a share. */
	seconds(operation: number, share: ShareSize): number;
}

export interface WorkSample {
	readonly share: ShareSize;
	readonly trace: Trace;
}

/** A ghost costs no more than a contact of one's own: a fit that says so was disturbed. */
const GHOST_MAX = 1;

/**
 * By shares of the very solve that were timed. One of them takes what it took where all are known; else each rank takes what its contacts and ghosts cost on
 * average, and its operations their mean parts of it. So the time of one share, which has an error, is not that of all ranks of its size.
 */
export function sampledWork(samples: readonly WorkSample[], ranks = Number.POSITIVE_INFINITY): Work {
	if (samples.length >= ranks) {
		const own = new Map(samples.map(({ share, trace }) => [share, trace]));
		return { seconds: (operation, share) => own.get(share)!.operations[operation]!.seconds };
	}
	const ghost = ghostCost(samples);
	const sizeOf = ({ contacts, ghosts }: ShareSize) => contacts + ghost * ghosts;
	const sizes = samples.map(({ share }) => Math.max(1, sizeOf(share)));
	const rates = samples[0]!.trace.operations.map((_, i) =>
		mean(samples.map(({ trace }, k) => trace.operations[i]!.seconds / sizes[k]!)),
	);
	return { seconds: (operation, share) => sizeOf(share) * rates[operation]! };
}

/** What a ghost costs of what a contact costs: least squares of relative errors. */
function ghostCost(samples: readonly WorkSample[]): number {
	let [cc, cg, gg, c, g] = [0, 0, 0, 0, 0];
	for (const { share, trace } of samples) {
		const seconds = secondsOf(trace);
		if (!(seconds > 0)) continue;
		const [contacts, ghosts] = [share.contacts / seconds, share.ghosts / seconds];
		cc += contacts * contacts;
		cg += contacts * ghosts;
		gg += ghosts * ghosts;
		c += contacts;
		g += ghosts;
	}
	const [ofContact, ofGhost] = [c * gg - g * cg, g * cc - c * cg];
	return ofContact > 0 ? Math.min(GHOST_MAX, Math.max(0, ofGhost / ofContact)) : 0;
}

function mean(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / values.length;
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
		seconds(operation, { contacts }) {
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
export function workOnAllCores(work: Work, method: string, { together }: Pick<Machine, "together">): Work {
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
		seconds: (operation, share) =>
			work.seconds(operation, share) * interpolate(sizes, ratios, Math.max(1, share.contacts)),
	};
}
