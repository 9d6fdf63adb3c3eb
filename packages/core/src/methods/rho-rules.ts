/**
 * The first step of gradient methods by the seven rules of Acary and Cariaga (eqs. 13 to 19), of W as the method has it:
 *
 *     ghadimi      1 / sqrt(lambda_min(W) lambda_max(W))       di-cairano   sqrt(lambda_min(M) lambda_max(M))
 *     acary        |M|_1 / |H|_1                               normal       1
 *     smaller-rho  2 / 3                                       w-rho        1 / |W|_1
 *     eigen-w-rho  1 / lambda_max(W)
 *
 * Eigenvalues of W are those of twelve steps of Lanczos, a product each. Where W is singular lambda_min is what these steps find, a small number or a
 * rounding error: ghadimi's rho has no limit then, and is kept below 1e6 / lambda_max.
 */
import { InputError } from "../base/errors.js";
import type { Vector } from "../kernels/arena.js";
import { type Extremes, LANCZOS_STEPS, ritzValues, startValue } from "../problem/extreme-eigenvalues.js";
import type { Masses } from "../problem/masses.js";
import type { System } from "../system/system.js";

export const RHO_RULES = ["ghadimi", "di-cairano", "acary", "normal", "smaller-rho", "w-rho", "eigen-w-rho"] as const;
export type RhoRule = (typeof RHO_RULES)[number];

/** Whether a rule is about bodies and not about W. */
export function needsMasses(rule: unknown): boolean {
	return rule === "di-cairano" || rule === "acary";
}

/** Of Ghadimi's rule, against eigen-w-rho's. */
const LENGTH_MAX = 1e6;

/** What Lanczos' method works with; `v` has room for ghosts. */
export interface LanczosRoom {
	readonly v: Vector;
	readonly last: Vector;
	readonly next: Vector;
	readonly dot: (x: Vector, y: Vector) => number;
}

/** Whether a rule is about eigenvalues of W, which cost products. */
export function needsEigenvalues(rule: unknown): boolean {
	return rule === "ghadimi" || rule === "eigen-w-rho";
}

/** Collective. rho, and the products that it took. */
export function firstRho(rule: RhoRule, system: System, room: LanczosRoom): { rho: number; products: number } {
	if (!needsEigenvalues(rule)) return { rho: valid(rhoOf(rule, system)), products: 0 };
	const { smallest, largest, products } = eigenvaluesOf(system, room);
	if (rule === "eigen-w-rho") return { rho: valid(1 / largest), products };
	const rho = 1 / Math.sqrt(Math.max(0, smallest) * largest);
	return { rho: valid(Math.min(LENGTH_MAX / largest, rho)), products };
}

/** W may be zero. */
function valid(rho: number): number {
	return rho > 0 && Number.isFinite(rho) ? rho : 1;
}

function rhoOf(rule: RhoRule, system: System): number {
	if (rule === "normal") return 1;
	if (rule === "smaller-rho") return 2 / 3;
	if (rule === "w-rho") return 1 / normOfRows(system);
	const { mass, coupling, smallest, largest } = massesOf(rule, system);
	return rule === "acary" ? mass / coupling : Math.sqrt(smallest * largest);
}

function massesOf(rule: RhoRule, { share }: System): Masses {
	if (share.masses) return share.masses;
	const lack = `${rule} is a rule of M and H, and of this problem W alone is known`;
	throw new InputError(share.name, "rho", lack, "use rho=w-rho, or a number");
}

/** The largest sum of |W| along a row: its columns have the same where it is symmetric. */
function normOfRows({ operator, share, reducer, blocks }: System): number {
	const { rows } = operator;
	if (rows === undefined) {
		const lack = "w-rho is a rule of the rows of W, and this operator has none";
		throw new InputError(share.name, "rho", lack, "use operator=assembled, or rho=eigen-w-rho");
	}
	const { start, values } = rows;
	const largest = new Float64Array(1);
	for (let a = 0; a < blocks; a += 1) {
		const [pair, lane] = [a >> 1, a & 1];
		const sums = [0, 0, 0];
		for (let slot = start.values[pair]!; slot < start.values[pair + 1]!; slot += 1) {
			for (let k = 0; k < 9; k += 1) sums[Math.floor(k / 3)]! += Math.abs(values.values[18 * slot + lane + 2 * k]!);
		}
		largest[0] = Math.max(largest[0]!, ...sums);
	}
	reducer.largest(largest);
	return largest[0]!;
}

/** By a start that global ids alone decide. */
function eigenvaluesOf(
	{ arena, blocks, length, operator, share }: System,
	{ v, last, next, dot }: LanczosRoom,
): Extremes & { products: number } {
	const { kernels } = arena;
	for (let at = 0; at < blocks; at += 1) {
		for (let i = 0; i < 3; i += 1) v.values[3 * at + i] = startValue(3 * share.ids[at]! + i);
	}
	kernels.fill(last.at, 0, length);
	const normalise = (x: Vector): number => {
		const norm = Math.sqrt(dot(x, x));
		if (norm > 0) kernels.multiply(1 / norm, x.at, length);
		return norm;
	};
	normalise(v);
	let [beta, products] = [0, 0];
	const found = ritzValues(Math.min(LANCZOS_STEPS, 3 * share.blocks), () => {
		operator.apply(v, next);
		products += 1;
		const alpha = dot(v, next);
		kernels.axpby(-alpha, v.at, 1, next.at, length);
		kernels.axpby(-beta, last.at, 1, next.at, length);
		beta = normalise(next);
		kernels.copy(v.at, last.at, length);
		kernels.copy(next.at, v.at, length);
		return { alpha, beta };
	});
	return { ...found, products };
}
