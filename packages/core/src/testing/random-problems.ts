/** Problems from seeds: dense and sparse, symmetric or not, well scaled or not, with equality rows, and their degenerate twins. */

import { Random } from "../base/random.js";
import type { Equalities, Problem } from "../problem/problem.js";
import { blocksOf, csrOf, denseOf } from "./dense.js";

export interface RandomOptions {
	readonly seed: number;
	readonly contacts: number;
	/** Friction of all contacts, or its range. */
	readonly mu?: number | readonly [number, number];
	/** Part of an unsymmetric matrix added to W, relative to its diagonal. */
	readonly skew?: number;
	/** The chance that two contacts couple; 1 for a full W. */
	readonly density?: number;
	/** Contacts differ in mass by up to this factor. */
	readonly spread?: number;
	readonly equalityRows?: number;
}

export function reals(random: Random, length: number, from = -1, to = 1): Float64Array {
	return Float64Array.from({ length }, () => random.between(from, to));
}

/** G G^T / columns + shift I with a square random G: symmetric, positive definite. */
export function positiveDefinite(random: Random, size: number, shift = 0.2): Float64Array {
	const g = reals(random, size * size);
	const dense = new Float64Array(size * size);
	for (let i = 0; i < size; i += 1) {
		for (let j = 0; j < size; j += 1) {
			let sum = i === j ? shift : 0;
			for (let k = 0; k < size; k += 1) sum += (g[i * size + k]! * g[j * size + k]!) / size;
			dense[i * size + j] = sum;
		}
	}
	return dense;
}

/** s A s for one s per row, of up to `spread` times one another. */
function scaleRows(random: Random, dense: Float64Array, size: number, spread: number): void {
	const s = Float64Array.from({ length: size / 3 }, () => Math.sqrt(spread ** random.uniform()));
	for (let i = 0; i < size * size; i += 1) {
		dense[i]! *= s[Math.floor(Math.floor(i / size) / 3)]! * s[Math.floor((i % size) / 3)]!;
	}
}

/** Blocks between contacts that do not couple are taken out, and as much put on the diagonal: still positive definite. */
function thin(random: Random, dense: Float64Array, contacts: number, density: number): Set<number> {
	const size = 3 * contacts;
	const kept = new Set<number>();
	for (let a = 0; a < contacts; a += 1) {
		kept.add(a * contacts + a);
		for (let b = 0; b < a; b += 1) {
			if (random.uniform() < density) {
				kept.add(a * contacts + b).add(b * contacts + a);
				continue;
			}
			for (let i = 0; i < 9; i += 1) {
				const row = 3 * a + Math.floor(i / 3);
				const column = 3 * b + (i % 3);
				const value = Math.abs(dense[row * size + column]!);
				dense[row * size + row]! += value;
				dense[column * size + column]! += value;
				dense[row * size + column] = 0;
				dense[column * size + row] = 0;
			}
		}
	}
	return kept;
}

function equalitiesOf(random: Random, contacts: number, count: number): Equalities {
	// With W's own shift, a small V keeps the whole matrix [W V; V^T R] positive definite.
	const V = reals(random, 3 * contacts * count, -0.1, 0.1);
	const R = positiveDefinite(random, count, 1);
	return { count, V: csrOf(V, 3 * contacts, count), R: csrOf(R, count, count), s: reals(random, count) };
}

export function randomProblem(options: RandomOptions): Problem {
	const { seed, contacts, mu = [0.2, 0.8], skew = 0, density = 1, spread = 1, equalityRows = 0 } = options;
	const random = new Random(seed);
	const size = 3 * contacts;
	const dense = positiveDefinite(random, size);
	const kept = thin(random, dense, contacts, density);
	for (let i = 0; i < size; i += 1) {
		for (let j = 0; j < i; j += 1) {
			const turn = skew * random.between(-1, 1);
			if (!kept.has(Math.floor(i / 3) * contacts + Math.floor(j / 3))) continue;
			dense[i * size + j]! += turn;
			dense[j * size + i]! -= turn;
		}
	}
	scaleRows(random, dense, size, spread);
	const [from, to] = typeof mu === "number" ? [mu, mu] : mu;
	const q = reals(random, size);
	// Most contacts close.
	for (let a = 0; a < contacts; a += 1) if (random.uniform() < 0.8) q[3 * a] = -Math.abs(q[3 * a]!);
	return {
		name: `random ${seed}`,
		contacts,
		q,
		mu: reals(random, contacts, from, to),
		W: blocksOf(dense, contacts, (a, b) => kept.has(a * contacts + b)),
		...(equalityRows > 0 ? { equalities: equalitiesOf(random, contacts, equalityRows) } : {}),
	};
}

/** Every contact twice, at the same place: W has half its rank, the velocities are those of the single problem. */
export function twice(problem: Problem): Problem {
	const { contacts } = problem;
	const single = denseOf(problem.W!);
	const size = 6 * contacts;
	const dense = Float64Array.from({ length: size * size }, (_, k) => {
		const i = Math.floor(k / size) % (3 * contacts);
		return single[i * 3 * contacts + ((k % size) % (3 * contacts))]!;
	});
	return {
		name: `${problem.name}, every contact twice`,
		contacts: 2 * contacts,
		q: Float64Array.of(...problem.q, ...problem.q),
		mu: Float64Array.of(...problem.mu, ...problem.mu),
		W: blocksOf(dense, 2 * contacts),
	};
}
