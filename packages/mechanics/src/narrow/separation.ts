/**
 * The signed distance of two pieces K1 and K2, each the hull of its vertices widened by a ball that may be stretched:
 *
 *     max over unit vectors n of   f(n) = min_{v in V2} n . v - max_{v in V1} n . v - rho1(n) - rho2(n)
 *
 * Positive, it is the distance; negative, the depth of penetration, and n is the common normal either way. Radii of round balls are no part of f.
 */
import { makeWidening, support, type Widening } from "./widening.js";

export interface Separation {
	/** Three coordinates per vertex of each core; they grow as needed. */
	first: Float64Array;
	firstCount: number;
	second: Float64Array;
	secondCount: number;
	readonly widening: Widening;
	/** Whether the only stretched ball is that of the first core. */
	isFirstStretched: boolean;
	/** Of round balls, zero for others: no part of f. */
	firstRadius: number;
	secondRadius: number;
	/** The unit vector, where the climb starts and where it ends, and f there. */
	readonly n: Float64Array;
	value: number;
	/** The active vertices: numbers in both cores, differences, and weights, which sum to one and give the points that touch. */
	active: number;
	readonly i: Int32Array;
	readonly j: Int32Array;
	readonly w: Float64Array;
	readonly weight: Float64Array;
	scale: number;
}

export function makeSeparation(): Separation {
	return {
		first: new Float64Array(24),
		firstCount: 0,
		second: new Float64Array(24),
		secondCount: 0,
		widening: makeWidening(),
		isFirstStretched: false,
		firstRadius: 0,
		secondRadius: 0,
		n: new Float64Array(3),
		value: 0,
		active: 0,
		i: new Int32Array(3),
		j: new Int32Array(3),
		w: new Float64Array(9),
		weight: new Float64Array(3),
		scale: 0,
	};
}

/** f at `n`, with the one vertex of each core that is lowest there. */
export function evaluate(p: Separation): number {
	const { n, first, second } = p;
	const x = n[0]!;
	const y = n[1]!;
	const z = n[2]!;
	let i = 0;
	let j = 0;
	let highest = x * first[0]! + y * first[1]! + z * first[2]!;
	for (let k = 1; k < p.firstCount; k++) {
		const height = x * first[3 * k]! + y * first[3 * k + 1]! + z * first[3 * k + 2]!;
		if (height <= highest) continue;
		highest = height;
		i = k;
	}
	let lowest = x * second[0]! + y * second[1]! + z * second[2]!;
	for (let k = 1; k < p.secondCount; k++) {
		const height = x * second[3 * k]! + y * second[3 * k + 1]! + z * second[3 * k + 2]!;
		if (height >= lowest) continue;
		lowest = height;
		j = k;
	}
	p.active = 0;
	activate(p, i, j);
	p.weight[0] = 1;
	p.value = valueAt(p, x, y, z);
	p.scale = Math.abs(p.w[0]!) + Math.abs(p.w[1]!) + Math.abs(p.w[2]!);
	for (let k = 0; k < p.widening.count; k++) p.scale += p.widening.rho[k]!;
	return p.value;
}

/** One more active vertex, of these numbers in both cores. */
export function activate(p: Separation, i: number, j: number): void {
	const k = p.active;
	p.i[k] = i;
	p.j[k] = j;
	for (let c = 0; c < 3; c++) p.w[3 * k + c] = p.second[3 * j + c]! - p.first[3 * i + c]!;
	p.active++;
}

/** f within the active set. */
export function valueAt(p: Separation, x: number, y: number, z: number): number {
	return x * p.w[0]! + y * p.w[1]! + z * p.w[2]! - support(p.widening, x, y, z);
}
