/** The same problem seen otherwise: in other units, with other tangents, in another order. Each says what its answer becomes. */

import { Random } from "../base/random.js";
import { type ContactLaws, lawCode, lawOf, PARAMETERS } from "../problem/laws.js";
import type { BlockMatrix, Problem } from "../problem/problem.js";
import { momentBlocks } from "../problem/rolling.js";

/**
 * Other units of mass, length and time: W' = a W and q' = b q, so that R' = (b / a) R and U' = b U solve it; mu has no unit.
 * (Impulses over velocities in kg, in g, or with forces in place of impulses: all of this form.) Equality rows are scaled alike.
 */
export function inUnits(problem: Problem, a: number, b: number): Problem {
	const { W, equalities, laws } = problem;
	const times = (values: Float64Array, factor: number): Float64Array => values.map((value) => factor * value);
	return {
		...bare(problem),
		name: `${problem.name}, W times ${a}, q times ${b}`,
		q: times(problem.q, b),
		...(laws && { laws: { ...laws, parameters: scaledNumbers(laws, b / a) } }),
		W: { ...W!, values: times(W!.values, a) },
		...(equalities && {
			equalities: {
				...equalities,
				V: { ...equalities.V, values: times(equalities.V.values, a) },
				R: { ...equalities.R, values: times(equalities.R.values, a) },
				s: times(equalities.s, b),
			},
		}),
	};
}

/** Reactions among the laws' numbers in the units of R. */
function scaledNumbers({ law, parameters }: ContactLaws, factor: number): Float64Array {
	return parameters.map((value, i) => {
		const doc = lawOf(law[Math.floor(i / PARAMETERS)]!)?.doc.parameters[(i % PARAMETERS) - 1];
		return doc?.kind === "reaction" ? factor * value : value;
	});
}

/** Only what W, q, mu and laws say: bodies and guesses are left behind. */
function bare({ name, contacts, q, mu, laws, W, equalities }: Problem): Problem {
	return { name, contacts, q, mu, ...(laws && { laws }), ...(W && { W }), ...(equalities && { equalities }) };
}

/** Turns by a random angle about each normal: blocks Q_a of cos and sin. */
export interface Turns {
	readonly problem: Problem;
	/** To the turned tangents, or back. */
	turn(values: Float64Array, back?: boolean): Float64Array;
}

export function withTurnedTangents(problem: Problem, seed: number): Turns {
	const random = new Random(seed);
	const angles = Float64Array.from({ length: problem.contacts }, () => random.between(-Math.PI, Math.PI));
	const turn = (values: Float64Array, back = false): Float64Array => {
		const turned = values.slice();
		for (let a = 0; a < problem.contacts; a += 1) {
			const [c, s] = [Math.cos(angles[a]!), (back ? -1 : 1) * Math.sin(angles[a]!)];
			const [x, y] = [values[3 * a + 1]!, values[3 * a + 2]!];
			turned[3 * a + 1] = c * x - s * y;
			turned[3 * a + 2] = s * x + c * y;
		}
		return turned;
	};
	const matrix = (a: number): number[] => {
		const [c, s] = [Math.cos(angles[a]!), Math.sin(angles[a]!)];
		return [1, 0, 0, 0, c, -s, 0, s, c];
	};
	const W = mapBlocks(problem.W!, (block, a, b) => congruence(matrix(a), block, matrix(b)));
	const laws = problem.laws && turnedAxes(problem.laws, angles);
	const named = { ...bare(problem), name: `${problem.name}, turned`, ...(laws && { laws }) };
	return { problem: { ...named, W, q: turn(problem.q) }, turn };
}

/** Axes of anisotropic contacts turn along. */
function turnedAxes({ law, parameters }: ContactLaws, angles: Float64Array): ContactLaws {
	const turned = parameters.slice();
	for (const [a, code] of law.entries()) {
		if (code !== lawCode("anisotropic")) continue;
		const [c, s] = [Math.cos(angles[a]!), Math.sin(angles[a]!)];
		const [x, y] = [parameters[PARAMETERS * a + 2]!, parameters[PARAMETERS * a + 3]!];
		turned[PARAMETERS * a + 2] = c * x - s * y;
		turned[PARAMETERS * a + 3] = s * x + c * y;
	}
	return { law, parameters: turned };
}

/** P M Q^T for 3x3 matrices by rows. */
function congruence(p: number[], m: Float64Array, q: number[]): Float64Array {
	return Float64Array.from({ length: 9 }, (_, k) => {
		let sum = 0;
		for (let i = 0; i < 3; i += 1) {
			for (let j = 0; j < 3; j += 1) sum += p[3 * Math.floor(k / 3) + i]! * m[3 * i + j]! * q[3 * (k % 3) + j]!;
		}
		return sum;
	});
}

function mapBlocks(W: BlockMatrix, map: (block: Float64Array, a: number, b: number) => Float64Array): BlockMatrix {
	const values = new Float64Array(W.values.length);
	for (let a = 0; a < W.rows; a += 1) {
		for (let k = W.rowStart[a]!; k < W.rowStart[a + 1]!; k += 1) {
			values.set(map(W.values.subarray(9 * k, 9 * k + 9), a, W.column[k]!), 9 * k);
		}
	}
	return { ...W, values };
}

export interface Permuted {
	readonly problem: Problem;
	/** Contact `order[k]` of the old problem is contact k of the new one. */
	readonly order: Int32Array;
	/** Takes an answer of the permuted problem back to the old order. */
	restore(values: Float64Array): Float64Array;
}

/** Contacts renumbered at random, both blocks of a rolling one together; the columns of each row stay where they stood, so rows are unsorted afterwards. */
export function permuted(problem: Problem, seed: number): Permuted {
	const { contacts, laws } = problem;
	const W = problem.W!;
	const isMoment = laws && momentBlocks(laws);
	const all = Int32Array.from({ length: contacts }, (_, a) => a);
	const firsts = new Random(seed).shuffle(all.filter((a) => isMoment?.[a] !== 1));
	const order = Int32Array.from([...firsts].flatMap((a) => (isMoment?.[a + 1] === 1 ? [a, a + 1] : [a])));
	const place = new Int32Array(contacts);
	for (let k = 0; k < contacts; k += 1) place[order[k]!] = k;
	const rowStart = new Int32Array(contacts + 1);
	const column: number[] = [];
	const values: number[] = [];
	for (let k = 0; k < contacts; k += 1) {
		for (let at = W.rowStart[order[k]!]!; at < W.rowStart[order[k]! + 1]!; at += 1) {
			column.push(place[W.column[at]!]!);
			values.push(...W.values.subarray(9 * at, 9 * at + 9));
		}
		rowStart[k + 1] = column.length;
	}
	const triples = (from: Float64Array, to: (k: number) => number, source: (k: number) => number): Float64Array => {
		const into = new Float64Array(from.length);
		for (let k = 0; k < contacts; k += 1) for (let i = 0; i < 3; i += 1) into[3 * to(k) + i] = from[3 * source(k) + i]!;
		return into;
	};
	return {
		problem: {
			name: `${problem.name}, permuted`,
			contacts,
			q: triples(
				problem.q,
				(k) => k,
				(k) => order[k]!,
			),
			mu: Float64Array.from(order, (a) => problem.mu[a]!),
			...(laws && {
				laws: {
					law: Uint8Array.from(order, (a) => laws.law[a]!),
					parameters: laws.parameters.map(
						(_, i) => laws.parameters[PARAMETERS * order[Math.floor(i / PARAMETERS)]! + (i % PARAMETERS)]!,
					),
				},
			}),
			W: { rows: contacts, rowStart, column: Int32Array.from(column), values: Float64Array.from(values) },
		},
		order,
		restore: (found) =>
			triples(
				found,
				(k) => order[k]!,
				(k) => k,
			),
	};
}
