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
