/** The matrices that are multiplied: W of a heap of spheres, and one with as many blocks in every row. */
import { assembleRigid, type BlockMatrix, generate, type Problem, Random } from "@stickslip/core";

export interface Pattern {
	readonly name: string;
	readonly problem: Problem;
	readonly W: BlockMatrix;
}

/** Contacts of the L2, L3 and DRAM sizes: with 7.9, 9.9 and 10.4 blocks in a row that makes 2.7k, 98k and 4M. */
export const sizes = [
	{ place: "L2", contacts: 350 },
	{ place: "L3", contacts: 9900 },
	{ place: "DRAM", contacts: 385_000 },
] as const;

export function spheres(contacts: number): Pattern {
	const problem = generate("spheres", { contacts });
	return { name: "spheres", problem, W: assembleRigid(problem.rigid) };
}

/** How far away the neighbours of a row are, on both sides. */
const reaches = [1, 5, 23, 71, 202];

/** Rows of 11 blocks each, in a ring: the row's own and ten neighbours, numbers at random. */
export function even(contacts: number): Pattern {
	const random = new Random(1, 1);
	const offsets = reaches.filter((reach) => 2 * reach < contacts).flatMap((reach) => [reach, -reach]);
	const width = 1 + offsets.length;
	const rowStart = Int32Array.from({ length: contacts + 1 }, (_, a) => width * a);
	const column = new Int32Array(width * contacts);
	const values = Float64Array.from({ length: 9 * column.length }, () => random.between(-1, 1));
	for (let a = 0; a < contacts; a += 1) {
		const row = [0, ...offsets].map((offset) => (a + offset + contacts) % contacts).sort((p, q) => p - q);
		column.set(row, width * a);
		const own = width * a + row.indexOf(a);
		for (let i = 0; i < 9; i += 1) values[9 * own + i] = i % 4 === 0 ? 10 : 0;
	}
	const W = { rows: contacts, rowStart, column, values };
	const q = new Float64Array(3 * contacts).fill(1);
	const mu = new Float64Array(contacts).fill(0.3);
	return { name: "even rows", problem: { name: "even rows", contacts, q, mu, W }, W };
}

/** A vector for products, the same on both sides. */
export function impulses(contacts: number): Float64Array {
	const random = new Random(2, 1);
	return Float64Array.from({ length: 3 * contacts }, () => random.between(-1, 1));
}
