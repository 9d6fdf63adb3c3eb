/** All laws of one block as tests know them. */
import { anisotropic } from "./anisotropic-sample.js";
import { capped, cohesive, coulomb, preloaded, relaxed } from "./cone-samples.js";
import type { LawSample } from "./law-sample.js";
import { bilateral, box, frictionless } from "./row-samples.js";

export const lawSamples: readonly LawSample[] = [
	coulomb,
	frictionless,
	bilateral,
	relaxed,
	cohesive,
	anisotropic,
	capped,
	box,
	preloaded,
];
