/** Sends rows of W from their parts to their owners. */
import {
	type AssembledOutline,
	assert,
	columnIds,
	type Outbox,
	placeIn,
	type ShareOutline,
	type ShareRows,
	SIGNS_REMEDY,
} from "@stickslip/core/parallel";
import {
	type ArrivingRows,
	headLength,
	type OptionalFields,
	OwnContacts,
	type PartContact,
	writeHead,
} from "./arrivals.js";

/** Numbers of a block: its column, and nine values. */
const BLOCK = 10;

/** After the head: the number of blocks, and the blocks. */
export function writeRow(outbox: Outbox, to: number, contact: PartContact): void {
	const { part, i } = contact;
	const { rowStart, column, values } = part.W!;
	const from = rowStart[i]!;
	const blocks = rowStart[i + 1]! - from;
	const record = writeHead(outbox, to, contact, 1 + BLOCK * blocks);
	record[0] = blocks;
	for (let k = 0, at = 1; k < blocks; k += 1, at += BLOCK) {
		record[at] = column[from + k]!;
		for (let j = 0; j < 9; j += 1) record[at + 1 + j] = values[9 * (from + k) + j]!;
	}
}

export class ArrivingMatrix implements ArrivingRows {
	readonly own: OwnContacts;
	readonly #outline: ShareOutline;
	readonly #operator: AssembledOutline;
	/** Ids of the rank's columns, ascending. */
	readonly #known: Int32Array;
	readonly #rowStart: Int32Array;
	readonly #column: Int32Array;
	readonly #values: Float64Array;
	readonly #diagonal: Float64Array;
	/** Numbers of the head of a record. */
	readonly #head: number;

	constructor(outline: ShareOutline, rowStart: Int32Array, has: OptionalFields) {
		const { operator, ids } = outline;
		assert(operator.kind === "assembled", "rows of W are for an operator with rows");
		const blocks = rowStart.at(-1)!;
		this.own = new OwnContacts(ids.length, has);
		this.#head = headLength(has.hasLaws);
		this.#outline = outline;
		this.#operator = operator;
		this.#known = columnIds(outline);
		this.#rowStart = rowStart;
		this.#column = new Int32Array(blocks);
		this.#values = new Float64Array(9 * blocks);
		this.#diagonal = new Float64Array(9 * ids.length);
	}

	take(records: Float64Array, from: number): void {
		const { row, local } = this.#operator;
		const known = this.#known;
		const values = this.#values;
		const diagonal = this.#diagonal;
		for (let at = 0; at < records.length; ) {
			const id = records[at]!;
			const place = local[placeIn(known, id)]!;
			this.own.take(place, records, at, from);
			const blocks = records[at + this.#head]!;
			at += this.#head + 1;
			for (let k = this.#rowStart[row[place]!]!, end = k + blocks; k < end; k += 1, at += BLOCK) {
				this.#column[k] = placeIn(known, records[at]!);
				for (let j = 0; j < 9; j += 1) values[9 * k + j] = records[at + 1 + j]!;
				if (records[at] !== id) continue;
				for (let j = 0; j < 9; j += 1) diagonal[9 * place + j] = records[at + 1 + j]!;
			}
		}
	}

	rows(): ShareRows {
		const { ids } = this.#outline;
		const matrix = { rows: ids.length, rowStart: this.#rowStart, column: this.#column, values: this.#values };
		const own = this.own.rows(ids, this.#diagonal, "W", SIGNS_REMEDY);
		return { ...own, operator: { kind: "assembled", matrix } };
	}
}
