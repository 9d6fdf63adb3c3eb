/** What happens between two steps at times that are known beforehand, the same on every rank. */
import type { Bodies } from "../bodies/bodies.js";
import type { Motion } from "../bodies/motion.js";

export type SimulationEvent = {
	/** It happens before the first step that begins at this time or later. */
	readonly time: number;
} & (
	| {
			/** More bodies, whose ids go on from those that are there; no obstacles. */
			readonly kind: "add";
			readonly bodies: Bodies;
	  }
	| {
			/** Bodies that were held, by ascending id. */
			readonly kind: "release";
			readonly ids: Int32Array;
			readonly velocity?: readonly [number, number, number];
			readonly spin?: readonly [number, number, number];
	  }
	| { readonly kind: "motion"; readonly obstacle: number; readonly motion: Motion }
	| { readonly kind: "gravity"; readonly gravity: readonly [number, number, number] }
);
