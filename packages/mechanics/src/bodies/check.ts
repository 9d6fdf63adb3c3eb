/** What no body can be, told at its path in the scene. */
import { InputError } from "@stickslip/core";
import { type Bodies, KIND } from "./bodies.js";
import type { Model } from "./model.js";

/** Moments may be this much below zero by rounding, as a share of their sum. */
const ROUNDING = 1e-12;

export function refuseBody(path: string, name: string, value: unknown, remedy: string): InputError {
	return new InputError("scene", `${path}/${name}`, `${JSON.stringify(value) ?? "nothing"} cannot be`, remedy);
}

/** Mass, inertia (given, or that of the shape) and what a pseudo-rigid body needs of its material. */
export function checkInertia(model: Model, bodies: Bodies, i: number, path: string, isGiven: boolean): void {
	const mass = bodies.mass[i]!;
	if (!(mass > 0 && mass < Number.POSITIVE_INFINITY)) {
		throw refuseBody(path, "mass", mass, "give a finite mass above zero, or a density and a shape that has a volume");
	}
	const [a, b, c] = [bodies.inertia[3 * i]!, bodies.inertia[3 * i + 1]!, bodies.inertia[3 * i + 2]!];
	const sum = a + b + c;
	if (!(Math.min(a, b, c) > ROUNDING * sum && sum < Number.POSITIVE_INFINITY)) {
		if (!isGiven) {
			const problem = `is too thin for a body: its principal moments of inertia are ${a}, ${b} and ${c}`;
			throw new InputError("scene", `${path}/shape`, problem, "make it thicker, or give the body an inertia");
		}
		throw refuseBody(path, "inertia", [a, b, c], "give an inertia whose principal moments are above zero");
	}
	// Any two principal moments of a body together are at least the third.
	if (2 * Math.max(a, b, c) - sum > ROUNDING * sum) {
		throw refuseBody(
			path,
			"inertia",
			[a, b, c],
			"no body has it: one principal moment is larger than the two others together",
		);
	}
	if (bodies.kind[i] === KIND.pseudoRigid) checkMaterial(model, bodies, i, path);
}

function checkMaterial(model: Model, bodies: Bodies, i: number, path: string): void {
	const { name, young, poisson, damping = 0 } = model.materials[bodies.material[i]!]!;
	const refuse = (what: string, value: unknown, remedy: string) => {
		const problem = `material ${name} has ${value === undefined ? "no" : value} ${what}`;
		return new InputError("scene", `${path}/material`, problem, remedy);
	};
	if (young === undefined || !(young > 0 && Number.isFinite(young))) {
		throw refuse("young", young, `a pseudo-rigid body needs Young's modulus: give materials.${name}.young, above zero`);
	}
	if (poisson === undefined || !(poisson > -1 && poisson < 0.5)) {
		throw refuse(
			"poisson",
			poisson,
			`a pseudo-rigid body needs Poisson's ratio: give materials.${name}.poisson, between -1 and 0.5`,
		);
	}
	if (!(damping >= 0 && Number.isFinite(damping))) throw refuse("damping", damping, "damping is zero or more seconds");
	if (!(Math.min(...principalMoments(bodies, i)) > 0)) {
		throw refuseBody(path, "shape", bodies.shape[i], "a pseudo-rigid body extends in all three directions");
	}
}

/** Along the principal axes: half of two inertias less the third. */
function principalMoments(bodies: Bodies, i: number): number[] {
	const [a, b, c] = [bodies.inertia[3 * i]!, bodies.inertia[3 * i + 1]!, bodies.inertia[3 * i + 2]!];
	return [0.5 * (b + c - a), 0.5 * (a + c - b), 0.5 * (a + b - c)];
}
