/** The free velocity of a pile: what each body would do over one step if it touched nothing. */

import type { Random } from "../base/random.js";
import type { RigidContacts } from "../problem/problem.js";

export interface Motion {
	/** Length of the time step, in s. */
	readonly step: number;
	/** Velocities at its start are uniform from -speed to speed (m/s) per axis, spins such that they hold as much energy. */
	readonly speed: number;
	/** What rests on each body that carries no other, in multiples of the body's own weight. */
	readonly load: number;
}

/** m / s^2. */
const gravity = 9.81;

/** Six values per body: velocity of the centre and angular velocity, in world axes. */
export function freeVelocity(rigid: RigidContacts, centre: Float64Array, motion: Motion, random: Random): Float64Array {
	const bodies = rigid.inverseMass.length;
	const velocity = new Float64Array(6 * bodies);
	const carries = carriers(rigid, centre);
	for (let i = 0; i < bodies; i += 1) {
		for (let k = 0; k < 3; k += 1) {
			const spin = Math.sqrt(rigid.inverseInertia[6 * i + k]! / rigid.inverseMass[i]!);
			velocity[6 * i + k] = random.between(-motion.speed, motion.speed);
			velocity[6 * i + 3 + k] = spin * random.between(-motion.speed, motion.speed);
		}
		const weight = 1 + (carries[i] === 1 ? 0 : motion.load);
		velocity[6 * i + 2]! -= motion.step * gravity * weight;
	}
	return velocity;
}

/** 1 for each body with another one above it at some contact. */
function carriers(rigid: RigidContacts, centre: Float64Array): Uint8Array {
	const carries = new Uint8Array(rigid.inverseMass.length);
	for (let c = 0; c < rigid.body.length; c += 2) {
		const a = rigid.body[c]!;
		const b = rigid.body[c + 1]!;
		if (a < 0 || b < 0) continue;
		carries[centre[3 * a + 2]! < centre[3 * b + 2]! ? a : b] = 1;
	}
	return carries;
}
