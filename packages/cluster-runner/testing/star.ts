/** A star: one moving body that every contact touches, so that no two contacts can be solved at once. */
import { type Problem, type RigidContacts, rigidToGlobal } from "@stickslip/core";

/** A ball in a shell of obstacles, pushed against one side; contacts along a spiral over its surface. */
export function star(contacts: number): Problem {
	const frame = new Float64Array(9 * contacts);
	const arm = new Float64Array(6 * contacts);
	const q = new Float64Array(3 * contacts);
	const body = new Int32Array(2 * contacts);
	const point = new Float64Array(3 * contacts);
	for (let a = 0; a < contacts; a += 1) {
		const z = 1 - (2 * a + 1) / contacts;
		const across = Math.sqrt(1 - z * z);
		const turn = 2.399963229728653 * a;
		const n = [across * Math.cos(turn), across * Math.sin(turn), z];
		// Tangents along the parallel and the meridian.
		const along = [-Math.sin(turn), Math.cos(turn), 0];
		const up = [-z * Math.cos(turn), -z * Math.sin(turn), across];
		body[2 * a] = -1;
		// The shell pushes the ball inwards.
		frame.set(
			n.map((value) => -value),
			9 * a,
		);
		frame.set(along, 9 * a + 3);
		frame.set(up, 9 * a + 6);
		arm.set(n, 6 * a + 3);
		point.set(n, 3 * a);
		// The ball falls.
		q.set([z, 0, -across], 3 * a);
	}
	const rigid: RigidContacts = {
		body,
		frame,
		arm,
		inverseMass: Float64Array.of(1),
		inverseInertia: Float64Array.of(2.5, 2.5, 2.5, 0, 0, 0),
	};
	const mu = new Float64Array(contacts).fill(0.3);
	return {
		name: `star of ${contacts}`,
		contacts,
		q,
		mu,
		rigid,
		geometry: { point, body },
		global: rigidToGlobal(rigid, q),
	};
}
