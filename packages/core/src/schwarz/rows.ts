/** Schwarz of rows of W: subdomains follow from its pattern, and each has its rows factored. */
import { NewtonMatrix } from "../factor/newton-matrix.js";
import { entriesOf, type StoredRows } from "../factor/stored-rows.js";
import { ROLLING } from "../problem/rolling.js";
import type { System } from "../system/system.js";
import { decideSubdomains, type SubdomainOptions } from "./decide.js";
import { collectSubdomains } from "./members.js";
import { idsOf, Schwarz } from "./schwarz.js";

export interface RowOptions extends SubdomainOptions {
	/** Sums in place of restriction, and L D L^T in place of L U. */
	readonly symmetric: boolean;
}

/** Collective. */
export function schwarzOfRows(system: System, rows: StoredRows, options: RowOptions): Schwarz {
	const { share, blocks, arena, reducer } = system;
	const { communicator } = reducer;
	const idAt = idsOf(system);
	const entries = entriesOf(rows, blocks);
	const subdomains = decideSubdomains(communicator, entries, idAt, share.blocks, options);
	const isMoment = momentsOf(system);
	const here = collectSubdomains(communicator, subdomains, entries, rows.values.values, idAt, isMoment);
	const matrices = here.map((each) => new NewtonMatrix(arena, each.rows, options.symmetric, each.force));
	return new Schwarz(system, { subdomains, here, matrices, isAdditive: options.symmetric });
}

/** Of own blocks by place, 1 where it is the moment of a rolling contact, whose force has the id before. */
function momentsOf({ blocks, cones }: System): Uint8Array {
	const isMoment = new Uint8Array(blocks);
	for (const { law, from, to } of cones.ranges) {
		if (law === ROLLING) for (let a = from + 1; a < to; a += 2) isMoment[a] = 1;
	}
	return isMoment;
}
