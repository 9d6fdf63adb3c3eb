/** Semismooth Newton by sparse LU: its options, and what it refuses. */
import { InputError } from "../base/errors.js";
import { NewtonMatrix } from "../factor/newton-matrix.js";
import type { System } from "../system/system.js";
import type { Linearisation } from "./contact-states.js";
import { common, type MethodEntry, scaling, systemOptions } from "./entry.js";
import { Newton } from "./newton.js";
import { between, integer, notNegative, type Options, oneOf, share } from "./options.js";

function makeNewton(system: System, options: Options): Newton {
	const { rows } = system.operator;
	if (system.share.ranks > 1) {
		const lack = "newton factors W as a whole, which one rank does";
		throw new InputError(system.share.name, "ranks", lack, "use --ranks 1, or a method without factors, such as auto");
	}
	if (rows === undefined) {
		const lack = "newton factors rows of W, and this operator has none";
		throw new InputError(system.share.name, "operator", lack, "use operator=assembled, or a method without factors");
	}
	const matrix = new NewtonMatrix(system.arena, rows, system.blocks);
	return new Newton(system, matrix, {
		linearisation: options.linearisation as Linearisation,
		sigma: Number(options.sigma),
		gamma: Number(options.gamma),
		beta: Number(options.beta),
		J: Number(options.J),
		phi: Number(options.phi),
		L: Number(options.L),
		shift: Number(options.shift),
		share: Number(options.share),
	});
}

export const newton: MethodEntry = {
	name: "newton",
	isSerial: true,
	what: "semismooth Newton by sparse LU with active sets and a line search (Koziara and Bicanic 2008)",
	cost: "a sparse factorisation and 3 products; a reduction for each trial of the line search, and 2 more",
	options: [
		oneOf("linearisation", "of the slip of contacts: full Newton, hybrid, or with fixed bounds", "hyb", [
			"newt",
			"hyb",
			"fix",
		]),
		between("sigma", "factor by which the line search shortens a step", 0.9, 0, 1),
		between("gamma", "share of the merit by which a step must lower it", 0.1, 0, 0.5),
		between("beta", "the line search ends at steps shorter than this", 0.034, 0, 1),
		integer(
			"J",
			"values of the merit before the last one that a step may not rise above; 0: Armijo's rule",
			10,
			0,
			100,
		),
		between("phi", "factor by which rho grows where a contact changes between stick and slip", 10, 1, 1e6),
		integer("L", "how often rho may grow at a contact, and iterations before it does", 6, 0, 1000),
		notNegative("shift", "added to the diagonal of W, relative to its blocks; less as the merit falls", 1e-3),
		share("share", "fix: new bounds where a step is below this share of R", 1e-3),
		scaling,
		...common,
	],
	system: (options) => ({
		...systemOptions(options),
		...(options.operator === "auto" ? { operator: "assembled" } : {}),
	}),
	make: makeNewton,
};
