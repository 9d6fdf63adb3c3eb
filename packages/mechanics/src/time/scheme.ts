/**
 * Schemes of time, which are one family: a body drifts for (1 - theta) h, gets forces and reactions, and drifts for theta h,
 *
 *     q_c = q + (1 - theta) h u          where contacts are found        (Koziara 2017, eq. 1)
 *     b   = u + h A^-1 f(q_c)            free velocity                   (eq. 3)
 *     u'  = b + A^-1 H^T R                                               (eq. 2)
 *     q'  = q_c + theta h u'                                             (eq. 5)
 *
 * | name             | theta    | contacts that count       | added to q_N                                                 |
 * | ---------------- | -------- | ------------------------- | ------------------------------------------------------------ |
 * | half-step        | 1/2      | gap <= margin at q_c      | e min(V_N, 0), V before the step                             |
 * | moreau           | 1/2 to 1 | gap <= margin at q_c      | the same                                                     |
 * | velocity-impulse | 1        | those that may close in h | gap / h; or e V_N where that is less and the gap would close |
 *
 * In velocity-impulse all contacts count whose gap is at most the margin, or would be after the step at the velocities before it: bodies that came to touch
 * between two steps unseen would be pushed apart as fast as they came.
 * The margin is a twentieth of the smallest body's reach in velocity-impulse, and 1e-5 of it in the others, which know no gaps: a contact that rests is
 * open by the error of its solve as often as it is closed, and would be lost every other step.
 *
 * `recovery` is the share of a penetration that a step takes back: 1 in velocity-impulse (the stabilisation of Anitescu 2014), 0 in the others unless asked
 * for, where contacts keep the overlap with which they are found.
 */
import type { Bodies } from "../bodies/bodies.js";
import type { ContactRange } from "../bodies/contact-range.js";
import type { Impulses, InverseMasses, Velocities } from "../bodies/generalized.js";
import type { Model } from "../bodies/model.js";
import type { Rotation } from "./rotation.js";

export const SCHEME_NAMES = ["half-step", "velocity-impulse", "moreau"] as const;

/** The most parts into which a step is divided, unless the scheme says how many. */
export const SUBSTEPS = 16;

export interface SchemeOptions {
	readonly name: (typeof SCHEME_NAMES)[number];
	/** Of moreau, 0.5 to 1; 0.5 unless said. */
	readonly theta?: number | undefined;
	/** Contacts count up to this gap. */
	readonly margin?: number | undefined;
	/** Of pseudo-rigid bodies: linearly implicit, A = M + h D / 2 + h^2 K / 4; otherwise A = M. */
	readonly implicit?: boolean | undefined;
	/** Of rigid bodies: conserving keeps energy to rounding, at some cost. */
	readonly rotation?: Rotation | undefined;
	/** From 0 to 1. */
	readonly recovery?: number | undefined;
	/**
	 * At most this fast is a penetration taken back, since a body keeps that speed. Unless said as fast as throws the smallest body up by a thousandth of
	 * its reach; without gravity a ten-thousandth of that per step.
	 */
	readonly recoverySpeed?: number | undefined;
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
	/** Takes impulses H^T R to obstacles and own bodies, and brings them to time t + h. */
	finish(model: Model, bodies: Bodies, impulses: Impulses, t: number, h: number): void;
}
