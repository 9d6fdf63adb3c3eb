/**
 * Contact points of seeded pairs of all shapes: swapped, moved, rotated and renumbered, against the closest-point conditions and against sampled directions as a
 * bound. `--pairs N`, `--seed N`; `--pair K` looks at one pair alone.
 */
import { parseArgs } from "node:util";
import type { Convex } from "@stickslip/mechanics";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";
import { checkPair, type PairReport } from "./pair-checks.js";
import { type Pair, randomPair, randomShapes } from "./random-pairs.js";

const PAIRS = 1_000_000;
/** Of the closest-point conditions, of bounds and of what other numbers change, in parts of the size of the pair. */
const TOLERANCE = 1e-9;
/** Of what rotations change: vertices are rounded anew, and where a surface is nearly flat its point goes further than they. */
const ROTATED = 1e-8;
/** Of each row, how many failures are told. */
const TOLD_MAX = 5;

export interface FuzzRow {
	readonly [column: string]: string | number;
	readonly kinds: string;
	pairs: number;
	points: number;
	residual: number;
	bound: number;
	rotated: number;
	renumbered: number;
	failures: number;
}

export interface FuzzResult {
	readonly rows: readonly FuzzRow[];
	/** What the first failures are. */
	readonly told: readonly string[];
	readonly failures: number;
}

export function fuzzContacts(pairs: number, seed: number): FuzzResult {
	const shapes = randomShapes(seed);
	const rows = new Map<string, FuzzRow>();
	const told: string[] = [];
	for (let number = 0; number < pairs; number += 1) {
		const pair = randomPair(shapes, seed, number);
		const report = checkPair(pair, seed, number);
		if (report === undefined) continue;
		const row = rowOf(rows, pair);
		row.pairs += 1;
		row.points += report.points;
		for (const measure of ["residual", "bound", "rotated", "renumbered"] as const) {
			row[measure] = Math.max(row[measure], report[measure]);
		}
		const faults = faultsOf(report);
		if (faults.length === 0) continue;
		row.failures += 1;
		if (row.failures <= TOLD_MAX) told.push(`pair ${number}, ${row.kinds}, ${pair.situation}: ${faults.join(", ")}`);
	}
	const sorted = [...rows.values()].sort((a, b) => (a.kinds < b.kinds ? -1 : 1));
	return { rows: sorted, told, failures: sorted.reduce((sum, row) => sum + row.failures, 0) };
}

function rowOf(rows: Map<string, FuzzRow>, pair: Pair): FuzzRow {
	const kinds = [kindOf(pair.first.convex), kindOf(pair.second.convex)].sort().join(" - ");
	const known = rows.get(kinds);
	if (known !== undefined) return known;
	const row = { kinds, pairs: 0, points: 0, residual: 0, bound: 0, rotated: 0, renumbered: 0, failures: 0 };
	rows.set(kinds, row);
	return row;
}

function kindOf(convex: Convex): string {
	return convex.kind;
}

function faultsOf(report: PairReport): string[] {
	const faults: string[] = [];
	if (!report.isSound) faults.push("not sound");
	if (!report.isSwapSafe) faults.push("changed by swapping");
	if (!report.isMoveSafe) faults.push("changed by moving");
	if (!report.isMarginSafe) faults.push("changed by its margin");
	for (const measure of ["residual", "bound", "rotated", "renumbered"] as const) {
		// Written so that NaN fails.
		if (!(report[measure] <= (measure === "rotated" ? ROTATED : TOLERANCE)))
			faults.push(`${measure} ${report[measure].toExponential(1)}`);
	}
	return faults;
}

export const contactFuzz: Bench = {
	name: "contact-fuzz",
	what: "contact points of a million seeded pairs: swapped, rotated, renumbered, against sampled bounds",
	run(args) {
		const options = { pairs: { type: "string" }, seed: { type: "string" }, pair: { type: "string" } } as const;
		const { values } = parseArgs({ args: [...args], options });
		const seed = Number(values.seed ?? 1);
		if (values.pair !== undefined) {
			const pair = randomPair(randomShapes(seed), seed, Number(values.pair));
			console.dir({ pair, report: checkPair(pair, seed, Number(values.pair)) }, { depth: 3 });
			return 0;
		}
		const pairs = Number(values.pairs ?? PAIRS);
		const { rows, told, failures } = fuzzContacts(pairs, seed);
		console.table(rows);
		for (const line of told) console.log(line);
		console.log(`${pairs} pairs, seed ${seed}: ${failures} failures`);
		if (pairs === PAIRS) console.log(recordCsv("contact-fuzz", rows));
		return failures === 0 ? 0 : 1;
	},
};
