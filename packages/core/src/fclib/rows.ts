/**
 * Rows of W out of a file, for ranks: who shares the problem out reads which blocks there are, and each rank the values of its own rows. W
 * goes by in windows, so that neither holds more of it than it needs. Triplets are in no order, and are read whole.
 */
import { columnIds, rowIds, type ShareOutline, type ShareRows, type UnreadRows } from "../parallel/share.js";
import type { RigidRows } from "../problem/assemble-rigid.js";
import { BlockPatternBuilder, turn } from "../problem/block-pattern.js";
import { BlockAssembly } from "../problem/blocks.js";
import { checkDiagonal, SIGNS_REMEDY } from "../problem/diagonal.js";
import { blocksAt } from "../problem/diagonal-blocks.js";
import type { BlockMatrix } from "../problem/problem.js";
import type { FclibFile } from "./fclib-file.js";
import { type MatrixHeader, matrixHeader, readStarts, requireInRange } from "./matrix.js";

/** Entries that are read at once, if a line of blocks has no more; and such as nobody asked for that are read rather than skipped. */
const WINDOW_ENTRIES = 2 ** 18;
const GAP_ENTRIES = 2 ** 10;

const CHANGED = "leave files as they are while they are solved, and solve again";

/** Some lines of blocks, by their numbers, and the entries from the first of them to the last. */
interface Window {
	readonly first: number;
	readonly last: number;
	readonly from: number;
	readonly end: number;
}

/** Lines of blocks that stand near one another are read together. `lines` ascend; `start` is where each scalar line begins. */
function* windowsOf(start: Int32Array, lines: Int32Array): Generator<Window> {
	for (let first = 0; first < lines.length; ) {
		const from = start[3 * lines[first]!]!;
		let end = start[3 * lines[first]! + 3]!;
		let last = first + 1;
		for (; last < lines.length; last += 1) {
			const begin = start[3 * lines[last]!]!;
			const next = start[3 * lines[last]! + 3]!;
			if (begin - end > GAP_ENTRIES || next - from > WINDOW_ENTRIES) break;
			end = next;
		}
		yield { first, last, from, end };
		first = last;
	}
}

/** A buffer that grows to the largest window. */
class Buffer<Numbers extends Int32Array | Float64Array> {
	readonly #make: (length: number) => Numbers;
	#room: Numbers;

	constructor(make: (length: number) => Numbers) {
		this.#make = make;
		this.#room = make(0);
	}

	of(length: number): Numbers {
		if (this.#room.length < length) this.#room = this.#make(length);
		return this.#room.subarray(0, length) as Numbers;
	}
}

class Lines {
	readonly #file: FclibFile;
	readonly #header: MatrixHeader;
	readonly #start: Int32Array;
	readonly #indices = new Buffer((length) => new Int32Array(length));
	readonly #values = new Buffer((length) => new Float64Array(length));

	constructor(file: FclibFile, header: MatrixHeader) {
		this.#file = file;
		this.#header = header;
		this.#start = readStarts(file.hdf5, header);
	}

	entries(lines: Int32Array): number {
		let entries = 0;
		for (const line of lines) entries += this.#start[3 * line + 3]! - this.#start[3 * line]!;
		return entries;
	}

	/** Visits the scalar lines of these lines of blocks, with the number of their first entry, and with values or without; what is visited is overwritten by what comes next. */
	visit(
		lines: Int32Array,
		withValues: boolean,
		visit: (first: number, indices: Int32Array, values: Float64Array) => void,
	): void {
		const { hdf5 } = this.#file;
		const { path, rows } = this.#header;
		const start = this.#start;
		for (const { first, last, from, end } of windowsOf(start, lines)) {
			const indices = this.#indices.of(end - from);
			hdf5.integersFrom(`${path}/i`, from, indices);
			requireInRange(hdf5, `${path}/i`, indices, from, rows);
			const values = this.#values.of(withValues ? end - from : 0);
			if (withValues) hdf5.realsFrom(`${path}/x`, from, values);
			for (let k = first; k < last; k += 1) {
				for (let line = 3 * lines[k]!; line < 3 * lines[k]! + 3; line += 1) {
					const [begin, stop] = [start[line]! - from, start[line + 1]! - from];
					visit(start[line]!, indices.subarray(begin, stop), values.subarray(begin, stop));
				}
			}
		}
	}
}

function headerOfW({ hdf5, group, contacts }: FclibFile): MatrixHeader {
	return matrixHeader(hdf5, `${group}/W`, 3 * contacts, 3 * contacts);
}

/** Which blocks W has; undefined where it has to be read whole. */
export function readPatternOfW(file: FclibFile): RigidRows | undefined {
	const header = headerOfW(file);
	if (header.storage === "triplets") return undefined;
	const { contacts, hdf5 } = file;
	const builder = new BlockPatternBuilder(3 * contacts, 3 * contacts, (entry, problem, remedy) =>
		hdf5.fail(`${header.path}/i[${entry}]`, problem, remedy),
	);
	const all = Int32Array.from({ length: contacts }, (_, line) => line);
	new Lines(file, header).visit(all, false, (first, indices) => builder.add(indices, first));
	const pattern = builder.finish();
	const { starts, columns } = header.storage === "compressed rows" ? pattern : turn(contacts, pattern);
	return { rows: contacts, rowStart: starts, column: columns };
}

/** The rows of these ascending ids, with columns numbered by the ids of `columns`. */
function readRowsOfW(file: FclibFile, rows: Int32Array, columns: Int32Array): BlockMatrix {
	const header = headerOfW(file);
	const { hdf5, contacts } = file;
	const changed = (): never => hdf5.fail(header.path, "has other blocks than when the solve began", CHANGED);
	if (header.storage === "triplets") return changed();
	const isByRows = header.storage === "compressed rows";
	const [along, across] = isByRows ? [rows, columns] : [columns, rows];
	const number = new Int32Array(contacts).fill(-1);
	for (let i = 0; i < across.length; i += 1) number[across[i]!] = i;
	const lines = new Lines(file, header);
	// Where entries stand, before what they are: a column has other ranks' rows too, a row no column that the outline does not name.
	const starts = new Int32Array(3 * along.length + 1);
	const kept = new Int32Array(lines.entries(along));
	let count = 0;
	let at = 0;
	lines.visit(along, false, (_, indices) => {
		for (let k = 0; k < indices.length; k += 1) {
			const block = Math.floor(indices[k]! / 3);
			if (number[block]! >= 0) {
				kept[count] = 3 * number[block]! + indices[k]! - 3 * block;
				count += 1;
			} else if (isByRows) changed();
		}
		at += 1;
		starts[at] = count;
	});
	const kind = isByRows ? "rows" : "columns";
	const assembly = new BlockAssembly(3 * across.length, starts, kept.subarray(0, count), changed, kind);
	let filled = 0;
	lines.visit(along, true, (_, indices, values) => {
		let own = 0;
		for (let k = 0; k < indices.length; k += 1) {
			if (number[Math.floor(indices[k]! / 3)]! < 0) continue;
			values[own] = values[k]!;
			own += 1;
		}
		assembly.fill(values.subarray(0, own), filled);
		filled += own;
	});
	return assembly.blocks;
}

/** A rank's rows, with what was left to it: its diagonal blocks, and whether they make sense. */
export function readRows(file: FclibFile, outline: ShareOutline, { q, mu, start }: UnreadRows): ShareRows {
	const [rows, columns] = [rowIds(outline), columnIds(outline)];
	const matrix = readRowsOfW(file, rows, columns);
	const { ids, name } = outline;
	const place = new Int32Array(ids.length).fill(-1);
	for (let i = 0; i < rows.length; i += 1) {
		for (let k = matrix.rowStart[i]!; k < matrix.rowStart[i + 1]!; k += 1) {
			if (columns[matrix.column[k]!] === rows[i]) place[i] = k;
		}
	}
	const { operator } = outline;
	if (operator.kind !== "assembled") throw new Error("rows of W for another operator");
	const diagonal = blocksAt(
		matrix.values,
		operator.row.map((row) => place[row]!),
	);
	const singular = checkDiagonal(diagonal, name, `${file.group}/W`, SIGNS_REMEDY, ids);
	const given = { q, mu, ...(start && { start }) };
	return { ...given, diagonal, singular: Int32Array.from(singular), operator: { kind: "assembled", matrix } };
}
