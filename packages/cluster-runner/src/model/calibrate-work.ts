/** Measures what the work of methods takes on this machine: on shares of a generated pile, from some that fit into a cache to one that does not. */
import { generate, type Problem } from "@stickslip/core";
import { type Prepared, prepare } from "@stickslip/core/parallel";
import { cutShares, type Shares } from "@stickslip/partition";
import type { Transport } from "../base/transports.js";
import { solveRanks } from "../solve/solve-ranks.js";
import type { Machine, WorkPoint, WorkTable } from "./machine.js";
import { type RecordedSolve, type RepeatLimits, recordShare, recordSolve } from "./record-trace.js";
import { type Operation, secondsOf, type Trace, totalsOf } from "./trace.js";

/** Contacts of the shares that are timed, about. */
const SHARE_CONTACTS = [100, 400, 1600, 6400, 25_000] as const;
const PILE = { name: "spheres", seed: 11 } as const;
const ITERATIONS = 6;
/** A tolerance that no iterate reaches. */
const NEVER = 1e-300;

export interface WorkOptions {
	readonly methods: readonly string[];
	/** Of the pile. */
	readonly contacts: number;
	readonly repeats: RepeatLimits;
}

export function measureWork(
	{ methods, contacts, repeats }: WorkOptions,
	progress: (what: string) => void,
): WorkTable[] {
	const problem = generate(PILE.name, { contacts, seed: PILE.seed });
	return methods.map((method) => {
		const prepared = prepare(problem, { method, tolerance: NEVER, maxIterations: ITERATIONS });
		const solve = recordSolve(prepared, cutShares(prepared, 1), repeats);
		const points: WorkPoint[] = [];
		for (const share of SHARE_CONTACTS) {
			const ranks = Math.round(problem.contacts / share);
			if (ranks < 2) continue;
			progress(`${method}, shares of ${share} contacts`);
			const point = pointOf(prepared, cutShares(prepared, ranks), solve, repeats);
			if (point !== undefined) points.push(point);
		}
		points.push(pointAt(problem.contacts, prepared.plan.matrix?.column.length ?? 0, solve.trace));
		const { operator, steps } = solve.trace;
		return { method, operator, steps, points };
	});
}

/** Of a rank in the middle, which has neighbours on all sides. */
function pointOf(
	prepared: Prepared,
	shares: Shares,
	solve: RecordedSolve,
	repeats: RepeatLimits,
): WorkPoint | undefined {
	const rank = shares.ranks >> 1;
	const trace = recordShare(prepared, shares, rank, solve, repeats);
	if (trace === undefined) return undefined;
	const { operator } = shares.outline(rank);
	return pointAt(trace.contacts, operator.kind === "assembled" ? operator.local.length : 0, trace);
}

function pointAt(contacts: number, blocks: number, { operations }: Trace): WorkPoint {
	const totals = totalsOf(operations);
	const mean = (kind: Operation["kind"]) => totals[kind].seconds / Math.max(1, totals[kind].count);
	const [product, sweep, triangle, local] = [mean("product"), mean("sweep"), mean("triangle"), mean("local")];
	return { contacts, blocks, product, sweep, triangle, local };
}

/** Sizes of problems on which all cores work at once, from shares that fit into a core's own cache to some that fit into none. */
const TOGETHER_CONTACTS = [1000, 3000, 8000, 20_000, 60_000] as const;
/** Measurements in turns, so that a slow minute of the machine slows both. */
const TURNS = 3;

/** How much longer the same work takes where all cores do theirs: each rank's computing among the others over the same by itself. */
export async function measureTogether(
	{ methods, contacts, repeats }: WorkOptions,
	cores: number,
	progress: (what: string) => void,
): Promise<Machine["together"]> {
	const sizes = TOGETHER_CONTACTS.filter((size) => size <= contacts);
	const found: Machine["together"][number][] = [];
	for (const size of sizes) {
		const problem = generate(PILE.name, { contacts: size, seed: PILE.seed });
		for (const method of methods) {
			progress(`all cores at once, ${method}, ${size} contacts`);
			found.push({
				method,
				contacts: Math.round(size / cores),
				ratio: await ratioAt(problem, method, cores, repeats),
			});
		}
	}
	return found;
}

async function ratioAt(problem: Problem, method: string, cores: number, repeats: RepeatLimits): Promise<number> {
	const options = { method, tolerance: NEVER, maxIterations: ITERATIONS };
	const prepared = prepare(problem, options);
	const solve = recordSolve(prepared, cutShares(prepared, 1), { least: 1, seconds: 0 });
	const shares = cutShares(prepared, cores);
	const transport: Transport = "threads";
	const repeat = Math.max(repeats.least, Math.ceil((cores * repeats.seconds) / secondsOf(solve.trace)));
	let together = Number.POSITIVE_INFINITY;
	let alone = Number.POSITIVE_INFINITY;
	for (let turn = 0; turn < TURNS; turn += 1) {
		const { report } = await solveRanks(problem, { ...options, ranks: cores, transport, repeat });
		together = Math.min(together, sum(report.perRank.map(({ phases }) => phases.compute)));
		const traces = Array.from({ length: cores }, (_, rank) => recordShare(prepared, shares, rank, solve, repeats));
		alone = Math.min(alone, sum(traces.map((trace) => (trace === undefined ? 0 : secondsOf(trace)))));
	}
	return alone > 0 ? Math.max(1, together / alone) : 1;
}

function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}
