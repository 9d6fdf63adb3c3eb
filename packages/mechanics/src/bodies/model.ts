/** What all ranks know of a simulation: shapes, materials, laws and gravity. Bodies refer to them by number. */
import type { CompiledShape } from "../shapes/convex.js";
import type { LawNumbers, PairLaw } from "./contact-parameters.js";
import type { Motion } from "./motion.js";

export interface Material {
	readonly name: string;
	/** Mass per volume; needed for bodies that move and have no mass of their own. */
	readonly density?: number;
	/** Of pseudo-rigid bodies: Young's modulus and Poisson's ratio (Saint Venant-Kirchhoff), and damping in seconds times stiffness. */
	readonly young?: number;
	readonly poisson?: number;
	readonly damping?: number;
}

/** Of two materials that touch. */
export interface ContactLaw extends LawNumbers {
	readonly friction: number;
	/** Of the normal velocity (Newton). */
	readonly restitution: number;
	/** Coulomb's unless said. */
	readonly law?: PairLaw;
	/** Of the two bodies of a contact the one in whose axes `axis` is given; 0 unless said. */
	readonly axisOf?: 0 | 1;
}

export interface Model {
	readonly shapes: readonly CompiledShape[];
	readonly materials: readonly Material[];
	/** Of materials i and j: `laws[i * materials.length + j]`, the same both ways. */
	readonly laws: readonly ContactLaw[];
	readonly gravity: Float64Array;
	/** By place of the obstacle; none for those at rest. */
	readonly motions?: readonly (Motion | undefined)[];
}
