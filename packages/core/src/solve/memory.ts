/** What a solve allocates, without solving: bytes of the operator, of the system's own vectors and blocks, and of the method's. */

import { methodEntry } from "../methods/catalogue.js";
import { resolve } from "../methods/options.js";
import type { Problem } from "../problem/problem.js";
import { validateProblem } from "../problem/validate.js";
import { systemDefaults, systemOf } from "../system/system.js";
import type { SolveOptions } from "./options.js";

export interface Memory {
	readonly contacts: number;
	readonly method: string;
	/** assembled, matrix-free or global. */
	readonly operator: string;
	/** Bytes beyond the problem's own arrays. */
	readonly operatorBytes: number;
	/** The iterate, q, mu, diagonal blocks, scales, sums: what every method works on. */
	readonly systemBytes: number;
	/** What the method adds for itself. */
	readonly methodBytes: number;
}

/** Sets the system and the method up as `solve` would, and counts; takes as much memory as that for a moment. */
export function describeMemory(problem: Problem, options: Pick<SolveOptions, "method" | "set"> = {}): Memory {
	validateProblem(problem);
	const entry = methodEntry(options.method ?? "auto");
	const settings = resolve(entry.name, entry.options, options.set);
	const system = systemOf(problem, { ...systemDefaults, ...entry.system(settings) });
	const before = system.arena.bytes;
	entry.make(system, settings);
	system.arena.release();
	return {
		contacts: problem.contacts,
		method: entry.name,
		operator: system.operator.kind,
		operatorBytes: system.operator.bytes,
		systemBytes: before - system.operatorArenaBytes,
		methodBytes: system.arena.bytes - before,
	};
}
