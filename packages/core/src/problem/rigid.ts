/** W of rigid bodies applied body by body, in plain loops: the reference, and the check that a file's two descriptions agree. */
import type { RigidContacts } from "./problem.js";
import { relativeVelocity } from "./relative-velocity.js";

/** y = W x with W = H M^-1 H^T of the bodies; sums over a body go in contact order. */
export function multiplyRigid(rigid: RigidContacts, x: Float64Array, y: Float64Array): void {
	const contacts = rigid.body.length / 2;
	// Momentum, then velocity, per body: three numbers of translation, three of rotation.
	const motion = new Float64Array(6 * rigid.inverseMass.length);
	const force = new Float64Array(3);
	for (let a = 0; a < contacts; a += 1) {
		force.fill(0);
		for (let i = 0; i < 3; i += 1) {
			for (let d = 0; d < 3; d += 1) force[d]! += rigid.frame[9 * a + 3 * i + d]! * x[3 * a + i]!;
		}
		const isMoment = rigid.moment?.[a] === 1;
		for (let side = 0; side < 2; side += 1) {
			const body = rigid.body[2 * a + side]!;
			if (body < 0) continue;
			const sign = side === 1 ? 1 : -1;
			if (isMoment) {
				for (let d = 0; d < 3; d += 1) motion[6 * body + 3 + d]! += sign * force[d]!;
				continue;
			}
			const arm = 6 * a + 3 * side;
			for (let d = 0; d < 3; d += 1) {
				const [e, f] = [(d + 1) % 3, (d + 2) % 3];
				motion[6 * body + d]! += sign * force[d]!;
				motion[6 * body + 3 + d]! += sign * (rigid.arm[arm + e]! * force[f]! - rigid.arm[arm + f]! * force[e]!);
			}
		}
	}
	for (let body = 0; body < rigid.inverseMass.length; body += 1) setInMotion(rigid, body, motion);
	y.set(relativeVelocity(rigid, motion));
}

/** Momentum to velocity, in place. */
function setInMotion(rigid: RigidContacts, body: number, motion: Float64Array): void {
	const [xx, yy, zz, xy, xz, yz] = rigid.inverseInertia.subarray(6 * body, 6 * body + 6);
	const at = 6 * body;
	for (let d = 0; d < 3; d += 1) motion[at + d]! *= rigid.inverseMass[body]!;
	const [x, y, z] = motion.subarray(at + 3, at + 6);
	motion[at + 3] = xx! * x! + xy! * y! + xz! * z!;
	motion[at + 4] = xy! * x! + yy! * y! + yz! * z!;
	motion[at + 5] = xz! * x! + yz! * y! + zz! * z!;
}
