/**
 * Newton's method on the sphere of directions for the signed distance of two pieces. f has kinks where two or three vertices are lowest together (an
 * edge or a face meets the other piece), so the climb holds an active set of vertices w_k = v2 - v1 and moves within n . (w_k - w_0) = 0, until the
 * multipliers say that no vertex is to be released. f never falls on the way.
 */
import { activate, evaluate, type Separation, valueAt } from "./separation.js";
import { curvature } from "./widening.js";

/** More steps than any pair takes; what is left then is as good as rounding lets it be. */
const MOST_STEPS = 300;

/** Climbs from `n` on; ends early where f is above `limit`, as the pieces are farther apart than that. */
export function climb(p: Separation, limit: number): number {
	evaluate(p);
	for (let step = 0; step < MOST_STEPS; step++) {
		if (p.value > limit) break;
		if (p.active < 3 && ascend(p)) continue;
		if (!release(p)) break;
	}
	return p.value;
}

const gradient = new Float64Array(3);
const s = new Float64Array(3);
const t = new Float64Array(3);
const q = new Float64Array(3);
const d = new Float64Array(3);
const old = new Float64Array(3);
const edge = new Float64Array(3);

/** One step of Newton's method within the active set. False where there is nothing to gain. */
function ascend(p: Separation): boolean {
	const { n } = p;
	const residual = slopes(p);
	if (residual <= 1e-15 * p.scale) return false;
	newtonDirection(p);
	const slope = gradient[0]! * d[0]! + gradient[1]! * d[1]! + gradient[2]! * d[2]!;
	if (!(slope > 0)) return false;
	const reach = block(p);
	let size = Math.min(1, reach);
	if (size > 0) {
		const value = p.value;
		old.set(n);
		for (;;) {
			moveTo(p, size);
			if (size * slope <= 1e-13 * p.scale) {
				// Values say nothing here, within rounding: what counts is that the residual falls.
				const now = slopes(p);
				if (size === reach || now <= 0.5 * residual) break;
				if (now > residual) {
					n.set(old);
					p.value = valueAt(p, n[0]!, n[1]!, n[2]!);
				}
				return false;
			}
			if (p.value >= value + 1e-4 * size * slope - 1e-15 * p.scale) break;
			size *= 0.5;
		}
	}
	if (size === reach) {
		activate(p, blocker.i, blocker.j);
		straighten(p);
	}
	return true;
}

/** The gradient of f across n. */
function pull(p: Separation): void {
	const { n, w } = p;
	const { witness, count } = p.widening;
	for (let c = 0; c < 3; c++) {
		let sum = w[c]!;
		for (let ball = 0; ball < count; ball++) sum -= witness[3 * ball + c]!;
		gradient[c] = sum;
	}
	const along = n[0]! * gradient[0]! + n[1]! * gradient[1]! + n[2]! * gradient[2]!;
	for (let c = 0; c < 3; c++) gradient[c] = gradient[c]! - along * n[c]!;
}

/** Tangents within the active set (the second one is zero where an edge is active), and the norm of the gradient along them. */
function slopes(p: Separation): number {
	pull(p);
	const x = p.n[0]!;
	const y = p.n[1]!;
	const z = p.n[2]!;
	if (p.active === 2) {
		edgeOf(p);
		s[0] = edge[1]! * z - edge[2]! * y;
		s[1] = edge[2]! * x - edge[0]! * z;
		s[2] = edge[0]! * y - edge[1]! * x;
		t.fill(0);
		normalise(s);
		return Math.abs(s[0]! * gradient[0]! + s[1]! * gradient[1]! + s[2]! * gradient[2]!);
	}
	s.set(gradient);
	const length = normalise(s);
	if (length === 0) return 0;
	t[0] = y * s[2]! - z * s[1]!;
	t[1] = z * s[0]! - x * s[2]!;
	t[2] = x * s[1]! - y * s[0]!;
	return length;
}

/** d = Q^-1 (gradient) with Q = curvature + f along the tangents; where Q is not positive, with the sizes of its eigenvalues. */
function newtonDirection(p: Separation): void {
	curvature(p.widening, s, t, q);
	const a = q[0]! + p.value;
	const b = q[1]!;
	const c = q[2]! + p.value;
	const slopeS = gradient[0]! * s[0]! + gradient[1]! * s[1]! + gradient[2]! * s[2]!;
	const slopeT = gradient[0]! * t[0]! + gradient[1]! * t[1]! + gradient[2]! * t[2]!;
	const half = 0.5 * (a - c);
	const root = Math.sqrt(half * half + b * b);
	const least = 0.5 * (a + c) - root;
	const most = 0.5 * (a + c) + root;
	const floor = 1e-13 * p.scale;
	let ds = 0;
	let dt = 0;
	if (p.active === 2) ds = slopeS / Math.max(Math.abs(a), floor);
	else if (least > 1e-8 * most) {
		const determinant = a * c - b * b;
		ds = (c * slopeS - b * slopeT) / determinant;
		dt = (a * slopeT - b * slopeS) / determinant;
	} else {
		// The eigenvector of the largest eigenvalue, from the row that is farther from zero.
		let u = half > 0 ? root + half : b;
		let v = half > 0 ? b : root - half;
		const length = Math.sqrt(u * u + v * v);
		u = length > 0 ? u / length : 1;
		v = length > 0 ? v / length : 0;
		const along = (u * slopeS + v * slopeT) / Math.max(Math.abs(most), floor);
		const across = (u * slopeT - v * slopeS) / Math.max(Math.abs(least), floor);
		ds = along * u - across * v;
		dt = along * v + across * u;
	}
	const length = Math.sqrt(ds * ds + dt * dt);
	const cap = length > 1 ? 1 / length : 1;
	for (let k = 0; k < 3; k++) d[k] = cap * (ds * s[k]! + dt * t[k]!);
}

const blocker = { i: 0, j: 0 };

/** How far `n` can go along d before another vertex is as low as the active ones; that vertex is left in `blocker`. */
function block(p: Separation): number {
	const { n, first, second } = p;
	const i0 = p.i[0]!;
	const j0 = p.j[0]!;
	let rounding = 1e-14 * Math.sqrt(d[0]! * d[0]! + d[1]! * d[1]! + d[2]! * d[2]!);
	if (p.active === 2) {
		// A short edge has a direction that is no better known than its ends are.
		edgeOf(p);
		const length = Math.sqrt(edge[0]! * edge[0]! + edge[1]! * edge[1]! + edge[2]! * edge[2]!);
		rounding *= Math.max(1, p.scale / length);
	}
	let reach = Number.POSITIVE_INFINITY;
	let steepest = 0;
	for (let side = 0; side < 2; side++) {
		const points = side === 0 ? first : second;
		const sign = side === 0 ? -1 : 1;
		const base = 3 * (side === 0 ? i0 : j0);
		const count = 3 * (side === 0 ? p.firstCount : p.secondCount);
		for (let k = 0; k < count; k += 3) {
			const x = sign * (points[k]! - points[base]!);
			const y = sign * (points[k + 1]! - points[base + 1]!);
			const z = sign * (points[k + 2]! - points[base + 2]!);
			const slope = x * d[0]! + y * d[1]! + z * d[2]!;
			// Active vertices, and those in line with them, have no slope but for rounding.
			if (slope >= -rounding * (p.scale + Math.abs(x) + Math.abs(y) + Math.abs(z))) continue;
			const slack = x * n[0]! + y * n[1]! + z * n[2]!;
			const ratio = slack > 0 ? slack / -slope : 0;
			if (ratio > reach || (ratio === reach && slope >= steepest)) continue;
			const i = side === 0 ? k / 3 : i0;
			const j = side === 0 ? j0 : k / 3;
			if (isActive(p, i, j)) continue;
			reach = ratio;
			steepest = slope;
			blocker.i = i;
			blocker.j = j;
		}
	}
	return reach;
}

function isActive(p: Separation, i: number, j: number): boolean {
	for (let k = 0; k < p.active; k++) if (p.i[k] === i && p.j[k] === j) return true;
	return false;
}

function moveTo(p: Separation, size: number): void {
	for (let c = 0; c < 3; c++) p.n[c] = old[c]! + size * d[c]!;
	straighten(p);
}

/** Brings `n` back to the directions that the active set allows, and to length one. */
function straighten(p: Separation): void {
	const { n, w } = p;
	if (p.active === 2) {
		edgeOf(p);
		const square = edge[0]! * edge[0]! + edge[1]! * edge[1]! + edge[2]! * edge[2]!;
		const along = (n[0]! * edge[0]! + n[1]! * edge[1]! + n[2]! * edge[2]!) / square;
		for (let c = 0; c < 3; c++) n[c] = n[c]! - along * edge[c]!;
	} else if (p.active === 3) {
		edgeOf(p);
		const x = w[6]! - w[0]!;
		const y = w[7]! - w[1]!;
		const z = w[8]! - w[2]!;
		const across = [edge[1]! * z - edge[2]! * y, edge[2]! * x - edge[0]! * z, edge[0]! * y - edge[1]! * x] as const;
		const sign = across[0] * n[0]! + across[1] * n[1]! + across[2] * n[2]! < 0 ? -1 : 1;
		for (let c = 0; c < 3; c++) n[c] = sign * across[c]!;
	}
	normalise(n);
	p.value = valueAt(p, n[0]!, n[1]!, n[2]!);
}

function edgeOf(p: Separation): void {
	for (let c = 0; c < 3; c++) edge[c] = p.w[3 + c]! - p.w[c]!;
}

function normalise(v: Float64Array): number {
	const length = Math.sqrt(v[0]! * v[0]! + v[1]! * v[1]! + v[2]! * v[2]!);
	if (length === 0) return 0;
	for (let c = 0; c < 3; c++) v[c] = v[c]! / length;
	return length;
}

/** The weights of the active vertices; the one that holds `n` back against its pull is released. False where there is none: f is at its maximum. */
function release(p: Separation): boolean {
	const { weight, w } = p;
	weight[0] = 1;
	if (p.active === 1) return false;
	pull(p);
	edgeOf(p);
	const ee = edge[0]! * edge[0]! + edge[1]! * edge[1]! + edge[2]! * edge[2]!;
	const ge = -(gradient[0]! * edge[0]! + gradient[1]! * edge[1]! + gradient[2]! * edge[2]!);
	if (p.active === 2) weight[1] = ge / ee;
	else {
		const x = w[6]! - w[0]!;
		const y = w[7]! - w[1]!;
		const z = w[8]! - w[2]!;
		const ff = x * x + y * y + z * z;
		const ef = x * edge[0]! + y * edge[1]! + z * edge[2]!;
		const gf = -(gradient[0]! * x + gradient[1]! * y + gradient[2]! * z);
		const determinant = ee * ff - ef * ef;
		weight[1] = (ff * ge - ef * gf) / determinant;
		weight[2] = (ee * gf - ef * ge) / determinant;
		weight[0] = 1 - weight[2];
	}
	weight[0] -= weight[1]!;
	let worst = 0;
	for (let k = 1; k < p.active; k++) if (weight[k]! < weight[worst]!) worst = k;
	if (weight[worst]! >= -1e-12) return false;
	p.active--;
	for (let k = worst; k < p.active; k++) {
		p.i[k] = p.i[k + 1]!;
		p.j[k] = p.j[k + 1]!;
		w.copyWithin(3 * k, 3 * k + 3, 3 * k + 6);
	}
	return true;
}
