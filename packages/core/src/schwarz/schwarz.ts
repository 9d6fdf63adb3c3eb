/**
 * Additive Schwarz for P W + Q (rows.ts makes it of rows, bodies.ts of bodies): the vector goes to the ranks that have the subdomains, each is solved there by its own factors, and comes back.
 * Restricted (Cai and Sarkis 1999): each block takes the answer of its own subdomain; additive: the sum of all, which is symmetric where the matrix
 * is. One subdomain of all blocks is a whole factorisation, on one rank. What a subdomain is follows from the pattern of W by global ids,
 * and sums go in the order of subdomains: no bit depends on ranks (decision 0033).
 */
import type { Vector } from "../kernels/arena.js";
import type { Exchange } from "../parallel/communicator.js";
import { ghostPlace } from "../parallel/share.js";
import type { System } from "../system/system.js";
import type { Subdomains } from "./decide.js";
import { type Flow, type Flows, flowsOf } from "./flows.js";
import type { SubdomainBlocks } from "./members.js";

/** P W + Q of a subdomain, factored. */
export interface SubdomainMatrix {
	/** Multiplications and additions of a factorisation. */
	readonly flops: number;
	/** Blocks of 6x6 that are kept of the factors. */
	readonly factorBlocks: number;
	/** P and Q are nine numbers by rows for each block, the coupling three where contacts roll; false where there are no factors. */
	factor(p: Float64Array, q: Float64Array, coupling?: Float64Array): boolean;
	/** x <- (P W + Q)^-1 x */
	solve(x: Float64Array): void;
}

/** Subdomains on this rank, ascending, and their matrices. */
export interface SubdomainParts {
	readonly subdomains: Subdomains;
	readonly here: readonly SubdomainBlocks[];
	readonly matrices: readonly SubdomainMatrix[];
	/** Sums in place of restriction. */
	readonly isAdditive: boolean;
}

/** P and Q of a block, and the coupling where contacts roll. */
const PAIR = 18;
const COUPLED = 21;

export class Schwarz {
	/** Multiplications and additions of the factorisations on this rank. */
	readonly flops: number;
	/** Blocks of 6x6 that are kept of the factors. */
	readonly factorBlocks: number;
	/** Subdomains on this rank. */
	readonly subdomains: number;
	readonly #system: System;
	readonly #flows: Flows;
	readonly #matrices: readonly SubdomainMatrix[];
	/** Three numbers per block of the flows, and those of each subdomain's blocks. */
	readonly #x: Float64Array;
	readonly #parts: readonly Float64Array[];
	/** P and Q of own blocks, then of the subdomains', each behind the other for a block. */
	readonly #pairs: Float64Array;
	readonly #first: Int32Array;
	readonly #p: Float64Array;
	readonly #q: Float64Array;
	readonly #coupling: Float64Array | undefined;
	/** Numbers of a block that travel. */
	readonly #width: number;
	readonly #forward: Exchange;
	readonly #back: Exchange;
	readonly #forwardPairs: Exchange;

	/** Collective. */
	constructor(system: System, { subdomains, here, matrices, isAdditive }: SubdomainParts) {
		const { blocks, reducer } = system;
		const { communicator } = reducer;
		this.#system = system;
		this.#flows = flowsOf(communicator.rank, subdomains, here, idsOf(system), isAdditive);
		this.#matrices = matrices;
		this.subdomains = here.length;
		this.flops = matrices.reduce((sum, matrix) => sum + matrix.flops, 0);
		this.factorBlocks = matrices.reduce((sum, matrix) => sum + matrix.factorBlocks, 0);
		const sizes = here.map(({ ids }) => ids.length);
		this.#first = new Int32Array(sizes.length + 1);
		for (const [i, size] of sizes.entries()) this.#first[i + 1] = this.#first[i]! + size;
		const members = this.#first[sizes.length]!;
		this.#x = new Float64Array(3 * this.#flows.length);
		this.#parts = sizes.map((size, i) => this.#x.subarray(3 * (blocks + this.#first[i]!)).subarray(0, 3 * size));
		this.#width = system.cones.hasRolling ? COUPLED : PAIR;
		this.#pairs = new Float64Array(this.#width * (blocks + members));
		this.#p = new Float64Array(9 * members);
		this.#q = new Float64Array(9 * members);
		this.#coupling = system.cones.hasRolling ? new Float64Array(3 * members) : undefined;
		const { forward, back } = this.#flows;
		this.#forward = system.open(forward.plan);
		this.#back = system.open(back.plan);
		this.#forwardPairs = system.open({ ...forward.plan, width: this.#width });
	}

	/**
	 * Collective. Factors the subdomains of P W + Q, nine numbers by rows for each own block, and three of the coupling (cones.ts) where contacts roll;
	 * false where one has no factors.
	 */
	factor(p: Float64Array, q: Float64Array, coupling?: Float64Array): boolean {
		this.#share(p, q, coupling);
		let failed = 0;
		for (let i = 0; i < this.#matrices.length; i += 1) {
			const own = (values: Float64Array, width: number) =>
				values.subarray(width * this.#first[i]!, width * this.#first[i + 1]!);
			const [ownP, ownQ] = [own(this.#p, 9), own(this.#q, 9)];
			if (!this.#matrices[i]!.factor(ownP, ownQ, this.#coupling && own(this.#coupling, 3))) failed = 1;
		}
		const all = Float64Array.of(failed);
		this.#system.reducer.largest(all);
		return all[0] === 0;
	}

	/** P, Q and the coupling of own blocks, to where subdomains have them. */
	#share(p: Float64Array, q: Float64Array, coupling: Float64Array | undefined): void {
		const { blocks } = this.#system;
		const [pairs, width] = [this.#pairs, this.#width];
		for (let a = 0; a < blocks; a += 1) {
			for (let e = 0; e < 9; e += 1) {
				pairs[width * a + e] = p[9 * a + e]!;
				pairs[width * a + 9 + e] = q[9 * a + e]!;
			}
			for (let e = PAIR; e < width; e += 1) pairs[width * a + e] = coupling?.[3 * a + e - PAIR] ?? 0;
		}
		pass(this.#forwardPairs, this.#flows.forward, pairs, width);
		for (let m = 0, from = width * blocks; from < pairs.length; m += 1, from += width) {
			for (let e = 0; e < 9; e += 1) {
				this.#p[9 * m + e] = pairs[from + e]!;
				this.#q[9 * m + e] = pairs[from + 9 + e]!;
			}
			for (let e = PAIR; e < width; e += 1) this.#coupling![3 * m + e - PAIR] = pairs[from + e]!;
		}
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

/** The global id of a place, of own blocks and ghosts. */
export function idsOf({ share, blocks }: System): (place: number) => number {
	const first = ghostPlace(blocks);
	return (place) => (place < blocks ? share.ids[place]! : share.ghosts[place - first]!);
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
