/**
 * Laws of contact by name. A problem names one for each contact (`Problem.laws`), with numbers of its own; without that all contacts have
 * Coulomb's. assembly/laws has a file for each law but Coulomb's: its cone, its F and its local solve.
 */

/** In the order of their codes, which files hold: never another. */
export const LAWS = [
	"coulomb",
	"frictionless",
	"bilateral",
	"relaxed",
	"cohesive",
	"anisotropic",
	"capped",
	"box",
	"rolling",
	"preloaded",
] as const;
export type LawName = (typeof LAWS)[number];

/** Numbers of a contact that its law may have. The first is mu: a system writes it there, whatever the problem has in its place. */
export const PARAMETERS = 8;

export interface ContactLaws {
	/** The code of each contact's law: its index in LAWS. */
	readonly law: Uint8Array;
	/** PARAMETERS numbers per contact. */
	readonly parameters: Float64Array;
}

/** A number of a law. */
export interface LawParameter {
	readonly name: string;
	readonly what: string;
	readonly default: number;
	/** A reaction is in the problem's units of R, a length is what a moment is to a force, a ratio is free of units. */
	readonly kind: "ratio" | "reaction" | "length";
	/** The least that it may be. */
	readonly least?: number;
	/** Whether it may be infinite. */
	readonly mayBeInfinite?: true;
}

/** What is wrong with the numbers of one contact together: which of them, and what to do. */
export interface Contradiction {
	readonly parameter: string;
	readonly problem: string;
	readonly remedy: string;
}

export interface LawDoc {
	readonly what: string;
	/** Numbers 1, 2, ... of a contact. */
	readonly parameters: readonly LawParameter[];
	/** What contradicts among the numbers of a contact, each of which is in its range. */
	contradiction?(read: (name: string) => number): Contradiction | undefined;
}

/** The laws that there are, in the order of their codes. */
export const LAW_DOCS: Readonly<Partial<Record<LawName, LawDoc>>> = {
	coulomb: { what: "Signorini's and Coulomb's law: R_T within mu R_N, sliding against R_T", parameters: [] },
	frictionless: { what: "contact without friction, whatever mu is", parameters: [] },
	bilateral: { what: "no relative velocity in any direction, as in a ball joint", parameters: [] },
	relaxed: { what: "Coulomb's cone with F = U: convex, and a sliding contact opens by mu |U_T|", parameters: [] },
	cohesive: {
		what: "Coulomb's law for R_N + cohesion: a contact holds a pull up to the cohesion, and keeps it while it opens",
		parameters: [{ name: "cohesion", what: "greatest pull, an impulse", default: 0, kind: "reaction", least: 0 }],
	},
	anisotropic: {
		what: "friction mu along an axis and another across it: R_T within an ellipse",
		parameters: [
			{ name: "across", what: "friction across the axis", default: 0, kind: "ratio", least: 0 },
			{ name: "axis1", what: "the axis along T1", default: 1, kind: "ratio" },
			{ name: "axis2", what: "the axis along T2; a unit vector with axis1", default: 0, kind: "ratio" },
		],
		contradiction: axisContradiction,
	},
	capped: {
		what: "Coulomb's cone cut at a cap of R_N, with F = U: a contact gives way at the cap (associated plasticity)",
		parameters: [
			{
				name: "cap",
				what: "greatest R_N, an impulse",
				default: Number.POSITIVE_INFINITY,
				kind: "reaction",
				least: 0,
				mayBeInfinite: true,
			},
		],
	},
	box: {
		what: "each of three rows within limits of its own, as joints and motors have",
		parameters: [
			...limits("low", "least", Number.NEGATIVE_INFINITY),
			...limits("high", "greatest", Number.POSITIVE_INFINITY),
		],
		contradiction: limitContradiction,
	},
	rolling: {
		what: "Coulomb's law, and moments that resist rolling up to mu_r R_N and spinning up to mu_s R_N",
		parameters: [
			{ name: "mu_r", what: "rolling friction, a length", default: 0, kind: "length", least: 0 },
			{ name: "mu_s", what: "spinning friction, a length", default: 0, kind: "length", least: 0 },
		],
	},
	preloaded: {
		what: "Coulomb's law with R_N at least a preload, whether the contact opens or not",
		parameters: [{ name: "preload", what: "least R_N, an impulse", default: 0, kind: "reaction", least: 0 }],
	},
};

/** Of N, T1, T2. */
function limits(name: string, which: string, infinite: number): LawParameter[] {
	return [0, 1, 2].map((row) => ({
		name: `${name}${row}`,
		what: `${which} reaction of row ${row}, an impulse`,
		default: infinite,
		kind: "reaction",
		mayBeInfinite: true,
	}));
}

/** What rounding leaves of a unit vector. */
const UNIT_ROUNDING = 1e-12;

function axisContradiction(read: (name: string) => number): Contradiction | undefined {
	const length = Math.hypot(read("axis1"), read("axis2"));
	if (length === 0) return { parameter: "axis1", problem: "is 0 as axis2 is", remedy: "give a direction" };
	if (Math.abs(length - 1) <= UNIT_ROUNDING) return undefined;
	const problem = `makes an axis of length ${length} with axis2`;
	return { parameter: "axis1", problem, remedy: "divide both by that length" };
}

function limitContradiction(read: (name: string) => number): Contradiction | undefined {
	for (let row = 0; row < 3; row += 1) {
		const [low, high] = [read(`low${row}`), read(`high${row}`)];
		if (low < high || (low === high && Number.isFinite(low))) continue;
		const problem = low > high ? `is ${low}, above high${row}, ${high}` : `and high${row} are both ${low}`;
		return { parameter: `low${row}`, problem, remedy: "give an interval, or one finite number twice" };
	}
	return undefined;
}

/** A law by its code; undefined where there is none. */
export function lawOf(code: number): { readonly name: LawName; readonly doc: LawDoc } | undefined {
	const name = LAWS[code];
	const doc = name && LAW_DOCS[name];
	return name && doc && { name, doc };
}

/** Names of the laws that there are. */
export function lawNames(): readonly LawName[] {
	return LAWS.filter((name) => LAW_DOCS[name] !== undefined);
}

/** The laws of a problem; undefined where all contacts have Coulomb's. */
export function lawsOf({ laws }: { readonly laws?: ContactLaws | undefined }): ContactLaws | undefined {
	return laws?.law.some((code) => code !== 0) ? laws : undefined;
}

/** Codes in use, ascending. */
export function lawCodes(problem: { readonly laws?: ContactLaws | undefined }): Int32Array {
	const used = LAWS.map((_, code) => lawsOf(problem)?.law.includes(code) ?? code === 0);
	return Int32Array.from(used.keys()).filter((code) => used[code]);
}

/** The code of a law. */
export function lawCode(name: LawName): number {
	return LAWS.indexOf(name);
}

/** The same cones, with Coulomb's F where that is relaxed. */
export function withoutRelaxation(laws: ContactLaws): ContactLaws {
	const [relaxed, coulomb] = [lawCode("relaxed"), lawCode("coulomb")];
	return { ...laws, law: laws.law.map((code) => (code === relaxed ? coulomb : code)) };
}

/** The laws of the convex relaxation of a problem: Coulomb's cone with F = U. */
export function withRelaxation(laws: ContactLaws | undefined, contacts: number): ContactLaws {
	const [relaxed, coulomb] = [lawCode("relaxed"), lawCode("coulomb")];
	if (laws === undefined) {
		return { law: new Uint8Array(contacts).fill(relaxed), parameters: new Float64Array(PARAMETERS * contacts) };
	}
	return { ...laws, law: laws.law.map((code) => (code === coulomb ? relaxed : code)) };
}
