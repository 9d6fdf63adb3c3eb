/** The bodies of a rank in arrays with room for more: own ones come and go with the regions, ghosts with every step. */
import { type Bodies, FIELDS, type Field, STATE_FIELDS } from "../bodies/bodies.js";

const FIELD_NAMES = Object.keys(FIELDS) as Field[];

/** Numbers of a body on its way to another rank; rates travel where there are some. */
export function bodyNumbers(hasRates: boolean): number {
	let numbers = 0;
	for (const name of FIELD_NAMES) if (hasRates || name !== "rate") numbers += FIELDS[name];
	return numbers;
}

/** Those of them that change from step to step. */
export function stateNumbers(hasRates: boolean): number {
	let numbers = 0;
	for (const name of STATE_FIELDS) if (hasRates || name !== "rate") numbers += FIELDS[name];
	return numbers;
}

type Column = Float64Array | Int32Array | Uint8Array;
type Columns = Record<Field, Column>;

export class BodyStore {
	readonly #obstacles: number;
	#columns: Columns;
	/** The arrays of before a rearrangement, used again for the next one. */
	#spare: Columns;
	#room: number;
	#own: number;
	#ghosts = 0;
	#total: number;
	readonly hasRates: boolean;

	constructor(bodies: Bodies, hasRates: boolean) {
		this.hasRates = hasRates;
		this.#obstacles = bodies.obstacles;
		this.#own = bodies.own;
		this.#total = bodies.total;
		this.#room = bodies.obstacles + bodies.own;
		this.#columns = this.#emptyColumns();
		for (const name of FIELD_NAMES) this.#columns[name].set(bodies[name].subarray(0, FIELDS[name] * this.#room));
		this.#spare = this.#emptyColumns();
	}

	/**
	 * Views of what is there now; they stay until something changes. Name by name: what has its names by a loop or of another object may be of a new kind to V8
	 * each time, for which all code that works on bodies is compiled once more.
	 */
	view(): Bodies {
		const count = this.#obstacles + this.#own + this.#ghosts;
		const part = <Name extends Field>(name: Name): Bodies[Name] =>
			this.#columns[name].subarray(0, this.#widthOf(name) * count) as Bodies[Name];
		return {
			obstacles: this.#obstacles,
			own: this.#own,
			count,
			total: this.#total,
			id: part("id"),
			kind: part("kind"),
			shape: part("shape"),
			material: part("material"),
			isHeld: part("isHeld"),
			position: part("position"),
			orientation: part("orientation"),
			map: part("map"),
			velocity: part("velocity"),
			spin: part("spin"),
			angularMomentum: part("angularMomentum"),
			rate: part("rate"),
			mass: part("mass"),
			moments: part("moments"),
			inertia: part("inertia"),
			axes: part("axes"),
		};
	}

	/** Own bodies are these places of before and these records, both by ascending id; there are no ghosts until some are set. */
	setOwn(places: Int32Array, records: readonly Float64Array[], total = this.#total): void {
		const own = places.length + records.length;
		const sources = this.#merged(places, records);
		this.#own = own;
		this.#ghosts = 0;
		this.#total = total;
		this.#swap(this.#obstacles + own);
		const [to, from] = [this.#columns, this.#spare];
		const first = this.#obstacles;
		for (const name of FIELD_NAMES) {
			const width = this.#widthOf(name);
			to[name].set(from[name].subarray(0, width * first));
			copyRuns(from[name], sources, to[name], first, width);
		}
		for (let i = 0; i < own; i += 1) if (sources[i]! < 0) this.read(records[~sources[i]!]!, first + i);
	}

	/** Ghosts are these records, by ascending id. */
	setGhosts(records: readonly Float64Array[]): void {
		this.#ghosts = records.length;
		this.#reserve(this.#obstacles + this.#own + records.length);
		for (const [i, record] of records.entries()) this.read(record, this.#obstacles + this.#own + i);
	}

	/** Writes the numbers of the body at a place. */
	write(place: number, record: Float64Array): void {
		let at = 0;
		for (const name of FIELD_NAMES) {
			const width = this.#widthOf(name);
			const column = this.#columns[name];
			for (let k = 0; k < width; k += 1) record[at + k] = column[width * place + k]!;
			at += width;
		}
	}

	/** Reads what `write` wrote, to a place. */
	read(record: Float64Array, place: number): void {
		let at = 0;
		for (const name of FIELD_NAMES) {
			const width = this.#widthOf(name);
			const column = this.#columns[name];
			for (let k = 0; k < width; k += 1) column[width * place + k] = record[at + k]!;
			at += width;
		}
	}

	/** Writes what changes from step to step of the bodies at these places, one after another. */
	writeStates(places: Int32Array, states: Float64Array): void {
		const numbers = stateNumbers(this.hasRates);
		let from = 0;
		for (const name of STATE_FIELDS) {
			const width = this.#widthOf(name);
			const column = this.#columns[name];
			for (let i = 0; i < places.length; i += 1) {
				const [to, at] = [numbers * i + from, width * places[i]!];
				for (let k = 0; k < width; k += 1) states[to + k] = column[at + k]!;
			}
			from += width;
		}
	}

	/** Reads what `writeStates` wrote of all ghosts in the order of their places. */
	readGhosts(states: Float64Array): void {
		const numbers = stateNumbers(this.hasRates);
		const first = this.#obstacles + this.#own;
		let from = 0;
		for (const name of STATE_FIELDS) {
			const width = this.#widthOf(name);
			const column = this.#columns[name];
			for (let i = 0; i < this.#ghosts; i += 1) {
				const [to, at] = [width * (first + i), numbers * i + from];
				for (let k = 0; k < width; k += 1) column[to + k] = states[at + k]!;
			}
			from += width;
		}
	}

	#widthOf(name: Field): number {
		return name === "rate" && !this.hasRates ? 0 : FIELDS[name];
	}

	/** Places, and records as ~index, by ascending id. */
	#merged(places: Int32Array, records: readonly Float64Array[]): Int32Array {
		const sources = new Int32Array(places.length + records.length);
		const { id } = this.#columns;
		let next = 0;
		for (let i = 0, to = 0; to < sources.length; to += 1) {
			const isPlace = next === records.length || (i < places.length && id[places[i]!]! < records[next]![0]!);
			sources[to] = isPlace ? places[i]! : ~next;
			if (isPlace) i += 1;
			else next += 1;
		}
		return sources;
	}

	/** The arrays of before are the spare ones afterwards. */
	#swap(count: number): void {
		const before = this.#columns;
		if (this.#room < count) {
			this.#room = count + (count >> 2) + 16;
			this.#columns = this.#emptyColumns();
		} else {
			this.#columns = this.#spare.id.length < this.#room ? this.#emptyColumns() : this.#spare;
		}
		this.#spare = before;
	}

	#reserve(count: number): void {
		if (this.#room >= count) return;
		this.#room = count + (count >> 2) + 16;
		const before = this.#columns;
		this.#columns = this.#emptyColumns();
		for (const name of FIELD_NAMES) this.#columns[name].set(before[name]);
	}

	#emptyColumns(): Columns {
		const columns: Partial<Columns> = {};
		for (const name of FIELD_NAMES) columns[name] = emptyColumn(name, this.#widthOf(name) * this.#room);
		return columns as Columns;
	}
}

const WHOLE: readonly Field[] = ["id", "shape", "material"];
const SMALL: readonly Field[] = ["kind", "isHeld"];

function emptyColumn(name: Field, numbers: number): Column {
	if (WHOLE.includes(name)) return new Int32Array(numbers);
	return SMALL.includes(name) ? new Uint8Array(numbers) : new Float64Array(numbers);
}

/** Sources that follow one another are copied together; negative ones are left out. */
function copyRuns(from: Column, sources: Int32Array, to: Column, first: number, width: number): void {
	for (let i = 0, end = 0; i < sources.length; i = end) {
		const source = sources[i]!;
		for (end = i + 1; end < sources.length && sources[end] === source + end - i && source >= 0; ) end += 1;
		if (source < 0) continue;
		to.set(from.subarray(width * source, width * (source + end - i)), width * (first + i));
	}
}
