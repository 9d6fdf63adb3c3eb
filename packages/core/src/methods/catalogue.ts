/** The methods by name: what each is, its options, and how it is made on a system. */
import { InputError } from "../base/errors.js";
import { OPERATORS } from "../outline/choose.js";
import { ORDERS } from "../outline/layout.js";
import type { System, SystemOptions } from "../system/system.js";
import { stepRule } from "./adaptive-step.js";
import { Apgd } from "./apgd.js";
import { FixedPoint } from "./fixed-point.js";
import { GaussSeidel, gaussSeidelVectors } from "./gauss-seidel.js";
import { Jacobi } from "./jacobi.js";
import type { Method } from "./method.js";
import { between, integer, notNegative, type OptionDoc, type Options, oneOf, positive, share } from "./options.js";
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
import { ProximalGaussSeidel, proximalDefaults, proximalVectors } from "./proximal-gauss-seidel.js";
import { sweepsFirst } from "./schedules.js";
import { Spg } from "./spg.js";

export interface MethodEntry {
	readonly name: string;
	readonly what: string;
	readonly options: readonly OptionDoc[];
	/** What the method wants of the system; refuses options that would do nothing beside the others. */
	system(options: Options): Partial<SystemOptions>;
	/** Allocates all that the method needs. */
	make(system: System, options: Options): Method;
	/** Why this method suits this system, for the report. */
	reason?(system: ReasonFacts): string;
}

/** What a system is, as far as reports give reasons. */
export interface ReasonFacts {
	readonly operator: { readonly sweep?: unknown };
	readonly share: Pick<System["share"], "colours" | "order" | "coupling">;
}

const seed = integer("seed", "seed of the colours and of the shuffled order", 1, 0, 2 ** 31 - 1);

/** Options of the system, the same for all methods. */
const common: readonly OptionDoc[] = [
	oneOf("operator", "how W is applied", "auto", OPERATORS),
	oneOf("order", "order of contacts in storage and sweeps", "coloured", ORDERS),
	seed,
	integer(
		"tile",
		"contacts per tile, the unit that is swept at once and owned by one rank; by-size: 1 for up to 65,536 contacts with at most 16,666 colours, else 64 to 512",
		"by-size",
		1,
		65_536,
		["by-size"],
	),
	oneOf("engine", "WebAssembly kernels, or their TypeScript twin with the same bits", "wasm", ["wasm", "twin"]),
];

const scaling = oneOf("scaling", "unknowns scaled to W's diagonal blocks, or in the file's units", "contact", [
	"contact",
	"none",
]);

/** What the common options say to the system. */
function systemOptions(options: Options): Partial<SystemOptions> {
	if (options.order === "file" && options.seed !== seed.default) {
		throw new InputError("options", "seed", "has no effect with order=file", "leave out one of the two");
	}
	const { tile } = options;
	if (typeof tile === "number" && options.order !== "coloured") {
		throw new InputError("options", "tile", `has no effect with order=${options.order}`, "leave out one of the two");
	}
	return {
		...(typeof tile === "number" ? { tile } : {}),
		scaled: options.scaling !== "none",
		operator: options.operator as SystemOptions["operator"],
		order: options.order as SystemOptions["order"],
		engine: options.engine as SystemOptions["engine"],
		seed: Number(options.seed),
	};
}

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

const gaussSeidel: MethodEntry = {
	name: "gauss-seidel",
	what: "nonlinear block Gauss-Seidel with exact local solves and Anderson acceleration of whole sweeps",
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

const proximalGaussSeidel: MethodEntry = {
	name: "proximal-gauss-seidel",
	what: "accelerated Gauss-Seidel, then proximal Gauss-Seidel around an anchor that moves with the iterates",
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
		};
		return new ProximalGaussSeidel(system, settings, system.vectors(proximalVectors(window)));
	},
};

const pqnDiagonal: MethodEntry = {
	name: "pqn-diagonal",
	what: "projected quasi-Newton with diagonal blocks only and theta damping (Koziara's abstract, algorithm 1)",
	options: [
		share("theta", "weight of the new direction in the increment", 0.25),
		notNegative("omega", "smoothing parameter; typical: 1e-12 of a typical free velocity", "typical", ["typical"]),
		scaling,
		...common,
	],
	system: systemOptions,
	make(system, options) {
		const omega = options.omega === "typical" ? typicalOmega(system) : Number(options.omega) * system.unit;
		return new PqnDiagonal(system, { theta: Number(options.theta), omega });
	},
};

const pqn: MethodEntry = {
	name: "pqn",
	what: "projected quasi-Newton with inner GMRES (Koziara 2017, algorithm 1); scaled and safeguarded unless scaling=none",
	options: [...pqnOptions, scaling, ...common],
	system(options) {
		refuseWithoutEffect(options);
		return systemOptions(options);
	},
	make: makePqn,
};

const pqnDefaults: Options = Object.fromEntries([...pqnOptions, scaling].map((doc) => [doc.name, doc.default]));

const auto: MethodEntry = {
	name: "auto",
	what: "proximal-gauss-seidel, followed by pqn where it converges slowly; pqn alone if W is not formed",
	options: [productsOption, ...common],
	system: systemOptions,
	make: (system, options) =>
		system.operator.sweep === undefined
			? makePqn(system, { ...pqnDefaults, products: options.products ?? productsOption.default })
			: relayOf(system, sweepsFirst, { productsMax: productsMax(system, options) }),
	reason({ operator, share }) {
		if (operator.sweep === undefined) return "pqn, since W is not formed and there are no rows to sweep over";
		if (share.colours === 1) return "one sweep, since no two contacts couple";
		const order = share.order === "coloured" ? `${share.colours} colours` : `${share.order} order`;
		return `sweeps in ${order}, since W has ${share.coupling}`;
	},
};

const firstStep = positive("rho", "first step; 1 is about 1 / |W_aa| of a scaled contact", 1);
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
];
const shiftOf = (options: Options) => ({ share: Number(options.share), patience: Number(options.patience) });

const jacobi: MethodEntry = {
	name: "jacobi",
	what: "all contacts at once, projected on the law, in the fixed-point form (Tasora and Anitescu)",
	options: [
		between("omega", "length of a step, relative to 1 / trace(W_aa) / 3", 0.3, 0, 2),
		share("lambda", "weight of the new R", 1),
		scaling,
		...common,
	],
	system: systemOptions,
	make: (system, options) => new Jacobi(system, { omega: Number(options.omega), lambda: Number(options.lambda) }),
};

const fixedPoint: MethodEntry = {
	name: "fixed-point",
	what: "projection on the exact law with a step that adapts itself; one product per trial",
	options: [...stepOptions, scaling, ...common],
	system: systemOptions,
	make: (system, options) => new FixedPoint(system, { ...stepOf(options), kind: "fixed-point" }),
};

const extragradient: MethodEntry = {
	name: "extragradient",
	what: "Korpelevich's extragradient for the exact law with a step that adapts itself; two products per iteration",
	options: [...stepOptions, scaling, ...common],
	system: systemOptions,
	make: (system, options) => new FixedPoint(system, { ...stepOf(options), kind: "extragradient" }),
};

const apgd: MethodEntry = {
	name: "apgd",
	what: "accelerated projected gradient descent (Nesterov) with restarts; the exact law by an outer update of mu |U_T|",
	options: [
		...stepOptions,
		oneOf("ratio", "how the step adapts itself: eq. 20 or 21 of Acary and Cariaga, or not at all", "2", [
			"1",
			"2",
			"no",
		]),
		...shiftOptions,
		scaling,
		...common,
	],
	system: systemOptions,
	make(system, options) {
		const ratio = options.ratio === "no" ? "no" : Number(options.ratio) === 1 ? 1 : 2;
		return new Apgd(system, { ...stepOf(options), ...shiftOf(options), ratio });
	},
};

const spg: MethodEntry = {
	name: "spg",
	what: "spectral projected gradients with a nonmonotone line search; the exact law by an outer update of mu |U_T|",
	options: [
		integer("window", "values of the objective that a step may not rise above", 10, 1, 50),
		...shiftOptions,
		scaling,
		...common,
	],
	system: systemOptions,
	make: (system, options) => new Spg(system, { ...shiftOf(options), window: Number(options.window) }),
};

const methodTable: readonly MethodEntry[] = [
	auto,
	pqn,
	pqnDiagonal,
	gaussSeidel,
	proximalGaussSeidel,
	jacobi,
	fixedPoint,
	extragradient,
	apgd,
	spg,
];

/** The entry by name. */
export function methodEntry(name: string): MethodEntry {
	const entry = methodTable.find((one) => one.name === name);
	if (entry !== undefined) return entry;
	const known = methodTable.map((one) => one.name).join(", ");
	throw new InputError("options", "method", `${name} is not a method`, `use one of ${known}`);
}

/** What `stickslip methods` and help texts print. */
export function methods(): {
	name: string;
	what: string;
	options: { name: string; what: string; default: OptionDoc["default"]; range: string }[];
}[] {
	return methodTable.map(({ name, what, options }) => ({
		name,
		what,
		options: options.map((doc) => ({ name: doc.name, what: doc.what, default: doc.default, range: doc.range })),
	}));
}
