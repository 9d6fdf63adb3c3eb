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
	for (let k = 0; k < 6; k += 1) {
		const i = f + FIRST[k]!;
		const j = f + SECOND[k]!;
		const product = F[i]! * F[j]! + F[i + 3]! * F[j + 3]! + F[i + 6]! * F[j + 6]!;
		out[k] = 0.5 * (k < 3 ? product - 1 : product);
	}
}

const FIRST = [0, 1, 2, 0, 0, 1];
const SECOND = [0, 1, 2, 1, 2, 2];

const E = new Float64Array(6);
const S = new Float64Array(6);

/** S = C : E. */
function hooke(lambda: number, mu: number, E: Float64Array, S: Float64Array): void {
	const trace = lambda * (E[0]! + E[1]! + E[2]!);
	for (let k = 0; k < 6; k += 1) S[k] = 2 * mu * E[k]! + (k < 3 ? trace : 0);
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

/** out += derivative of P(F) along V: `material` * F C : dE + `geometric` * V S. */
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
	for (let k = 0; k < 6; k += 1) {
		const i = FIRST[k]!;
		const j = SECOND[k]!;
		let sum = 0;
		for (let row = 0; row < 9; row += 3) {
			sum += F[f + row + i]! * V[f + row + j]! + V[f + row + i]! * F[f + row + j]!;
		}
		E[k] = 0.5 * sum;
	}
	hooke(lambda, mu, E, S);
	addProduct(F, f, S, material, out);
	if (geometric === 0) return;
	strain(F, f, E);
	hooke(lambda, mu, E, S);
	addProduct(V, f, S, geometric, out);
}

const FFT = new Float64Array(9);

/**
 * Adds the 9 x 9 derivative of P to A, which is by rows and at `at`, lower triangle only: dP_iJ / dF_kL =
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
	at: number,
): void {
	strain(F, f, E);
	hooke(lambda, mu, E, S);
	for (let i = 0; i < 3; i += 1) {
		for (let k = 0; k <= i; k += 1) {
			const [x, y] = [f + 3 * i, f + 3 * k];
			FFT[3 * i + k] = F[x]! * F[y]! + F[x + 1]! * F[y + 1]! + F[x + 2]! * F[y + 2]!;
		}
	}
	const [ml, mm] = [material * lambda, material * mu];
	for (let i = 0; i < 3; i += 1) {
		for (let k = 0; k <= i; k += 1) {
			const common = mm * FFT[3 * i + k]!;
			for (let J = 0; J < 3; J += 1) {
				const row = at + 9 * (3 * i + J) + 3 * k;
				const [iJ, kJ] = [F[f + 3 * i + J]!, F[f + 3 * k + J]!];
				for (let L = 0; L < 3; L += 1) {
					let sum = ml * (iJ * F[f + 3 * k + L]!) + mm * (F[f + 3 * i + L]! * kJ);
					if (J === L) sum += common;
					if (i === k) sum += geometric * S[J === L ? J : J + L + 2]!;
					A[row + L]! += sum;
				}
			}
		}
	}
}
