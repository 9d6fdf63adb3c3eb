/** Methods that factor rows of W as a whole, and do the rest on one rank: what they need is said before anything is solved. */
import { InputError } from "../base/errors.js";
import type { System, SystemOptions } from "../system/system.js";
import { systemOptions } from "./entry.js";
import { NewtonSystem, WHOLE_LU } from "./newton-system.js";
import type { Options } from "./options.js";

/** Rows are formed where the caller says nothing else. */
export function systemWithRows(options: Options): Partial<SystemOptions> {
	return { ...systemOptions(options), ...(options.operator === "auto" ? { operator: "assembled" } : {}) };
}

export function newtonMatrixOf(system: System, method: string): NewtonSystem {
	if (system.share.ranks > 1) {
		const lack = `${method} sees all contacts at once, which one rank does`;
		throw new InputError(system.share.name, "ranks", lack, "use --ranks 1, or a method without factors, such as auto");
	}
	return new NewtonSystem(system, method, WHOLE_LU);
}
