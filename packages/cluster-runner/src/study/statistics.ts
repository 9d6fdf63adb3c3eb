/** Statistics of a cell over its rounds. */
import { type Axes, FAILED, keyOf, type Sample } from "./sample.js";

/** What is told of a number that was measured several times. */
export interface Spread {
	readonly least: number;
	readonly median: number;
	readonly most: number;
	/** (most - least) / least. */
	readonly spread: number;
	readonly count: number;
}

/** Undefined of no numbers. */
export function spreadOf(numbers: readonly number[]): Spread | undefined {
	const sorted = [...numbers].sort((a, b) => a - b);
	const [least, most] = [sorted[0], sorted.at(-1)];
	if (least === undefined || most === undefined) return undefined;
	const half = (sorted.length - 1) / 2;
	const median = (sorted[Math.floor(half)]! + sorted[Math.ceil(half)]!) / 2;
	return { least, median, most, spread: least > 0 ? (most - least) / least : 0, count: sorted.length };
}

/** All samples of one place of the table. */
export interface Cell {
	readonly axes: Axes;
	readonly samples: readonly Sample[];
}

/** In the order in which their places come first. */
export function cellsOf(samples: readonly Sample[]): Cell[] {
	const cells = new Map<string, { readonly axes: Axes; readonly samples: Sample[] }>();
	for (const sample of samples) {
		const key = keyOf(sample.axes);
		const cell = cells.get(key) ?? { axes: sample.axes, samples: [] };
		cell.samples.push(sample);
		cells.set(key, cell);
	}
	return [...cells.values()];
}

/** Of a value over the samples that have been measured. */
export function spreadIn({ samples }: Cell, name: string): Spread | undefined {
	return spreadOf(measuredIn(samples).flatMap(({ values }) => values[name] ?? []));
}

/** The sample with the least of a value: the one that other programs disturbed least. */
export function leastSample({ samples }: Cell, name: string): Sample | undefined {
	const measured = measuredIn(samples).filter(({ values }) => values[name] !== undefined);
	return measured.reduce<Sample | undefined>(
		(best, each) => (best === undefined || each.values[name]! < best.values[name]! ? each : best),
		undefined,
	);
}

function measuredIn(samples: readonly Sample[]): Sample[] {
	return samples.filter(({ status }) => status !== FAILED);
}
