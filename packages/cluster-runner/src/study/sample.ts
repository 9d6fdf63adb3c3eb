/** A study is a table of cells, one for each choice of its axes, and a cell is measured once in every round: a sample is one such measurement. */
import type { Circumstances } from "./machine.js";

/** The place of a cell in its table, by the names of the axes. */
export type Axes = Readonly<Record<string, string | number>>;

/** Numbers by name. */
export type Values = Readonly<Record<string, number>>;

/** What the measurement of a cell gives. */
export interface Measured {
	/** Of a report, or "failed". */
	readonly status: string;
	/** Why it ended so. */
	readonly reason: string;
	/** Of the answer; empty without one. */
	readonly hash: string;
	readonly values: Values;
	/** The same by rank, where ranks differ. */
	readonly perRank?: readonly Values[];
}

export interface Sample extends Measured {
	readonly axes: Axes;
	/** From 0. */
	readonly round: number;
	readonly made: Circumstances;
}

/** Status of a cell that could not be measured. */
export const FAILED = "failed";

/** The same for the same place, whatever the order of its axes. */
export function keyOf(axes: Axes): string {
	return JSON.stringify(Object.entries(axes).sort(([a], [b]) => (a < b ? -1 : 1)));
}
