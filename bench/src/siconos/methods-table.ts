/** What the comparison of methods prints and records: a row per pair, problem and tolerance, and what they come to. */
import type { Result } from "./rival.js";

/** What is kept of a side's answer. */
export type Solved = Pick<Result, "seconds" | "by"> & { readonly score: Pick<Result["score"], "natural"> };

export interface PairRow {
	/** Siconos' name. */
	readonly pair: string;
	readonly method: string;
	readonly problem: string;
	readonly contacts: number;
	readonly tolerance: number;
	/** Nothing where it has not solved. */
	readonly ours?: Solved | undefined;
	readonly siconos?: Solved | undefined;
}

export const KEY_COLUMNS = ["pair", "problem", "tolerance"];
/** Ours is to be so much faster, in the geometric mean. */
const TARGET = 1.5;

export const header = `${"pair".padEnd(8)} ${"problem".padEnd(48)} ${"tol".padStart(6)} | ${"ours ms".padStart(10)} | ${"siconos ms".padStart(10)} | ${"ratio".padStart(8)}`;

export function line(row: PairRow): string {
	const { pair, problem, tolerance, ours, siconos } = row;
	const times = [ours, siconos].map((side) => (side === undefined ? "unsolved" : ms(side.seconds)).padStart(10));
	return `${pair.padEnd(8)} ${problem.padEnd(48)} ${tolerance.toExponential(0).padStart(6)} | ${times.join(" | ")} | ${verdict(row).padStart(8)}`;
}

function verdict(row: PairRow): string {
	const times = ratioOf(row);
	if (times !== undefined) return times.toFixed(2);
	if (row.ours !== undefined) return "only us";
	return row.siconos === undefined ? "neither" : "lost";
}

/** How many times faster ours is; nothing unless both have solved. */
function ratioOf({ ours, siconos }: PairRow): number | undefined {
	return ours === undefined || siconos === undefined ? undefined : siconos.seconds / ours.seconds;
}

export function flat(row: PairRow): Record<string, string | number> {
	const { pair, method, problem, contacts, tolerance, ours, siconos } = row;
	const times = ratioOf(row);
	return {
		pair,
		problem,
		tolerance,
		method,
		contacts,
		seconds: ours === undefined ? "" : digits(ours.seconds),
		natural: ours === undefined ? "" : digits(ours.score.natural),
		siconosSeconds: siconos === undefined ? "" : digits(siconos.seconds),
		siconosNatural: siconos === undefined ? "" : digits(siconos.score.natural),
		siconosConfig: siconos?.by ?? "",
		ratio: times === undefined ? "" : digits(times),
	};
}

/** A row of the file again. */
export function parseRow(row: Readonly<Record<string, string>>): PairRow {
	const text = (name: string) => row[name] ?? "";
	const side = (seconds: string, natural: string, by: string): Solved | undefined =>
		text(seconds) === ""
			? undefined
			: { seconds: Number(text(seconds)), by, score: { natural: Number(text(natural)) } };
	return {
		pair: text("pair"),
		method: text("method"),
		problem: text("problem"),
		contacts: Number(text("contacts")),
		tolerance: Number(text("tolerance")),
		ours: side("seconds", "natural", text("method")),
		siconos: side("siconosSeconds", "siconosNatural", text("siconosConfig")),
	};
}

/** For each pair and tolerance who solves how many, the differences by name, and the geometric mean of ratios; for each pair whether that is held. */
export function pairSummary(rows: readonly PairRow[]): { lines: string[]; held: boolean } {
	const lines: string[] = [];
	let held = true;
	for (const pair of new Set(rows.map((row) => row.pair))) {
		const own = rows.filter((row) => row.pair === pair);
		let isLost = false;
		lines.push(`${pair} and ${own[0]!.method}`);
		for (const tolerance of new Set(own.map((row) => row.tolerance))) {
			const mine = own.filter((row) => row.tolerance === tolerance);
			const count = (side: "ours" | "siconos") => mine.filter((row) => row[side] !== undefined).length;
			const lost = mine.filter((row) => row.ours === undefined && row.siconos !== undefined);
			const won = mine.filter((row) => row.ours !== undefined && row.siconos === undefined);
			isLost ||= count("ours") < count("siconos");
			lines.push(
				`  natural ${tolerance.toExponential(0)}: of ${mine.length} ours solves ${count("ours")}, Siconos ${count("siconos")}; ${mean(mine).text}`,
				`    lost: ${named(lost)}`,
				`    only ours: ${named(won)}`,
			);
		}
		const { value, text } = mean(own);
		const isHeld = !isLost && value >= TARGET;
		held &&= isHeld;
		lines.push(`  ${text} of ${TARGET}${isLost ? ", and Siconos solves more" : ""}: ${isHeld ? "held" : "MISSED"}`);
	}
	return { lines, held };
}

function named(rows: readonly PairRow[]): string {
	return rows.length === 0 ? "none" : rows.map(({ problem }) => problem).join(", ");
}

function mean(rows: readonly PairRow[]): { value: number; text: string } {
	const ratios = rows.flatMap((row) => ratioOf(row) ?? []);
	if (ratios.length === 0) return { value: 0, text: "no ratio" };
	const value = Math.exp(ratios.reduce((sum, each) => sum + Math.log(each), 0) / ratios.length);
	const below = ratios.filter((each) => each < 1).length;
	return { value, text: `${value.toFixed(2)} times (geometric mean of ${ratios.length}, ${below} below 1)` };
}

function ms(seconds: number): string {
	const value = 1e3 * seconds;
	return value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(2) : value.toFixed(5);
}

function digits(value: number): number {
	return Number(value.toPrecision(4));
}
