/**
 * Free rotation of rigid bodies for a time: R' = angular velocity x R with the angular momentum L in world axes constant, so that gyroscopic terms need no
 * force. L is not touched: it is conserved to the bit, whatever the step.
 */

import { cosineTail, SMALL_ANGLE, sineCosine, sineTail } from "../base/elementary.js";
import { fromRotationVector, multiply, normalise, toMatrix } from "../base/quaternions.js";
import { type Bodies, KIND } from "../bodies/bodies.js";
import { principalAxes } from "../bodies/principal.js";
import { turnConserving } from "./conserving.js";

export type Rotation = "explicit" | "conserving";

/** Principal axes in the world, as a quaternion and a matrix, and the angular momentum along them. */
const frame = new Float64Array(4);
const matrix = new Float64Array(9);
const momentum = new Float64Array(3);
const turn = new Float64Array(4);
const conjugate = new Float64Array(4);

/** Turns the rigid bodies from..end-1 that nobody holds for the time dt. */
export function turnBodies(bodies: Bodies, from: number, end: number, dt: number, rotation: Rotation): void {
	const { kind, isHeld, inertia } = bodies;
	let listed = 0;
	for (let i = from; i < end; i += 1) {
		if (isHeld[i] === 1 || kind[i] !== KIND.rigid) continue;
		const a = inertia[3 * i]!;
		const b = inertia[3 * i + 1]!;
		const c = inertia[3 * i + 2]!;
		if (a === b && b === c) turnRound(bodies, i, dt);
		else if (rotation === "conserving") {
			resolve(bodies, i);
			turnConserving(frame, momentum, a, b, c, dt);
			setOrientation(bodies, i, frame, 0);
		} else {
			list[listed] = i;
			listed += 1;
			if (listed === AT_ONCE) {
				turnListed(bodies, listed, dt);
				listed = 0;
			}
		}
	}
	turnListed(bodies, listed, dt);
}

/** Spin and momentum are parallel: one exponential is exact. */
function turnRound(bodies: Bodies, i: number, dt: number): void {
	const { inertia, orientation, angularMomentum: L } = bodies;
	const scale = dt / inertia[3 * i]!;
	for (let k = 0; k < 3; k += 1) momentum[k] = scale * L[3 * i + k]!;
	fromRotationVector(momentum, turn, 0);
	multiply(orientation, 4 * i, turn, 0, orientation, 4 * i);
	normalise(orientation, 4 * i);
	toMatrix(orientation, 4 * i, bodies.map, 9 * i);
}

/** Leaves the principal axes of a body in `frame`, and its angular momentum along them in `momentum`. */
function resolve(bodies: Bodies, i: number): void {
	const { angularMomentum: L } = bodies;
	principalAxes(bodies, i, frame, matrix);
	const x = L[3 * i]!;
	const y = L[3 * i + 1]!;
	const z = L[3 * i + 2]!;
	momentum[0] = matrix[0]! * x + matrix[3]! * y + matrix[6]! * z;
	momentum[1] = matrix[1]! * x + matrix[4]! * y + matrix[7]! * z;
	momentum[2] = matrix[2]! * x + matrix[5]! * y + matrix[8]! * z;
}

/** The orientation of a body whose principal axes have turned. */
function setOrientation({ orientation, axes, map }: Bodies, i: number, frames: Float64Array, at: number): void {
	const q = 4 * i;
	conjugate[0] = axes[q]!;
	for (let k = 1; k < 4; k += 1) conjugate[k] = -axes[q + k]!;
	multiply(orientation, q, frames, at, conjugate, 0);
	normalise(orientation, q);
	toMatrix(orientation, q, map, 9 * i);
}

/** So many bodies are turned about an axis before they are turned about the next one: the turns of one body wait for each other, those of several do not. */
const AT_ONCE = 64;
const list = new Int32Array(AT_ONCE);
/** Of the bodies in the list: principal axes, momentum along them, and half of the time over each inertia, that is of half of the time for the first two axes. */
const frames = new Float64Array(4 * AT_ONCE);
const momenta = new Float64Array(3 * AT_ONCE);
const halves = new Float64Array(3 * AT_ONCE);

/**
 * The kinetic energy L_1^2 / 2 a + L_2^2 / 2 b + L_3^2 / 2 c is split into its three terms, each of which turns a body about one of its axes at a constant
 * rate: exponentials, composed symmetrically. So it is symplectic and of order 2, and its energy does not drift.
 */
function turnListed(bodies: Bodies, count: number, dt: number): void {
	const { inertia } = bodies;
	for (let n = 0; n < count; n += 1) {
		const i = list[n]!;
		resolve(bodies, i);
		frames[4 * n] = frame[0]!;
		frames[4 * n + 1] = frame[1]!;
		frames[4 * n + 2] = frame[2]!;
		frames[4 * n + 3] = frame[3]!;
		momenta[3 * n] = momentum[0]!;
		momenta[3 * n + 1] = momentum[1]!;
		momenta[3 * n + 2] = momentum[2]!;
		halves[3 * n] = 0.5 * ((0.5 * dt) / inertia[3 * i]!);
		halves[3 * n + 1] = 0.5 * ((0.5 * dt) / inertia[3 * i + 1]!);
		halves[3 * n + 2] = 0.5 * (dt / inertia[3 * i + 2]!);
	}
	turnAbout(count, 0);
	turnAbout(count, 1);
	turnAbout(count, 2);
	turnAbout(count, 1);
	turnAbout(count, 0);
	for (let n = 0; n < count; n += 1) setOrientation(bodies, list[n]!, frames, 4 * n);
}

/** q = q exp(angle e_k) and L = exp(-angle e_k) L with angle = L_k times the time over the inertia, for each of the first bodies of the list. */
function turnAbout(count: number, k: 0 | 1 | 2): void {
	const l = k === 2 ? 0 : k + 1;
	const m = k === 0 ? 2 : k - 1;
	for (let n = 0; n < count; n += 1) {
		const p = 3 * n;
		const half = halves[p + k]! * momenta[p + k]!;
		const square = half * half;
		let sine = half + half * square * sineTail(square);
		let cosine = 1 - 0.5 * square + square * square * cosineTail(square);
		if (!(Math.abs(half) < SMALL_ANGLE)) {
			angle[0] = half;
			sineCosine(angle);
			sine = angle[0]!;
			cosine = angle[1]!;
		}
		const q = 4 * n;
		const w = frames[q]!;
		const x = frames[q + 1 + k]!;
		const y = frames[q + 1 + l]!;
		const z = frames[q + 1 + m]!;
		frames[q] = cosine * w - sine * x;
		frames[q + 1 + k] = cosine * x + sine * w;
		frames[q + 1 + l] = cosine * y + sine * z;
		frames[q + 1 + m] = cosine * z - sine * y;
		const cosine2 = 1 - 2 * sine * sine;
		const sine2 = 2 * sine * cosine;
		const along = momenta[p + l]!;
		const across = momenta[p + m]!;
		momenta[p + l] = cosine2 * along + sine2 * across;
		momenta[p + m] = cosine2 * across - sine2 * along;
	}
}

const angle = new Float64Array(2);
