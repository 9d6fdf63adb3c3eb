/** Sends contacts of bodies to the ranks that own them or have them as ghosts, each with its two bodies. */
import { type RigidContacts, ROLLING } from "@stickslip/core";
import {
	columnIds,
	type Outbox,
	otherBody,
	placeIn,
	rigidDiagonal,
	rigidRows,
	type ShareOutline,
	type ShareRows,
} from "@stickslip/core/parallel";
import {
	type ArrivingRows,
	headLength,
	lawCodeIn,
	type OptionalFields,
	OwnContacts,
	type PartContact,
	writeHead,
} from "./arrivals.js";

/** After the head: frame, arm, and the number, mass and inertia of each body. */
const FRAME = 9;
const ARM = 6;
const BODY = 8;
const CONTACT = FRAME + ARM + 2 * BODY;
/** Mass and inertia. */
const MASSES = 7;

export function writeContact(outbox: Outbox, to: number, contact: PartContact): void {
	const { part, i } = contact;
	const { frame, arm, body, ids, inverseMass, inverseInertia } = part.rigid!;
	const record = writeHead(outbox, to, contact, CONTACT);
	for (let k = 0; k < FRAME; k += 1) record[k] = frame[FRAME * i + k]!;
	for (let k = 0; k < ARM; k += 1) record[FRAME + k] = arm[ARM * i + k]!;
	for (let side = 0, at = FRAME + ARM; side < 2; side += 1, at += BODY) {
		const b = body[2 * i + side]!;
		record[at] = b;
		const place = b < 0 ? -1 : placeIn(ids, b);
		record[at + 1] = place < 0 ? 0 : inverseMass[place]!;
		for (let k = 0; k < 6; k += 1) record[at + 2 + k] = place < 0 ? 0 : inverseInertia[6 * place + k]!;
	}
}

/** Masses and inertias of the bodies that have arrived, in the order of their first arrival. */
class BodyTable {
	readonly #number = new Map<number, number>();
	readonly #part: number[] = [];
	#masses = new Float64Array(MASSES * 256);
	/** The first body that arrived twice with different numbers. */
	#fault: Error | undefined;

	take(records: Float64Array, at: number, part: number): void {
		const id = records[at]!;
		if (id < 0) return;
		const known = this.#number.get(id);
		const number = known ?? this.#number.size;
		if (known === undefined) this.#add(id, part);
		for (let k = 0; k < MASSES; k += 1) {
			const value = records[at + 1 + k]!;
			if (known === undefined) this.#masses[MASSES * number + k] = value;
			else if (this.#masses[MASSES * number + k] !== value) this.#fault ??= otherBody(part, this.#part[number]!, id);
		}
	}

	/** The values of these bodies. Throws an InputError if parts disagree about a body. */
	of(ids: Int32Array): Pick<RigidContacts, "inverseMass" | "inverseInertia"> {
		if (this.#fault) throw this.#fault;
		const inverseMass = new Float64Array(ids.length);
		const inverseInertia = new Float64Array(6 * ids.length);
		for (let i = 0; i < ids.length; i += 1) {
			const at = MASSES * this.#number.get(ids[i]!)!;
			inverseMass[i] = this.#masses[at]!;
			inverseInertia.set(this.#masses.subarray(at + 1, at + MASSES), 6 * i);
		}
		return { inverseMass, inverseInertia };
	}

	#add(id: number, part: number): void {
		this.#number.set(id, this.#number.size);
		this.#part.push(part);
		if (MASSES * this.#number.size <= this.#masses.length) return;
		const masses = new Float64Array(2 * this.#masses.length);
		masses.set(this.#masses);
		this.#masses = masses;
	}
}

export class ArrivingContacts implements ArrivingRows {
	readonly own: OwnContacts;
	readonly #outline: ShareOutline;
	/** Ids of own contacts and ghosts, ascending, and their numbers on the rank. */
	readonly #known: Int32Array;
	readonly #number: Int32Array;
	/** The place of each contact by its number; ghosts follow own ones. */
	readonly #place: Int32Array;
	readonly #body: Int32Array;
	readonly #frame: Float64Array;
	readonly #arm: Float64Array;
	/** Codes of laws by number; none where parts have no laws. */
	readonly #law: Uint8Array;
	/** Numbers of a record. */
	readonly #record: number;
	readonly #bodies = new BodyTable();

	constructor(outline: ShareOutline, has: OptionalFields) {
		this.#outline = outline;
		this.#record = headLength(has.hasLaws) + CONTACT;
		const { operator, ids, ghosts } = outline;
		this.own = new OwnContacts(ids.length, has);
		const count = ids.length + ghosts.length;
		if (operator.kind === "assembled") {
			this.#known = columnIds(outline);
			this.#number = Int32Array.from({ length: count }, (_, i) => i);
			this.#place = operator.local;
		} else {
			const all = new Int32Array(count);
			all.set(ids);
			all.set(ghosts, ids.length);
			this.#known = all.slice().sort();
			this.#number = new Int32Array(count);
			this.#place = new Int32Array(count);
			for (let i = 0; i < count; i += 1) {
				const number = operator.kind === "matrix-free" && i < ids.length ? operator.contact[i]! : i;
				this.#number[placeIn(this.#known, all[i]!)] = number;
				this.#place[number] = i;
			}
		}
		this.#body = new Int32Array(2 * count);
		this.#frame = new Float64Array(FRAME * count);
		this.#arm = new Float64Array(ARM * count);
		this.#law = new Uint8Array(has.hasLaws ? count : 0);
	}

	take(records: Float64Array, from: number): void {
		for (let at = 0; at < records.length; at += this.#record) {
			const number = this.#number[placeIn(this.#known, records[at]!)]!;
			const place = this.#place[number]!;
			if (place < this.#outline.ids.length) this.own.take(place, records, at, from);
			const first = at + this.#record - CONTACT;
			if (this.#law.length > 0) this.#law[number] = lawCodeIn(records, at);
			this.#frame.set(records.subarray(first, first + FRAME), FRAME * number);
			this.#arm.set(records.subarray(first + FRAME, first + FRAME + ARM), ARM * number);
			for (let side = 0, b = first + FRAME + ARM; side < 2; side += 1, b += BODY) {
				this.#body[2 * number + side] = records[b]!;
				this.#bodies.take(records, b, records[at + 1]!);
			}
		}
	}

	rows(): ShareRows {
		const { ids, operator } = this.#outline;
		const rigid = this.#rigid();
		const ofAll = rigidDiagonal(rigid);
		const diagonal = new Float64Array(9 * ids.length);
		for (const [number, place] of this.#place.entries()) {
			if (place < ids.length) diagonal.set(ofAll.subarray(9 * number, 9 * number + 9), 9 * place);
		}
		const field = operator.kind === "assembled" ? "W as it was formed" : "W of the bodies";
		const own = this.own.rows(ids, diagonal, field, "check frames, masses and inertias");
		if (operator.kind !== "assembled") return { ...own, operator: { kind: "matrix-free", rigid } };
		return { ...own, operator: { kind: "assembled", matrix: { ...this.#pattern(rigid), rigid } } };
	}

	/** Contacts by number, and the bodies of own contacts; any other body is treated as an obstacle. */
	#rigid(): RigidContacts {
		const own = this.#outline.ids.length;
		const touched = this.#body.filter((b, k) => b >= 0 && this.#place[k >> 1]! < own).sort();
		const bodies = touched.filter((b, i) => i === 0 || b !== touched[i - 1]);
		const body = this.#body.map((b) => (b < 0 ? -1 : Math.max(-1, placeIn(bodies, b))));
		const moment = this.#law.includes(ROLLING) && { moment: this.#moments() };
		return { body, frame: this.#frame, arm: this.#arm, ...this.#bodies.of(bodies), ...moment };
	}

	/** By number, the second blocks of rolling contacts: both are here where one is. */
	#moments(): Uint8Array {
		const isMoment = new Uint8Array(this.#law.length);
		let force = -1;
		for (const [k, id] of this.#known.entries()) {
			const number = this.#number[k]!;
			if (this.#law[number] !== ROLLING) continue;
			if (force >= 0 && id === force + 1) {
				isMoment[number] = 1;
				force = -1;
			} else force = id;
		}
		return isMoment;
	}

	/** Own rows, whose columns are contacts by number: all contacts at a body of an own one are here. */
	#pattern(rigid: RigidContacts) {
		const all = rigidRows(rigid);
		const own = this.#outline.ids.length;
		const rowStart = new Int32Array(own + 1);
		const columns: Int32Array[] = [];
		let rows = 0;
		for (const [number, place] of this.#place.entries()) {
			if (place >= own) continue;
			const columnsOf = all.column.subarray(all.rowStart[number]!, all.rowStart[number + 1]!);
			columns.push(columnsOf);
			rows += 1;
			rowStart[rows] = rowStart[rows - 1]! + columnsOf.length;
		}
		const column = new Int32Array(rowStart[own]!);
		for (const [row, columnsOf] of columns.entries()) column.set(columnsOf, rowStart[row]!);
		return { rows: own, rowStart, column };
	}
}
