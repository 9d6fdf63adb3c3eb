/**
 * The laws by code (src/problem/laws.ts), but for Coulomb's, which has kernels of its own. What a range's loop calls is looked up once:
 * a law is four functions of one contact, whose numbers stand at p, mu first.
 */
import * as anisotropic from "./anisotropic";
import * as bilateral from "./bilateral";
import * as box from "./box";
import * as capped from "./capped";
import * as cohesive from "./cohesive";
import * as frictionless from "./frictionless";
import * as preloaded from "./preloaded";
import * as relaxed from "./relaxed";
import { Project, Residual, Solve, Velocity } from "./law";

const FRICTIONLESS: i32 = 1;
const BILATERAL: i32 = 2;
const RELAXED: i32 = 3;
const COHESIVE: i32 = 4;
const ANISOTROPIC: i32 = 5;
const CAPPED: i32 = 6;
const BOX: i32 = 7;
const PRELOADED: i32 = 9;

export function projectOf(law: i32): Project {
	if (law == FRICTIONLESS) return frictionless.project;
	if (law == BILATERAL) return bilateral.project;
	if (law == RELAXED) return relaxed.project;
	if (law == ANISOTROPIC) return anisotropic.project;
	if (law == CAPPED) return capped.project;
	if (law == BOX) return box.project;
	if (law == PRELOADED) return preloaded.project;
	return cohesive.project;
}

export function velocityOf(law: i32): Velocity {
	if (law == FRICTIONLESS) return frictionless.velocity;
	if (law == BILATERAL) return bilateral.velocity;
	if (law == RELAXED) return relaxed.velocity;
	if (law == ANISOTROPIC) return anisotropic.velocity;
	if (law == CAPPED) return capped.velocity;
	if (law == BOX) return box.velocity;
	if (law == PRELOADED) return preloaded.velocity;
	return cohesive.velocity;
}

export function solveOf(law: i32): Solve {
	if (law == FRICTIONLESS) return frictionless.solve;
	if (law == BILATERAL) return bilateral.solve;
	if (law == RELAXED) return relaxed.solve;
	if (law == ANISOTROPIC) return anisotropic.solve;
	if (law == CAPPED) return capped.solve;
	if (law == BOX) return box.solve;
	if (law == PRELOADED) return preloaded.solve;
	return cohesive.solve;
}

export function residualOf(law: i32): Residual {
	if (law == FRICTIONLESS) return frictionless.residual;
	if (law == BILATERAL) return bilateral.residual;
	if (law == RELAXED) return relaxed.residual;
	if (law == ANISOTROPIC) return anisotropic.residual;
	if (law == CAPPED) return capped.residual;
	if (law == BOX) return box.residual;
	if (law == PRELOADED) return preloaded.residual;
	return cohesive.residual;
}

/** Index of the number that is added to R_N, with the sign below, to get the unknown that measures know; -1 for none. */
export function shiftOf(law: i32): i32 {
	return law == COHESIVE || law == PRELOADED ? 1 : -1;
}

export function shiftSign(law: i32): f64 {
	return law == PRELOADED ? -1 : 1;
}
