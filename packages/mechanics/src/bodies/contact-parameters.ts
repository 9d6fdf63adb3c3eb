/**
 * What the laws of contact take beside friction, for a pair of materials in newtons, and per contact as the parameters of core (laws.ts there): those
 * that are reactions become impulses of a step.
 */
import { InputError, LAWS, PARAMETERS, ROLLING } from "@stickslip/core";
import type { ContactLaw } from "./model.js";

/** The law `preloaded` is left to schemes, for the second phase of Poisson's law of impact. */
export const PAIR_LAWS = LAWS.filter((name) => name !== "preloaded");
export type PairLaw = (typeof PAIR_LAWS)[number];

/** N, T1, T2 of a contact; null for no limit. */
export type Limits = readonly [number | null, number | null, number | null];

export interface LawNumbers {
	/** Of cohesive: the force that a contact pulls with before it opens. */
	readonly cohesion?: number;
	/** Of capped: the normal force at which it gives way. */
	readonly cap?: number;
	/** Of anisotropic: friction across the axis; `friction` is that along it. */
	readonly frictionAcross?: number;
	/** Of anisotropic, in the axes of the body whose material is named first, or which comes first. */
	readonly axis?: readonly [number, number, number];
	/** Of box. */
	readonly lower?: Limits;
	readonly upper?: Limits;
	/** Of rolling, lengths: what the moments about axes across the normal, and about it, are at most, as a share of the normal force. */
	readonly rollingFriction?: number;
	readonly spinningFriction?: number;
}

const NUMBERS: Readonly<Record<PairLaw, readonly (keyof LawNumbers)[]>> = {
	coulomb: [],
	frictionless: [],
	bilateral: [],
	relaxed: [],
	cohesive: ["cohesion"],
	anisotropic: ["frictionAcross", "axis"],
	capped: ["cap"],
	box: ["lower", "upper"],
	rolling: ["rollingFriction", "spinningFriction"],
};
/** Zero where they are left out. */
const OPTIONAL: readonly (keyof LawNumbers)[] = ["spinningFriction"];
const NAMES = [...new Set(Object.values(NUMBERS).flat())];

/** Throws an InputError where a law is unknown, has numbers missing or of another law's, or numbers that cannot be. */
export function checkNumbers(law: ContactLaw, path: string): void {
	const name = law.law ?? "coulomb";
	const wanted = NUMBERS[name];
	if (wanted === undefined) {
		throw new InputError(
			"scene",
			`${path}/law`,
			`${JSON.stringify(name)} is unknown`,
			`give ${PAIR_LAWS.join(" or ")}`,
		);
	}
	for (const each of NAMES) {
		if (wanted.includes(each) === (law[each] !== undefined)) continue;
		if (wanted.includes(each) && OPTIONAL.includes(each)) continue;
		const problem = wanted.includes(each) ? "is missing" : `is no number of ${name}`;
		const owner = PAIR_LAWS.find((other) => NUMBERS[other].includes(each))!;
		const remedy = wanted.includes(each) ? `${name} needs it` : `leave it out, or give "law": "${owner}"`;
		throw new InputError("scene", `${path}/${each}`, problem, remedy);
	}
	for (const each of ["cohesion", "cap", "frictionAcross", "rollingFriction", "spinningFriction"] as const) {
		const value = law[each];
		if (value !== undefined && !(value >= 0 && Number.isFinite(value))) {
			throw new InputError("scene", `${path}/${each}`, `${value} cannot be`, "give zero or more");
		}
	}
	if (law.axis !== undefined && !(Math.hypot(...law.axis) > 0)) {
		throw new InputError("scene", `${path}/axis`, "has no length", "give a direction");
	}
	checkLimits(law, path);
}

function checkLimits({ lower, upper }: ContactLaw, path: string): void {
	lower?.forEach((least, i) => {
		const most = upper?.[i];
		if (least === null || most === null || most === undefined || least <= most) return;
		throw new InputError("scene", `${path}/lower/${i}`, `${least} is above upper, ${most}`, "swap them");
	});
}

/** Codes of laws in use, ascending; none where all are Coulomb's. */
export function codesOf(laws: readonly ContactLaw[]): Int32Array {
	const codes = new Set(laws.map(({ law = "coulomb" }) => LAWS.indexOf(law)));
	return codes.size === 1 && codes.has(0) ? new Int32Array(0) : Int32Array.from(codes).sort();
}

/** Whether contacts of any of these laws have moments. */
export function haveMoments(laws: readonly ContactLaw[]): boolean {
	return laws.some(({ law }) => law !== undefined && LAWS.indexOf(law) === ROLLING);
}

/** What of a list of contacts is written here. */
export interface LawLists {
	readonly law: Uint8Array;
	readonly parameters: Float64Array;
	readonly frame: Float64Array;
}

/** Writes the law of contact `at` and its parameters, in newtons; map turns the axes of the body that the axis belongs to. */
export function writeLaw(law: ContactLaw, contacts: LawLists, at: number, map: Float64Array, body: number): void {
	contacts.law[at] = LAWS.indexOf(law.law ?? "coulomb");
	const { parameters } = contacts;
	const to = PARAMETERS * at;
	parameters.fill(0, to, to + PARAMETERS);
	parameters[to] = law.friction;
	if (law.law === "cohesive") parameters[to + 1] = law.cohesion!;
	if (law.law === "capped") parameters[to + 1] = law.cap!;
	if (law.law === "rolling") {
		parameters[to + 1] = law.rollingFriction!;
		parameters[to + 2] = law.spinningFriction ?? 0;
	}
	if (law.law === "anisotropic") {
		parameters[to + 1] = law.frictionAcross!;
		writeAxis(law.axis!, contacts, at, map, body);
	}
	if (law.law !== "box") return;
	for (let i = 0; i < 3; i += 1) {
		parameters[to + 1 + i] = law.lower![i] ?? Number.NEGATIVE_INFINITY;
		parameters[to + 4 + i] = law.upper![i] ?? Number.POSITIVE_INFINITY;
	}
}

/** Below this share of its length an axis counts as along the normal: no direction of the contact is its own then, and T1 is taken. */
const ACROSS_MIN = 1e-9;

/** The part of the axis across the normal, as a unit vector along T1 and T2. */
function writeAxis(
	axis: NonNullable<LawNumbers["axis"]>,
	{ parameters, frame }: LawLists,
	at: number,
	map: Float64Array,
	body: number,
): void {
	const world = [0, 1, 2].map((i) => {
		const k = 9 * body + 3 * i;
		return map[k]! * axis[0] + map[k + 1]! * axis[1] + map[k + 2]! * axis[2];
	});
	const along = (row: number): number => {
		const k = 9 * at + 3 * row;
		return frame[k]! * world[0]! + frame[k + 1]! * world[1]! + frame[k + 2]! * world[2]!;
	};
	const [t1, t2] = [along(1), along(2)];
	const length = Math.sqrt(t1 * t1 + t2 * t2);
	const whole = Math.sqrt(length * length + along(0) ** 2);
	const isAcross = length > ACROSS_MIN * whole;
	parameters[PARAMETERS * at + 2] = isAcross ? t1 / length : 1;
	parameters[PARAMETERS * at + 3] = isAcross ? t2 / length : 0;
}
