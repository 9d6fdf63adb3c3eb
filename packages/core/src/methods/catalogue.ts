/** The methods by name: what each is, its options, and how it is made on a system. */
import { InputError } from "../base/errors.js";
import type { System } from "../system/system.js";
import { admm } from "./admm-entry.js";
import { boundEntries } from "./bound-entries.js";
import type { Counts } from "./counts.js";
import { common, type MethodEntry, scaling, systemOptions } from "./entry.js";
import { factorRules } from "./factor-turns.js";
import { firstOrderEntries } from "./first-order-entries.js";
import { GaussSeidel, gaussSeidelVectors } from "./gauss-seidel.js";
import { interiorPoint } from "./interior-point-entry.js";
import { newton } from "./newton-entry.js";
import { between, integer, notNegative, type Options, oneOf, resolve, share } from "./options.js";
import { PqnDiagonal } from "./pqn-diagonal.js";
import {
	makePqn,
	pqnOptions,
	productsMax,
	productsOption,
	refuseWithoutEffect,
	relayOf,
	typicalOmega,
} from "./pqn-family.js";
import { proximalVectors } from "./proximal-gauss-seidel.js";
import { proximalNewton } from "./proximal-newton-entry.js";
import { proximalDefaults } from "./proximal-options.js";
import { type Phase, sweepsFirst, without } from "./schedules.js";
import { Sor } from "./sor.js";
import { sweepMethod } from "./sweeps-with-descent.js";

export type { MethodEntry } from "./entry.js";

/** Sweeps need rows. */
function needRows(system: System, method: string): void {
	if (system.operator.sweep !== undefined) return;
	const lack = `${method} sweeps over rows of W, and the global operator has none`;
	throw new InputError(
		system.share.name,
		"operator",
		lack,
		"use operator=assembled, or the methods pqn and pqn-diagonal",
	);
}

/** A measure is an exchange and a reduction, and not every sweep is followed by one. */
const sweepCounts: Counts = {
	products: 1,
	exchanges: { perProduct: 0, perIteration: 1, perStep: { perProduct: 1, perIteration: 0 } },
	reductions: { perProduct: 1, perIteration: 1 },
	isAtMost: true,
};

const gaussSeidel: MethodEntry = {
	name: "gauss-seidel",
	operators: ["assembled", "matrix-free"],
	what: "nonlinear block Gauss-Seidel with exact local solves and Anderson acceleration of whole sweeps",
	cost: "1 sweep over all rows, an exchange for each colour, 1 reduction",
	counts: sweepCounts,
	options: [
		integer("window", "number of sweeps that Anderson acceleration combines; 0: plain sweeps", 5, 0, 50),
		between("relax", "over-relaxation of each contact", 1, 0, 2),
		oneOf("reverse", "whether every second sweep runs backwards", "no", ["yes", "no"]),
		...common,
	],
	system: systemOptions,
	make(system, options) {
		needRows(system, "gauss-seidel");
		const window = Number(options.window);
		const settings = { window, relax: Number(options.relax), reverse: options.reverse === "yes" };
		return new GaussSeidel(system, settings, system.vectors(gaussSeidelVectors(window)));
	},
};

const sor: MethodEntry = {
	name: "sor",
	operators: ["assembled", "matrix-free"],
	what: "sweeps of projected steps, contact after contact, in the fixed-point form (Anitescu 2014)",
	cost: "1 sweep over all rows (2 where symmetric), an exchange for each colour, 1 reduction",
	counts: sweepCounts,
	options: [
		between("omega", "length of a step, relative to 1 / (trace(W_aa) / 3)", 0.6, 0, 2),
		between("lambda", "weight of the new R; above 1: over-relaxation, projected", 1, 0, 2),
		oneOf("symmetric", "whether an iteration sweeps forwards and then backwards", "no", ["yes", "no"]),
		integer("window", "iterations that Anderson acceleration combines; 0: plain ones", 0, 0, 50),
		...common,
	],
	system: systemOptions,
	make(system, options) {
		needRows(system, "sor");
		const window = Number(options.window);
		const [omega, lambda] = [Number(options.omega), Number(options.lambda)];
		const settings = { window, omega, lambda, symmetric: options.symmetric === "yes" };
		return new Sor(system, settings, system.vectors(gaussSeidelVectors(window)));
	},
};

const descentOption = notNegative(
	"descent",
	"on more than 4,000 contacts, to an energy tolerance: iterations of Gauss-Newton on the residual between anchors, for each sweep at most; 0: none",
	proximalDefaults.descent,
);

const proximalGaussSeidel: MethodEntry = {
	name: "proximal-gauss-seidel",
	operators: ["assembled", "matrix-free"],
	what: "accelerated Gauss-Seidel, then proximal Gauss-Seidel around an anchor that moves with the iterates",
	cost: "1 sweep over all rows, an exchange for each colour, 1 reduction; a product for each anchor; an iteration of Gauss-Newton 2 products and 2 reductions",
	counts: sweepCounts,
	options: [
		between("alpha", "weight of the first anchor, relative to W's diagonal blocks", proximalDefaults.alpha, 0, 1),
		between(
			"rho",
			"an anchor is moved when the steps have decreased to this fraction of the first step around it; 0.5 while successive anchors make progress",
			proximalDefaults.rho,
			0,
			1,
		),
		integer("sweeps", "maximum number of sweeps around an anchor", proximalDefaults.sweeps, 2, 1e6),
		integer("window", "number of sweeps that Anderson acceleration combines; 0: plain sweeps", 5, 0, 50),
		integer(
			"patience",
			"sweeps without an anchor end when the step has not halved in this number of sweeps; 0: an anchor from the start",
			proximalDefaults.patience,
			0,
			1e6,
		),
		descentOption,
		...common,
	],
	system: systemOptions,
	make(system, options) {
		needRows(system, "proximal-gauss-seidel");
		const window = Number(options.window);
		const settings = {
			alpha: Number(options.alpha),
			rho: Number(options.rho),
			sweeps: Number(options.sweeps),
			window,
			patience: Number(options.patience),
			descent: Number(options.descent),
		};
		return sweepMethod(system, settings, system.vectors(proximalVectors(window)));
	},
};

const pqnDiagonal: MethodEntry = {
	name: "pqn-diagonal",
	what: "projected quasi-Newton with diagonal blocks only and theta damping (Koziara's abstract, algorithm 1)",
	cost: "1 product, 1 exchange, 1 reduction",
	counts: {
		products: 1,
		exchanges: { perProduct: 1, perIteration: 0 },
		reductions: { perProduct: 1, perIteration: 0 },
	},
	options: [
		share("theta", "weight of the new direction in the increment", 0.25),
		notNegative("omega", "smoothing parameter; typical: 1e-12 of a typical free velocity", "typical", ["typical"]),
		integer(
			"measureEvery",
			"iterations from one measure of the error, which takes the reduction, to the next",
			1,
			1,
			100,
		),
		scaling,
		...common,
	],
	system: systemOptions,
	make(system, options) {
		const omega = options.omega === "typical" ? typicalOmega(system) : Number(options.omega) * system.unit;
		const measureEvery = Number(options.measureEvery);
		return new PqnDiagonal(system, { theta: Number(options.theta), omega, measureEvery });
	},
};

const pqn: MethodEntry = {
	name: "pqn",
	what: "projected quasi-Newton with inner GMRES (Koziara 2017, algorithm 1); scaled and safeguarded unless scaling=none",
	cost: "a product and a reduction for each vector of GMRES, and one more of each; as many exchanges, or with preconditioner=triangle one for each colour; sweeps cost what those of gauss-seidel do",
	counts: {
		exchanges: { perProduct: 0, perIteration: 0, perStep: { perProduct: 1, perIteration: 1 } },
		reductions: { perProduct: 1, perIteration: 1 },
		isAtMost: true,
	},
	options: [...pqnOptions, scaling, ...common],
	system(options) {
		refuseWithoutEffect(options);
		return systemOptions(options);
	},
	make: makePqn,
};

const pqnDefaults: Options = Object.fromEntries([...pqnOptions, scaling].map((doc) => [doc.name, doc.default]));

/** What auto may do without, by the names that users know. */
const LEFT_OUT = {
	none: [],
	newton: ["active"],
	"interior-point": ["interior"],
	pqn: ["newton"],
	factors: ["active", "interior"],
} as const satisfies Record<string, readonly Phase["kind"][]>;

const auto: MethodEntry = {
	name: "auto",
	what: "proximal-gauss-seidel; where that converges slowly, newton on the active contacts, interior-point and pqn in turn; pqn alone if W is not formed",
	cost: "as the method of the moment; a step of newton a sparse factorisation and 2 products",
	options: [
		productsOption,
		between(
			"near",
			"energy error below which factors may take over from sweeps that are slower",
			factorRules.near,
			0,
			1,
		),
		notNegative(
			"share",
			"what factors may cost, as a share of what sweeps would take to the tolerance; 0: factors only where sweeps stall",
			factorRules.share,
		),
		descentOption,
		oneOf("without", "a phase that is left out; factors: newton and interior-point", "none", Object.keys(LEFT_OUT)),
		...common,
	],
	system: systemOptions,
	make(system, options) {
		const most = productsMax(system, options);
		if (system.operator.sweep === undefined)
			return makePqn(system, { ...pqnDefaults, products: options.products ?? productsOption.default });
		const left = LEFT_OUT[options.without as keyof typeof LEFT_OUT];
		return relayOf(system, without(sweepsFirst, left), {
			productsMax: most,
			rules: { near: Number(options.near), share: Number(options.share) },
			descent: Number(options.descent),
		});
	},
	reason({ operator, share }) {
		if (operator.sweep === undefined) return "pqn, since W is not formed and there are no rows to sweep over";
		if (share.colours === 1) return "one sweep, since no two contacts couple";
		const order = share.order === "coloured" ? `${share.colours} colours` : `${share.order} order`;
		return `sweeps in ${order}, since W has ${share.coupling}`;
	},
};

export const methodTable: readonly MethodEntry[] = [
	auto,
	pqn,
	pqnDiagonal,
	gaussSeidel,
	sor,
	proximalGaussSeidel,
	newton,
	proximalNewton,
	interiorPoint,
	...firstOrderEntries,
	admm,
	...boundEntries,
];

/** The entry by name. */
export function methodEntry(name: string): MethodEntry {
	const entry = methodTable.find((one) => one.name === name);
	if (entry !== undefined) return entry;
	const known = methodTable.map((one) => one.name).join(", ");
	throw new InputError("options", "method", `${name} is not a method`, `use one of ${known}`);
}

/** Throws where there is no such method, or it does not have these settings. */
export function checkMethod(name: string, set?: Options): void {
	const entry = methodEntry(name);
	entry.system(resolve(entry.name, entry.options, set));
}
