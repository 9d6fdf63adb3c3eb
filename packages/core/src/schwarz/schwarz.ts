/**
 * Additive Schwarz for P W + Q: the vector goes to the ranks that have the subdomains, each is solved there by its own factors, and comes back.
 * Restricted (Cai and Sarkis 1999): each block takes the answer of its own subdomain; additive: the sum of all, which is symmetric where the matrix
 * is. One subdomain of all blocks is a whole factorisation, on one rank. What a subdomain is follows from the pattern of W by global ids,
 * and sums go in the order of subdomains: no bit depends on ranks (decision 0033).
 */
import { NewtonMatrix } from "../factor/newton-matrix.js";
import { entriesOf, type StoredRows } from "../factor/stored-rows.js";
import type { Vector } from "../kernels/arena.js";
import type { Exchange } from "../parallel/communicator.js";
import { ghostPlace } from "../parallel/share.js";
import type { System } from "../system/system.js";
import { decideSubdomains, type SubdomainOptions } from "./decide.js";
import { type Flow, type Flows, flowsOf } from "./flows.js";
import { collectSubdomains } from "./members.js";

export interface SchwarzOptions extends SubdomainOptions {
	/** Sums in place of restriction, and L D L^T in place of L U. */
	readonly symmetric: boolean;
}

/** P and Q of a block. */
const PAIR = 18;

export class Schwarz {
	/** Multiplications and additions of the factorisations on this rank. */
	readonly flops: number;
	/** Subdomains on this rank. */
	readonly subdomains: number;
	readonly #system: System;
	readonly #flows: Flows;
	readonly #matrices: readonly NewtonMatrix[];
	/** Three numbers per block of the flows, and those of each subdomain's blocks. */
	readonly #x: Float64Array;
	readonly #parts: readonly Float64Array[];
	/** P and Q of own blocks, then of the subdomains', each behind the other for a block. */
	readonly #pairs: Float64Array;
	readonly #first: Int32Array;
	readonly #p: Float64Array;
	readonly #q: Float64Array;
	readonly #forward: Exchange;
	readonly #back: Exchange;
	readonly #forwardPairs: Exchange;

	/** Collective. */
	constructor(system: System, rows: StoredRows, options: SchwarzOptions) {
		const { share, blocks, arena, reducer } = system;
		const { communicator } = reducer;
		const first = ghostPlace(blocks);
		const idAt = (place: number) => (place < blocks ? share.ids[place]! : share.ghosts[place - first]!);
		const entries = entriesOf(rows, blocks);
		const subdomains = decideSubdomains(communicator, entries, idAt, share.blocks, options);
		const here = collectSubdomains(communicator, subdomains, entries, rows.values.values, idAt);
		this.#system = system;
		this.#flows = flowsOf(communicator.rank, subdomains, here, idAt, options.symmetric);
		this.#matrices = here.map((each) => new NewtonMatrix(arena, each.rows, options.symmetric));
		this.subdomains = here.length;
		this.flops = this.#matrices.reduce((sum, matrix) => sum + matrix.flops, 0);
		const sizes = here.map(({ ids }) => ids.length);
		this.#first = new Int32Array(sizes.length + 1);
		for (const [i, size] of sizes.entries()) this.#first[i + 1] = this.#first[i]! + size;
		const members = this.#first[sizes.length]!;
		this.#x = new Float64Array(3 * this.#flows.length);
		this.#parts = sizes.map((size, i) => this.#x.subarray(3 * (blocks + this.#first[i]!)).subarray(0, 3 * size));
		this.#pairs = new Float64Array(PAIR * (blocks + members));
		this.#p = new Float64Array(9 * members);
		this.#q = new Float64Array(9 * members);
		const { forward, back } = this.#flows;
		this.#forward = system.open(forward.plan);
		this.#back = system.open(back.plan);
		this.#forwardPairs = system.open({ ...forward.plan, width: PAIR });
	}

	/** Collective. Factors the subdomains of P W + Q, nine numbers by rows for each own block; false where one has no factors. */
	factor(p: Float64Array, q: Float64Array): boolean {
		const { blocks, reducer } = this.#system;
		const pairs = this.#pairs;
		for (let a = 0; a < blocks; a += 1) {
			for (let e = 0; e < 9; e += 1) {
				pairs[PAIR * a + e] = p[9 * a + e]!;
				pairs[PAIR * a + 9 + e] = q[9 * a + e]!;
			}
		}
		pass(this.#forwardPairs, this.#flows.forward, pairs, PAIR);
		for (let m = 0, from = PAIR * blocks; from < pairs.length; m += 9, from += PAIR) {
			for (let e = 0; e < 9; e += 1) {
				this.#p[m + e] = pairs[from + e]!;
				this.#q[m + e] = pairs[from + 9 + e]!;
			}
		}
		let failed = 0;
		for (let i = 0; i < this.#matrices.length; i += 1) {
			const own = (values: Float64Array) => values.subarray(9 * this.#first[i]!, 9 * this.#first[i + 1]!);
			if (!this.#matrices[i]!.factor(own(this.#p), own(this.#q))) failed = 1;
		}
		const all = Float64Array.of(failed);
		reducer.largest(all);
		return all[0] === 0;
	}

	/** Collective. y = M^-1 x; they may be the same. */
	apply(x: Vector, y: Vector): void {
		const { blocks } = this.#system;
		const { forward, back, answerStart } = this.#flows;
		const all = this.#x;
		const from = x.values;
		for (let i = 0; i < 3 * blocks; i += 1) all[i] = from[i]!;
		pass(this.#forward, forward, all, 3);
		for (let i = 0; i < this.#matrices.length; i += 1) this.#matrices[i]!.solve(this.#parts[i]!);
		pass(this.#back, back, all, 3);
		const to = y.values;
		for (let a = 0; a < blocks; a += 1) {
			for (let i = 0; i < 3; i += 1) {
				let sum = 0;
				for (let k = answerStart[a]!; k < answerStart[a + 1]!; k += 1) sum += all[3 * k + i]!;
				to[3 * a + i] = sum;
			}
		}
	}
}

/** What goes to other ranks, and meanwhile what stays. */
function pass(exchange: Exchange, { own }: Flow, values: Float64Array, width: number): void {
	exchange.begin(values);
	for (let k = 0; k < own.length; k += 2) {
		const [from, to] = [width * own[k]!, width * own[k + 1]!];
		for (let i = 0; i < width; i += 1) values[to + i] = values[from + i]!;
	}
	exchange.finish(values);
}
