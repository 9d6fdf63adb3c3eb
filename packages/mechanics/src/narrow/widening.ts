/**
 * The balls, stretched or not, by which the cores of two pieces are widened. Of A * (unit ball) the support function along a unit vector n is
 * rho = |A^T n|, reached at A u with u = A^T n / rho; its second derivative along tangents s and t is p_s . p_t / rho, with p_s = A^T s - (u . A^T s) u.
 */

export interface Widening {
	/** Balls that are stretched, at most two: round ones only add their radius to every distance. */
	count: number;
	/** Nine by rows per ball. */
	readonly matrix: Float64Array;
	/** As of the last call of `support`: rho, and u and A u of each ball. */
	readonly rho: Float64Array;
	readonly unit: Float64Array;
	readonly witness: Float64Array;
}

export function makeWidening(): Widening {
	return {
		count: 0,
		matrix: new Float64Array(18),
		rho: new Float64Array(2),
		unit: new Float64Array(6),
		witness: new Float64Array(6),
	};
}

/** The sum of rho over the balls. */
export function support(widening: Widening, x: number, y: number, z: number): number {
	const { matrix, rho, unit, witness } = widening;
	let total = 0;
	for (let ball = 0; ball < widening.count; ball++) {
		const m = 9 * ball;
		let u = matrix[m]! * x + matrix[m + 3]! * y + matrix[m + 6]! * z;
		let v = matrix[m + 1]! * x + matrix[m + 4]! * y + matrix[m + 7]! * z;
		let w = matrix[m + 2]! * x + matrix[m + 5]! * y + matrix[m + 8]! * z;
		const length = Math.sqrt(u * u + v * v + w * w);
		u /= length;
		v /= length;
		w /= length;
		const k = 3 * ball;
		rho[ball] = length;
		unit[k] = u;
		unit[k + 1] = v;
		unit[k + 2] = w;
		witness[k] = matrix[m]! * u + matrix[m + 1]! * v + matrix[m + 2]! * w;
		witness[k + 1] = matrix[m + 3]! * u + matrix[m + 4]! * v + matrix[m + 5]! * w;
		witness[k + 2] = matrix[m + 6]! * u + matrix[m + 7]! * v + matrix[m + 8]! * w;
		total += length;
	}
	return total;
}

const projected = new Float64Array(6);

/** Second derivatives of the sum of rho at the last direction of `support`, along s s, s t and t t. */
export function curvature(widening: Widening, s: Float64Array, t: Float64Array, target: Float64Array): void {
	target[0] = 0;
	target[1] = 0;
	target[2] = 0;
	for (let ball = 0; ball < widening.count; ball++) {
		project(widening, ball, s, 0);
		project(widening, ball, t, 3);
		const a = projected[0]!;
		const b = projected[1]!;
		const c = projected[2]!;
		const d = projected[3]!;
		const e = projected[4]!;
		const f = projected[5]!;
		const inverse = 1 / widening.rho[ball]!;
		target[0] += (a * a + b * b + c * c) * inverse;
		target[1]! += (a * d + b * e + c * f) * inverse;
		target[2]! += (d * d + e * e + f * f) * inverse;
	}
}

function project(widening: Widening, ball: number, t: Float64Array, at: number): void {
	const { matrix, unit } = widening;
	const m = 9 * ball;
	const k = 3 * ball;
	const x = t[0]!;
	const y = t[1]!;
	const z = t[2]!;
	const u = matrix[m]! * x + matrix[m + 3]! * y + matrix[m + 6]! * z;
	const v = matrix[m + 1]! * x + matrix[m + 4]! * y + matrix[m + 7]! * z;
	const w = matrix[m + 2]! * x + matrix[m + 5]! * y + matrix[m + 8]! * z;
	const along = u * unit[k]! + v * unit[k + 1]! + w * unit[k + 2]!;
	projected[at] = u - along * unit[k]!;
	projected[at + 1] = v - along * unit[k + 1]!;
	projected[at + 2] = w - along * unit[k + 2]!;
}

/**
 * A lower bound of the smallest radius of curvature of the sum: of each ball least axis squared by longest axis, both bounded by the trace and the
 * determinant of A A^T.
 */
export function leastRadius(widening: Widening): number {
	let sum = 0;
	for (let ball = 0; ball < widening.count; ball++) {
		const { matrix: m } = widening;
		const i = 9 * ball;
		let trace = 0;
		for (let k = i; k < i + 9; k++) trace += m[k]! * m[k]!;
		const determinant =
			m[i]! * (m[i + 4]! * m[i + 8]! - m[i + 5]! * m[i + 7]!) -
			m[i + 1]! * (m[i + 3]! * m[i + 8]! - m[i + 5]! * m[i + 6]!) +
			m[i + 2]! * (m[i + 3]! * m[i + 7]! - m[i + 4]! * m[i + 6]!);
		const ratio = (2 * determinant) / trace;
		sum += (ratio * ratio) / Math.sqrt(trace);
	}
	return sum;
}
