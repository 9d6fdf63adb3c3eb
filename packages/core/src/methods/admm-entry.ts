/** ADMM: its options, and the linear solver inside. */
import type { System } from "../system/system.js";
import { Admm } from "./admm.js";
import { common, type MethodEntry, scaling, systemOptions } from "./entry.js";
import { NewtonSystem, WHOLE_LU } from "./newton-system.js";
import { between, integer, type Options, oneOf, positive, share } from "./options.js";
import { PENALTY_RULES, type PenaltyRule } from "./penalty-rule.js";
import { ShiftedCg, ShiftedFactors, type ShiftedSolver } from "./shifted-solver.js";

/** Contacts of a subdomain. */
const SUBDOMAIN = 500;

function solverOf(system: System, options: Options): ShiftedSolver {
	if (options.solve === "cg") {
		return new ShiftedCg(system, { epsilon: Number(options.epsilon), steps: Number(options.steps) });
	}
	if (options.solve === "factor") return new ShiftedFactors(new NewtonSystem(system, "admm", WHOLE_LU), system);
	const schwarz = {
		linear: "krylov",
		subdomain: SUBDOMAIN,
		overlap: 1,
		reduction: Number(options.epsilon),
		inner: Number(options.steps),
	} as const;
	return new ShiftedFactors(new NewtonSystem(system, "admm", schwarz, "definite"), system);
}

export const admm: MethodEntry = {
	name: "admm",
	what: "alternating directions of multipliers with a penalty that adapts itself; the exact law, mu |U_T| taken from the newest multiplier",
	cost: "1 product, 1 exchange, and for each step of CG 1 product, 1 exchange and 2 reductions; 2 reductions more, or a sparse solve in place of CG",
	counts: {
		exchanges: { perProduct: 1, perIteration: 0 },
		reductions: { perProduct: 2, perIteration: 2 },
		isAtMost: true,
	},
	options: [
		positive("rho", "first penalty; 1 is about |W_aa| of a scaled contact", 1),
		oneOf(
			"rule",
			"how rho adapts itself: spectral steps, balanced residuals, or not at all",
			"spectral",
			PENALTY_RULES,
		),
		between("relax", "over-relaxation", 1.6, 0, 2),
		oneOf(
			"solve",
			"the linear system: conjugate gradients, the same with additive Schwarz, or a sparse LU of rows of W, which one rank makes for all",
			"cg",
			["cg", "schwarz", "factor"],
		),
		share("epsilon", "cg, schwarz: residual that ends a solve, as a share of the first", 0.1),
		integer("steps", "cg, schwarz: maximum number of steps of a solve", 20, 1, 1e6),
		integer("window", "iterations that Anderson acceleration combines; 0: plain ones", 5, 0, 50),
		scaling,
		...common,
	],
	system: (options) => ({
		...systemOptions(options),
		...(options.solve !== "cg" && options.operator === "auto" ? { operator: "assembled" } : {}),
	}),
	make: (system, options) =>
		new Admm(system, solverOf(system, options), {
			rho: Number(options.rho),
			rule: options.rule as PenaltyRule,
			relax: Number(options.relax),
			window: Number(options.window),
		}),
};
