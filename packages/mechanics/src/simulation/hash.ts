/** The hash by which states are compared: SHA-256 of what steps change, body by body in the order of their ids, as little-endian numbers. */
import { type Communicator, PiecewiseHash } from "@stickslip/core/parallel";
import { type Bodies, FIELDS, STATE_FIELDS } from "../bodies/bodies.js";

/** Bodies of which the first rank has the state at a time. */
const WINDOW = 2 ** 14;

/** Collective; every rank gets it. */
export function hashOfBodies(bodies: Bodies, communicator: Communicator): string {
	const fields = STATE_FIELDS.filter((field) => bodies[field].length > 0);
	const width = 1 + fields.reduce((sum, field) => sum + FIELDS[field], 0);
	const hash = new PiecewiseHash();
	// All ranks have the obstacles, and the first one tells.
	let place = communicator.rank === 0 ? 0 : bodies.obstacles;
	const end = bodies.obstacles + bodies.own;
	for (let first = 0; first < bodies.total; first += WINDOW) {
		const from = place;
		while (place < end && bodies.id[place]! < first + WINDOW) place += 1;
		const rows = new Float64Array(width * (place - from));
		for (let i = 0; i < place - from; i += 1) {
			let at = width * i;
			rows[at] = bodies.id[from + i]!;
			at += 1;
			for (const field of fields) {
				const numbers = FIELDS[field];
				rows.set(bodies[field].subarray(numbers * (from + i), numbers * (from + i + 1)), at);
				at += numbers;
			}
		}
		const all = communicator.gather(new Uint8Array(rows.buffer), 0);
		if (all === undefined) continue;
		const window = new Float64Array((width - 1) * Math.min(WINDOW, bodies.total - first));
		for (const bytes of all) {
			const part = new Float64Array(bytes.slice().buffer);
			for (let at = 0; at < part.length; at += width) {
				window.set(part.subarray(at + 1, at + width), (width - 1) * (part[at]! - first));
			}
		}
		hash.add(window);
	}
	const own = communicator.rank === 0 ? new TextEncoder().encode(hash.finish()) : undefined;
	return new TextDecoder().decode(communicator.broadcast(own, 0));
}
