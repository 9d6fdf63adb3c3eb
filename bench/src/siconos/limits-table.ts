/** What the bench of limits prints and records: a row per problem and tolerance, and what they come to. */
import type { ProblemSet } from "./subjects.js";

export interface LimitRow {
	readonly set: ProblemSet;
	readonly problem: string;
	readonly contacts: number;
	readonly tolerance: number;
	/** So many times faster than Siconos we want to be. */
	readonly target: number;
	/** Of ours, which are sweeps unless it has come to other phases. */
	readonly products: number;
	readonly seconds: number;
	/** A plain sweep, by itself. */
	readonly sweepSeconds: number;
	readonly siconosSeconds: number;
}

/** Issue 15: 10 to natural 1e-4, 15 to 1e-8. */
export function targetOf(tolerance: number): number {
	return tolerance > 1e-6 ? 10 : 15;
}

/** Sweeps that the time wanted would be, if nothing else took any. */
export function sweepsWanted({ siconosSeconds, sweepSeconds, target }: LimitRow): number {
	return siconosSeconds / target / sweepSeconds;
}

/** How many times faster than Siconos ours is, and would be if nothing but its sweeps took time. */
const ratioOf = ({ siconosSeconds, seconds }: LimitRow) => siconosSeconds / seconds;
const ratioOfSweeps = (row: LimitRow) => row.siconosSeconds / (row.products * row.sweepSeconds);

/** Sweeps of which nothing can be expected: what mixing begins with, and a few to follow. */
const FEW = 5;

export const header = `${"problem".padEnd(40)} ${"contacts".padStart(8)} ${"tol".padStart(6)} | ${"ours ms".padStart(10)} ${"products".padStart(8)} ${"sweep us".padStart(9)} | ${"siconos ms".padStart(10)} ${"ratio".padStart(6)} ${"sweeps".padStart(7)} | of the time wanted`;

export function line(row: LimitRow): string {
	const { problem, contacts, tolerance, seconds, products, siconosSeconds } = row;
	const own = `${(1e3 * seconds).toFixed(3).padStart(10)} ${String(products).padStart(8)} ${(1e6 * row.sweepSeconds).toFixed(2).padStart(9)}`;
	const other = `${(1e3 * siconosSeconds).toFixed(3).padStart(10)} ${ratioOf(row).toFixed(2).padStart(6)} ${ratioOfSweeps(row).toFixed(2).padStart(7)}`;
	return `${problem.padEnd(40)} ${String(contacts).padStart(8)} ${tolerance.toExponential(0).padStart(6)} | ${own} | ${other} | ${sweepsWanted(row).toFixed(1)} sweeps for ${row.target}`;
}

export function flat(row: LimitRow): Record<string, string | number> {
	const { set, problem, contacts, tolerance, target, products, seconds, sweepSeconds, siconosSeconds } = row;
	return {
		set,
		problem,
		contacts,
		tolerance,
		target,
		products,
		seconds: digits(seconds),
		sweepSeconds: digits(sweepSeconds),
		siconosSeconds: digits(siconosSeconds),
		ratio: digits(ratioOf(row)),
		ratioOfSweeps: digits(ratioOfSweeps(row)),
		sweepsWanted: digits(sweepsWanted(row)),
	};
}

/** Per set and tolerance. */
export function summary(rows: readonly LimitRow[]): string[] {
	const groups = [...new Set(rows.map(({ set, tolerance }) => `${set}, natural ${tolerance}`))];
	return groups.map((group) => {
		const mine = rows.filter(({ set, tolerance }) => `${set}, natural ${tolerance}` === group);
		const reached = mine.filter((row) => ratioOf(row) >= row.target).length;
		const few = mine.filter((row) => sweepsWanted(row) < FEW).length;
		const more = mine.map((row) => row.products / sweepsWanted(row));
		return (
			`${group}: ${mine.length} rows, ${mean(mine.map(ratioOf))} times faster, ${reached} of them at least ${mine[0]!.target}; ` +
			`${mean(mine.map(ratioOfSweeps))} if nothing but sweeps took time, and then ${mean(more)} times as many sweeps as there may be; less than ${FEW} may there be in ${few}`
		);
	});
}

function mean(values: readonly number[]): string {
	return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length).toFixed(2);
}

function digits(value: number): number {
	return Number(value.toPrecision(4));
}
