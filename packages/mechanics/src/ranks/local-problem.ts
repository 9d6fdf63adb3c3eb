/** The part of a step's problem that a rank works on: its own contacts and its ghosts, in the order of all, and bodies by ascending id. */
import type { Problem, RigidContacts } from "@stickslip/core";
import { gather } from "@stickslip/core/parallel";
import type { Bodies } from "../bodies/bodies.js";

/** Numbers of moving bodies by place from the first that is no obstacle: by ascending id, as own bodies and ghosts are merged. */
export function numbersById({ obstacles, own, count, id }: Bodies): Int32Array {
	const number = new Int32Array(count - obstacles);
	const ownEnd = obstacles + own;
	for (let i = obstacles, ghost = ownEnd, next = 0; next < number.length; next += 1) {
		const isOwn = ghost === count || (i < ownEnd && id[i]! < id[ghost]!);
		number[(isOwn ? i : ghost) - obstacles] = next;
		if (isOwn) i += 1;
		else ghost += 1;
	}
	return number;
}

export function placesByNumber(number: Int32Array): Int32Array {
	const place = new Int32Array(number.length);
	for (let i = 0; i < number.length; i += 1) place[number[i]!] = i;
	return place;
}

/** The bodies of the contacts `known`, two each, by these numbers. */
export function localBodies(body: Int32Array, known: Int32Array, number: Int32Array): Int32Array {
	const local = new Int32Array(2 * known.length);
	for (let i = 0; i < known.length; i += 1) {
		const first = body[2 * known[i]!]!;
		const second = body[2 * known[i]! + 1]!;
		local[2 * i] = first < 0 ? -1 : number[first]!;
		local[2 * i + 1] = second < 0 ? -1 : number[second]!;
	}
	return local;
}

/** The contacts `known` of a problem of bodies, which get these numbers. */
export function localContacts(rigid: RigidContacts, known: Int32Array, number: Int32Array): RigidContacts {
	const contacts = {
		body: localBodies(rigid.body, known, number),
		frame: gather(rigid.frame, known, 9),
		arm: gather(rigid.arm, known, 6),
		...(rigid.moment && { moment: momentsOf(rigid.moment, known) }),
	};
	const bodies = number.length;
	// Own bodies have their own order where there are no ghosts.
	if (number[bodies - 1] === bodies - 1 && isIdentity(number)) {
		const { inverseMass, inverseInertia } = rigid;
		return { ...contacts, inverseMass, inverseInertia };
	}
	const inverseMass = new Float64Array(bodies);
	const inverseInertia = new Float64Array(6 * bodies);
	for (let b = 0; b < bodies; b += 1) {
		inverseMass[number[b]!] = rigid.inverseMass[b]!;
		for (let k = 0; k < 6; k += 1) inverseInertia[6 * number[b]! + k] = rigid.inverseInertia[6 * b + k]!;
	}
	return { ...contacts, inverseMass, inverseInertia };
}

function momentsOf(moment: Uint8Array, known: Int32Array): Uint8Array {
	return Uint8Array.from(known, (contact) => moment[contact]!);
}

function isIdentity(number: Int32Array): boolean {
	for (let i = 0; i < number.length; i += 1) if (number[i] !== i) return false;
	return true;
}

/** The rows of W of the contacts `known`, as far as their columns are among these; `place` is where each contact of the problem is there, -1 elsewhere. */
export function localRows(W: NonNullable<Problem["W"]>, known: Int32Array, place: Int32Array) {
	const rowStart = new Int32Array(known.length + 1);
	let most = 0;
	for (let i = 0; i < known.length; i += 1) most += W.rowStart[known[i]! + 1]! - W.rowStart[known[i]!]!;
	const column = new Int32Array(most);
	const from = new Int32Array(most);
	let end = 0;
	for (let i = 0; i < known.length; i += 1) {
		const first = end;
		for (let k = W.rowStart[known[i]!]!; k < W.rowStart[known[i]! + 1]!; k += 1) {
			const at = place[W.column[k]!]!;
			if (at < 0) continue;
			// By insertion: rows are short.
			let hole = end;
			for (; hole > first && column[hole - 1]! > at; hole -= 1) {
				column[hole] = column[hole - 1]!;
				from[hole] = from[hole - 1]!;
			}
			column[hole] = at;
			from[hole] = k;
			end += 1;
		}
		rowStart[i + 1] = end;
	}
	const values = gather(W.values, from.subarray(0, end), 9);
	return { rows: known.length, rowStart, column: column.subarray(0, end), values };
}
