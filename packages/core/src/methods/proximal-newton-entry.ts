/** Proximal points by Newton: options, and how the method is made. */
import { ROLLING } from "../problem/rolling.js";
import { wholeOfBodies } from "../schwarz/bodies.js";
import type { System } from "../system/system.js";
import { common, type MethodEntry, scaling, systemWithRows } from "./entry.js";
import { linearOptions, linearOptionsOf, NewtonSystem } from "./newton-system.js";
import { between, integer, type Options } from "./options.js";
import { type LinearSystem, ProximalNewton, proximalNewtonDefaults } from "./proximal-newton.js";

/** Of bodies where the operator is made of them, of rows of W elsewhere: operators do not depend on the ranks. */
function linearSystemOf(system: System, options: Options): LinearSystem {
	const { stored } = system.operator;
	if (stored === undefined) return new NewtonSystem(system, "proximal-newton", linearOptionsOf(options));
	const whole = wholeOfBodies(system, stored);
	return { products: 0, factor: (p, q) => whole.factor(p, q), solve: (x) => whole.apply(x, x) };
}

export const proximalNewton: MethodEntry = {
	name: "proximal-newton",
	operators: ["assembled", "matrix-free"],
	refusalOfOperator({ laws }, operator) {
		if (operator !== "matrix-free" || !laws?.law.includes(ROLLING)) return undefined;
		return "proximal-newton factors bodies then, and has no such system for rolling contacts";
	},
	what: "semismooth Newton around an anchor that moves with the iterates (proximal points), by sparse LU of rows or of bodies",
	cost: "a sparse factorisation and 3 products; 4 reductions, one more where an anchor is moved and for each shorter step",
	options: [
		between(
			"alpha",
			"weight of the first anchor, relative to W's diagonal blocks",
			proximalNewtonDefaults.alpha,
			0,
			10,
		),
		between(
			"share",
			"an anchor is moved when the residual is below this share of what it began with",
			proximalNewtonDefaults.share,
			0,
			1,
		),
		integer("steps", "steps of Newton around an anchor, at most", proximalNewtonDefaults.steps, 1, 1e6),
		integer("window", "values of the residual that a step may not rise above", proximalNewtonDefaults.window, 1, 50),
		...linearOptions,
		scaling,
		...common,
	],
	system: systemWithRows,
	make: (system, options) =>
		new ProximalNewton(system, linearSystemOf(system, options), {
			alpha: Number(options.alpha),
			share: Number(options.share),
			steps: Number(options.steps),
			window: Number(options.window),
		}),
};
