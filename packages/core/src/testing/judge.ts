/**
 * The judge of answers in tests: velocities and the three measures written once more from their definitions
 * (docs/conventions.md), with dense sums in id order and nothing of the solver in it.
 */
import type { Problem } from "../problem/problem.js";
import { solveDense } from "./dense.js";
import { type JudgedLaw, judgedLaw } from "./laws.js";

export type Triple = readonly [number, number, number];

/** The nearest point of the cone |z_T| <= mu z_N: the tip, z itself, or the foot on the ray (1, mu t), t = z_T / |z_T|. */
export function nearest(mu: number, [n, t1, t2]: Triple): Triple {
	const length = Math.hypot(t1, t2);
	if (n >= 0 && length <= mu * n) return [n, t1, t2];
	const foot = (n + mu * length) / (1 + mu * mu);
	return foot > 0 ? [foot, (mu * foot * t1) / length, (mu * foot * t2) / length] : [0, 0, 0];
}

export function tripleOf(values: Float64Array, a: number): Triple {
	return [values[3 * a]!, values[3 * a + 1]!, values[3 * a + 2]!];
}

/** F = [U_N + mu |U_T|, U_T] */
export function modified(mu: number, [n, t1, t2]: Triple): Triple {
	return [n + mu * Math.hypot(t1, t2), t1, t2];
}

/** R - proj_K(R - factor F). */
function residualOf(law: JudgedLaw, r: Triple, u: Triple, factor = 1): Triple {
	const f = law.modified(u);
	const p = law.nearest([r[0] - factor * f[0], r[1] - factor * f[1], r[2] - factor * f[2]]);
	return [r[0] - p[0], r[1] - p[1], r[2] - p[2]];
}

/** The diagonal block of contact a. */
export function blockOf({ W }: Problem, a: number): Float64Array {
	for (let k = W!.rowStart[a]!; k < W!.rowStart[a + 1]!; k += 1) {
		if (W!.column[k] === a) return W!.values.slice(9 * k, 9 * k + 9);
	}
	throw new Error(`contact ${a} has no diagonal block`);
}

export function symmetricPart(w: Float64Array): Float64Array {
	return w.map((value, i) => (value + w[3 * (i % 3) + Math.floor(i / 3)]!) / 2);
}

/** <A x, x> */
export function form(a: Float64Array, x: ArrayLike<number>): number {
	let sum = 0;
	for (let i = 0; i < 9; i += 1) sum += a[i]! * x[i % 3]! * x[Math.floor(i / 3)]!;
	return sum;
}

/** <A^-1 x, x> */
function inverseForm(a: Float64Array, x: ArrayLike<number>): number {
	const y = solveDense(a, Float64Array.from(x));
	return y[0]! * x[0]! + y[1]! * x[1]! + y[2]! * x[2]!;
}

/** U = W R + V l + q and the residual V^T R + Q l + s of the equality rows. */
export function velocitiesOf(problem: Problem, r: Float64Array, l: Float64Array = new Float64Array(0)) {
	const { W, equalities } = problem;
	const u = problem.q.slice();
	for (let a = 0; a < problem.contacts; a += 1) {
		for (let k = W!.rowStart[a]!; k < W!.rowStart[a + 1]!; k += 1) {
			for (let i = 0; i < 9; i += 1) {
				u[3 * a + Math.floor(i / 3)]! += W!.values[9 * k + i]! * r[3 * W!.column[k]! + (i % 3)]!;
			}
		}
	}
	const rows = equalities?.s.slice() ?? new Float64Array(0);
	if (equalities === undefined) return { u, rows };
	const { V, R } = equalities;
	for (let i = 0; i < V.rows; i += 1) {
		for (let k = V.rowStart[i]!; k < V.rowStart[i + 1]!; k += 1) {
			u[i]! += V.values[k]! * l[V.column[k]!]!;
			rows[V.column[k]!]! += V.values[k]! * r[i]!;
		}
	}
	for (let i = 0; i < R.rows; i += 1) {
		for (let k = R.rowStart[i]!; k < R.rowStart[i + 1]!; k += 1) rows[i]! += R.values[k]! * l[R.column[k]!]!;
	}
	return { u, rows };
}

/** The diagonal of the equality matrix. */
function equalityDiagonal({ equalities }: Problem): Float64Array {
	const diagonal = new Float64Array(equalities?.count ?? 0);
	if (equalities === undefined) return diagonal;
	const { R } = equalities;
	for (let i = 0; i < R.rows; i += 1) {
		for (let k = R.rowStart[i]!; k < R.rowStart[i + 1]!; k += 1) if (R.column[k] === i) diagonal[i] = R.values[k]!;
	}
	return diagonal;
}

const norm = (values: Float64Array): number => Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));

export interface Judgement {
	readonly energy: number;
	readonly natural: number;
	readonly merit: number;
	readonly gradient: number;
	/** Least U_N, largest violation of the cone |R_T| - mu R_N: what a person looks at first. */
	readonly gap: number;
	readonly outside: number;
}

/** The step of the gradient measure, for 1e-6 of Mazhar and others 2015. */
const STEP = 2 ** -20;

/** A name for each contact and each three equality rows: the least number of those that W, V and R couple it with. */
function componentNames({ contacts, W, equalities }: Problem): Int32Array {
	const names = Int32Array.from({ length: contacts + Math.ceil((equalities?.count ?? 0) / 3) }, (_, i) => i);
	const join = (a: number, b: number) => {
		const [kept, lost] = [Math.min(names[a]!, names[b]!), Math.max(names[a]!, names[b]!)];
		for (let i = 0; i < names.length; i += 1) if (names[i] === lost) names[i] = kept;
	};
	const rowBlock = (row: number) => contacts + Math.floor(row / 3);
	for (let a = 0; a < contacts; a += 1) {
		for (let k = W!.rowStart[a]!; k < W!.rowStart[a + 1]!; k += 1) join(a, W!.column[k]!);
	}
	for (let i = 0; i < 3 * contacts && equalities; i += 1) {
		const { rowStart, column } = equalities.V;
		for (let k = rowStart[i]!; k < rowStart[i + 1]!; k += 1) join(Math.floor(i / 3), rowBlock(column[k]!));
	}
	for (let i = 0; i < (equalities?.count ?? 0); i += 1) {
		const { rowStart, column } = equalities!.R;
		for (let k = rowStart[i]!; k < rowStart[i + 1]!; k += 1) join(rowBlock(i), rowBlock(column[k]!));
	}
	return names;
}

/** Energy's term of each contact and of each three equality rows; negative if it slides, as contacts of other laws than Coulomb's count. */
function energyTerms(problem: Problem, laws: readonly JudgedLaw[], reaction: Float64Array, multiplier?: Float64Array) {
	const { contacts } = problem;
	const { u, rows } = velocitiesOf(problem, reaction, multiplier);
	const diagonal = equalityDiagonal(problem);
	const terms = new Float64Array(contacts + Math.ceil(rows.length / 3));
	for (let a = 0; a < contacts; a += 1) {
		const w = blockOf(problem, a);
		const trace = (w[0]! + w[4]! + w[8]!) / 3;
		const r = laws[a]!.nearest(tripleOf(reaction, a));
		const term = form(symmetricPart(w), residualOf(laws[a]!, r, tripleOf(u, a), 1 / trace));
		const isCoulomb = problem.laws === undefined || problem.laws.law.every((law) => law === 0);
		const slides = r[0] > 0 && Math.hypot(r[1], r[2]) >= (1 - 1e-9) * problem.mu[a]! * r[0];
		terms[a] = slides || (!isCoulomb && problem.laws!.law[a] !== 0) ? -term : term;
	}
	for (const [i, value] of rows.entries()) terms[contacts + Math.floor(i / 3)]! += value ** 2 / diagonal[i]!;
	return terms;
}

/** Energy's denominator of each component by its name: the error at proj_K(0), and where that solves it the free motion. */
export function energyDenominators(problem: Problem): Map<number, number> {
	const laws = Array.from({ length: problem.contacts }, (_, a) => judgedLaw(problem, a));
	const names = componentNames(problem);
	const noMultiplier = new Float64Array(problem.equalities?.count ?? 0);
	const nearestZero = Float64Array.from(laws.flatMap((law) => law.nearest([0, 0, 0])));
	const zero = energyTerms(problem, laws, nearestZero, noMultiplier);
	const free = zero.map((_, a) =>
		a < problem.contacts ? inverseForm(symmetricPart(blockOf(problem, a)), tripleOf(problem.q, a)) : 0,
	);
	const sums = new Map<number, [number, number]>();
	for (const [a, name] of names.entries()) {
		const [ofZero, ofFree] = sums.get(name) ?? [0, 0];
		sums.set(name, [ofZero + Math.abs(zero[a]!), ofFree + free[a]!]);
	}
	const denominators = [...sums].map(([name, [ofZero, ofFree]]): [number, number] => [
		name,
		ofZero > 1e-26 * ofFree ? ofZero : ofFree || 1,
	]);
	return new Map(denominators);
}

/** The largest error of a component of W, relative to its error at R = 0. */
function energyOf(problem: Problem, laws: readonly JudgedLaw[], reaction: Float64Array, multiplier?: Float64Array) {
	const names = componentNames(problem);
	const [sums, sliding] = [new Map<number, number>(), new Set<number>()];
	const terms = energyTerms(problem, laws, reaction, multiplier);
	for (const [a, name] of names.entries()) {
		sums.set(name, (sums.get(name) ?? 0) + Math.abs(terms[a]!));
		if (terms[a]! < 0) sliding.add(name);
	}
	const denominators = energyDenominators(problem);
	const errors = [...sums].map(([name, sum]) => {
		const plain = Math.sqrt(sum / denominators.get(name)!);
		return plain < 1 && !sliding.has(name) ? (10 * plain) / (1 + 9 * plain) : plain;
	});
	return Math.max(0, ...errors);
}

/** The measures of an answer, as the definitions say; zero denominators count as 1. */
export function judge(problem: Problem, reaction: Float64Array, multiplier?: Float64Array): Judgement {
	const { mu, contacts } = problem;
	const laws = Array.from({ length: contacts }, (_, a) => judgedLaw(problem, a));
	// The unknown that is measured, and its free velocity: R + c e_N and q - W c e_N where cones are shifted by c.
	const shift = Float64Array.from({ length: 3 * contacts }, (_, i) => (i % 3 === 0 ? laws[i / 3]!.shift : 0));
	const q = laws.some((law) => law.shift !== 0)
		? velocitiesOf(
				problem,
				shift.map((value) => -value),
			).u
		: problem.q;
	const { u, rows } = velocitiesOf(problem, reaction, multiplier);
	let [merit, natural, gradient, free] = [0, 0, 0, 0];
	let [gap, outside] = [Number.POSITIVE_INFINITY, 0];
	for (let a = 0; a < contacts; a += 1) {
		const w = blockOf(problem, a);
		const r = tripleOf(reaction, a);
		const ua = tripleOf(u, a);
		const c = residualOf(laws[a]!, r, ua);
		natural += c[0] ** 2 + c[1] ** 2 + c[2] ** 2;
		merit += inverseForm(w, c);
		gradient += residualOf(laws[a]!, r, ua, STEP).reduce((sum, value) => sum + (value / STEP) ** 2, 0);
		free += inverseForm(w, tripleOf(q, a));
		gap = Math.min(gap, ua[0]);
		outside = Math.max(outside, Math.hypot(r[1], r[2]) - mu[a]! * r[0], -r[0]);
	}
	const diagonal = equalityDiagonal(problem);
	const stretched = rows.reduce((sum, value, i) => sum + value ** 2 / diagonal[i]!, 0);
	const scale = Math.max(norm(q), norm(reaction.map((value, i) => value + shift[i]!)), norm(u));
	return {
		energy: energyOf(problem, laws, reaction, multiplier),
		natural: Math.sqrt(natural + norm(rows) ** 2) / (scale || 1),
		merit: (merit + stretched) / (free || 1),
		gradient: Math.sqrt(gradient + norm(rows) ** 2) / (3 * Math.max(1, contacts)),
		gap,
		outside,
	};
}
