/** Methods that factor rows of W as a whole, on one rank: what they need is said before anything is solved. */
import { InputError } from "../base/errors.js";
import { NewtonMatrix } from "../factor/newton-matrix.js";
import type { System, SystemOptions } from "../system/system.js";
import { systemOptions } from "./entry.js";
import type { Options } from "./options.js";

/** Rows are formed where the caller says nothing else. */
export function systemWithRows(options: Options): Partial<SystemOptions> {
	return { ...systemOptions(options), ...(options.operator === "auto" ? { operator: "assembled" } : {}) };
}

export function newtonMatrixOf(system: System, method: string): NewtonMatrix {
	const { rows } = system.operator;
	if (system.share.ranks > 1) {
		const lack = `${method} factors W as a whole, which one rank does`;
		throw new InputError(system.share.name, "ranks", lack, "use --ranks 1, or a method without factors, such as auto");
	}
	if (rows === undefined) {
		const lack = `${method} factors rows of W, and this operator has none`;
		throw new InputError(system.share.name, "operator", lack, "use operator=assembled, or a method without factors");
	}
	return new NewtonMatrix(system.arena, rows, system.blocks);
}
