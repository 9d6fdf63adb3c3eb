/**
 * Scaling out of the samples of a study. Efficiency is work per second and rank over that of the baseline, work being contacts; it is the product of
 *
 *     load balance x serialisation x transfer    of the cell (POP, core's solve/efficiency.ts), over the same product of the baseline: parallel efficiency
 *     iterations     of the baseline over those of the cell
 *     computation    seconds that all ranks compute, for a contact and an iteration: of the baseline over that of the cell
 *
 * The product is taken from the ranks' own phases and the efficiency from the clock of the solve or step: how far they agree is printed.
 */
import { efficiencyOf } from "@stickslip/core/parallel";
import type { Axes, Sample, Values } from "../study/sample.js";
import { FAILED } from "../study/sample.js";
import { type Cell, cellsOf, leastSample, spreadIn } from "../study/statistics.js";

export const FACTORS = ["loadBalance", "serialisation", "transfer", "iterations", "computation"] as const;
export type FactorName = (typeof FACTORS)[number];

export interface ScalingRow {
	readonly axes: Axes;
	readonly ranks: number;
	/** Of the least sample; undefined of a cell that failed. */
	readonly measured?: ScalingNumbers;
	readonly status: string;
	readonly reason: string;
	readonly hash: string;
	readonly samples: readonly Sample[];
}

export interface ScalingNumbers {
	readonly sample: Sample;
	/** Of a solve, or of a step. */
	readonly seconds: number;
	/** Of the rounds: (most - least) / least. */
	readonly spread: number;
	readonly rounds: number;
	/** The baseline, and what it gives to compare with; absent without one. */
	readonly base?: Sample;
	readonly against?: Comparison;
}

export interface Comparison {
	/** Ranks of the baseline. */
	readonly baseline: number;
	/** Of the same work; of weak scaling work grows with the ranks, and so does this. */
	readonly speedup: number;
	readonly efficiency: number;
	readonly factors: Readonly<Record<FactorName, number>>;
	/** The product of the first three. */
	readonly parallel: number;
	/** Of all: the global efficiency of POP. */
	readonly product: number;
	/** Of the solves of steps alone; absent where solves are all that is measured. */
	readonly solveEfficiency?: number;
}

/** Cells of one problem and method, with all ranks and transports. */
export interface ScalingGroup {
	readonly problem: string;
	readonly method: string;
	readonly rows: readonly ScalingRow[];
	/** Ranks of the baseline, and whether that is one rank. */
	readonly baseline: number | undefined;
}

export function scalingOf(samples: readonly Sample[]): ScalingGroup[] {
	const groups = new Map<string, Cell[]>();
	for (const cell of cellsOf(samples)) {
		const key = JSON.stringify([cell.axes.problem, cell.axes.method]);
		groups.set(key, [...(groups.get(key) ?? []), cell]);
	}
	return [...groups].map(([key, cells]) => {
		const [problem, method] = JSON.parse(key) as [string, string];
		const base = baselineOf(cells);
		const rows = cells.map((cell) => rowOf(cell, base));
		return { problem, method, rows, baseline: base && ranksOf(base) };
	});
}

const ranksOf = ({ axes }: Pick<Sample, "axes">) => Number(axes.ranks);

/** The least sample of the fewest ranks. */
function baselineOf(cells: readonly Cell[]): Sample | undefined {
	const measured = cells.flatMap((cell) => leastSample(cell, "seconds") ?? []);
	const fewest = Math.min(...measured.map(ranksOf));
	const candidates = measured.filter((sample) => ranksOf(sample) === fewest);
	return candidates.sort((a, b) => a.values.seconds! - b.values.seconds!)[0];
}

function rowOf(cell: Cell, base: Sample | undefined): ScalingRow {
	const sample = leastSample(cell, "seconds");
	const { status = FAILED, reason = "", hash = "" } = sample ?? cell.samples.at(-1) ?? {};
	const common = { axes: cell.axes, ranks: Number(cell.axes.ranks), status, reason, hash, samples: cell.samples };
	if (sample === undefined) return common;
	const { least, spread, count } = spreadIn(cell, "seconds")!;
	const against = base === undefined ? undefined : comparison(sample, base);
	return {
		...common,
		measured: { sample, seconds: least, spread, rounds: count, ...(base && against && { base, against }) },
	};
}

function comparison(sample: Sample, base: Sample): Comparison {
	const [own, other] = [effortOf(sample), effortOf(base)];
	const speedup = own.work / own.seconds / (other.work / other.seconds);
	const efficiency = (speedup * ranksOf(base)) / ranksOf(sample);
	const { loadBalance, serialisation, transfer } = own.shares;
	const iterations = ratio(other.iterations, own.iterations);
	const factors = {
		loadBalance: loadBalance / other.shares.loadBalance,
		serialisation: serialisation / other.shares.serialisation,
		transfer: transfer / other.shares.transfer,
		iterations,
		computation: ratio(other.compute / other.work, own.compute / own.work) / iterations,
	};
	const product = FACTORS.reduce((all, name) => all * factors[name], 1);
	const solve = ratio(other.solve / other.work, own.solve / own.work) * (ranksOf(base) / ranksOf(sample));
	return {
		...{ baseline: ranksOf(base), speedup, efficiency, factors, product },
		parallel: factors.loadBalance * factors.serialisation * factors.transfer,
		...(own.solve > 0 && { solveEfficiency: solve }),
	};
}

const ratio = (a: number, b: number) => (a > 0 && b > 0 ? a / b : 1);

/** Of a solve or a step, by all ranks. */
function effortOf({ values, perRank = [] }: Sample) {
	const { seconds = 0, contacts = 0, iterations = 0, steps = 1 } = values;
	const phases = perRank.map(phasesOf);
	return {
		...{ seconds, iterations, work: Math.max(1, contacts) },
		compute: phases.reduce((sum, { compute }) => sum + compute, 0) / steps,
		solve: Math.max(0, ...perRank.map(({ solve = 0 }) => solve)) / steps,
		shares: efficiencyOf(phases.length > 0 ? phases : [{ compute: seconds, pack: 0, wait: 0, reduce: 0 }]),
	};
}

export function phasesOf({ compute = 0, pack = 0, wait = 0, reduce = 0 }: Values) {
	return { compute, pack, wait, reduce };
}
