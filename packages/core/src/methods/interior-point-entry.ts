/** Interior points: options, and how the method is made. */
import { common, type MethodEntry, scaling } from "./entry.js";
import { newtonMatrixOf, systemWithRows } from "./factors.js";
import { InteriorPoint } from "./interior-point.js";
import { between, oneOf } from "./options.js";

export const interiorPoint: MethodEntry = {
	name: "interior-point",
	laws: ["coulomb"],
	operators: ["assembled"],
	isSerial: true,
	what: "primal-dual interior points on cones of second order, with predictor and corrector (Mehrotra) and the scaling of Nesterov and Todd",
	cost: "a sparse factorisation, two solves with it, 3 products and 2 reductions",
	counts: {
		products: 3,
		exchanges: { perProduct: 1, perIteration: 0 },
		reductions: { perProduct: 0, perIteration: 2 },
	},
	options: [
		between("reach", "share of the way to the boundary of the cones that a step goes", 0.95, 0, 1),
		oneOf("shift", "how mu |U_T| enters a step: with its derivative, or as it stands", "newton", [
			"newton",
			"fixed-point",
		]),
		scaling,
		...common,
	],
	system: systemWithRows,
	make(system, options) {
		const shift = options.shift === "newton" ? "newton" : "fixed-point";
		return new InteriorPoint(system, newtonMatrixOf(system, "interior-point"), { reach: Number(options.reach), shift });
	},
};
