/** Bodies that overlap where they begin: a solver would push them apart with velocities that mean nothing. */
import type { Bodies } from "../bodies/bodies.js";
import type { Model } from "../bodies/model.js";
import { ContactList } from "../contacts/contact-list.js";
import { ContactDetector } from "../contacts/detect.js";
import type { MistakeList } from "./mistakes.js";

/** Overlap that counts as touching, relative to the smaller body. */
const TOLERANCE = 1e-3;

/** `pathOf` says where a body stands in the file. */
export function checkOverlaps(
	model: Model,
	bodies: Bodies,
	pathOf: (place: number) => string,
	mistakes: MistakeList,
): void {
	if (bodies.own === 0) return;
	const contacts = new ContactList();
	// Bodies that are held count too: they will be released.
	new ContactDetector(model).detect({ ...bodies, isHeld: new Uint8Array(bodies.count) }, 0, contacts);
	const reach = (place: number) => model.shapes[bodies.shape[place]!]!.reach;
	let told = -1;
	for (let k = 0; k < contacts.count; k += 1) {
		const [first, second] = [contacts.body[2 * k]!, contacts.body[2 * k + 1]!];
		const pair = first * bodies.count + second;
		const depth = -contacts.gap[k]!;
		if (pair === told || !(depth > TOLERANCE * Math.min(reach(first), reach(second)))) continue;
		told = pair;
		const problem = `overlaps ${pathOf(first)} by ${Number(depth.toPrecision(3))} m`;
		mistakes.add(pathOf(second), problem, "move it, or make one of them smaller");
	}
}
