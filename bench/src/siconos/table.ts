/** What the bench prints: a line per problem and tolerance, and what they come to. */
import type { Result } from "./rival.js";
import type { ProblemSet } from "./subjects.js";

export interface Row {
	readonly problem: string;
	readonly contacts: number;
	readonly tolerance: number;
	readonly ours: Result;
	/** The best of Siconos; nothing where no configuration reached the tolerance in time. */
	readonly siconos?: Result | undefined;
}

/** Where Siconos takes less than this the ratio is mostly that of two call overheads: the others are looked at by themselves. */
export const LONG_SECONDS = 1e-4;

/** Rows of all sets but data/, which has a file of its own. */
export const FILES: Readonly<Record<ProblemSet, string>> = {
	data: "siconos",
	generated: "siconos-generated",
	scenes: "siconos-scenes",
};

/** Slower than this share of Siconos' best is named. */
const RATIO_LEAST = 0.9;

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

/** What rows of the result files are told apart by: their first columns. */
export const KEY_COLUMNS = ["problem", "contacts", "tolerance"] as const;

/** The inverse of `flat`. */
export function parseRow(cells: Readonly<Record<string, string>>): Row {
	const number = (name: string) => Number(cells[name]);
	const siconos: Result = {
		solved: true,
		seconds: number("siconosSeconds"),
		secondsFirst: number("siconosSecondsFirst"),
		by: cells.siconosConfig ?? "",
		score: { natural: number("siconosNatural"), energy: number("siconosEnergy"), merit: number("siconosMerit") },
	};
	return {
		problem: cells.problem ?? "",
		contacts: number("contacts"),
		tolerance: number("tolerance"),
		ours: {
			solved: cells.solved === "true",
			seconds: number("seconds"),
			secondsFirst: number("secondsFirst"),
			secondsWhole: number("secondsWhole"),
			by: cells.method ?? "",
			score: { natural: number("natural"), energy: number("energy"), merit: number("merit") },
		},
		...(cells.siconosConfig === "" ? {} : { siconos }),
	};
}

/** Per tolerance: how many each side solved, the geometric means, what is slower than Siconos' best, and what is lost to it. */
export function summary(rows: readonly Row[]): string[] {
	const tolerances = [...new Set(rows.map(({ tolerance }) => tolerance))];
	return tolerances.flatMap((tolerance) => {
		const mine = rows.filter((row) => row.tolerance === tolerance);
		const theirs = mine.filter(({ siconos }) => siconos !== undefined);
		const own = mine.filter(({ ours }) => ours.solved).length;
		const long = theirs.filter(({ siconos }) => (siconos?.seconds ?? 0) > LONG_SECONDS);
		const slower = theirs.filter((row) => (ratio(row) ?? RATIO_LEAST) < RATIO_LEAST);
		const lost = theirs.filter(({ ours }) => !ours.solved);
		const open = mine.filter(({ ours, siconos }) => !ours.solved && siconos === undefined);
		return [
			`natural ${tolerance}: ${mine.length} problems, solved by ours ${own}, by the best of Siconos ${theirs.length}`,
			`  where Siconos takes over ${1e3 * LONG_SECONDS} ms: ${means(long, ratio)}`,
			`  all solved by both: ${means(mine, ratio)}`,
			`  with our checks and set-up counted, theirs not: ${means(mine, wholeRatio)}`,
			`  slower than ${RATIO_LEAST} of Siconos' best: ${named(slower, (row) => verdict(row))}`,
			`  lost, solved by Siconos alone: ${named(lost, ({ siconos }) => `${milliseconds(siconos?.seconds ?? 0)} ms`)}`,
			`  solved by neither: ${named(open, () => "")}`,
		];
	});
}

/** Problems by name, each with what is said of it; "none" where there are none. */
function named(rows: readonly Row[], what: (row: Row) => string): string {
	return rows.length === 0 ? "none" : rows.map((row) => `${row.problem} ${what(row)}`.trim()).join(", ");
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
