/** The methods for bounds alone: their options, and how they are made. */
import { frictionRefusal, needFrictionless } from "./bounds.js";
import { common, type MethodEntry, scaling, systemOptions } from "./entry.js";
import { Gpminres } from "./gpminres.js";
import { Mprgp } from "./mprgp.js";
import { between, integer, positive } from "./options.js";

const OTHERS = "use a method that takes friction, such as auto, apgd or spg";

const mprgp: MethodEntry = {
	name: "mprgp",
	refusal: (problem) => frictionRefusal("mprgp", problem),
	laws: ["coulomb", "frictionless", "bilateral", "box"],
	what: "conjugate gradients on active sets with gradient projections (Dostal and Schoeberl 2005); problems without friction",
	cost: "1 product, 1 exchange and 4 reductions; a product or two, and an exchange for each, more where a bound is met or left",
	counts: { exchanges: { perProduct: 1, perIteration: 0 } },
	options: [
		positive("gamma", "what draws unknowns off their bounds may weigh so many times what the others have left", 1),
		between("step", "length of a gradient step, relative to 1 / |W|", 1.9, 0, 2),
		scaling,
		...common,
	],
	system: systemOptions,
	make(system, options) {
		needFrictionless(system, "mprgp", OTHERS);
		return new Mprgp(system, { gamma: Number(options.gamma), step: Number(options.step) });
	},
};

const gpminres: MethodEntry = {
	name: "gpminres",
	refusal: (problem) => frictionRefusal("gpminres", problem),
	laws: ["coulomb", "frictionless", "bilateral", "box"],
	what: "projected gradients to find active sets, and MINRES among the other unknowns (Anitescu 2014); problems without friction",
	cost: "a product, an exchange and a reduction for each gradient step and each step of MINRES, and 2 more of each",
	counts: { exchanges: { perProduct: 1, perIteration: 0 }, reductions: { perProduct: 1, perIteration: 1 } },
	options: [
		between(
			"eta1",
			"gradient steps end with one that lowers the objective less than this share of the best",
			0.1,
			0,
			1,
		),
		between("eta2", "MINRES ends with a step that lowers the residual less than this share of the best", 1e-3, 0, 1),
		integer("steps", "steps of MINRES on one active set, at most", 100, 1, 1e6),
		scaling,
		...common,
	],
	system: systemOptions,
	make(system, options) {
		needFrictionless(system, "gpminres", OTHERS);
		const { eta1, eta2, steps } = options;
		return new Gpminres(system, { eta1: Number(eta1), eta2: Number(eta2), steps: Number(steps) });
	},
};

export const boundEntries: readonly MethodEntry[] = [mprgp, gpminres];
