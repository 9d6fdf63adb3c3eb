/** Where everything is in a run file: datasets that grow by rows, and which rows belong to a stored step. */
import type { FileLayout } from "./appended-file.js";

export const RUN_FORMAT = "stickslip run 1";

/** What of a step is stored, by group: the rows of the group's datasets that belong to it. */
export const RUN_GROUPS = ["bodies", "contacts", "surface", "cells"] as const;
export type RunGroup = (typeof RUN_GROUPS)[number];

/** Of `/steps/rows`: first row and number of rows of each group, then how many cells those rows of `cells` are, and how many corners all shapes have. */
export const ROWS_WIDTH = 2 * RUN_GROUPS.length + 2;

/** Numbers per body or contact, all in SI units and world axes. */
export const BODY_FIELDS = {
	id: ["int32", 1],
	kind: ["int32", 1],
	shape: ["int32", 1],
	material: ["int32", 1],
	position: ["float64", 3],
	orientation: ["float64", 4],
	map: ["float64", 9],
	velocity: ["float64", 3],
	spin: ["float64", 3],
} as const;
/** Where there are pseudo-rigid bodies. */
const RATE_FIELD = ["float64", 9] as const;

/** Force is the mean over the step, on the second body. */
export const CONTACT_FIELDS = {
	body: ["int32", 2],
	feature: ["int32", 1],
	point: ["float64", 3],
	normal: ["float64", 3],
	force: ["float64", 3],
	gap: ["float64", 1],
} as const;
/** Where contacts may roll, as force: the moment, zero of contacts that do not. */
export const MOMENT_FIELD = ["float64", 3] as const;

/** Which body and which corner of `/surface/corner` each corner of a surface is; of many steps the same rows. */
const SURFACE_FIELDS = { place: ["int32", 3], source: ["int32", 3] } as const;

const SMALL_CHUNK = 256;
const CHUNK_MIN = 512;
const CHUNK_MAX = 32_768;

export interface LayoutOptions {
	/** Of this rank at the beginning: pieces of about that many rows are stored as one. */
	readonly bodies: number;
	readonly hasRates: boolean;
	readonly hasMoments: boolean;
	/** Columns of the statistics; 0 for ranks that keep none. */
	readonly statistics: number;
}

export function runLayout({ bodies, hasRates, hasMoments, statistics }: LayoutOptions): FileLayout {
	const chunk = Math.min(CHUNK_MAX, Math.max(CHUNK_MIN, bodies));
	const layout: Record<string, FileLayout[string]> = {};
	const add = (group: string, fields: Readonly<Record<string, readonly [FileLayout[string]["type"], number]>>) => {
		for (const [name, [type, width]] of Object.entries(fields)) layout[`/${group}/${name}`] = { type, width, chunk };
	};
	add("bodies", hasRates ? { ...BODY_FIELDS, rate: RATE_FIELD } : BODY_FIELDS);
	add("contacts", hasMoments ? { ...CONTACT_FIELDS, moment: MOMENT_FIELD } : CONTACT_FIELDS);
	add("surface", SURFACE_FIELDS);
	layout["/cells/nodes"] = { type: "int32", width: 1, chunk: 8 * chunk };
	if (statistics > 0) layout["/statistics/values"] = { type: "float64", width: statistics, chunk: SMALL_CHUNK };
	layout["/steps/step"] = { type: "int32", width: 1, chunk: SMALL_CHUNK };
	layout["/steps/time"] = { type: "float64", width: 1, chunk: SMALL_CHUNK };
	layout["/steps/ranks"] = { type: "int32", width: 1, chunk: SMALL_CHUNK };
	layout["/steps/rows"] = { type: "int64", width: ROWS_WIDTH, chunk: SMALL_CHUNK };
	return layout;
}

/** What of a step is in a file: first row and number of rows of each group, how many cells there are, and how many corners all shapes have. */
export interface StepRows {
	readonly rows: Readonly<Record<RunGroup, readonly [number, number]>>;
	readonly cells: number;
	readonly corners: number;
}

/** A row of `/steps/rows`. */
export function rowsIn(row: BigInt64Array): StepRows {
	const ranges = RUN_GROUPS.map((group, place) => [group, [Number(row[2 * place]), Number(row[2 * place + 1])]]);
	const [cells, corners] = [Number(row[ROWS_WIDTH - 2]), Number(row[ROWS_WIDTH - 1])];
	return { rows: Object.fromEntries(ranges) as StepRows["rows"], cells, corners };
}
