/** The diagonal blocks of W of bodies alone, with the bits that they have in W: what a product without W needs of it. */
import { Arena } from "../kernels/arena.js";
import type { RigidContacts } from "./problem.js";
import { turnMoments } from "./rolling.js";

/** Contacts that go through the kernels' memory at a time. */
const PIECE = 128;

/** Nine values per contact. */
export function rigidDiagonal(
	rigid: RigidContacts,
	engine: "wasm" | "twin" = "wasm",
	diagonal: Float64Array = new Float64Array((9 * rigid.body.length) / 2),
): Float64Array {
	const contacts = rigid.body.length / 2;
	const arena = new Arena(engine);
	try {
		const mass = arena.room(rigid.inverseMass.length);
		const inertia = arena.room(rigid.inverseInertia.length);
		mass.values.set(rigid.inverseMass);
		inertia.values.set(rigid.inverseInertia);
		const [frame, arm, lever, blocks] = [9 * PIECE, 6 * PIECE, 18 * PIECE, 9 * PIECE].map((count) => arena.room(count));
		const body = arena.integerRoom(2 * PIECE);
		const { kernels } = arena;
		for (let from = 0; from < contacts; from += PIECE) {
			const end = Math.min(from + PIECE, contacts);
			frame!.values.set(rigid.frame.subarray(9 * from, 9 * end));
			arm!.values.set(rigid.arm.subarray(6 * from, 6 * end));
			body.values.set(rigid.body.subarray(2 * from, 2 * end));
			kernels.writeLevers(end - from, frame!.at, arm!.at, lever!.at);
			turnMoments(rigid, from, frame!.values, lever!.values);
			kernels.rigidDiagonal(end - from, frame!.at, lever!.at, body.at, mass.at, inertia.at, blocks!.at);
			diagonal.set(blocks!.values.subarray(0, 9 * (end - from)), 9 * from);
		}
	} finally {
		arena.release();
	}
	return diagonal;
}
