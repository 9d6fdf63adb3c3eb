/**
 * Schemes of time, which are one family: a body drifts for (1 - theta) h, gets forces and reactions, and drifts for theta h,
 *
 *     q_c = q + (1 - theta) h u          where contacts are found        (Koziara 2017, eq. 1)
 *     b   = u + h A^-1 f(q_c)            free velocity                   (eq. 3)
 *     u'  = b + A^-1 H^T R                                               (eq. 2)
 *     q'  = q_c + theta h u'                                             (eq. 5)
 *
 * | name             | theta    | open contacts that count           | added to q_N: touching | added to q_N: open                           |
 * | ---------------- | -------- | ---------------------------------- | ---------------------- | -------------------------------------------- |
 * | half-step        | 1/2      | without restitution, may close in h | e V_N                 | gap / h                                      |
 * | moreau           | 1/2 to 1 | the same                           | the same               | gap / h                                      |
 * | velocity-impulse | 1        | may close in h                     | overlap / h            | gap / h; e V_N if less and the gap closes    |
 *
 * V is the velocity before the step. From one contact configuration to the next bodies move by h u' in all schemes, so that gap / h closes a gap exactly.
 * A contact may close if gap + h V_N is at most the distance that gravity adds, g h^2, and the margin of 1e-5 of the smallest body's reach. In half-step and
 * moreau contacts that bounce are left to touch, so that bounces keep energy, unless the bodies would be too deep in each other by then.
 *
 * `recovery` is the fraction of an overlap that a step takes back: 1 in velocity-impulse, in the contact law (the stabilisation of Anitescu 2014). The others
 * move bodies without giving them velocity (simulation/position-recovery.ts): by 1/2 in moreau, and not in half-step unless asked, which keeps angular momentum.
 */
import type { Bodies } from "../bodies/bodies.js";
import type { ContactRange } from "../bodies/contact-range.js";
import type { Impulses, InverseMasses, Velocities } from "../bodies/generalized.js";
import type { Model } from "../bodies/model.js";
import type { Rotation } from "./rotation.js";

export const SCHEME_NAMES = ["half-step", "velocity-impulse", "moreau"] as const;

export const RESTITUTION_LAWS = ["newton", "poisson"] as const;
/** The most parts into which a step is divided, unless the scheme says how many. */
export const SUBSTEPS = 16;

export interface SchemeOptions {
	readonly name: (typeof SCHEME_NAMES)[number];
	/** Of moreau, 0.5 to 1; 0.5 unless said. */
	readonly theta?: number | undefined;
	/** Contacts count up to this gap, whether it closes or not. */
	readonly margin?: number | undefined;
	/** Of pseudo-rigid bodies: linearly implicit, A = M + h D / 2 + h^2 K / 4; otherwise A = M. */
	readonly implicit?: boolean | undefined;
	/** Of rigid bodies: conserving keeps energy to rounding, at some cost. */
	readonly rotation?: Rotation | undefined;
	/** From 0 to 1. */
	readonly recovery?: number | undefined;
	/**
	 * Greatest speed of recovery. In velocity-impulse a body keeps that speed: unless said it is as fast as throws the smallest body up by a thousandth of its
	 * reach; without gravity a ten-thousandth of that per step. In the others there is no limit unless said.
	 */
	readonly recoverySpeed?: number | undefined;
	/** Newton's (Moreau's form, default) relates velocities, Poisson's impulses (simulation/compression.ts). */
	readonly restitutionLaw?: (typeof RESTITUTION_LAWS)[number] | undefined;
	/** The most parts into which a step is divided if bodies are about to meet that move too far in it; 1 for none. */
	readonly substeps?: number | undefined;
}

export interface Scheme {
	readonly options: SchemeOptions;
	/** Which contacts count in a step. */
	range(model: Model, h: number): ContactRange;
	/** Gives obstacles the velocities that they have at time t. */
	moveObstacles(model: Model, bodies: Bodies, t: number): void;
	/** Fraction of an overlap by which a step moves bodies apart without giving them velocity; 0 if the contact law takes overlaps back, or nothing does. */
	readonly recovery: number;
	/** Overlap that such a recovery leaves, so that contacts last. */
	overlapLeft(model: Model): number;
	/** Brings obstacles and own bodies from time t to where contacts of the step are found. */
	configure(model: Model, bodies: Bodies, t: number, h: number): void;
	/** Makes velocities free ones, of ghosts too; sets `before` and `inverseMasses`. */
	freeVelocity(model: Model, bodies: Bodies, t: number, h: number): void;
	/** Velocities before the forces of the step. */
	readonly before: Velocities;
	readonly inverseMasses: InverseMasses;
	/** What a contact adds to the normal component of q = H b. `normalVelocity` is that of `before`. */
	contactTerm(gap: number, restitution: number, normalVelocity: number, h: number): number;
	/** Takes impulses H^T R to own bodies where contacts were found, before others of the same step. */
	push(bodies: Bodies, impulses: Impulses): void;
	/** Takes impulses H^T R to obstacles and own bodies, and brings them to time t + h. */
	finish(model: Model, bodies: Bodies, impulses: Impulses, t: number, h: number): void;
}
