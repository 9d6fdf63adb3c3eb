/**
 * Free rotation of a rigid body for a time: R' = angular velocity x R with the angular momentum L in world axes constant, so that gyroscopic terms need no
 * force. L is not touched: it is conserved to the bit, whatever the step.
 */

import { sineCosine } from "../base/elementary.js";
import { fromRotationVector, multiply, normalise, toMatrix } from "../base/quaternions.js";
import type { Bodies } from "../bodies/bodies.js";
import { principalAxes } from "../bodies/principal.js";
import { turnConserving } from "./conserving.js";

export type Rotation = "explicit" | "conserving";

/** Principal axes in the world, as a quaternion and a matrix, and the angular momentum along them. */
const frame = new Float64Array(4);
const matrix = new Float64Array(9);
const momentum = new Float64Array(3);
const turn = new Float64Array(4);
const angle = new Float64Array(2);
const factor = new Float64Array(3);
const conjugate = new Float64Array(4);

/** Turns rigid body i for the time dt. */
export function turnBody(bodies: Bodies, i: number, dt: number, rotation: Rotation): void {
	const { inertia, orientation, axes, angularMomentum: L, map } = bodies;
	const q = 4 * i;
	const v = 3 * i;
	const a = inertia[v]!;
	const b = inertia[v + 1]!;
	const c = inertia[v + 2]!;
	if (a === b && b === c) {
		// Spin and momentum are parallel: one exponential is exact.
		const scale = dt / a;
		for (let k = 0; k < 3; k += 1) momentum[k] = scale * L[v + k]!;
		fromRotationVector(momentum, turn, 0);
		multiply(orientation, q, turn, 0, orientation, q);
	} else {
		principalAxes(bodies, i, frame, matrix);
		for (let k = 0; k < 3; k += 1) {
			momentum[k] = matrix[k]! * L[v]! + matrix[3 + k]! * L[v + 1]! + matrix[6 + k]! * L[v + 2]!;
		}
		if (rotation === "conserving") turnConserving(frame, momentum, a, b, c, dt);
		else turnSplit(frame, momentum, inertia, v, dt);
		conjugate[0] = axes[q]!;
		for (let k = 1; k < 4; k += 1) conjugate[k] = -axes[q + k]!;
		multiply(orientation, q, frame, 0, conjugate, 0);
	}
	normalise(orientation, q);
	toMatrix(orientation, q, map, 9 * i);
}

/**
 * The kinetic energy L_1^2 / 2 a + L_2^2 / 2 b + L_3^2 / 2 c is split into its three terms, each of which turns the body about one of its axes at a constant
 * rate: exponentials, composed symmetrically. So it is symplectic and of order 2, and its energy does not drift. The inertias stand from v on.
 */
function turnSplit(q: Float64Array, L: Float64Array, inertia: Float64Array, v: number, dt: number): void {
	factor[0] = (0.5 * dt) / inertia[v]!;
	factor[1] = (0.5 * dt) / inertia[v + 1]!;
	factor[2] = dt / inertia[v + 2]!;
	turnAbout(q, L, 0);
	turnAbout(q, L, 1);
	turnAbout(q, L, 2);
	turnAbout(q, L, 1);
	turnAbout(q, L, 0);
}

/** q = q exp(angle e_k) and L = exp(-angle e_k) L with angle = L_k times its factor. */
function turnAbout(q: Float64Array, L: Float64Array, k: 0 | 1 | 2): void {
	const l = k === 2 ? 0 : k + 1;
	const m = k === 0 ? 2 : k - 1;
	angle[0] = 0.5 * factor[k]! * L[k]!;
	sineCosine(angle);
	const sine = angle[0]!;
	const cosine = angle[1]!;
	const w = q[0]!;
	const x = q[1 + k]!;
	const y = q[1 + l]!;
	const z = q[1 + m]!;
	q[0] = cosine * w - sine * x;
	q[1 + k] = cosine * x + sine * w;
	q[1 + l] = cosine * y + sine * z;
	q[1 + m] = cosine * z - sine * y;
	const cosine2 = 1 - 2 * sine * sine;
	const sine2 = 2 * sine * cosine;
	const along = L[l]!;
	const across = L[m]!;
	L[l] = cosine2 * along + sine2 * across;
	L[m] = cosine2 * across - sine2 * along;
}
