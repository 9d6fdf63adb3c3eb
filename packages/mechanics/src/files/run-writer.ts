/** Writes the steps of a run into its file: bodies with their surfaces, contacts with their forces, and statistics. A rank writes its own part. */
import type { Bodies } from "../bodies/bodies.js";
import type { Model } from "../bodies/model.js";
import type { Contacts } from "../contacts/contacts.js";
import type { RunExtremes } from "../simulation/extremes.js";
import { AppendedFile, type ConstantDatasets } from "./appended-file.js";
import type { AppendModule } from "./module.js";
import { BODY_FIELDS, ROWS_WIDTH, RUN_FORMAT, RUN_GROUPS, rowsIn, runLayout, type StepRows } from "./run-layout.js";
import { SurfaceTables } from "./surface-tables.js";

export interface RunFileOptions {
	readonly rank: number;
	readonly ranks: number;
	/** Of Stickslip. */
	readonly version: string;
	/** The scene and its options, as JSON. */
	readonly scene: string;
	/** Names of the statistics of a step; rank 0 keeps them. */
	readonly statistics: readonly string[];
	readonly hasRates: boolean;
	/** Whether contacts may roll. */
	readonly hasMoments: boolean;
	/** Name under which a new file is created in the same folder (default: its own). */
	readonly temporary?: string;
}

/** A step as it is stored: the state after it, and its contacts with their impulses in (N, T1, T2). */
export interface StoredStep {
	readonly step: number;
	readonly time: number;
	/** Of the step, in seconds. */
	readonly duration: number;
	readonly bodies: Bodies;
	readonly contacts: Contacts;
	readonly impulses: Float64Array;
	/** The rank that owns each body, by place, where there are many: a contact is stored by the rank of its first body that is no obstacle. */
	readonly owners?: Int32Array;
}

export class RunWriter {
	readonly #file: AppendedFile;
	readonly #options: RunFileOptions;
	/** How many there are. */
	readonly #shapes: number;
	readonly #surfaces: SurfaceTables | undefined;
	/** Where the tables of surfaces that were written last begin. */
	readonly #tables = { surface: 0, cells: 0 };
	/** Rows that are not written yet, and how many numbers they are. */
	#statistics = new Float64Array(0);
	#kept = 0;

	private constructor(file: AppendedFile, options: RunFileOptions, shapes: number, surfaces?: SurfaceTables) {
		this.#file = file;
		this.#options = options;
		this.#shapes = shapes;
		this.#surfaces = surfaces;
	}

	/** `goesOn`: to a file that is there; otherwise a new one. */
	static open(
		module: AppendModule,
		path: string,
		goesOn: boolean,
		options: RunFileOptions,
		model: Model,
		bodies: Bodies,
	): RunWriter {
		const own = bodies.obstacles + bodies.own;
		const statistics = options.rank === 0 ? options.statistics.length : 0;
		const { hasRates, hasMoments } = options;
		const layout = runLayout({ bodies: own, hasRates, hasMoments, statistics });
		const surfaces = SurfaceTables.of(model, bodies);
		const file = goesOn
			? AppendedFile.open(module, path, layout)
			: AppendedFile.create(module, path, layout, constantsOf(options, model, surfaces), options.temporary);
		return new RunWriter(file, options, model.shapes.length, surfaces);
	}

	/** Of one step; written with the next step that is stored. */
	addStatistics(row: Float64Array): void {
		if (this.#options.rank !== 0) return;
		if (this.#kept + row.length > this.#statistics.length) {
			const longer = new Float64Array(2 * (this.#kept + row.length));
			longer.set(this.#statistics);
			this.#statistics = longer;
		}
		this.#statistics.set(row, this.#kept);
		this.#kept += row.length;
	}

	/** It is in the file when this returns where it is there, by group as `StepRows` has it. */
	add(stored: StoredStep): StepRows {
		if (!this.#file.isOpen) this.#file.reopen();
		this.#writeStatistics();
		const rows = new BigInt64Array(ROWS_WIDTH);
		const set = (group: (typeof RUN_GROUPS)[number], first: number, count: number) => {
			const at = 2 * RUN_GROUPS.indexOf(group);
			rows[at] = BigInt(first);
			rows[at + 1] = BigInt(count);
		};
		const order = this.#orderOf(stored.bodies);
		this.#addBodies(stored.bodies, order, set);
		this.#addContacts(stored, set);
		this.#addSurfaces(stored.bodies, order, rows, set);
		this.#file.flush();
		this.#file.append("/steps/step", Int32Array.of(stored.step));
		this.#file.append("/steps/time", Float64Array.of(stored.time));
		this.#file.append("/steps/ranks", Int32Array.of(this.#options.ranks));
		this.#file.append("/steps/rows", rows);
		this.#file.flush();
		return rowsIn(rows);
	}

	/** Until the next step other programs may open the file as any other. */
	release(): void {
		this.#file.close();
	}

	/** Writes the statistics of steps that were not stored. The extremes of a run that is over become attributes of the file of rank 0. */
	end(extremes?: RunExtremes): void {
		if (this.#kept > 0 && !this.#file.isOpen) this.#file.reopen();
		this.#writeStatistics();
		this.#file.close();
		if (extremes !== undefined && this.#options.rank === 0) this.#file.setAttributes(extremeAttributes(extremes));
	}

	#writeStatistics(): void {
		if (this.#kept > 0) this.#file.append("/statistics/values", this.#statistics.subarray(0, this.#kept));
		this.#kept = 0;
	}

	#addBodies(bodies: Bodies, order: Int32Array, set: SetRows): void {
		const file = this.#file;
		set("bodies", file.rows("/bodies/id"), order.length);
		for (const [name, [type, width]] of Object.entries(BODY_FIELDS)) {
			const made = new (type === "int32" ? Int32Array : Float64Array)(width * order.length);
			file.append(`/bodies/${name}`, gathered(bodies[name as keyof typeof BODY_FIELDS], width, order, made));
		}
		if (!this.#options.hasRates) return;
		const rates = new Float64Array(9 * order.length);
		file.append("/bodies/rate", bodies.rate.length > 0 ? gathered(bodies.rate, 9, order, rates) : rates);
	}

	/** Places of what is stored: obstacles, which every rank has, by the first; then bodies by shape. */
	#orderOf({ obstacles, own, shape }: Bodies): Int32Array {
		const stored = this.#options.rank === 0 ? obstacles : 0;
		const end = obstacles + own;
		const next = new Int32Array(this.#shapes + 1);
		for (let place = obstacles; place < end; place += 1) next[shape[place]! + 1]! += 1;
		next[0] = stored;
		for (let at = 0; at < this.#shapes; at += 1) next[at + 1]! += next[at]!;
		const order = new Int32Array(stored + own);
		for (let place = 0; place < stored; place += 1) order[place] = place;
		for (let place = obstacles; place < end; place += 1) {
			order[next[shape[place]!]!] = place;
			next[shape[place]!]! += 1;
		}
		return order;
	}

	#addContacts(stored: StoredStep, set: SetRows): void {
		const { contacts, impulses, bodies, duration } = stored;
		const { body, feature, frame, gap, point, isMoment } = contacts;
		const own = this.#ownContacts(stored);
		const count = own.length;
		const columns = {
			body: new Int32Array(2 * count),
			feature: new Int32Array(count),
			point: new Float64Array(3 * count),
			normal: new Float64Array(3 * count),
			force: new Float64Array(3 * count),
			gap: new Float64Array(count),
			...(this.#options.hasMoments && { moment: new Float64Array(3 * count) }),
		};
		for (const [to, contact] of own.entries()) {
			columns.body[2 * to] = bodies.id[body[2 * contact]!]!;
			columns.body[2 * to + 1] = bodies.id[body[2 * contact + 1]!]!;
			columns.feature[to] = feature[contact]!;
			columns.gap[to] = gap[contact]!;
			for (let axis = 0; axis < 3; axis += 1) {
				const at = 9 * contact + axis;
				columns.force[3 * to + axis] = alongAxis(frame, impulses, contact, axis) / duration;
				if (isMoment[contact + 1] === 1 && contact + 1 < contacts.count) {
					columns.moment![3 * to + axis] = alongAxis(frame, impulses, contact + 1, axis) / duration;
				}
				columns.normal[3 * to + axis] = frame[at]!;
				columns.point[3 * to + axis] = point[3 * contact + axis]!;
			}
		}
		set("contacts", this.#file.rows("/contacts/body"), count);
		for (const [name, values] of Object.entries(columns)) this.#file.append(`/contacts/${name}`, values);
	}

	/** Moments belong to the contact before. */
	#ownContacts({ contacts: { count, body, isMoment }, bodies: { obstacles }, owners }: StoredStep): number[] {
		const blocks = Array.from({ length: count }, (_, contact) => contact);
		const all = this.#options.hasMoments ? blocks.filter((contact) => isMoment[contact] !== 1) : blocks;
		if (owners === undefined || this.#options.ranks === 1) return all;
		return all.filter((contact) => {
			const first = body[2 * contact]!;
			return owners[first < obstacles ? body[2 * contact + 1]! : first] === this.#options.rank;
		});
	}

	/** Tables are stored where those of the steps before do not hold for these bodies. */
	#addSurfaces({ shape }: Bodies, order: Int32Array, rows: BigInt64Array, set: SetRows): void {
		const surfaces = this.#surfaces;
		if (surfaces === undefined) return;
		const file = this.#file;
		const shapes = gathered(shape, 1, order, new Int32Array(order.length));
		const tables = surfaces.extend(shapes, this.#options.ranks > 1);
		if (tables !== undefined) {
			this.#tables.surface = file.append("/surface/place", tables.place);
			file.append("/surface/source", tables.source);
			this.#tables.cells = file.append("/cells/nodes", tables.nodes);
		}
		const { corners, nodes, cells } = surfaces.sizesOf(shapes);
		set("surface", this.#tables.surface, corners);
		set("cells", this.#tables.cells, nodes);
		rows[ROWS_WIDTH - 2] = BigInt(cells);
		rows[ROWS_WIDTH - 1] = BigInt(surfaces.corners.length / 3);
	}
}

/** What is given in the frame of a contact, along an axis of the world. */
function alongAxis(frame: Float64Array, values: Float64Array, contact: number, axis: number): number {
	const at = 9 * contact + axis;
	return (
		frame[at]! * values[3 * contact]! +
		frame[at + 3]! * values[3 * contact + 1]! +
		frame[at + 6]! * values[3 * contact + 2]!
	);
}

type SetRows = (group: (typeof RUN_GROUPS)[number], first: number, count: number) => void;

/** Rows of these places one after another. */
function gathered<Values extends Int32Array | Float64Array>(
	values: Int32Array | Float64Array | Uint8Array,
	width: number,
	order: Int32Array,
	into: Values,
): Values {
	for (let row = 0; row < order.length; row += 1) {
		for (let column = 0; column < width; column += 1)
			into[width * row + column] = values[width * order[row]! + column]!;
	}
	return into;
}

/** Metres, metres per second, seconds and ids; without bodies where nothing overlapped or moved. */
function extremeAttributes({ overlap, speed }: RunExtremes): Record<string, Int32Array | Float64Array> {
	return {
		largestOverlap: Float64Array.of(overlap?.value ?? 0),
		largestSpeed: Float64Array.of(speed?.value ?? 0),
		...(overlap && {
			largestOverlapTime: Float64Array.of(overlap.time),
			largestOverlapBodies: Int32Array.from(overlap.bodies),
		}),
		...(speed && {
			largestSpeedTime: Float64Array.of(speed.time),
			largestSpeedBody: Int32Array.from(speed.bodies),
		}),
	};
}

function constantsOf(
	{ version, scene, rank, ranks, statistics }: RunFileOptions,
	model: Model,
	surfaces: SurfaceTables | undefined,
): ConstantDatasets {
	const shapes = JSON.stringify(model.shapes.map(({ description }) => description));
	return {
		"/format": RUN_FORMAT,
		"/version": version,
		"/scene": ascii(scene),
		"/shapes": ascii(shapes),
		"/materials": ascii(JSON.stringify(model.materials)),
		"/laws": ascii(JSON.stringify(model.laws)),
		"/rank": { width: 1, values: Int32Array.of(rank, ranks) },
		...(surfaces && { "/surface/corner": { width: 3, values: surfaces.corners } }),
		...(rank === 0 && { "/statistics/columns": statistics.join(",") }),
	};
}

/** JSON in which every other character is escaped: all readers of HDF5 agree on ASCII. */
function ascii(json: string): string {
	return json.replaceAll(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
