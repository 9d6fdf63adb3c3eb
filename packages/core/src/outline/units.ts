/**
 * Units: what is coloured, put in tiles and swept as one. A contact is a unit, a rolling contact one of two blocks (force and moment), so that the
 * order is made for units and then spelled out in blocks: the two stand side by side, in one tile, whatever rank owns it.
 */
import type { Layout } from "./layout.js";
import type { Coupling } from "./tiles.js";

export interface Units {
	/** Of contacts; equality blocks come behind, each a unit. */
	readonly contacts: number;
	/** The first block of each unit; one entry more than there are units. */
	readonly start: Int32Array;
	/** The unit of each block. */
	readonly unit: Int32Array;
}

/** Of blocks of which the first `contacts` are contacts; 1 is for those that belong to the one before. */
export function unitsOf(blocks: number, contacts: number, isSecond: Uint8Array): Units {
	const unit = new Int32Array(blocks);
	const start = new Int32Array(blocks + 1);
	let units = 0;
	let ofContacts = 0;
	for (let a = 0; a < blocks; a += 1) {
		if (a >= contacts || isSecond[a] === 0) {
			start[units] = a;
			units += 1;
			if (a < contacts) ofContacts = units;
		}
		unit[a] = units - 1;
	}
	start[units] = blocks;
	return { contacts: ofContacts, start: start.slice(0, units + 1), unit };
}

/** Units couple where blocks of theirs do. */
export function couplingOfUnits(coupling: Coupling, { start, unit }: Units): Coupling {
	const units = start.length - 1;
	if (!("body" in coupling)) return patternOfUnits(coupling.rowStart, coupling.column, start, unit);
	const body = new Int32Array(2 * units);
	for (let k = 0; k < units; k += 1) {
		body[2 * k] = coupling.body[2 * start[k]!]!;
		body[2 * k + 1] = coupling.body[2 * start[k]! + 1]!;
	}
	return { body, bodies: coupling.bodies };
}

function patternOfUnits(rowStart: Int32Array, column: Int32Array, start: Int32Array, unit: Int32Array): Coupling {
	const units = start.length - 1;
	const starts = new Int32Array(units + 1);
	const columns = new Int32Array(rowStart[unit.length]!);
	const seenBy = new Int32Array(units).fill(-1);
	let count = 0;
	for (let k = 0; k < units; k += 1) {
		for (let e = rowStart[start[k]!]!; e < rowStart[start[k + 1]!]!; e += 1) {
			const other = unit[column[e]!]!;
			if (seenBy[other] === k) continue;
			seenBy[other] = k;
			columns[count] = other;
			count += 1;
		}
		columns.subarray(starts[k]!, count).sort();
		starts[k + 1] = count;
	}
	return { rowStart: starts, column: columns.slice(0, count) };
}

/** Three coordinates per unit, of its first block. */
export function pointsOfUnits(point: Float64Array, { contacts, start }: Units): Float64Array {
	const points = new Float64Array(3 * contacts);
	for (let k = 0; k < contacts; k += 1) points.set(point.subarray(3 * start[k]!, 3 * start[k]! + 3), 3 * k);
	return points;
}

/** A layout of units as one of their blocks. */
export function layoutOfBlocks(layout: Layout, { start, unit }: Units): Layout {
	const units = start.length - 1;
	const order = new Int32Array(unit.length);
	const place = new Int32Array(unit.length);
	/** The first place of the unit at each place of units. */
	const first = new Int32Array(units + 1);
	let at = 0;
	for (let k = 0; k < units; k += 1) {
		const own = layout.order[k]!;
		for (let a = start[own]!; a < start[own + 1]!; a += 1) {
			order[at] = a;
			place[a] = at;
			at += 1;
		}
		first[k + 1] = at;
	}
	return { ...layout, order, place, tileStart: layout.tileStart.map((k) => first[k]!) };
}
