/** Contacts as interior points see them: which have a cone, which are free, and how R and V become vectors of the cone of second order. */
import { lawCode } from "../problem/laws.js";
import type { System } from "../system/system.js";

const BILATERAL = lawCode("bilateral");
const FRICTIONLESS = lawCode("frictionless");
const RELAXED = lawCode("relaxed");

/** Places of own blocks, and D = diag(normal, tangential, tangential) of those with a cone: x = D (R + shift e_N), y = D^-1 V. */
export interface SecondOrderCones {
	readonly places: Int32Array;
	/** Equality blocks and bilateral contacts: U = 0. */
	readonly free: Int32Array;
	/** By place: mu, or 1 of a contact without friction, whose tangential is 0. */
	readonly normal: Float64Array;
	readonly tangential: Float64Array;
	/** By place: 1 where F has mu |U_T|. */
	readonly slips: Uint8Array;
	/** By number: cohesion in normal components. */
	readonly shift: Float64Array;
}

export function secondOrderCones(system: System): SecondOrderCones {
	const { blocks, contacts, cones } = system;
	const places: number[] = [];
	const free: number[] = [];
	const normal = new Float64Array(contacts);
	const tangential = new Float64Array(contacts);
	const slips = new Uint8Array(contacts);
	for (const { law, from, to } of cones.ranges) {
		for (let a = from; a < to; a += 1) {
			if (a >= contacts || law === BILATERAL) {
				free.push(a);
				continue;
			}
			const mu = law === FRICTIONLESS ? 0 : cones.mu.values[a]!;
			places.push(a);
			normal[a] = mu > 0 ? mu : 1;
			tangential[a] = mu > 0 ? 1 : 0;
			slips[a] = mu > 0 && law !== RELAXED ? 1 : 0;
		}
	}
	const shift = system.room();
	cones.writeShift(shift);
	return {
		places: Int32Array.from(places),
		free: Int32Array.from(free),
		normal,
		tangential,
		slips,
		shift: shift.values.slice(0, 3 * blocks),
	};
}

/** Laws whose cones are of second order. */
export const secondOrderLaws = ["coulomb", "frictionless", "bilateral", "relaxed", "cohesive"] as const;
