/** Properties of a problem that are known without solving it: the coupling of its contacts, and the asymmetry of W. */
import { type BlockMatrix, blockAsymmetry, describeColouring, type Problem } from "@stickslip/core";

export interface ProblemFacts {
	/** Blocks of W with the diagonal, formed or not; absent where only a global form without bodies is there. */
	readonly blocks?: number;
	readonly blocksPerRowMin?: number;
	readonly blocksPerRowMax?: number;
	/** |W - W^T| / |W| in the Frobenius norm; absent where W is not formed. Gyroscopic terms make it 1e-5 to 1e-3. */
	readonly asymmetry?: number;
	/** The colours of the contacts in a solve, and a number that no colouring falls below. */
	readonly colours?: number;
	readonly coloursBound?: number;
	readonly bodies?: number;
}

export function factsOf(problem: Problem): ProblemFacts {
	const { W, rigid } = problem;
	const colouring = W === undefined && rigid === undefined ? undefined : describeColouring(problem);
	const bodies = rigid?.inverseMass.length ?? 0;
	return {
		...(W ? spread(rowsOfMatrix(W)) : rigid && spread(rowsOfBodies(rigid.body, bodies))),
		...(W && { asymmetry: blockAsymmetry(W) }),
		...(colouring && { colours: colouring.colours, coloursBound: colouring.bound }),
		...(rigid && { bodies }),
	};
}

/** How many blocks there are, given how many each row has. */
function spread(rows: Int32Array) {
	let blocks = 0;
	let least = Infinity;
	let most = 0;
	for (const row of rows) {
		blocks += row;
		least = Math.min(least, row);
		most = Math.max(most, row);
	}
	return { blocks, blocksPerRowMin: rows.length > 0 ? least : 0, blocksPerRowMax: most };
}

function rowsOfMatrix({ rows, rowStart }: BlockMatrix): Int32Array {
	return Int32Array.from({ length: rows }, (_, row) => (rowStart[row + 1] ?? 0) - (rowStart[row] ?? 0));
}

/** Blocks of each row of a W that is not formed: the contact itself, and those of a common body that moves. */
function rowsOfBodies(body: Int32Array, bodies: number): Int32Array {
	const { start, member } = contactsOfBodies(body, bodies);
	const seen = new Int32Array(body.length / 2).fill(-1);
	return Int32Array.from({ length: seen.length }, (_, contact) => {
		let width = 1;
		seen[contact] = contact;
		for (const id of [body[2 * contact] ?? -1, body[2 * contact + 1] ?? -1]) {
			if (id < 0) continue;
			for (let k = start[id] ?? 0; k < (start[id + 1] ?? 0); k += 1) {
				const other = member[k] ?? contact;
				if (seen[other] === contact) continue;
				seen[other] = contact;
				width += 1;
			}
		}
		return width;
	});
}

function contactsOfBodies(body: Int32Array, bodies: number) {
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
	return { start, member };
}
