/** Semismooth Newton by sparse LU: its options, and what it refuses. */
import type { System } from "../system/system.js";
import { frictionRefusal, needFrictionless } from "./bounds.js";
import type { Linearisation } from "./contact-states.js";
import { common, type MethodEntry, scaling, systemWithRows } from "./entry.js";
import { Newton } from "./newton.js";
import { linearOptions, linearOptionsOf, NewtonSystem } from "./newton-system.js";
import { NewtonWithFallback } from "./newton-with-fallback.js";
import { between, integer, notNegative, type Options, oneOf, share } from "./options.js";
import { ProximalNewton, proximalNewtonDefaults } from "./proximal-newton.js";

const UNIL = "newton with linearisation=unil";
const OTHERS = "use hyb, newt or fix";

function makeNewton(system: System, options: Options): Newton | NewtonWithFallback {
	if (options.linearisation === "unil") needFrictionless(system, UNIL, OTHERS);
	const linear = new NewtonSystem(system, "newton", linearOptionsOf(options));
	const newton = new Newton(system, linear, {
		linearisation: options.linearisation as Linearisation,
		sigma: Number(options.sigma),
		gamma: Number(options.gamma),
		beta: Number(options.beta),
		J: Number(options.J),
		phi: Number(options.phi),
		L: Number(options.L),
		shift: Number(options.shift),
		share: Number(options.share),
		first: options.first as "zero" | "free",
	});
	const patience = Number(options.patience);
	if (patience === 0) return newton;
	return new NewtonWithFallback(system, newton, new ProximalNewton(system, linear, proximalNewtonDefaults), patience);
}

export const newton: MethodEntry = {
	name: "newton",
	laws: ["coulomb", "frictionless", "rolling"],
	operators: ["assembled"],
	refusal: (problem, { linearisation }) => {
		const refusal = linearisation === "unil" ? frictionRefusal(UNIL, problem) : undefined;
		return refusal && { ...refusal, remedy: OTHERS };
	},
	what: "semismooth Newton with active sets and a line search, by sparse LU or by GMRES with Schwarz (Koziara and Bicanic 2008)",
	cost: "a sparse factorisation and 3 products; a reduction for each trial of the line search, and 2 more",
	options: [
		oneOf(
			"linearisation",
			"of the slip of contacts: full Newton, hybrid, with fixed bounds, or none, where there is no friction",
			"hyb",
			["newt", "hyb", "fix", "unil"],
		),
		oneOf(
			"first",
			"what the first step from R = 0 takes U for: zero, so that all contacts are closed and frictionless, or the free velocity",
			"zero",
			["zero", "free"],
		),
		between("sigma", "factor by which the line search shortens a step", 0.9, 0, 1),
		between("gamma", "share of the merit by which a step must lower it", 0.1, 0, 0.5),
		between("beta", "the line search ends at steps shorter than this", 0.034, 0, 1),
		integer("J", "values of the merit before the last one that a step may not rise above; 0: Armijo's rule", 0, 0, 100),
		between("phi", "factor by which rho grows where a contact changes between stick and slip", 10, 1, 1e6),
		integer("L", "how often rho may grow at a contact, and iterations before it does", 6, 0, 1000),
		notNegative(
			"shift",
			"added to the diagonal of W, relative to its blocks; less as the merit falls, unil: a thousandth in each iteration; at least 1e-8, but for 0",
			1e-2,
		),
		share("share", "fix: new bounds where a step is below this share of R", 1e-3),
		integer(
			"patience",
			"proximal points follow where the error has not halved in this number of iterations; 0: never",
			12,
			0,
			1e6,
		),
		...linearOptions,
		scaling,
		...common,
	],
	system: systemWithRows,
	make: makeNewton,
};
