/** Problems whose answers follow from a few lines of mechanics: each says its answer and why. */
import { assembleRigid } from "../problem/assemble-rigid.js";
import type { Problem, RigidContacts } from "../problem/problem.js";
import { blocksOf } from "./dense.js";

export interface Solved {
	readonly problem: Problem;
	readonly velocity: Float64Array;
	/** Where it is unique. */
	readonly reaction?: Float64Array;
}

/** One contact with these nine numbers as W. */
export function oneContact(w: ArrayLike<number>, q: ArrayLike<number>, mu: number, name = "one contact"): Problem {
	const W = blocksOf(Float64Array.from(w), 1);
	return { name, contacts: 1, q: Float64Array.from(q), mu: Float64Array.of(mu), W };
}

const GRAVITY = 9.81;
const STEP = 0.01;

/**
 * A point mass on a slope. Gravity over one step gives q = g h (-cos, sin, 0), W = I / m.
 * tan(angle) <= mu: it sticks, R = -m q, U = 0. Else it slides down: R_N = m g h cos, R_T against the motion and on the
 * cone, and U_T = g h (sin - mu cos): Galilei's acceleration g (sin - mu cos).
 */
export function slope(angle: number, mu: number, mass = 2): Solved {
	const cosine = GRAVITY * STEP * Math.cos(angle);
	const sine = GRAVITY * STEP * Math.sin(angle);
	const w = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1).map((value) => value / mass);
	const problem = oneContact(w, [-cosine, sine, 0], mu, `slope of ${angle}, mu ${mu}`);
	if (Math.tan(angle) <= mu) {
		return { problem, reaction: Float64Array.of(mass * cosine, -mass * sine, 0), velocity: new Float64Array(3) };
	}
	return {
		problem,
		reaction: Float64Array.of(mass * cosine, -mu * mass * cosine, 0),
		velocity: Float64Array.of(0, sine - mu * cosine, 0),
	};
}

/**
 * A cuboid with four corners on the slope: more contacts than degrees of freedom, so W is singular and R not unique, but the
 * motion is: it sticks or slides without turning as long as it is too flat to tip, all corners moving alike.
 */
export function blockOnSlope(angle: number, mu: number): Solved {
	const half = [0.2, 0.15, 0.05] as const;
	const corners = [1, -1].flatMap((x) => [1, -1].map((y) => [x * half[0], y * half[1], -half[2]] as const));
	const mass = 3;
	const inertia = (i: number, j: number): number => 3 / (mass * (half[i]! ** 2 + half[j]! ** 2));
	const rigid: RigidContacts = {
		body: Int32Array.from(corners.flatMap(() => [-1, 0])),
		frame: Float64Array.from(corners.flatMap(() => [0, 0, 1, 1, 0, 0, 0, 1, 0])),
		arm: Float64Array.from(corners.flatMap((corner) => [0, 0, 0, ...corner])),
		inverseMass: Float64Array.of(1 / mass),
		inverseInertia: Float64Array.of(inertia(1, 2), inertia(0, 2), inertia(0, 1), 0, 0, 0),
	};
	const cosine = GRAVITY * STEP * Math.cos(angle);
	const sine = GRAVITY * STEP * Math.sin(angle);
	const slip = Math.max(0, sine - mu * cosine);
	const contacts = corners.length;
	return {
		problem: {
			name: `block on a slope of ${angle}, mu ${mu}`,
			contacts,
			q: Float64Array.from(corners.flatMap(() => [-cosine, sine, 0])),
			mu: new Float64Array(contacts).fill(mu),
			W: assembleRigid(rigid),
			rigid,
		},
		velocity: Float64Array.from(corners.flatMap(() => [0, slip, 0])),
	};
}

/** Point masses one on another, heaviest last: contact k carries all that stands on it, R_N = g h (m_k + ... + m_top), and nothing moves. */
export function stack(masses: readonly number[], mu = 0.5): Solved {
	const contacts = masses.length;
	const rigid: RigidContacts = {
		body: Int32Array.from(masses.flatMap((_, k) => [k - 1, k])),
		frame: Float64Array.from(masses.flatMap(() => [0, 0, 1, 1, 0, 0, 0, 1, 0])),
		arm: new Float64Array(6 * contacts),
		inverseMass: Float64Array.from(masses, (mass) => 1 / mass),
		inverseInertia: new Float64Array(6 * contacts),
	};
	const above = masses.map((_, k) => masses.slice(k).reduce((sum, mass) => sum + mass, 0));
	const q = new Float64Array(3 * contacts);
	// Only the lowest contact closes: the others fall together.
	q[0] = -GRAVITY * STEP;
	return {
		problem: {
			name: `stack of ${contacts}`,
			contacts,
			q,
			mu: new Float64Array(contacts).fill(mu),
			W: assembleRigid(rigid),
			rigid,
		},
		reaction: Float64Array.from(above.flatMap((mass) => [GRAVITY * STEP * mass, 0, 0])),
		velocity: new Float64Array(3 * contacts),
	};
}
