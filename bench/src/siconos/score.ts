/**
 * The judge of both sides: the three measures of the problem statement, written once more from their definitions in plain
 * TypeScript, with nothing of @stickslip/core in it, so that a mistake there cannot vouch for itself.
 *
 *     U = W R + q,  F = [U_N + mu |U_T|, U_T],  n_a = R_a - proj_K(R_a - F_a)
 *     natural = | n | / max(|q|, |R|, |U|)                                                         (as Siconos 4.4 stops on)
 *     merit   = sum <W_aa^-1 n_a, n_a> / sum <W_aa^-1 q_a, q_a>            (C = F + m(R - F) is n: m(S) = S - proj_K(S))
 *     energy  = sqrt( sum <W_aa e_a, e_a> / sum <W_aa^-1 q_a, q_a> ),  e_a = R_a - proj_K(R_a - F_a / w_a),
 *               w_a = trace(W_aa) / 3, symmetric parts of the blocks, R projected on K before anything else
 *
 * A denominator of zero counts as 1. U and all sums are compensated (Neumaier), so that the score has no rounding of its own
 * to speak of: 1e-8 of a sum with cancellation is judged as strictly as the same in exact arithmetic.
 */

/** W by 3x3 blocks in compressed rows (nine values each, by rows), free velocities and friction. */
export interface BlockProblem {
	readonly contacts: number;
	readonly rowStart: Int32Array;
	readonly column: Int32Array;
	readonly values: Float64Array;
	readonly q: Float64Array;
	readonly mu: Float64Array;
}

export interface Score {
	readonly natural: number;
	readonly merit: number;
	readonly energy: number;
}

type Triple = readonly [number, number, number];

/** A sum that carries what rounding takes off (Neumaier 1974). */
class Sum {
	#sum = 0;
	#lost = 0;

	add(value: number): void {
		const sum = this.#sum + value;
		this.#lost += Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - sum + value : value - sum + this.#sum;
		this.#sum = sum;
	}

	get value(): number {
		return this.#sum + this.#lost;
	}
}

export function score(problem: BlockProblem, reaction: Float64Array): Score {
	if (reaction.length !== 3 * problem.contacts) throw new Error("the reaction has not three values per contact");
	const { mu, q } = problem;
	const natural = new Sum();
	const merit = new Sum();
	const scale = new Sum();
	const velocity = apply(problem, reaction);
	for (let a = 0; a < problem.contacts; a += 1) {
		const inverse = inverted(diagonal(problem, a));
		const n = residual(mu[a]!, triple(reaction, a), triple(velocity, a), 1);
		natural.add(dot(n, n));
		merit.add(dot(times(inverse, n), n));
		scale.add(dot(times(inverse, triple(q, a)), triple(q, a)));
	}
	return {
		natural: Math.sqrt(natural.value) / orOne(Math.max(norm(q), norm(reaction), norm(velocity))),
		merit: merit.value / orOne(scale.value),
		energy: energy(problem, reaction),
	};
}

function energy(problem: BlockProblem, reaction: Float64Array): number {
	const { mu, q } = problem;
	const admissible = reaction.slice();
	for (let a = 0; a < problem.contacts; a += 1) admissible.set(project(mu[a]!, triple(reaction, a)), 3 * a);
	const velocity = apply(problem, admissible);
	const numerator = new Sum();
	const denominator = new Sum();
	for (let a = 0; a < problem.contacts; a += 1) {
		const block = symmetric(diagonal(problem, a));
		const weight = (block[0]! + block[4]! + block[8]!) / 3;
		const e = residual(mu[a]!, triple(admissible, a), triple(velocity, a), weight);
		numerator.add(dot(times(block, e), e));
		denominator.add(dot(times(inverted(block), triple(q, a)), triple(q, a)));
	}
	return Math.sqrt(numerator.value / orOne(denominator.value));
}

/** U = W R + q. */
function apply(problem: BlockProblem, reaction: Float64Array): Float64Array {
	const { column, q, rowStart, values } = problem;
	const velocity = new Float64Array(q.length);
	for (let a = 0; a < problem.contacts; a += 1) {
		for (let i = 0; i < 3; i += 1) {
			const sum = new Sum();
			sum.add(q[3 * a + i]!);
			for (let k = rowStart[a]!; k < rowStart[a + 1]!; k += 1) {
				for (let j = 0; j < 3; j += 1) sum.add(values[9 * k + 3 * i + j]! * reaction[3 * column[k]! + j]!);
			}
			velocity[3 * a + i] = sum.value;
		}
	}
	return velocity;
}

/** R - proj_K(R - F / weight). */
function residual(mu: number, r: Triple, u: Triple, weight: number): Triple {
	const f: Triple = [u[0] + mu * Math.sqrt(u[1] * u[1] + u[2] * u[2]), u[1], u[2]];
	const p = project(mu, [r[0] - f[0] / weight, r[1] - f[1] / weight, r[2] - f[2] / weight]);
	return [r[0] - p[0], r[1] - p[1], r[2] - p[2]];
}

/** The nearest point of { |x_T| <= mu x_N }. */
function project(mu: number, x: Triple): Triple {
	const tangential = Math.sqrt(x[1] * x[1] + x[2] * x[2]);
	if (x[0] >= 0 && tangential <= mu * x[0]) return x;
	if (mu * tangential <= -x[0]) return [0, 0, 0];
	const normal = (x[0] + mu * tangential) / (1 + mu * mu);
	const shrink = tangential > 0 ? (mu * normal) / tangential : 0;
	return [normal, shrink * x[1], shrink * x[2]];
}

/** W_aa; a row without it has no answer to be scored. */
function diagonal(problem: BlockProblem, a: number): Float64Array {
	for (let k = problem.rowStart[a]!; k < problem.rowStart[a + 1]!; k += 1) {
		if (problem.column[k] === a) return problem.values.subarray(9 * k, 9 * k + 9);
	}
	throw new Error(`contact ${a} has no diagonal block`);
}

function symmetric(b: Float64Array): Float64Array {
	const x = (b[1]! + b[3]!) / 2;
	const y = (b[2]! + b[6]!) / 2;
	const z = (b[5]! + b[7]!) / 2;
	return Float64Array.of(b[0]!, x, y, x, b[4]!, z, y, z, b[8]!);
}

/** By cofactors: the blocks are well conditioned beside the tolerances that are judged. */
function inverted(b: Float64Array): Float64Array {
	const cofactor = (i: number, j: number, k: number, l: number) => b[i]! * b[j]! - b[k]! * b[l]!;
	const adjugate = [
		[cofactor(4, 8, 5, 7), cofactor(2, 7, 1, 8), cofactor(1, 5, 2, 4)],
		[cofactor(5, 6, 3, 8), cofactor(0, 8, 2, 6), cofactor(2, 3, 0, 5)],
		[cofactor(3, 7, 4, 6), cofactor(1, 6, 0, 7), cofactor(0, 4, 1, 3)],
	].flat();
	const determinant = b[0]! * adjugate[0]! + b[1]! * adjugate[3]! + b[2]! * adjugate[6]!;
	return Float64Array.from(adjugate, (value) => value / determinant);
}

function times(b: Float64Array, x: Triple): Triple {
	const row = (i: number) => b[i]! * x[0] + b[i + 1]! * x[1] + b[i + 2]! * x[2];
	return [row(0), row(3), row(6)];
}

function triple(vector: Float64Array, a: number): Triple {
	return [vector[3 * a]!, vector[3 * a + 1]!, vector[3 * a + 2]!];
}

function dot(x: Triple, y: Triple): number {
	return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

function norm(vector: Float64Array): number {
	const sum = new Sum();
	for (const value of vector) sum.add(value * value);
	return Math.sqrt(sum.value);
}

function orOne(denominator: number): number {
	return denominator === 0 ? 1 : denominator;
}
