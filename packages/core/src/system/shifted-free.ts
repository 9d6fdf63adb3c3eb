/** The free velocity of the unknown R + c, c being what cones are shifted by: q - W c. */
import type { Vector } from "../kernels/arena.js";
import type { System } from "./system.js";

/** Collective. R is zero, before and after. */
export function shiftedFree({ arena, cones, operator, q, r, length }: System): Vector {
	const free = arena.vector(length);
	cones.writeShift(r);
	operator.apply(r, free);
	arena.kernels.axpby(1, q.at, -1, free.at, length);
	r.values.fill(0);
	return free;
}
