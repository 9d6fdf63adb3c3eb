/** Reads run files: which steps are stored whole, by one rank or by many, and what is stored of a step. */
import { InputError } from "@stickslip/core";
import { Hdf5Library, type Hdf5Module } from "@stickslip/core/fclib";
import { KIND } from "../bodies/bodies.js";
import type { SceneDescription } from "../scenes/description.js";
import { parseScene, pathOf } from "../scenes/scene-file.js";
import { shapeList } from "../scenes/schema.js";
import type { Shape } from "../shapes/shape.js";
import {
	BODY_FIELDS,
	CONTACT_FIELDS,
	MOMENT_FIELD,
	ROWS_WIDTH,
	RUN_FORMAT,
	rowsIn,
	type StepRows,
} from "./run-layout.js";

/** Bodies of a step by ascending id, with what belongs to each, by field. */
export interface StoredBodies {
	readonly count: number;
	readonly id: Int32Array;
	readonly kind: Int32Array;
	readonly shape: Int32Array;
	readonly material: Int32Array;
	readonly position: Float64Array;
	readonly orientation: Float64Array;
	readonly map: Float64Array;
	readonly velocity: Float64Array;
	readonly spin: Float64Array;
}

export interface StoredContacts {
	readonly count: number;
	readonly body: Int32Array;
	readonly feature: Int32Array;
	readonly point: Float64Array;
	readonly normal: Float64Array;
	readonly force: Float64Array;
	readonly gap: Float64Array;
	/** Where contacts may roll. */
	readonly moment?: Float64Array;
}

/** A step of one file. */
interface StepOfPart extends StepRows {
	readonly step: number;
	readonly time: number;
	/** That stored it together. */
	readonly ranks: number;
}

type Numbers = Int32Array | Float64Array | BigInt64Array;

const REMEDY = "give a run file as stickslip simulate has written it";
const [INTEGER, FLOAT, STRING] = [0, 1, 3];
/** Far beyond all machines. */
const RANKS_MAX = 2 ** 20;
const ROWS_MAX = BigInt(Number.MAX_SAFE_INTEGER);
const KINDS_MAX = Math.max(...Object.values(KIND));

/** The part of one rank. */
export class RunPart {
	readonly path: string;
	readonly rank: number;
	/** By number, the newest of each. */
	readonly steps: ReadonlyMap<number, StepOfPart>;
	readonly #file: Hdf5Library;

	constructor(module: Hdf5Module, path: string) {
		this.path = path;
		this.#file = openFile(module, path);
		try {
			if (this.#file.kind("/format") !== "dataset" || this.text("/format") !== RUN_FORMAT) {
				this.fail("/format", `is not "${RUN_FORMAT}"`);
			}
			const [rank = -1] = this.read("/rank", 0, 1, 1, Int32Array);
			if (rank < 0) this.fail("/rank[0]", `is ${rank}`);
			this.rank = rank;
			this.steps = this.#stepsIn();
		} catch (error) {
			this.#file.close();
			throw error;
		}
	}

	close(): void {
		this.#file.close();
	}

	has(path: string): boolean {
		return this.#file.kind(path) === "dataset";
	}

	/** Rows of a dataset. */
	length(path: string): number {
		return this.#file.metadata(path).shape?.[0] ?? 0;
	}

	text(path: string): string {
		const { size, type, vlen, shape } = this.#file.metadata(path);
		if (type !== STRING || vlen || shape?.length !== 0) this.fail(path, "is not a text of fixed length");
		if (size > this.#file.bytes) this.fail(path, `claims ${size} bytes`);
		const bytes = new Uint8Array(size);
		this.#file.read(path, [], 0, 1, bytes);
		return new TextDecoder().decode(bytes).replace(/[\0 ]+$/, "");
	}

	fail(place: string, problem: string): never {
		throw new InputError(this.path, place, problem, REMEDY);
	}

	/** Rows `first` to `first + count - 1`, as the file has them, each of `width` numbers. */
	read<Values extends Numbers>(
		path: string,
		first: number,
		count: number,
		width: number,
		make: { new (buffer: ArrayBuffer): Values; readonly BYTES_PER_ELEMENT: number },
	): Values {
		const metadata = this.#file.metadata(path);
		const { shape, size, type, signed } = metadata;
		if (count > 0) this.#file.requireWritten(path, metadata);
		const isReal = make.BYTES_PER_ELEMENT === 8 && make !== (BigInt64Array as unknown);
		const isKind = isReal ? type === FLOAT : type === INTEGER && signed;
		const isWide = shape !== null && (shape.length === 2 ? shape[1] === width : shape.length === 1 && width === 1);
		if (!isKind || !isWide || size !== make.BYTES_PER_ELEMENT) this.fail(path, "is not as a run file has it");
		if (first < 0 || first + count > shape[0]!) this.fail(path, `has no rows ${first} to ${first + count - 1}`);
		const length = count * width * size;
		// Nothing is packed: what is larger than the file is not in it.
		if (!(length <= this.#file.bytes)) this.fail(path, `claims ${length} bytes`);
		const bytes = new Uint8Array(length);
		if (count > 0) this.#file.read(path, shape, first, count, bytes);
		return new make(bytes.buffer);
	}

	#stepsIn(): Map<number, StepOfPart> {
		const names = ["/steps/step", "/steps/time", "/steps/ranks", "/steps/rows"];
		const count = Math.min(...names.map((name) => this.length(name)));
		const step = this.read("/steps/step", 0, count, 1, Int32Array);
		const time = this.read("/steps/time", 0, count, 1, Float64Array);
		const ranks = this.read("/steps/ranks", 0, count, 1, Int32Array);
		const rows = this.read("/steps/rows", 0, count, ROWS_WIDTH, BigInt64Array);
		const steps = new Map<number, StepOfPart>();
		for (let at = 0; at < count; at += 1) {
			const own = rows.subarray(ROWS_WIDTH * at, ROWS_WIDTH * (at + 1));
			if (!(step[at]! >= 0)) this.fail(`/steps/step[${at}]`, `is ${step[at]}`);
			if (!Number.isFinite(time[at]!)) this.fail(`/steps/time[${at}]`, `is ${time[at]}`);
			if (!(ranks[at]! > 0 && ranks[at]! <= RANKS_MAX)) this.fail(`/steps/ranks[${at}]`, `is ${ranks[at]}`);
			const wrong = own.findIndex((row) => row < 0n || row > ROWS_MAX);
			if (wrong >= 0) this.fail(`/steps/rows[${at}, ${wrong}]`, `is ${own[wrong]}`);
			steps.set(step[at]!, { step: step[at]!, time: time[at]!, ranks: ranks[at]!, ...rowsIn(own) });
		}
		return steps;
	}
}

function openFile(module: Hdf5Module, path: string): Hdf5Library {
	try {
		return new Hdf5Library(module, path, path);
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		throw new InputError(path, error.place, error.problem, REMEDY);
	}
}

/** All parts of a run together. */
export class RunReader {
	/** By rank. */
	readonly parts: readonly RunPart[];
	/** Numbers of the steps that all their ranks have stored, ascending. */
	readonly steps: readonly number[];
	#shapes: readonly Shape[] | undefined;

	constructor(parts: readonly RunPart[]) {
		this.parts = [...parts].sort((one, other) => one.rank - other.rank);
		this.steps = [...(this.parts[0]?.steps.keys() ?? [])]
			.filter((step) => this.partsOf(step) !== undefined)
			.sort((one, other) => one - other);
	}

	get version(): string {
		return this.parts[0]!.text("/version");
	}

	get scene(): SceneDescription {
		const part = this.parts[0]!;
		try {
			return parseScene(part.text("/scene"), part.path);
		} catch (error) {
			if (!(error instanceof InputError) || error.place === "/scene") throw error;
			return part.fail(`/scene: ${error.place}`, error.problem);
		}
	}

	get shapes(): readonly Shape[] {
		this.#shapes ??= this.#readShapes();
		return this.#shapes;
	}

	#readShapes(): readonly Shape[] {
		const part = this.parts[0]!;
		const checked = shapeList.safeParse(jsonOf(part, "/shapes"));
		const [issue] = checked.error?.issues ?? [];
		return issue === undefined ? checked.data! : part.fail(`/shapes${pathOf(issue.path)}`, "is no shape");
	}

	/** Names, and a row per step. Of steps that were done again, the later one is the last. */
	statistics(): { readonly columns: readonly string[]; readonly values: Float64Array } {
		const part = this.parts[0]!;
		const columns = part.text("/statistics/columns").split(",");
		const rows = part.length("/statistics/values");
		return { columns, values: part.read("/statistics/values", 0, rows, columns.length, Float64Array) };
	}

	/** Ranks that have stored steps together with rank 0, and whose parts are not here. */
	get missingParts(): number[] {
		const all = Math.max(0, ...[...(this.parts[0]?.steps.values() ?? [])].map(({ ranks }) => ranks));
		const here = new Set(this.parts.map(({ rank }) => rank));
		return Array.from({ length: all }, (_, rank) => rank).filter((rank) => !here.has(rank));
	}

	/** The parts of those that stored the step together; undefined where one is missing. */
	partsOf(step: number): RunPart[] | undefined {
		const ranks = this.parts[0]?.steps.get(step)?.ranks ?? 0;
		const own = this.parts.filter(({ rank, steps }) => rank < ranks && steps.get(step)?.ranks === ranks);
		return own.length === ranks && ranks > 0 ? own : undefined;
	}

	timeOf(step: number): number {
		return this.parts[0]?.steps.get(step)?.time ?? Number.NaN;
	}

	/** All bodies of a step. */
	bodies(step: number): StoredBodies {
		const { fields, count } = this.#gathered("bodies", step, BODY_FIELDS);
		const { id, kind, shape } = fields as Readonly<Record<"id" | "kind" | "shape", Int32Array>>;
		const { length: shapes } = this.shapes;
		for (let at = 0; at < count; at += 1) {
			const fail = (field: "id" | "kind" | "shape", value = 0) =>
				this.parts[0]!.fail(`/bodies/${field}`, `has ${value} in step ${step}`);
			if (!(id[at]! >= 0)) fail("id", id[at]);
			if (!(kind[at]! >= 0 && kind[at]! <= KINDS_MAX)) fail("kind", kind[at]);
			if (!(shape[at]! >= 0 && shape[at]! < shapes)) fail("shape", shape[at]);
		}
		const order = Array.from({ length: count }, (_, at) => at).sort((one, other) => id[one]! - id[other]!);
		return { ...(arranged(fields, order) as unknown as Omit<StoredBodies, "count">), count };
	}

	contacts(step: number): StoredContacts {
		const hasMoments = this.partsOf(step)?.every((part) => part.has("/contacts/moment")) === true;
		const layout = hasMoments ? { ...CONTACT_FIELDS, moment: MOMENT_FIELD } : CONTACT_FIELDS;
		const { fields, count } = this.#gathered("contacts", step, layout);
		const { body, feature } = fields as { body: Int32Array; feature: Int32Array };
		const order = Array.from({ length: count }, (_, at) => at).sort(
			(one, other) =>
				body[2 * one]! - body[2 * other]! ||
				body[2 * one + 1]! - body[2 * other + 1]! ||
				feature[one]! - feature[other]!,
		);
		return { ...(arranged(fields, order) as unknown as Omit<StoredContacts, "count">), count };
	}

	close(): void {
		for (const part of this.parts) part.close();
	}

	#gathered(
		group: "bodies" | "contacts",
		step: number,
		layout: Readonly<Record<string, readonly ["int32" | "float64", number]>>,
	): { fields: Record<string, Int32Array | Float64Array>; count: number } {
		const parts = this.partsOf(step) ?? [];
		const counts = parts.map((part) => part.steps.get(step)!.rows[group][1]);
		const count = counts.reduce((sum, own) => sum + own, 0);
		const fields: Record<string, Int32Array | Float64Array> = {};
		for (const [name, [type, width]] of Object.entries(layout)) {
			const make = (type === "int32" ? Int32Array : Float64Array) as typeof Float64Array;
			const read = parts.map((part, index) => {
				const [first] = part.steps.get(step)!.rows[group];
				return part.read(`/${group}/${name}`, first, counts[index]!, width, make);
			});
			// Only now the rows are known to be in the files.
			const whole = new make(width * count);
			let at = 0;
			for (const values of read) {
				whole.set(values, at);
				at += values.length;
			}
			fields[name] = whole;
		}
		return { fields, count };
	}
}

function jsonOf(part: RunPart, path: string): unknown {
	try {
		return JSON.parse(part.text(path));
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
		return part.fail(path, "is not JSON, as a run file has it");
	}
}

/** The same in another order. */
function arranged(
	fields: Readonly<Record<string, Int32Array | Float64Array>>,
	order: readonly number[],
): Record<string, Int32Array | Float64Array> {
	const entries = Object.entries(fields).map(([name, values]) => {
		const width = order.length === 0 ? 1 : values.length / order.length;
		const sorted = values.slice();
		for (const [to, from] of order.entries()) {
			for (let column = 0; column < width; column += 1) sorted[width * to + column] = values[width * from + column]!;
		}
		return [name, sorted] as const;
	});
	return Object.fromEntries(entries);
}
