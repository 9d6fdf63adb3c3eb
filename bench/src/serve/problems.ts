/** Problems whose answers are known, for clients in any language: made by seed, solved by core, and written to one file. */
import { readFileSync, writeFileSync } from "node:fs";
import { assembleRigid, generate, type Problem, solve } from "@stickslip/core";

export interface KnownProblem {
	readonly problem: Problem;
	readonly reaction: Float64Array;
	readonly hash: string;
}

const HASH_BYTES = 64;

/** Of about so many contacts each, all of other sizes and seeds, so that no two answers are the same. */
export function knownProblems(count: number, contacts: number): KnownProblem[] {
	return Array.from({ length: count }, (_, seed) => {
		const { rigid, q, mu } = generate("spheres", { contacts: contacts - (seed % 8), seed: seed + 1 });
		const problem: Problem = { name: `problem ${seed}`, contacts: mu.length, q, mu, W: assembleRigid(rigid!) };
		const { reaction, report } = solve(problem);
		if (report.status !== "solved") throw new Error(`${problem.name} is not solved: ${report.status}`);
		return { problem, reaction, hash: report.hash };
	});
}

/**
 * Little-endian, each array at a multiple of 8 bytes: the number of problems; and for each the numbers of contacts and of blocks, the hash in
 * hexadecimal, then rowStart and column as i32, values, q, mu and the reaction as f64.
 */
export function writeProblems(file: string, known: readonly KnownProblem[]): void {
	const parts: Uint8Array[] = [i32(known.length)];
	for (const { problem, reaction, hash } of known) {
		const { q, mu, contacts } = problem;
		const { rowStart, column, values } = problem.W!;
		parts.push(i32(contacts, column.length), Buffer.from(hash));
		for (const each of [rowStart, column, values, q, mu, reaction]) parts.push(aligned(each));
	}
	writeFileSync(file, Buffer.concat(parts));
}

export function readProblems(file: string): KnownProblem[] {
	const bytes = Uint8Array.from(readFileSync(file));
	const view = new DataView(bytes.buffer);
	let at = 8;
	const count = view.getInt32(0, true);
	return Array.from({ length: count }, (_, k) => {
		const [contacts, blocks] = [view.getInt32(at, true), view.getInt32(at + 4, true)];
		const hash = Buffer.from(bytes.buffer, at + 8, HASH_BYTES).toString();
		at += 8 + HASH_BYTES;
		const take = <Values>(
			Kind: new (buffer: ArrayBuffer, at: number, length: number) => Values,
			size: number,
			length: number,
		) => {
			const values = new Kind(bytes.buffer, at, length);
			at += 8 * Math.ceil((size * length) / 8);
			return values;
		};
		const [rowStart, column] = [take(Int32Array, 4, contacts + 1), take(Int32Array, 4, blocks)];
		const values = take(Float64Array, 8, 9 * blocks);
		const [q, mu] = [take(Float64Array, 8, 3 * contacts), take(Float64Array, 8, contacts)];
		const W = { rows: contacts, rowStart, column, values };
		return {
			problem: { name: `problem ${k}`, contacts, q, mu, W },
			reaction: take(Float64Array, 8, 3 * contacts),
			hash,
		};
	});
}

function i32(...numbers: readonly number[]): Uint8Array {
	return aligned(Int32Array.from(numbers));
}

function aligned({ buffer, byteOffset, byteLength }: Float64Array | Int32Array): Uint8Array {
	const bytes = new Uint8Array(8 * Math.ceil(byteLength / 8));
	bytes.set(new Uint8Array(buffer, byteOffset, byteLength));
	return bytes;
}
