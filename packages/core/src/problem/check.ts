/** Checks of single fields: each throws an InputError that names the place and the remedy. */
import { InputError } from "../base/errors.js";
import { isIndices, isReals } from "../base/reals.js";
import { shown } from "../base/shown.js";
import { classify } from "./diagonal.js";
import { diagonalPlaces } from "./diagonal-blocks.js";
import type { Pattern } from "./pattern.js";
import type { BlockMatrix, CsrMatrix, GlobalForm, RigidContacts } from "./problem.js";

/** The name of a field in the source: a dataset's path for a file, the field itself for a problem made in memory. */
export type PlaceOf = (field: string) => string;

/** What the check need not look at. */
export interface AlreadyChecked {
	/** The pattern that the problem has: it was checked, and only values are looked at. */
	readonly pattern?: Pattern | undefined;
	/** Whether whoever stores the blocks of W looks whether they are finite, and has the check done again where they are not. */
	readonly storeChecksBlocks?: boolean;
	/**
	 * Whether a kernel looks at the numbers of q, mu and W, and at the rows of W, before they are used (solve/tiny.ts), and has the check done again where it finds anything out
	 * of the ordinary: then they are only looked at for what they are, and how many.
	 */
	readonly kernelChecks?: boolean;
	/** Whether the values of a W that is unread are looked at where they are read: by ranks, each its own rows. */
	readonly readersCheckBlocks?: boolean;
}

/** Where the nine entries of a symmetric block stand in xx, yy, zz, xy, xz, yz. */
const SYMMETRIC = [0, 3, 4, 3, 1, 5, 4, 5, 2];

/** In four sums, of which none waits for another: anything but a finite number makes its sum something else than zero. */
export function areFinite(values: Float64Array, length: number): boolean {
	const even = length - (length % 4);
	let sum0 = 0;
	let sum1 = 0;
	let sum2 = 0;
	let sum3 = 0;
	for (let i = 0; i < even; i += 4) {
		sum0 += 0 * values[i]!;
		sum1 += 0 * values[i + 1]!;
		sum2 += 0 * values[i + 2]!;
		sum3 += 0 * values[i + 3]!;
	}
	for (let i = even; i < length; i += 1) sum0 += 0 * values[i]!;
	return sum0 + sum1 + (sum2 + sum3) === 0;
}

export class Check {
	constructor(
		readonly source: string,
		readonly placeOf: PlaceOf,
		readonly known: AlreadyChecked,
	) {}

	fail(field: string, problem: string, remedy: string, index?: number): never {
		const place = this.placeOf(field);
		throw new InputError(this.source, index === undefined ? place : `${place}[${index}]`, problem, remedy);
	}

	length(field: string, found: number, wanted: number): void {
		if (found !== wanted) this.fail(field, `has ${found} values instead of ${wanted}`, "make the sizes agree");
	}

	/** `form` says what has to be in it. */
	object(field: string, value: unknown, form: string): void {
		if (typeof value === "object" && value !== null) return;
		this.fail(field, value === undefined ? "is missing" : `is ${shown(value)}`, `give an object with ${form}`);
	}

	/** That they are there; `length` is how many there have to be, where that is known. */
	realArray(field: string, values: unknown, length?: number): void {
		if (!isReals(values)) this.#notAnArray(field, values, "a Float64Array", length);
	}

	indexArray(field: string, values: unknown, length?: number): void {
		if (!isIndices(values)) this.#notAnArray(field, values, "an Int32Array", length);
	}

	#notAnArray(field: string, values: unknown, kind: string, length: number | undefined): never {
		if (values === undefined) this.fail(field, "is missing", `give ${kind}`);
		this.fail(field, `is not ${kind}`, length === undefined ? `give ${kind}` : `give ${length} numbers in ${kind}`);
	}

	reals(field: string, values: Float64Array, length: number): void {
		this.room(field, values, length);
		this.finite(field, values, length);
	}

	/** That so many are there, whatever they are. */
	room(field: string, values: Float64Array, length: number): void {
		this.realArray(field, values, length);
		this.length(field, values.length, length);
	}

	finite(field: string, values: Float64Array, length: number): void {
		if (areFinite(values, length)) return;
		const at = values.findIndex((value) => value - value !== 0);
		this.fail(field, `is ${values[at]}`, "give finite numbers only", at);
	}

	/** That W has as many rows and columns as it says, for a kernel that looks at what they are. */
	blockRoom(field: string, matrix: BlockMatrix, contacts: number): void {
		this.object(field, matrix, "rows, rowStart, column and values");
		const { rows, rowStart, column, values } = matrix;
		this.rowArrays(field, { rowStart, column, values });
		const used = rowStart[contacts]!;
		const fits = used >= 0 && used <= column.length && 9 * used <= values.length;
		// Which of these it is not, the check of blocks says.
		if (rows !== contacts || rowStart.length !== contacts + 1 || !fits) this.blocks(field, matrix, contacts);
	}

	friction(field: string, values: Float64Array, length: number): void {
		this.reals(field, values, length);
		for (let i = 0; i < length; i += 1) {
			if (values[i]! < 0) this.fail(field, `is ${values[i]}`, "give friction that is zero or positive", i);
		}
	}

	indices(field: string, values: Int32Array, length: number, from: number, to: number): void {
		this.indexArray(field, values, length);
		if (values.length < length) this.length(field, values.length, length);
		for (let i = 0; i < length; i += 1) {
			const value = values[i]!;
			if (value >= from && value < to) continue;
			this.fail(field, `is ${value}, out of range`, `indices here go from ${from} to ${to - 1}`, i);
		}
	}

	/** Row starts that begin at 0, do not fall, and end within the arrays. */
	starts(field: string, rowStart: Int32Array, rows: number, room: number): number {
		this.length(`${field}.rowStart`, rowStart.length, rows + 1);
		if (rowStart[0] !== 0) this.fail(`${field}.rowStart`, `is ${rowStart[0]}`, "rows start at 0", 0);
		for (let row = 0; row < rows; row += 1) {
			if (rowStart[row + 1]! < rowStart[row]!) {
				this.fail(`${field}.rowStart`, `decreases to ${rowStart[row + 1]}`, "row starts must not decrease", row + 1);
			}
		}
		const used = rowStart[rows]!;
		if (used > room) this.fail(`${field}.rowStart`, `ends at ${used} of ${room} entries`, "make the sizes agree", rows);
		return used;
	}

	csr(field: string, matrix: CsrMatrix, rows: number, columns: number): void {
		this.object(field, matrix, "rows, columns, rowStart, column and values");
		if (matrix.rows !== rows || matrix.columns !== columns) {
			const found = `is ${shown(matrix.rows)} x ${shown(matrix.columns)} instead of ${rows} x ${columns}`;
			this.fail(field, found, "make the sizes agree");
		}
		this.rowArrays(field, matrix);
		const used = this.starts(field, matrix.rowStart, rows, Math.min(matrix.column.length, matrix.values.length));
		this.indices(`${field}.column`, matrix.column, used, 0, columns);
		this.finite(`${field}.values`, matrix.values, used);
	}

	rowArrays(field: string, { rowStart, column, values }: Omit<BlockMatrix, "rows">): void {
		this.indexArray(`${field}.rowStart`, rowStart);
		this.indexArray(`${field}.column`, column);
		this.realArray(`${field}.values`, values);
	}

	/** What every method divides by: an equality row gives way to its own multiplier, as a contact does to its reaction. */
	resisted(field: string, matrix: CsrMatrix): void {
		for (let row = 0; row < matrix.rows; row += 1) {
			let own = 0;
			for (let k = matrix.rowStart[row]!; k < matrix.rowStart[row + 1]!; k += 1) {
				if (matrix.column[k] === row) own = matrix.values[k]!;
			}
			if (own > 0) continue;
			this.fail(field, `has ${own} on the diagonal`, "leave out equality rows that nothing gives way to", row);
		}
	}

	/** Returns where the diagonal blocks stand. */
	blocks(field: string, matrix: BlockMatrix, contacts: number): Int32Array {
		this.object(field, matrix, "rows, rowStart, column and values");
		const { rows, rowStart, column, values } = matrix;
		this.rowArrays(field, { rowStart, column, values });
		if (rows !== contacts)
			this.fail(field, `has ${shown(rows)} block rows for ${contacts} contacts`, "make the sizes agree");
		const { pattern, storeChecksBlocks } = this.known;
		const room = Math.min(column.length, Math.floor(values.length / 9));
		const isKnown = pattern?.diagonal !== undefined && rowStart[contacts]! <= room;
		const used = isKnown ? rowStart[contacts]! : this.starts(field, rowStart, contacts, room);
		const places = isKnown ? { at: pattern.diagonal!, isPlain: true } : diagonalPlaces(matrix);
		if (!places.isPlain) this.columns(field, matrix, used);
		if (!storeChecksBlocks) this.finite(`${field}.values`, values, 9 * used);
		return places.at;
	}

	/** Columns in any order: in range, and each once. */
	columns(field: string, { rows, rowStart, column }: BlockMatrix, used: number): void {
		this.indices(`${field}.column`, column, used, 0, rows);
		const last = new Int32Array(rows).fill(-1);
		for (let row = 0; row < rows; row += 1) {
			for (let k = rowStart[row]!; k < rowStart[row + 1]!; k += 1) {
				if (last[column[k]!] === row) {
					this.fail(`${field}.column`, `names block column ${column[k]} twice in row ${row}`, "add up the blocks", k);
				}
				last[column[k]!] = row;
			}
		}
	}

	rigid(rigid: RigidContacts, contacts: number): void {
		this.object("rigid", rigid, "body, frame, arm, inverseMass and inverseInertia");
		this.realArray("rigid.inverseMass", rigid.inverseMass);
		const bodies = rigid.inverseMass.length;
		this.indexArray("rigid.body", rigid.body, 2 * contacts);
		this.length("rigid.body", rigid.body.length, 2 * contacts);
		if (this.known.pattern === undefined) this.indices("rigid.body", rigid.body, 2 * contacts, -1, bodies);
		this.reals("rigid.frame", rigid.frame, 9 * contacts);
		this.reals("rigid.arm", rigid.arm, 6 * contacts);
		this.reals("rigid.inverseMass", rigid.inverseMass, bodies);
		this.reals("rigid.inverseInertia", rigid.inverseInertia, 6 * bodies);
		for (let massless = 0; massless < bodies; massless += 1) {
			if (rigid.inverseMass[massless]! > 0) continue;
			const found = rigid.inverseMass[massless] === 0 ? "zero" : "negative";
			this.fail("rigid.inverseMass", `is ${found}`, "make a body that does not move an obstacle (-1)", massless);
		}
		this.inertias(rigid.inverseInertia, bodies);
		if (this.known.pattern === undefined) this.partners(rigid.body, contacts);
	}

	/** A body may not turn at all (a point, or one that is held), or not about every axis; a push may not pull. */
	inertias(inverse: Float64Array, bodies: number): void {
		const full = new Float64Array(9);
		for (let body = 0; body < bodies; body += 1) {
			for (let k = 0; k < 9; k += 1) full[k] = inverse[6 * body + SYMMETRIC[k]!]!;
			if (classify(full, 0) !== "indefinite") continue;
			const place = `${this.placeOf("rigid.inverseInertia")}, body ${body}`;
			const remedy = "give xx, yy, zz, xy, xz, yz of a matrix without negative eigenvalues";
			throw new InputError(this.source, place, "is indefinite", remedy);
		}
	}

	/** A contact is between two bodies, one of which moves. */
	partners(body: Int32Array, contacts: number): void {
		for (let contact = 0; contact < contacts; contact += 1) {
			if (body[2 * contact] !== body[2 * contact + 1]) continue;
			const between = body[2 * contact]! < 0 ? "two obstacles" : `body ${body[2 * contact]} and itself`;
			this.fail("rigid.body", `contact ${contact} is between ${between}`, "leave that contact out", 2 * contact);
		}
	}

	/** Equality rows of the global form are solved through their reduced form: one without the other is half a problem. */
	global(form: GlobalForm, contacts: number, reduced: number): void {
		this.object("global", form, "M, H, f and w");
		const { M, H, f, w, G, b } = form;
		this.realArray("global.f", f);
		const size = f.length;
		this.csr("global.M", M, size, size);
		this.csr("global.H", H, size, 3 * contacts);
		this.reals("global.f", f, size);
		this.reals("global.w", w, 3 * contacts);
		if ((G === undefined) !== (b === undefined)) {
			const missing = b === undefined ? "global.b" : "global.G";
			this.fail(missing, "is missing, although the other is given", "give G and b, or none of them");
		}
		if (b !== undefined) this.realArray("global.b", b);
		const rows = b?.length ?? 0;
		if (b !== undefined) this.reals("global.b", b, rows);
		if (G !== undefined) this.csr("global.G", G, size, rows);
		if (reduced === rows) return;
		const what = `has ${reduced} rows, and the global form has ${rows} (G, b)`;
		this.fail(
			"equalities",
			what,
			"call condense(problem) without equalities, which makes them and q of the global form",
		);
	}
}
