/**
 * One matrix group of FCLIB: compressed rows (nz = -2), compressed columns (-1) or triplets (nz entries, i = row, p = column; the
 * comment in fclib.h says the opposite, the files do not). The size is known from the problem's vectors before
 * the group is looked at, so no number in it decides what is allocated.
 */
import type { RefuseEntry } from "../problem/block-pattern.js";
import { BlockAssembly, blocksFromCsr } from "../problem/blocks.js";
import { csrFromTriplets, sortedCsr, transposeCsr } from "../problem/csr.js";
import type { BlockMatrix, CsrMatrix } from "../problem/problem.js";
import type { Hdf5File } from "./hdf5-file.js";

export type Storage = "compressed rows" | "compressed columns" | "triplets";

export interface MatrixHeader {
	readonly path: string;
	readonly rows: number;
	readonly columns: number;
	readonly storage: Storage;
	/** Entries used, explicit zeros and duplicates included. */
	readonly entries: number;
}

const SIZES = "make the sizes agree";

/** Looks at a matrix's sizes only, and at whether they agree with each other and with those wanted. */
export function matrixHeader(file: Hdf5File, path: string, rows: number, columns: number): MatrixHeader {
	if (file.kind(path) !== "group") file.fail(path, "is missing", "write the complete problem");
	for (const [name, wanted] of [["m", rows] as const, ["n", columns] as const]) {
		const found = file.integer(`${path}/${name}`);
		if (found !== wanted) file.fail(`${path}/${name}`, `is ${found}, but the vectors make it ${wanted}`, SIZES);
	}
	const nz = file.integer(`${path}/nz`);
	const nzmax = file.integer(`${path}/nzmax`);
	const p = file.length(`${path}/p`);
	const room = Math.min(file.length(`${path}/i`), file.length(`${path}/x`));
	if (nz < -2) file.fail(`${path}/nz`, `is ${nz}`, "use -2 for compressed rows, -1 for compressed columns, or a count");
	const storage = nz === -2 ? "compressed rows" : nz === -1 ? "compressed columns" : "triplets";
	const lines = storage === "compressed rows" ? rows : columns;
	if (storage !== "triplets" && p !== lines + 1) {
		file.fail(`${path}/p`, `has ${p} values instead of ${lines + 1} (${storage})`, SIZES);
	}
	const entries = storage === "triplets" ? nz : file.lastInteger(`${path}/p`);
	if (entries < 0) file.fail(`${path}/p`, `ends at ${entries}`, "write the number of entries there");
	if (storage === "triplets" && entries > p) file.fail(`${path}/p`, `has ${p} values for ${entries} entries`, SIZES);
	if (entries > room) file.fail(path, `has room for ${room} of its ${entries} entries in i and x`, SIZES);
	if (entries > nzmax) file.fail(`${path}/nzmax`, `is ${nzmax} for ${entries} entries`, SIZES);
	// Compressed entries are each another place (duplicates add up in triplets only), so there are no more than places.
	if (storage !== "triplets" && entries > rows * columns) {
		file.fail(path, `has ${entries} entries for ${rows} x ${columns} places`, SIZES);
	}
	return { path, rows, columns, storage, entries };
}

/** Any matrix in compressed rows with ascending columns. */
export function readCsr(file: Hdf5File, path: string, rows: number, columns: number): CsrMatrix {
	const header = matrixHeader(file, path, rows, columns);
	const values = new Float64Array(header.entries);
	file.slices(`${path}/x`, header.entries, (slice, first) => values.set(slice, first));
	if (header.storage === "triplets") return readTriplets(file, header, values);
	const { lines, start, index } = readPattern(file, header);
	const across = header.storage === "compressed rows" ? columns : rows;
	const read = { rows: lines, columns: across, rowStart: start, column: index, values };
	const matrix = header.storage === "compressed rows" ? sortedCsr(read) : transposeCsr(read);
	refuseRepeated(file, path, matrix);
	return matrix;
}

/** A square matrix over contacts as 3x3 blocks. Compressed values stream in and never stand in memory twice. */
export function readBlocks(file: Hdf5File, path: string, contacts: number): BlockMatrix {
	const header = matrixHeader(file, path, 3 * contacts, 3 * contacts);
	const refuse: RefuseEntry = (entry, problem, remedy) => file.fail(`${path}/i[${entry}]`, problem, remedy);
	if (header.storage === "triplets") return blocksFromCsr(readCsr(file, path, 3 * contacts, 3 * contacts), refuse);
	const { start, index } = readPattern(file, header);
	const kind = header.storage === "compressed rows" ? "rows" : "columns";
	const assembly = new BlockAssembly(3 * contacts, start, index, refuse, kind);
	file.slices(`${path}/x`, header.entries, (slice, first) => assembly.fill(slice, first));
	return assembly.blocks;
}

interface Pattern {
	readonly lines: number;
	readonly start: Int32Array;
	readonly index: Int32Array;
}

/** Pointers and indices of a compressed matrix, in range. */
function readPattern(file: Hdf5File, header: MatrixHeader): Pattern {
	const { path, rows, columns, storage, entries } = header;
	const lines = storage === "compressed rows" ? rows : columns;
	const across = storage === "compressed rows" ? columns : rows;
	const start = readStarts(file, header);
	const index = readIndices(file, `${path}/i`, entries, across);
	return { lines, start, index };
}

/** Pointers of a compressed matrix. */
export function readStarts(file: Hdf5File, { path }: MatrixHeader): Int32Array {
	const start = file.integers(`${path}/p`);
	if (start[0] !== 0) file.fail(`${path}/p[0]`, `is ${start[0]}`, "pointers start at 0");
	for (let line = 0; line + 1 < start.length; line += 1) {
		if (start[line + 1]! < start[line]!) {
			file.fail(
				`${path}/p[${line + 1}]`,
				`decreases from ${start[line]} to ${start[line + 1]}`,
				"pointers must not decrease",
			);
		}
	}
	return start;
}

function readTriplets(file: Hdf5File, { path, rows, columns, entries }: MatrixHeader, values: Float64Array): CsrMatrix {
	const row = readIndices(file, `${path}/i`, entries, rows);
	const column = readIndices(file, `${path}/p`, entries, columns);
	return csrFromTriplets(rows, columns, { row, column, values });
}

function readIndices(file: Hdf5File, path: string, count: number, end: number): Int32Array {
	const indices = file.integers(path, count);
	requireInRange(file, path, indices, 0, end);
	return indices;
}

/** Indices from number `first` on. */
export function requireInRange(file: Hdf5File, path: string, indices: Int32Array, first: number, end: number): void {
	for (let k = 0; k < indices.length; k += 1) {
		const index = indices[k]!;
		if (index < 0 || index >= end) {
			file.fail(`${path}[${first + k}]`, `is ${index}, out of range`, `indices here go from 0 to ${end - 1}`);
		}
	}
}

/** Duplicates are allowed in triplets only, where they add up. */
function refuseRepeated(file: Hdf5File, path: string, { rows, rowStart, column }: CsrMatrix): void {
	for (let row = 0; row < rows; row += 1) {
		for (let k = rowStart[row]! + 1; k < rowStart[row + 1]!; k += 1) {
			if (column[k] !== column[k - 1]) continue;
			const remedy = "add up the two entries, or write triplets";
			file.fail(`${path}/i`, `names row ${row}, column ${column[k]} twice`, remedy);
		}
	}
}
