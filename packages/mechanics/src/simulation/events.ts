/** What happens before a step, known beforehand and the same on every rank. */
import type { Bodies } from "../bodies/bodies.js";

type Vector = readonly [number, number, number];

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
			/** Bodies that were held. */
			readonly kind: "release";
			readonly ids: Int32Array;
			readonly velocity?: Vector;
			readonly spin?: Vector;
	  }
	| { readonly kind: "gravity"; readonly gravity: Vector }
);
