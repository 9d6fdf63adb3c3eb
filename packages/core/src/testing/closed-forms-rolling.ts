/** Rolling contacts whose answers follow from a few lines of mechanics: each says its answer and why. */
import type { Problem, RigidContacts } from "../problem/problem.js";
import { rollingBodies } from "../problem/rolling-bodies.js";

export interface SolvedRolling {
	readonly problem: Problem;
	/** Six numbers: R_N, R_T1, R_T2, spin, rolling about T1 and T2; and the velocities that belong to them. */
	readonly reaction: readonly number[];
	readonly velocity: readonly number[];
	readonly kind: "sticks" | "rolls" | "slips" | "slides";
}

const GRAVITY = 9.81;
const STEP = 0.01;

/** A body of revolution of radius a on a plane, its moment of inertia k m a^2 about all axes, with one contact below its centre. */
function wheel(radius: number, mass: number, k: number): RigidContacts {
	const inverse = 1 / (k * mass * radius * radius);
	return {
		body: Int32Array.of(-1, 0),
		frame: Float64Array.of(0, 0, 1, 1, 0, 0, 0, 1, 0),
		arm: Float64Array.of(0, 0, 0, 0, 0, -radius),
		inverseMass: Float64Array.of(1 / mass),
		inverseInertia: Float64Array.of(inverse, inverse, inverse, 0, 0, 0),
	};
}

export interface Slope {
	readonly angle: number;
	readonly mu: number;
	/** A length. */
	readonly muRolling: number;
	/** k: 2/5 for a sphere, 1/2 for a disc. */
	readonly k?: number;
	readonly radius?: number;
	readonly mass?: number;
}

/**
 * A sphere or disc on a slope, at rest before the step, T1 downhill. With N = m g h cos, s = sin and c = cos, F against the slip and M against the rolling:
 *
 *     sticks    tan <= mu and tan <= mu_r / a: F = m g h s, M = a F
 *     slides    mu <= mu_r / a < tan, or mu < tan: F = mu N, M = a F, no rolling, v = g h (s - mu c)
 *     rolls     v = a w:  F = m g h (k s + mu_r c / a) / (1 + k) <= mu N, M = mu_r N, v = g h (s - mu_r c / a) / (1 + k)
 *     slips     F = mu N, M = mu_r N: v = g h (s - mu c), w = g h c (mu - mu_r / a) / (k a)
 */
export function wheelOnSlope(slope: Slope): SolvedRolling {
	const { angle, mu, muRolling, k = 0.4, radius: a = 0.3, mass = 2 } = slope;
	const [s, c] = [GRAVITY * STEP * Math.sin(angle), GRAVITY * STEP * Math.cos(angle)];
	const problem = rollingBodies({
		name: `wheel on a slope of ${angle}, mu ${mu}, mu_r ${muRolling}`,
		mu: Float64Array.of(mu),
		muRolling: Float64Array.of(muRolling),
		muSpinning: Float64Array.of(0),
		rigid: wheel(a, mass, k),
		freeVelocity: Float64Array.of(s, 0, -c, 0, 0, 0),
	});
	const normal = mass * c;
	const answer = (kind: SolvedRolling["kind"], friction: number, moment: number): SolvedRolling => {
		const v = s - friction / mass;
		const w = (a * friction - moment) / (k * mass * a * a);
		const isNone = (value: number): number => (Math.abs(value) < 1e-15 ? 0 : value);
		return {
			problem,
			kind,
			reaction: [normal, -friction, 0, 0, 0, -moment],
			velocity: [0, isNone(v - a * w), 0, 0, 0, isNone(w)],
		};
	};
	if (Math.tan(angle) <= Math.min(mu, muRolling / a)) return answer("sticks", mass * s, a * mass * s);
	if (mu <= muRolling / a) return answer("slides", mu * normal, a * mu * normal);
	const rolling = (mass * (k * s + (muRolling * c) / a)) / (1 + k);
	if (rolling <= mu * normal) return answer("rolls", rolling, muRolling * normal);
	return answer("slips", mu * normal, muRolling * normal);
}

/** A sphere that spins about the normal on a plane: the moment mu_s N h slows it down, or stops it. */
export function spinningTop(spin: number, muSpinning: number): SolvedRolling {
	const [k, a, mass] = [0.4, 0.2, 1.5];
	const problem = rollingBodies({
		name: `top of spin ${spin}, mu_s ${muSpinning}`,
		mu: Float64Array.of(0.3),
		muRolling: Float64Array.of(0.01),
		muSpinning: Float64Array.of(muSpinning),
		rigid: wheel(a, mass, k),
		freeVelocity: Float64Array.of(0, 0, -GRAVITY * STEP, 0, 0, spin),
	});
	const normal = mass * GRAVITY * STEP;
	const inertia = k * mass * a * a;
	const moment = Math.sign(spin) * Math.min(inertia * Math.abs(spin), muSpinning * normal);
	return {
		problem,
		kind: Math.abs(moment) < muSpinning * normal ? "sticks" : "slips",
		reaction: [normal, 0, 0, -moment, 0, 0],
		velocity: [0, 0, 0, spin - moment / inertia, 0, 0],
	};
}
