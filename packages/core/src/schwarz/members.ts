/** The rows of W of the subdomains that a rank has, wherever their blocks live, in an order that global ids alone decide. */
import type { SquareRows } from "../factor/newton-matrix.js";
import type { Entries } from "../factor/stored-rows.js";
import type { Communicator } from "../parallel/communicator.js";
import { moveRecords } from "../parallel/records.js";
import type { Subdomains } from "./decide.js";

/** A block of a subdomain: its global id, the rank that owns it, and its row. */
interface Member {
	readonly id: number;
	readonly home: number;
	/** Whether this is its own subdomain, not one that reaches into it. */
	readonly isOwn: boolean;
	/** Whether it is the moment of a rolling contact, whose force has the id before. */
	readonly isMoment: boolean;
	readonly column: Int32Array;
	readonly values: Float64Array;
}

export interface SubdomainBlocks {
	readonly number: number;
	/** Ascending. */
	readonly ids: Int32Array;
	readonly homes: Int32Array;
	/** 1 where it is the block's own subdomain, not one that reaches into it. */
	readonly isOwn: Uint8Array;
}

export interface Subdomain extends SubdomainBlocks {
	/** W among these blocks, numbered as they stand here. */
	readonly rows: SquareRows;
	/** Of each block that is a moment, which entry of `rows` is that with its force; -1 of others. */
	readonly force: Int32Array;
}

/** Numbers of a record in front of the blocks of its row: subdomain, id, whether it is its own (1) or a moment (2), blocks; and of each of these, column and nine values. */
const HEAD = 4;
const BLOCK = 10;

/** Collective. Subdomains of this rank, ascending; `values` are those of the stored rows. */
export function collectSubdomains(
	communicator: Communicator,
	subdomains: Subdomains,
	entries: Entries,
	values: Float64Array,
	idAt: (place: number) => number,
	isMoment: Uint8Array,
): Subdomain[] {
	const members = new Map<number, Member[]>();
	const blocks = subdomains.of.length;
	let [at, nth] = [0, 0];
	moveRecords(
		communicator,
		(outbox) => {
			while (at < blocks && !outbox.isFull) {
				const [from, end] = [entries.start[at]!, entries.start[at + 1]!];
				const record = outbox.record(subdomains.owner[at]![nth]!, HEAD + BLOCK * (end - from));
				record[0] = subdomains.of[at]![nth]!;
				record[1] = idAt(at);
				record[2] = (nth === 0 ? 1 : 0) + 2 * isMoment[at]!;
				record[3] = end - from;
				for (let k = from, to = HEAD; k < end; k += 1, to += BLOCK) {
					record[to] = idAt(entries.column[k]!);
					for (let e = 0; e < 9; e += 1) record[to + 1 + e] = values[entries.slot[k]! + 2 * e]!;
				}
				nth += 1;
				if (nth < subdomains.of[at]!.length) continue;
				at += 1;
				nth = 0;
			}
			return at < blocks;
		},
		(records, home) => {
			for (let from = 0; from < records.length; ) {
				const [subdomain, id, count] = [records[from]!, records[from + 1]!, records[from + 3]!];
				const column = new Int32Array(count);
				const row = new Float64Array(9 * count);
				for (let k = 0, own = from + HEAD; k < count; k += 1, own += BLOCK) {
					column[k] = records[own]!;
					row.set(records.subarray(own + 1, own + BLOCK), 9 * k);
				}
				const kind = records[from + 2]!;
				const member = { id, home, isOwn: kind % 2 === 1, isMoment: kind >= 2, column, values: row };
				const list = members.get(subdomain);
				if (list === undefined) members.set(subdomain, [member]);
				else list.push(member);
				from += HEAD + BLOCK * count;
			}
		},
	);
	return [...members].sort(([a], [b]) => a - b).map(([number, list]) => subdomainOf(number, list));
}

function subdomainOf(number: number, members: Member[]): Subdomain {
	members.sort((a, b) => a.id - b.id);
	const place = new Map(members.map(({ id }, i) => [id, i]));
	const rowStart = new Int32Array(members.length + 1);
	const force = new Int32Array(members.length).fill(-1);
	const most = members.reduce((sum, member) => sum + member.column.length + (member.isMoment ? 1 : 0), 0);
	const column = new Int32Array(most);
	const values = new Float64Array(9 * most);
	let used = 0;
	for (const [i, member] of members.entries()) {
		for (const [k, id] of member.column.entries()) {
			const to = place.get(id);
			if (to === undefined) continue;
			column[used] = to;
			values.set(member.values.subarray(9 * k, 9 * k + 9), 9 * used);
			if (member.isMoment && id === member.id - 1) force[i] = used;
			used += 1;
		}
		if (member.isMoment && force[i] === -1 && place.has(member.id - 1)) {
			// W does not couple the two, the law does.
			column[used] = place.get(member.id - 1)!;
			force[i] = used;
			used += 1;
		}
		rowStart[i + 1] = used;
	}
	return {
		number,
		ids: Int32Array.from(members, ({ id }) => id),
		homes: Int32Array.from(members, ({ home }) => home),
		isOwn: Uint8Array.from(members, ({ isOwn }) => (isOwn ? 1 : 0)),
		rows: { rows: members.length, rowStart, column: column.slice(0, used), values: values.slice(0, 9 * used) },
		force,
	};
}
