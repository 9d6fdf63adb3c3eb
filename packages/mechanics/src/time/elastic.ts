/**
 * The material of Saint Venant and Kirchhoff, whose deformation gradient F is the same all over a body (Koziara and Bićanić 2008, eqs. 10-12): with E = (F^T F - 1) / 2 and
 * Lame's constants, S = lambda tr(E) 1 + 2 mu E and P = F S. Its energy is E : C : E / 2, of which Koziara and Bićanić 2008, eq. 11 has twice as much: with that, a bar would
 * be twice as stiff as its Young's modulus says.
 */
import type { Material } from "../bodies/model.js";

/** lambda and mu, as out[0] and out[1]. */
export function lame(material: Material, out: Float64Array): void {
	const { young = 0, poisson = 0 } = material;
	out[0] = (young * poisson) / ((1 + poisson) * (1 - 2 * poisson));
	out[1] = young / (2 * (1 + poisson));
}

export function determinant(F: Float64Array, f: number): number {
	return (
		F[f]! * (F[f + 4]! * F[f + 8]! - F[f + 5]! * F[f + 7]!) -
		F[f + 1]! * (F[f + 3]! * F[f + 8]! - F[f + 5]! * F[f + 6]!) +
		F[f + 2]! * (F[f + 3]! * F[f + 7]! - F[f + 4]! * F[f + 6]!)
	);
}

/** E: xx, yy, zz, xy, xz, yz. */
function strain(F: Float64Array, f: number, out: Float64Array): void {
	out[0] = 0.5 * (columns(F, f, F, f) - 1);
	out[1] = 0.5 * (columns(F, f + 1, F, f + 1) - 1);
	out[2] = 0.5 * (columns(F, f + 2, F, f + 2) - 1);
	out[3] = 0.5 * columns(F, f, F, f + 1);
	out[4] = 0.5 * columns(F, f, F, f + 2);
	out[5] = 0.5 * columns(F, f + 1, F, f + 2);
}

/** The product of two columns. */
function columns(F: Float64Array, i: number, V: Float64Array, j: number): number {
	return F[i]! * V[j]! + F[i + 3]! * V[j + 3]! + F[i + 6]! * V[j + 6]!;
}

/** (F^T V + V^T F) / 2. */
function strainRate(F: Float64Array, f: number, V: Float64Array, v: number, out: Float64Array): void {
	out[0] = columns(F, f, V, v);
	out[1] = columns(F, f + 1, V, v + 1);
	out[2] = columns(F, f + 2, V, v + 2);
	out[3] = 0.5 * (columns(F, f, V, v + 1) + columns(V, v, F, f + 1));
	out[4] = 0.5 * (columns(F, f, V, v + 2) + columns(V, v, F, f + 2));
	out[5] = 0.5 * (columns(F, f + 1, V, v + 2) + columns(V, v + 1, F, f + 2));
}

const E = new Float64Array(6);
const S = new Float64Array(6);

/** S = C : E. */
function hooke(lambda: number, mu: number, E: Float64Array, S: Float64Array): void {
	const trace = lambda * (E[0]! + E[1]! + E[2]!);
	for (let k = 0; k < 3; k += 1) {
		S[k] = 2 * mu * E[k]! + trace;
		S[k + 3] = 2 * mu * E[k + 3]!;
	}
}

/** Energy per volume. */
export function strainEnergy(F: Float64Array, f: number, lambda: number, mu: number): number {
	strain(F, f, E);
	const trace = E[0]! + E[1]! + E[2]!;
	const squares = E[0]! * E[0]! + E[1]! * E[1]! + E[2]! * E[2]!;
	return 0.5 * lambda * trace * trace + mu * (squares + 2 * (E[3]! * E[3]! + E[4]! * E[4]! + E[5]! * E[5]!));
}

/** out += scale * F S, S symmetric. */
function addProduct(F: Float64Array, f: number, S: Float64Array, scale: number, out: Float64Array): void {
	for (let i = 0; i < 9; i += 3) {
		const [x, y, z] = [F[f + i]!, F[f + i + 1]!, F[f + i + 2]!];
		out[i]! += scale * (x * S[0]! + y * S[3]! + z * S[4]!);
		out[i + 1]! += scale * (x * S[3]! + y * S[1]! + z * S[5]!);
		out[i + 2]! += scale * (x * S[4]! + y * S[5]! + z * S[2]!);
	}
}

/** out += scale * P(F). */
export function addStress(
	F: Float64Array,
	f: number,
	lambda: number,
	mu: number,
	scale: number,
	out: Float64Array,
): void {
	strain(F, f, E);
	hooke(lambda, mu, E, S);
	addProduct(F, f, S, scale, out);
}

/** out += derivative of P(F) along V, which is where F is in its array: `material` * F C : dE + `geometric` * V S. */
export function addStressRate(
	F: Float64Array,
	f: number,
	V: Float64Array,
	lambda: number,
	mu: number,
	material: number,
	geometric: number,
	out: Float64Array,
): void {
	strainRate(F, f, V, f, E);
	hooke(lambda, mu, E, S);
	addProduct(F, f, S, material, out);
	if (geometric === 0) return;
	strain(F, f, E);
	hooke(lambda, mu, E, S);
	addProduct(V, f, S, geometric, out);
}

/**
 * Adds the derivative of P, nine rows of nine, to the lower triangle of A: dP_iJ / dF_kL =
 * `material` (lambda F_iJ F_kL + mu (F_iL F_kJ + (F F^T)_ik delta_JL)) + `geometric` delta_ik S_LJ.
 */
export function addStiffness(
	F: Float64Array,
	f: number,
	lambda: number,
	mu: number,
	material: number,
	geometric: number,
	A: Float64Array,
): void {
	const ml = material * lambda;
	const mm = material * mu;
	for (let i = 0; i < 9; i += 3) {
		for (let k = 0; k <= i; k += 3) {
			const x = F[f + i]! * F[f + k]!;
			const y = F[f + i + 1]! * F[f + k + 1]!;
			const z = F[f + i + 2]! * F[f + k + 2]!;
			const common = mm * (x + y + z);
			for (let j = 0; j < 3; j += 1) {
				const row = 9 * (i + j) + k;
				const stretch = ml * F[f + i + j]!;
				const shear = mm * F[f + k + j]!;
				for (let l = 0; l < 3; l += 1) A[row + l]! += stretch * F[f + k + l]! + shear * F[f + i + l]!;
				A[row + j]! += common;
			}
		}
	}
	if (geometric === 0) return;
	strain(F, f, E);
	hooke(lambda, mu, E, S);
	for (let k = 0; k < 81; k += 30) {
		A[k]! += geometric * S[0]!;
		A[k + 10]! += geometric * S[1]!;
		A[k + 20]! += geometric * S[2]!;
		A[k + 9]! += geometric * S[3]!;
		A[k + 18]! += geometric * S[4]!;
		A[k + 19]! += geometric * S[5]!;
	}
}
