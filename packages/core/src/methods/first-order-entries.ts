/** The methods of products and projections: their options, and how they are made. */
import { InputError } from "../base/errors.js";
import { stepRule } from "./adaptive-step.js";
import { Apgd } from "./apgd.js";
import { common, type MethodEntry, scaling, systemOptions } from "./entry.js";
import { FixedPoint } from "./fixed-point.js";
import { Jacobi } from "./jacobi.js";
import { between, integer, notNegative, type OptionDoc, type Options, oneOf, positive, share } from "./options.js";
import { needsMasses, RHO_RULES, type RhoRule } from "./rho-rules.js";
import { Spg } from "./spg.js";

const firstStep = positive("rho", "first step; 1 is about 1 / |W_aa| of a scaled contact", 1);
const firstStepByRule = positive(
	"rho",
	"first step: a number, or a rule of Acary and Cariaga (eqs. 13 to 19; with scaling=none as they have it)",
	1,
	RHO_RULES,
);
/** Steps that adapt themselves, with the constants of the reference. */
const stepOptions: readonly OptionDoc[] = [
	firstStep,
	between("L", "a trial whose ratio is larger is given up", stepRule.L, 0, 1),
	between("L-min", "the step is lengthened where the ratio is smaller", stepRule.Lmin, 0, 1),
	between("w", "factor by which the step is shortened, and its inverse by which it is lengthened", stepRule.w, 0, 1),
];
const stepOf = (options: Options) => ({
	rho: Number(options.rho),
	L: Number(options.L),
	Lmin: Number(options["L-min"]),
	w: Number(options.w),
});

const shiftOptions: readonly OptionDoc[] = [
	share(
		"share",
		"mu |U_T| is taken anew when the convex problem's residual is below this share of what that changes",
		0.1,
	),
	integer("patience", "mu |U_T| is taken anew after this number of iterations at the latest", 50, 1, 1e6),
	positive(
		"inner",
		"mu |U_T| is zero first, and taken anew when the convex problem's gradient measure is below this (Acary and Cariaga's algorithm 3); no: by share",
		"no",
		["no"],
	),
];
const relaxation = oneOf(
	"relaxation",
	"of contacts of the relaxed law: kept, or removed by taking mu |U_T| anew, so that answer and errors are those of Coulomb's law",
	"keep",
	["keep", "remove"],
);
/** Of methods that solve convex problems. */
const convexSystem = (options: Options) => ({
	...systemOptions(options),
	...(options.relaxation === "remove" && { isExact: true }),
});
const shiftOf = (options: Options) => ({
	share: Number(options.share),
	patience: Number(options.patience),
	...(options.inner !== "no" && { inner: Number(options.inner) }),
});

/** Of methods that are a map (accelerated-method.ts). */
const windowOf = (value: number): OptionDoc =>
	integer("window", "iterations that Anderson acceleration combines; 0: plain ones", value, 0, 50);

const jacobi: MethodEntry = {
	name: "jacobi",
	what: "all contacts at once, projected on the law, in the fixed-point form (Anitescu 2014)",
	cost: "1 product, 1 exchange, 1 reduction",
	counts: {
		products: 1,
		exchanges: { perProduct: 1, perIteration: 0 },
		reductions: { perProduct: 1, perIteration: 0 },
	},
	options: [
		between("omega", "length of a step, relative to 1 / trace(W_aa) / 3", 0.3, 0, 2),
		share("lambda", "weight of the new R", 1),
		windowOf(0),
		scaling,
		...common,
	],
	system: systemOptions,
	make(system, options) {
		const [omega, lambda] = [Number(options.omega), Number(options.lambda)];
		return new Jacobi(system, { omega, lambda, window: Number(options.window) });
	},
};

const fixedPoint: MethodEntry = {
	name: "fixed-point",
	what: "projection on the exact law with a step that adapts itself; one product per trial",
	cost: "a product, an exchange and a reduction for each trial of a step, mostly one, and 2 reductions more",
	counts: {
		exchanges: { perProduct: 1, perIteration: 0 },
		reductions: { perProduct: 1, perIteration: 2 },
		isAtMost: true,
	},
	options: [...stepOptions, windowOf(5), scaling, ...common],
	system: systemOptions,
	make: (system, options) =>
		new FixedPoint("fixed-point", system, { ...stepOf(options), window: Number(options.window) }),
};

const extragradient: MethodEntry = {
	name: "extragradient",
	what: "Korpelevich's extragradient for the exact law with steps that adapt themselves (He and Liao 2002), corrected where F turns",
	cost: "a product, an exchange and a reduction for each trial of a step, mostly one; 2 reductions more, and 1 product and exchange where a step is corrected",
	counts: {
		exchanges: { perProduct: 1, perIteration: 0 },
		reductions: { perProduct: 1, perIteration: 2 },
		isAtMost: true,
	},
	options: [
		...stepOptions,
		notNegative(
			"turn",
			"a step is corrected where F turns more than this; 0: every step, 1: those that may lead away",
			0.9,
		),
		between("gamma", "length of a corrected step, relative to the one that is best for all one knows", 1.9, 0, 2),
		windowOf(5),
		scaling,
		...common,
	],
	system: systemOptions,
	make(system, options) {
		const correction = { turn: Number(options.turn), gamma: Number(options.gamma) };
		return new FixedPoint("extragradient", system, {
			...stepOf(options),
			window: Number(options.window),
			correction,
		});
	},
};

const apgd: MethodEntry = {
	name: "apgd",
	what: "accelerated projected gradient descent (Nesterov) with restarts; the exact law by an outer update of mu |U_T|",
	cost: "a product, an exchange and a reduction for each trial of a step, mostly one, and 1 reduction more",
	counts: { exchanges: { perProduct: 1, perIteration: 0 }, reductions: { perProduct: 1, perIteration: 1 } },
	options: [
		...stepOptions.map((doc) => (doc === firstStep ? firstStepByRule : doc)),
		oneOf("ratio", "how the step adapts itself: eq. 20 or 21 of Acary and Cariaga, or not at all", "2", [
			"1",
			"2",
			"no",
		]),
		...shiftOptions,
		windowOf(0),
		relaxation,
		scaling,
		...common,
	],
	system(options) {
		const wanted = convexSystem(options);
		if (!needsMasses(options.rho)) return wanted;
		if (options.scaling !== "none") {
			const lack = `${options.rho} is a rule of M and H, in the units of the problem`;
			throw new InputError("options", "rho", lack, "add scaling=none, or use rho=w-rho");
		}
		return { ...wanted, masses: true };
	},
	make(system, options) {
		const ratio = options.ratio === "no" ? "no" : Number(options.ratio) === 1 ? 1 : 2;
		const rho = typeof options.rho === "number" ? options.rho : (options.rho as RhoRule);
		return new Apgd(system, { ...stepOf(options), ...shiftOf(options), rho, ratio, window: Number(options.window) });
	},
};

const spg: MethodEntry = {
	name: "spg",
	what: "spectral projected gradients with a nonmonotone line search; the exact law by an outer update of mu |U_T|",
	cost: "1 product, 1 exchange and 2 reductions; one more product and exchange where a step is shortened",
	counts: {
		exchanges: { perProduct: 1, perIteration: 0 },
		reductions: { perProduct: 0, perIteration: 2 },
		isAtMost: true,
	},
	options: [
		integer("window", "values of the objective that a step may not rise above", 10, 1, 50),
		oneOf("precondition", "gradients divided by W's diagonal, or not", "none", ["none", "diagonal"]),
		...shiftOptions,
		relaxation,
		scaling,
		...common,
	],
	system: convexSystem,
	make: (system, options) =>
		new Spg(system, {
			...shiftOf(options),
			window: Number(options.window),
			precondition: options.precondition === "diagonal" ? "diagonal" : "none",
		}),
};

export const firstOrderEntries: readonly MethodEntry[] = [jacobi, fixedPoint, extragradient, apgd, spg];
