/** What can be said of a problem without solving it: how its contacts hang together, and how far W is from symmetric. */
import type { BlockMatrix, Problem } from "@stickslip/core";

export interface Facts {
	/** Blocks of W with the diagonal, formed or not; absent where only a global form without bodies is there. */
	readonly blocks?: number;
	readonly blocksPerRowMin?: number;
	readonly blocksPerRowMax?: number;
	/** |W - W^T| / |W| in the Frobenius norm; absent where W is not formed. Gyroscopic terms make it 1e-5 to 1e-3. */
	readonly asymmetry?: number;
	/** Colours of a greedy colouring in the order of the contacts: the sequential steps of a coloured sweep. */
	readonly colours?: number;
	readonly bodies?: number;
}

export function factsOf({ W, rigid, contacts }: Problem): Facts {
	const bodies = rigid && { bodies: rigid.inverseMass.length };
	if (W !== undefined) {
		const neighbours = blockNeighbours(W);
		return { ...spread(W.rows, neighbours), asymmetry: asymmetry(W), ...bodies };
	}
	if (rigid === undefined) return {};
	return { ...spread(contacts, bodyNeighbours(rigid.body, rigid.inverseMass.length)), ...bodies };
}

/** Calls `visit` for the neighbours of a contact; some may come twice, and the contact itself may come. */
type Neighbours = (contact: number, visit: (other: number) => void) => void;

function spread(contacts: number, neighbours: Neighbours): Facts {
	const seen = new Int32Array(contacts).fill(-1);
	const colour = new Int32Array(contacts).fill(-1);
	const taken = new Int32Array(contacts + 1).fill(-1);
	let blocks = 0;
	let least = Infinity;
	let most = 0;
	let colours = 0;
	for (let contact = 0; contact < contacts; contact += 1) {
		let width = 1;
		seen[contact] = contact;
		neighbours(contact, (other) => {
			if (seen[other] === contact) return;
			seen[other] = contact;
			width += 1;
			const used = colour[other] ?? -1;
			if (used >= 0) taken[used] = contact;
		});
		let free = 0;
		while (taken[free] === contact) free += 1;
		colour[contact] = free;
		colours = Math.max(colours, free + 1);
		blocks += width;
		least = Math.min(least, width);
		most = Math.max(most, width);
	}
	return { blocks, blocksPerRowMin: contacts > 0 ? least : 0, blocksPerRowMax: most, colours };
}

/** The columns of a row and the rows of a column: W need not have a symmetric pattern. */
function blockNeighbours(W: BlockMatrix): Neighbours {
	const { start, row } = transposedPattern(W);
	return (contact, visit) => {
		for (let k = W.rowStart[contact] ?? 0; k < (W.rowStart[contact + 1] ?? 0); k += 1) visit(W.column[k] ?? contact);
		for (let k = start[contact] ?? 0; k < (start[contact + 1] ?? 0); k += 1) visit(row[k] ?? contact);
	};
}

/** Contacts of a common body that moves. */
function bodyNeighbours(body: Int32Array, bodies: number): Neighbours {
	const start = new Int32Array(bodies + 1);
	for (const id of body) if (id >= 0) start[id + 1] = (start[id + 1] ?? 0) + 1;
	for (let id = 0; id < bodies; id += 1) start[id + 1] = (start[id + 1] ?? 0) + (start[id] ?? 0);
	const next = start.slice(0, bodies);
	const member = new Int32Array(start[bodies] ?? 0);
	for (const [k, id] of body.entries()) {
		if (id < 0) continue;
		const at = next[id] ?? 0;
		member[at] = k >> 1;
		next[id] = at + 1;
	}
	return (contact, visit) => {
		for (const id of [body[2 * contact] ?? -1, body[2 * contact + 1] ?? -1]) {
			if (id < 0) continue;
			for (let k = start[id] ?? 0; k < (start[id + 1] ?? 0); k += 1) visit(member[k] ?? contact);
		}
	};
}

/** The blocks of each column: their rows and where they are stored. */
function transposedPattern({ rows, rowStart, column }: BlockMatrix) {
	const used = rowStart[rows] ?? 0;
	const start = new Int32Array(rows + 1);
	for (let k = 0; k < used; k += 1) {
		const to = (column[k] ?? 0) + 1;
		start[to] = (start[to] ?? 0) + 1;
	}
	for (let a = 0; a < rows; a += 1) start[a + 1] = (start[a + 1] ?? 0) + (start[a] ?? 0);
	const next = start.slice(0, rows);
	const row = new Int32Array(used);
	const block = new Int32Array(used);
	for (let a = 0; a < rows; a += 1) {
		for (let k = rowStart[a] ?? 0; k < (rowStart[a + 1] ?? 0); k += 1) {
			const b = column[k] ?? 0;
			const at = next[b] ?? 0;
			row[at] = a;
			block[at] = k;
			next[b] = at + 1;
		}
	}
	return { start, row, block };
}

/** |W - W^T| / |W|; a block without its mirror counts twice, once here and once there. */
function asymmetry(W: BlockMatrix): number {
	const { start, row, block } = transposedPattern(W);
	const mirror = new Int32Array(W.rows).fill(-1);
	let difference = 0;
	let size = 0;
	for (let a = 0; a < W.rows; a += 1) {
		for (let k = start[a] ?? 0; k < (start[a + 1] ?? 0); k += 1) mirror[row[k] ?? 0] = block[k] ?? -1;
		for (let k = W.rowStart[a] ?? 0; k < (W.rowStart[a + 1] ?? 0); k += 1) {
			const other = mirror[W.column[k] ?? 0] ?? -1;
			for (let i = 0; i < 9; i += 1) {
				const value = W.values[9 * k + i] ?? 0;
				const turned = other < 0 ? 0 : (W.values[9 * other + 3 * (i % 3) + Math.floor(i / 3)] ?? 0);
				size += value * value;
				// Without a mirror the block of the transpose is met nowhere else.
				difference += (value - turned) ** 2 * (other < 0 ? 2 : 1);
			}
		}
		for (let k = start[a] ?? 0; k < (start[a + 1] ?? 0); k += 1) mirror[row[k] ?? 0] = -1;
	}
	return size > 0 ? Math.sqrt(difference / size) : 0;
}
