/** What the bench prints: a line per problem and tolerance, and what they come to. */
import type { Result } from "./rival.js";

export interface Row {
	readonly problem: string;
	readonly contacts: number;
	readonly tolerance: number;
	readonly ours: Result;
	/** The best of Siconos; nothing where no configuration reached the tolerance in time. */
	readonly siconos?: Result | undefined;
}

/** Below this many contacts a solve takes microseconds: the ratio is that of two call overheads. */
export const tinyContacts = 10;

export const header =
	`${"problem".padEnd(48)} ${"contacts".padStart(8)} ${"tol".padStart(6)} | ${"ours ms".padStart(10)} ${"whole".padStart(8)} ${"first".padStart(8)} ` +
	`${"natural".padStart(8)} ${"energy".padStart(8)} ${"merit".padStart(8)} | ${"siconos ms".padStart(10)} ` +
	`${"natural".padStart(8)} ${"energy".padStart(8)} ${"merit".padStart(8)} | ${"ratio".padStart(7)}  by`;

export function line(row: Row): string {
	const { ours, siconos } = row;
	const where = `${row.problem.padEnd(48)} ${String(row.contacts).padStart(8)} ${row.tolerance.toExponential(0).padStart(6)}`;
	const whole = milliseconds(ours.secondsWhole ?? Number.NaN).padStart(8);
	const own = `${side(ours, 10)} ${whole} ${milliseconds(ours.secondsFirst).padStart(8)} ${marks(ours)}`;
	const other = siconos === undefined ? "none".padStart(37) : `${side(siconos, 10)} ${marks(siconos)}`;
	return `${where} | ${own} | ${other} | ${verdict(row).padStart(7)}  ${ours.by} / ${siconos?.by ?? "-"}`;
}

/** One flat record per row, for the result file. */
export function flat(row: Row): Record<string, string | number> {
	const { ours, siconos } = row;
	return {
		problem: row.problem,
		contacts: row.contacts,
		tolerance: row.tolerance,
		solved: String(ours.solved),
		seconds: digits(ours.seconds),
		secondsWhole: digits(ours.secondsWhole ?? Number.NaN),
		secondsFirst: digits(ours.secondsFirst),
		method: ours.by,
		natural: digits(ours.score.natural),
		energy: digits(ours.score.energy),
		merit: digits(ours.score.merit),
		siconosSeconds: siconos === undefined ? "" : digits(siconos.seconds),
		siconosSecondsFirst: siconos === undefined ? "" : digits(siconos.secondsFirst),
		siconosConfig: siconos?.by ?? "",
		siconosNatural: siconos === undefined ? "" : digits(siconos.score.natural),
		siconosEnergy: siconos === undefined ? "" : digits(siconos.score.energy),
		siconosMerit: siconos === undefined ? "" : digits(siconos.score.merit),
		ratio: ratio(row) === undefined ? "" : digits(ratio(row) ?? 0),
	};
}

/** Per tolerance: how many each side solved, the geometric mean and the smallest of the ratios. */
export function summary(rows: readonly Row[]): string[] {
	const tolerances = [...new Set(rows.map(({ tolerance }) => tolerance))];
	return tolerances.flatMap((tolerance) => {
		const mine = rows.filter((row) => row.tolerance === tolerance);
		const theirs = mine.filter(({ siconos }) => siconos !== undefined).length;
		const own = mine.filter(({ ours }) => ours.solved).length;
		const lines = [
			`natural ${tolerance}: ${mine.length} problems, solved by ours ${own}, by the best of Siconos ${theirs}`,
		];
		lines.push(`  all solved by both: ${means(mine, ratio)}`);
		const large = mine.filter(({ contacts }) => contacts >= tinyContacts);
		if (large.length < mine.length) lines.push(`  of ${tinyContacts} contacts and more: ${means(large, ratio)}`);
		lines.push(`  with our checks and set-up counted, theirs not: ${means(mine, wholeRatio)}`);
		for (const { problem } of mine.filter(({ ours }) => !ours.solved)) lines.push(`  not solved by ours: ${problem}`);
		return lines;
	});
}

/** How many times faster ours is; nothing unless both solved it. */
export function ratio({ ours, siconos }: Row): number | undefined {
	return ours.solved && siconos !== undefined ? siconos.seconds / ours.seconds : undefined;
}

/** The same against our whole call: the harshest way to look at it, since their matrix stands ready in their form. */
function wholeRatio(row: Row): number | undefined {
	const times = ratio(row);
	return times === undefined ? undefined : (times * row.ours.seconds) / (row.ours.secondsWhole ?? Number.NaN);
}

function means(rows: readonly Row[], of: (row: Row) => number | undefined): string {
	const measured = rows.flatMap((row) => {
		const times = of(row);
		return times === undefined ? [] : [{ times, problem: row.problem }];
	});
	const [first] = measured;
	if (first === undefined) return "none";
	const mean = Math.exp(measured.reduce((sum, { times }) => sum + Math.log(times), 0) / measured.length);
	const smallest = measured.reduce((a, b) => (a.times <= b.times ? a : b), first);
	const slower = measured.filter(({ times }) => times < 1).length;
	return (
		`${measured.length}, ours faster ${mean.toFixed(2)} times (geometric mean), ` +
		`smallest ${smallest.times.toFixed(2)} (${smallest.problem}), below 1 in ${slower}`
	);
}

function verdict(row: Row): string {
	const times = ratio(row);
	if (times !== undefined) return times.toFixed(2);
	if (row.siconos === undefined) return row.ours.solved ? "only us" : "neither";
	return "lost";
}

function side(result: Result, width: number): string {
	return (result.solved ? milliseconds(result.seconds) : "unsolved").padStart(width);
}

function marks({ score }: Result): string {
	return [score.natural, score.energy, score.merit].map((value) => value.toExponential(1).padStart(8)).join(" ");
}

function milliseconds(seconds: number): string {
	const value = 1e3 * seconds;
	return value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(2) : value.toFixed(5);
}

function digits(value: number): number {
	return Number(value.toPrecision(4));
}
