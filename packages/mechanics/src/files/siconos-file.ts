/**
 * Files of the mechanics part of Siconos (HDF5, `siconos.io.mechanics_run`), as they are: shapes in /data/ref, objects with their contactors in /data/input,
 * laws in /data/nslaws, poses and velocities over time in /data/dynamic and /data/velocities. Numbers over time and of shapes are in single precision there.
 */
import { InputError } from "@stickslip/core";
import { Hdf5File, Hdf5Library, type Hdf5Module } from "@stickslip/core/fclib";

export type Attributes = ReadonlyMap<string, string | readonly number[]>;

/** A row of /data/ref. */
export interface SiconosShape {
	/** The name of a primitive, or undefined for another type. */
	readonly primitive: string | undefined;
	readonly type: string;
	readonly rows: number;
	readonly values: Float64Array;
	readonly outsideMargin: number;
}

export interface SiconosContactor {
	readonly shape: string;
	readonly group: number;
	readonly translation: readonly number[];
	readonly orientation: readonly number[];
}

export interface SiconosObject {
	readonly name: string;
	readonly path: string;
	/** Positive for those that move. */
	readonly id: number;
	/** Of those that move. */
	readonly mass: number | undefined;
	readonly attributes: Attributes;
	readonly contactors: readonly SiconosContactor[];
}

export interface SiconosLaw {
	readonly name: string;
	readonly type: string;
	readonly attributes: Attributes;
}

/** Pose (x, y, z, w, i, j, k) and velocity (v, then spin in the body's own axes), by object. */
export interface SiconosState {
	readonly time: number;
	readonly pose: ReadonlyMap<number, Float64Array>;
	readonly velocity: ReadonlyMap<number, Float64Array>;
}

export interface SiconosFile {
	readonly name: string;
	readonly dimension: number;
	readonly shapes: ReadonlyMap<string, SiconosShape>;
	readonly objects: readonly SiconosObject[];
	readonly laws: readonly SiconosLaw[];
	/** Names of groups that say what is not read here: joints and the like, with how many there are. */
	readonly others: readonly { readonly path: string; readonly count: number }[];
	/** The last that was stored; undefined where nothing has been simulated. */
	readonly last: SiconosState | undefined;
}

const REMEDY = "name a file of siconos.io.mechanics_run";
const OTHERS = ["joints", "permanent_interactions", "boundary_conditions", "external_functions", "plugins"];
/** Rows of a table that are read at once. */
const ROWS = 4096;

/** Reads a file by its path in the module's file system; `name` is what messages call it. */
export function readSiconosFile(module: Hdf5Module, path: string, name: string): SiconosFile {
	const library = new Hdf5Library(module, path, name);
	try {
		for (const group of ["/data/ref", "/data/input", "/data/nslaws"]) {
			if (library.kind(group) !== "group") throw new InputError(name, group, "is missing", REMEDY);
		}
		const hdf5 = new Hdf5File(library, name);
		const dimension = numbersOf(library.attributes("/"), "dimension")?.[0] ?? 3;
		const shapes = new Map(library.children("/data/ref").map((shape) => [shape, readShape(library, hdf5, shape)]));
		const objects = library.children("/data/input").map((object) => readObject(library, object));
		const laws = library.children("/data/nslaws").map((law): SiconosLaw => {
			const attributes = library.attributes(`/data/nslaws/${law}`);
			return { name: law, type: textOf(attributes, "type") ?? "unknown", attributes };
		});
		const others = OTHERS.map((other) => `/data/${other}`)
			.filter((group) => library.kind(group) === "group")
			.map((group) => ({ path: group, count: library.children(group).length }))
			.filter(({ count }) => count > 0);
		return { name, dimension, shapes, objects, laws, others, last: readLastState(library) };
	} finally {
		library.close();
	}
}

function textOf(attributes: Attributes, name: string): string | undefined {
	const value = attributes.get(name);
	return typeof value === "string" ? value : undefined;
}

export function numbersOf(attributes: Attributes, name: string): readonly number[] | undefined {
	const value = attributes.get(name);
	return typeof value === "object" ? value : undefined;
}

function readShape(library: Hdf5Library, hdf5: Hdf5File, name: string): SiconosShape {
	const path = `/data/ref/${name}`;
	const attributes = library.attributes(path);
	const type = textOf(attributes, "type") ?? "unknown";
	const outsideMargin = numbersOf(attributes, "outsideMargin")?.[0] ?? 0;
	const isKnown = type === "primitive" || type === "convex";
	const values = isKnown ? hdf5.reals(path) : new Float64Array(0);
	const rows = isKnown ? (library.metadata(path).shape?.[0] ?? 0) : 0;
	return { type, primitive: textOf(attributes, "primitive"), rows, values, outsideMargin };
}

function readObject(library: Hdf5Library, name: string): SiconosObject {
	const path = `/data/input/${name}`;
	const attributes = library.attributes(path);
	const mass = numbersOf(attributes, "mass")?.[0];
	const contactors = library.children(path).map((contactor): SiconosContactor => {
		const own = library.attributes(`${path}/${contactor}`);
		return {
			shape: textOf(own, "shape_name") ?? "",
			group: numbersOf(own, "group")?.[0] ?? 0,
			translation: numbersOf(own, "translation") ?? [0, 0, 0],
			orientation: numbersOf(own, "orientation") ?? [1, 0, 0, 0],
		};
	});
	return { name, path, id: numbersOf(attributes, "id")?.[0] ?? 0, mass, attributes, contactors };
}

function readLastState(library: Hdf5Library): SiconosState | undefined {
	const poses = lastRows(library, "/data/dynamic", 9);
	const velocities = lastRows(library, "/data/velocities", 8);
	if (poses === undefined || velocities === undefined) return undefined;
	return { time: poses.time, pose: poses.rows, velocity: velocities.rows };
}

/** Of a table whose columns are time, object and numbers: those of the last time, from the end. */
function lastRows(library: Hdf5Library, path: string, width: number) {
	if (library.kind(path) !== "dataset") return undefined;
	const metadata = library.metadata(path);
	const { shape, type, size } = metadata;
	library.requireWritten(path, metadata);
	const [count = 0, columns = 0] = shape ?? [];
	if (count === 0 || columns < width || type !== 1 || (size !== 4 && size !== 8)) return undefined;
	const rows = new Map<number, Float64Array>();
	let time = Number.NaN;
	for (let end = count; end > 0; end -= ROWS) {
		const first = Math.max(0, end - ROWS);
		const bytes = new Uint8Array((end - first) * columns * size);
		library.read(path, [count, columns], first, end - first, bytes);
		const values = size === 8 ? new Float64Array(bytes.buffer) : new Float32Array(bytes.buffer);
		for (let at = values.length - columns; at >= 0; at -= columns) {
			if (Number.isNaN(time)) time = values[at]!;
			if (values[at] !== time) return { time, rows };
			const object = values[at + 1]!;
			if (!rows.has(object)) rows.set(object, Float64Array.from(values.subarray(at + 2, at + width)));
		}
	}
	return { time, rows };
}
