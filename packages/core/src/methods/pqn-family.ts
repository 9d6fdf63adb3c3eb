/** How the quasi-Newton methods are put together: the published form, and the relay that safeguards it. */
import { InputError } from "../base/errors.js";
import type { System } from "../system/system.js";
import type { FactorRules } from "./factor-turns.js";
import { Gmres } from "./gmres.js";
import type { Method } from "./method.js";
import { integer, notNegative, type OptionDoc, type Options, oneOf } from "./options.js";
import { PhaseMethods } from "./phase-methods.js";
import { PQN_VECTORS, Pqn, type PqnSettings } from "./pqn.js";
import { proximalVectors } from "./proximal-gauss-seidel.js";
import { proximalDefaults } from "./proximal-options.js";
import { Relay } from "./relay.js";
import { newtonFirst, newtonOnly, type Schedule, withPatience } from "./schedules.js";
import { sweepMethod } from "./sweeps-with-descent.js";

/** The most inner iterations of any phase. */
const M_MAX = 100;
/** GMRES restarts rather than keep more than this, but never before it has this many directions. */
const BASIS_BYTES = 2 ** 29;
const BASIS_MIN = 20;

/** Directions that a relay's GMRES keeps. */
function basisOf(system: System): number {
	return Math.min(M_MAX, Math.max(BASIS_MIN, Math.floor(BASIS_BYTES / (8 * system.lengthOfAll))));
}

export const productsOption = integer(
	"products",
	"maximum number of products with W; by-size: 10,000, and up to 100,000 for small problems",
	"by-size",
	1,
	1e9,
	["by-size"],
);

/** The budget of a relay: small problems are cheap to try longer. */
export function productsMax(system: System, options: Options): number {
	return numberOr(options.products, Math.round(Math.min(100_000, 10_000 + 2e7 / system.share.contacts)));
}

export const pqnOptions: readonly OptionDoc[] = [
	notNegative(
		"delta",
		"regularisation of eq. 52; adaptive: decreases with the error (0.01 with scaling=none)",
		"adaptive",
		["adaptive"],
	),
	oneOf("deltaRelativeTo", "the unit of a given delta: 1 (none), or this value of W's diagonal entries", "mean", [
		"none",
		"min",
		"mean",
		"max",
	]),
	notNegative(
		"epsilon",
		"tolerance of GMRES, relative to |C|; by phase: 0.25 to 0.001 (0.25 with scaling=none)",
		"by-phase",
		["by-phase"],
	),
	integer("m", "maximum number of inner iterations; by phase: 20 to 100 (10 with scaling=none)", "by-phase", 1, 1000, [
		"by-phase",
	]),
	notNegative(
		"omega",
		"smoothing parameter; typical: 1e-12 of a typical free velocity (1e-10 with scaling=none)",
		"typical",
		["typical"],
	),
	integer(
		"restart",
		"number of directions after which GMRES restarts; by m: m, at most 100 or 512 MiB",
		"by-m",
		1,
		1000,
		["by-m"],
	),
	oneOf(
		"preconditioner",
		"block lower triangle of A, or its diagonal blocks; by-operator: the triangle where W has rows (diagonal with scaling=none)",
		"by-operator",
		["triangle", "diagonal", "by-operator"],
	),
	oneOf(
		"increment",
		"where GMRES starts: zero, or the last increment as in Koziara's own program; by-scaling: zero (last with scaling=none)",
		"by-scaling",
		["zero", "last", "by-scaling"],
	),
	integer(
		"patience",
		"iterations in which the error has to halve, or else sweeps or other settings follow; by-phase: 6 to 40",
		"by-phase",
		1,
		1e6,
		["by-phase"],
	),
	productsOption,
];

/** The defaults that the published form takes where none is given. */
const REPORT = { delta: 0.01, epsilon: 0.25, m: 10, omega: 1e-10, restart: 20 };

function numberOr(value: Options[string] | undefined, fallback: number): number {
	return typeof value === "number" ? value : fallback;
}

/** Collective. The diagonal entries of the system's W, contacts only: none counts as 1. */
function diagonalStatistic(system: System, name: Options[string] | undefined): number {
	if (name === "none") return 1;
	const { contacts, w, reducer, share } = system;
	const entry = (a: number, i: number) => w.values[9 * a + 4 * i]!;
	if (name === "mean") {
		return system.sumOver((a) => entry(a, 0) + entry(a, 1) + entry(a, 2)) / (3 * share.contacts);
	}
	const sign = name === "min" ? -1 : 1;
	const most = Float64Array.of(Number.NEGATIVE_INFINITY);
	for (let a = 0; a < contacts; a += 1) {
		for (let i = 0; i < 3; i += 1) most[0] = Math.max(most[0]!, sign * entry(a, i));
	}
	reducer.largest(most);
	return sign * most[0]!;
}

/** Collective. Against 0/0 only: far below what velocities of the problem are. */
export function typicalOmega(system: System): number {
	const sum = system.sumOfSizes(system.q);
	return sum > 0 ? (1e-12 * sum) / (3 * system.share.contacts) : 1e-12;
}

function refuse(name: string, problem: string, remedy: string): never {
	throw new InputError("options", name, problem, remedy);
}

/** What was asked for and would do nothing is an error that names what it lacks. */
export function refuseWithoutEffect(options: Options): void {
	const { scaling, delta, deltaRelativeTo, preconditioner } = options;
	const reported = scaling !== "contact";
	for (const name of ["products", "patience"]) {
		if (!(reported && typeof options[name] === "number")) continue;
		refuse(
			name,
			"has no effect with scaling=none, which never gives up",
			"leave out one of the two, or limit the iterations",
		);
	}
	if (reported && preconditioner === "triangle") {
		const lack = "triangle has no effect with scaling=none, which takes the diagonal blocks";
		refuse("preconditioner", lack, "leave out one of the two");
	}
	if (!reported && delta === "adaptive" && deltaRelativeTo !== "mean") {
		refuse("deltaRelativeTo", "has no effect on an adaptive delta", "give delta a number as well, or scaling=none");
	}
}

/** The published form: to the product, with every safeguard and fall-back off. */
function makeReportPqn(system: System, options: Options): Method {
	const m = numberOr(options.m, REPORT.m);
	const restart = Math.min(m, numberOr(options.restart, REPORT.restart));
	const settings: PqnSettings = {
		delta: numberOr(options.delta, REPORT.delta) * diagonalStatistic(system, options.deltaRelativeTo),
		damping: 0,
		epsilon: numberOr(options.epsilon, REPORT.epsilon),
		m,
		omega: numberOr(options.omega, REPORT.omega),
		triangle: false,
		keepIncrement: options.increment !== "zero",
		measure: system.best.name,
	};
	return new Pqn(system, settings, new Gmres(system, system.vectors(restart + 1)), system.vectors(PQN_VECTORS));
}

/** What the user fixed for all phases. */
function overridesOf(system: System, options: Options): Partial<PqnSettings> {
	const { delta, epsilon, m } = options;
	return {
		...(typeof delta === "number"
			? { delta: delta * diagonalStatistic(system, options.deltaRelativeTo), damping: 0 }
			: {}),
		...(typeof epsilon === "number" ? { epsilon } : {}),
		...(typeof m === "number" ? { m } : {}),
		...(typeof options.omega === "number" ? { omega: options.omega * system.unit } : {}),
		...(options.preconditioner === "diagonal" ? { triangle: false } : {}),
		...(options.increment === "last" ? { keepIncrement: true } : {}),
	};
}

export interface RelayOptions {
	readonly productsMax: number;
	/** Directions that GMRES keeps; by size where absent. */
	readonly restart?: number;
	readonly overrides?: Partial<PqnSettings>;
	readonly rules?: FactorRules;
	/** Of its proximal sweeps. */
	readonly descent?: number;
}

/**
 * A relay on a schedule. The phases of quasi-Newton and sweeps are never at work together, so GMRES' basis and Anderson's window are the
 * same vectors; a short basis (small m) makes the window shorter.
 */
export function relayOf(system: System, schedule: Schedule, options: RelayOptions): Relay {
	const restart = options.restart ?? basisOf(system);
	const overrides = options.overrides ?? {};
	const pool = system.vectors(Math.max(PQN_VECTORS + restart + 1, proximalVectors(0)));
	const omega = typicalOmega(system);
	const settings: PqnSettings = {
		delta: 0,
		damping: 0.3,
		epsilon: 0.25,
		m: M_MAX,
		omega,
		triangle: system.operator.triangle !== undefined,
		keepIncrement: false,
		measure: "energy",
		...overrides,
	};
	const gmres = new Gmres(system, pool.slice(PQN_VECTORS, PQN_VECTORS + restart + 1));
	const newton = new Pqn(system, settings, gmres, pool);
	if (system.operator.sweep === undefined) {
		return new Relay(system, schedule, new PhaseMethods(system, omega, newton), options.productsMax, overrides);
	}
	let { window } = proximalDefaults;
	while (proximalVectors(window) > pool.length) window -= 1;
	const sweptIn = pool.slice(0, proximalVectors(window));
	const { descent = proximalDefaults.descent } = options;
	const proximal = sweepMethod(system, { ...proximalDefaults, window, descent }, sweptIn);
	const methods = new PhaseMethods(system, omega, newton, proximal);
	return new Relay(system, schedule, methods, options.productsMax, overrides, options.rules);
}

export function makePqn(system: System, options: Options): Method {
	if (options.scaling !== "contact") return makeReportPqn(system, options);
	if (options.preconditioner === "triangle" && system.operator.triangle === undefined) {
		const lack = `triangle needs rows of W, and the ${system.operator.kind} operator has none`;
		throw new InputError(system.share.name, "preconditioner", lack, "use operator=assembled, or leave it out");
	}
	const m = numberOr(options.m, M_MAX);
	const schedule = system.operator.sweep === undefined ? newtonOnly : newtonFirst;
	const { patience } = options;
	return relayOf(system, typeof patience === "number" ? withPatience(schedule, patience) : schedule, {
		productsMax: productsMax(system, options),
		restart: Math.min(m, numberOr(options.restart, basisOf(system))),
		overrides: overridesOf(system, options),
	});
}
