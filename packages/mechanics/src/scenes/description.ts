/**
 * A scene as plain data, which is what a scene file holds: everything in metres, kilograms, seconds and radians. Scenes by name are functions that
 * make such descriptions, so that each can be written out as a file and read back to the same bits.
 */
import type { LawNumbers, PairLaw } from "../bodies/contact-parameters.js";
import type { BodyDescription } from "../bodies/make.js";
import type { MotionPiece } from "../bodies/motion.js";
import type { SolverOptions } from "../ranks/contact-solver.js";
import type { Quaternion, Shape, Vector } from "../shapes/shape.js";
import type { SchemeOptions } from "../time/scheme.js";

export interface SceneDescription {
	/** Of this format. */
	readonly version: 1;
	readonly name: string;
	readonly gravity: Vector;
	/** Length of a time step. */
	readonly step: number;
	/** When the simulation ends. */
	readonly until: number;
	readonly scheme: SchemeOptions;
	readonly solver: SceneSolver;
	readonly materials: Readonly<Record<string, SceneMaterial>>;
	/** Of all pairs of materials that `laws` does not name. */
	readonly contact: SceneLaw;
	/** For two materials, in either order. */
	readonly laws?: readonly (SceneLaw & { readonly between: readonly [string, string] })[];
	readonly shapes: Readonly<Record<string, Shape>>;
	readonly obstacles: readonly SceneObstacle[];
	/** Those that are there from the beginning. */
	readonly bodies: readonly SceneBody[];
	/** By ascending time. */
	readonly events: readonly SceneEventDescription[];
	/** A body whose centre leaves this box has flown away. */
	readonly bounds?: { readonly lower: Vector; readonly upper: Vector };
	/** Every so many steps are stored, where whoever runs it does not say. */
	readonly output?: { readonly every: number };
	/** For pictures: where the eye looks, and what points up. */
	readonly view?: { readonly direction: Vector; readonly up: Vector };
}

/** What is left out has its default. */
export type SceneSolver = Omit<SolverOptions, "timeLimit">;

export interface SceneMaterial {
	/** Needed for bodies that move and have no mass of their own. */
	readonly density?: number;
	/** Of pseudo-rigid bodies. */
	readonly young?: number;
	readonly poisson?: number;
	readonly damping?: number;
}

export interface SceneLaw extends LawNumbers {
	readonly friction: number;
	readonly restitution?: number;
	/** Coulomb's unless said. */
	readonly law?: PairLaw;
}

interface Named {
	readonly name?: string;
	readonly shape: string;
	readonly material: string;
	/** Of the origin of the shape's own axes. */
	readonly position: Vector;
	readonly orientation?: Quaternion;
}

export interface SceneObstacle extends Named {
	/** Pieces by ascending start; an obstacle is at rest before the first one, and where there is none. */
	readonly motion?: readonly MotionPiece[];
	/** Left out of pictures. */
	readonly isHidden?: boolean;
}

export interface SceneBody extends Named, Pick<BodyDescription, "velocity" | "spin" | "mass" | "inertia" | "isHeld"> {
	readonly kind?: "rigid" | "pseudo-rigid";
}

/** Each takes effect at the beginning of the first step that starts at its time or later. */
export type SceneEventDescription = { readonly time: number } & (
	| { readonly kind: "add"; readonly bodies: readonly SceneBody[] }
	| {
			readonly kind: "release";
			/** By name, or by number among all bodies of the scene: first `bodies`, then those of the events before. */
			readonly bodies: readonly (string | number)[];
			readonly velocity?: Vector;
			readonly spin?: Vector;
	  }
	/** What the obstacle does from then on, instead of what its own motion says. */
	| ({ readonly kind: "motion"; readonly obstacle: string | number } & Omit<MotionPiece, "from">)
	| { readonly kind: "gravity"; readonly gravity: Vector }
);
