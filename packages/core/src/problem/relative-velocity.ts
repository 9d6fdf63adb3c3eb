/** u = H^T v: the relative velocities at the contacts for given motions of the bodies. */
import type { RigidContacts } from "./problem.js";

/** `velocity` has six values per body: of the centre, then angular, in world axes. The obstacle (-1) rests. */
export function relativeVelocity(rigid: RigidContacts, velocity: Float64Array): Float64Array {
	const { body, frame, arm } = rigid;
	const contacts = body.length / 2;
	const u = new Float64Array(3 * contacts);
	for (let c = 0; c < contacts; c += 1) {
		let x = 0;
		let y = 0;
		let z = 0;
		for (let side = 0; side < 2; side += 1) {
			const id = body[2 * c + side]!;
			if (id < 0) continue;
			const sign = side === 0 ? -1 : 1;
			const v = 6 * id;
			const a = 6 * c + 3 * side;
			const wx = velocity[v + 3]!;
			const wy = velocity[v + 4]!;
			const wz = velocity[v + 5]!;
			x += sign * (velocity[v]! + wy * arm[a + 2]! - wz * arm[a + 1]!);
			y += sign * (velocity[v + 1]! + wz * arm[a]! - wx * arm[a + 2]!);
			z += sign * (velocity[v + 2]! + wx * arm[a + 1]! - wy * arm[a]!);
		}
		for (let k = 0; k < 3; k += 1) {
			const f = 9 * c + 3 * k;
			u[3 * c + k] = frame[f]! * x + frame[f + 1]! * y + frame[f + 2]! * z;
		}
	}
	return u;
}
