/** The diagonal blocks of W of bodies alone, with the bits that they have in W: what a product without W needs of it. */
import { Arena } from "../kernels/arena.js";
import type { RigidContacts } from "./problem.js";
import { turnMoments } from "./rolling.js";

/** Contacts that go through the kernels' memory at a time. */
const PIECE = 128;

/** What kernels take of contacts. */
type Geometry = Pick<RigidContacts, "body" | "frame" | "arm" | "moment">;

/** Nine values per contact: of all, or of those that are named, in their order. */
export function rigidDiagonal(
	rigid: RigidContacts,
	engine: "wasm" | "twin" = "wasm",
	diagonal?: Float64Array,
	named?: Int32Array,
): Float64Array {
	const contacts = named?.length ?? rigid.body.length / 2;
	const blocks = diagonal ?? new Float64Array(9 * contacts);
	const arena = new Arena(engine);
	try {
		const mass = arena.room(rigid.inverseMass.length);
		const inertia = arena.room(rigid.inverseInertia.length);
		mass.values.set(rigid.inverseMass);
		inertia.values.set(rigid.inverseInertia);
		const [frame, arm, lever, block] = [9 * PIECE, 6 * PIECE, 18 * PIECE, 9 * PIECE].map((count) => arena.room(count));
		const body = arena.integerRoom(2 * PIECE);
		const { kernels } = arena;
		for (let from = 0; from < contacts; from += PIECE) {
			const end = Math.min(from + PIECE, contacts);
			const piece = named ? pick(rigid, named.subarray(from, end)) : slice(rigid, from, end);
			frame!.values.set(piece.frame);
			arm!.values.set(piece.arm);
			body.values.set(piece.body);
			kernels.writeLevers(end - from, frame!.at, arm!.at, lever!.at);
			turnMoments(piece.moment, frame!.values, lever!.values);
			kernels.rigidDiagonal(end - from, frame!.at, lever!.at, body.at, mass.at, inertia.at, block!.at);
			blocks.set(block!.values.subarray(0, 9 * (end - from)), 9 * from);
		}
	} finally {
		arena.release();
	}
	return blocks;
}

function slice({ frame, arm, body, moment }: Geometry, from: number, end: number): Geometry {
	return {
		frame: frame.subarray(9 * from, 9 * end),
		arm: arm.subarray(6 * from, 6 * end),
		body: body.subarray(2 * from, 2 * end),
		...(moment && { moment: moment.subarray(from, end) }),
	};
}

/** Used again for each piece: whoever copies it does so before the next one. */
const picked = {
	frame: new Float64Array(9 * PIECE),
	arm: new Float64Array(6 * PIECE),
	body: new Int32Array(2 * PIECE),
};

function pick({ frame, arm, body, moment }: Geometry, contacts: Int32Array): Geometry {
	for (let i = 0; i < contacts.length; i += 1) {
		const contact = contacts[i]!;
		for (let k = 0; k < 9; k += 1) picked.frame[9 * i + k] = frame[9 * contact + k]!;
		for (let k = 0; k < 6; k += 1) picked.arm[6 * i + k] = arm[6 * contact + k]!;
		for (let k = 0; k < 2; k += 1) picked.body[2 * i + k] = body[2 * contact + k]!;
	}
	return { ...picked, ...(moment && { moment: Uint8Array.from(contacts, (contact) => moment[contact]!) }) };
}
