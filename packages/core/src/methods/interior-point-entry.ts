/** Interior points: options, and how the method is made. */
import { common, type MethodEntry, scaling, systemWithRows } from "./entry.js";
import { InteriorPoint, interiorPointDefaults } from "./interior-point.js";
import { linearOptions, linearOptionsOf, NewtonSystem } from "./newton-system.js";
import { between, oneOf } from "./options.js";
import { secondOrderLaws } from "./second-order-cones.js";

export const interiorPoint: MethodEntry = {
	name: "interior-point",
	laws: secondOrderLaws,
	operators: ["assembled"],
	what: "primal-dual interior points on cones of second order, with predictor and corrector (Mehrotra) and the scaling of Nesterov and Todd",
	cost: "a sparse factorisation, two solves with it, 3 products and 6 reductions",
	options: [
		between(
			"reach",
			"share of the way to the boundary of the cones that a step goes",
			interiorPointDefaults.reach,
			0,
			1,
		),
		oneOf("shift", "how mu |U_T| enters a step: with its derivative, or as it stands", interiorPointDefaults.shift, [
			"newton",
			"fixed-point",
		]),
		between(
			"alpha",
			"weight of a proximal term in the matrix of each step, relative to W's diagonal blocks; 0: none",
			interiorPointDefaults.alpha,
			0,
			1,
		),
		...linearOptions,
		scaling,
		...common,
	],
	system: systemWithRows,
	make(system, options) {
		const shift = options.shift === "newton" ? "newton" : "fixed-point";
		const linear = new NewtonSystem(system, "interior-point", linearOptionsOf(options));
		return new InteriorPoint(system, linear, { reach: Number(options.reach), shift, alpha: Number(options.alpha) });
	},
};
