/**
 * u = H^T v: the relative velocities at the contacts for given motions of the bodies. H is never formed, and the sums go in the
 * order of its rows, so that u has the bits of a product with the H that a file holds.
 */
import type { RigidContacts } from "./problem.js";

/** `velocity` has six values per body: of the centre, then angular, in world axes. The obstacle (-1) rests. */
export function relativeVelocity(rigid: RigidContacts, velocity: Float64Array): Float64Array {
	const { body } = rigid;
	const contacts = body.length / 2;
	const u = new Float64Array(3 * contacts);
	const wrench = new Float64Array(6);
	for (let c = 0; c < contacts; c += 1) {
		const lower = body[2 * c]! < body[2 * c + 1]! ? 0 : 1;
		for (let turn = 0; turn < 2; turn += 1) {
			const side = 2 * c + (turn === 0 ? lower : 1 - lower);
			const id = body[side]!;
			if (id < 0) continue;
			for (let i = 0; i < 3; i += 1) {
				writeUnit(rigid, side, i, wrench);
				for (let d = 0; d < 6; d += 1) u[3 * c + i]! += wrench[d]! * velocity[6 * id + d]!;
			}
		}
	}
	return u;
}

/** Of a unit of the block's reaction: a force, or the moment of a rolling contact. */
export function writeUnit(rigid: RigidContacts, side: number, i: number, wrench: Float64Array): void {
	if (rigid.moment?.[side >> 1] === 1) writeMoment(rigid, side, i, wrench);
	else writeWrench(rigid, side, i, wrench);
}

/**
 * What a unit reaction along vector `i` of the frame does to the body on one side (2 contact + 0 or 1): force, then moment about
 * its centre, six entries of a column of H. Body 1 is pushed along it, body 0 against it.
 */
function writeWrench({ frame, arm }: RigidContacts, side: number, i: number, wrench: Float64Array): void {
	const sign = side % 2 === 0 ? -1 : 1;
	const at = 9 * (side >> 1) + 3 * i;
	const fx = sign * frame[at]!;
	const fy = sign * frame[at + 1]!;
	const fz = sign * frame[at + 2]!;
	const x = arm[3 * side]!;
	const y = arm[3 * side + 1]!;
	const z = arm[3 * side + 2]!;
	wrench[0] = fx;
	wrench[1] = fy;
	wrench[2] = fz;
	wrench[3] = y * fz - z * fy;
	wrench[4] = z * fx - x * fz;
	wrench[5] = x * fy - y * fx;
}

/** The same of a unit moment about vector `i` of the frame: its row of H is the relative angular velocity. */
function writeMoment({ frame }: RigidContacts, side: number, i: number, wrench: Float64Array): void {
	const sign = side % 2 === 0 ? -1 : 1;
	const at = 9 * (side >> 1) + 3 * i;
	wrench.fill(0, 0, 3);
	for (let d = 0; d < 3; d += 1) wrench[3 + d] = sign * frame[at + d]!;
}
