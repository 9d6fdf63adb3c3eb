/** Laws of contact by a few lines of mechanics: one point mass, whose answer each case derives. */
import { describe, expect, test } from "vitest";
import type { Problem } from "../problem/problem.js";
import { oneContact } from "../testing/closed-forms.js";
import { type GivenLaw, withLaws } from "../testing/laws.js";
import { METHODS } from "../testing/methods.js";
import { solve } from "./solve.js";

const MASS = 2;
const point = [1 / MASS, 0, 0, 0, 1 / MASS, 0, 0, 0, 1 / MASS];
/** A point mass with this free velocity. */
const mass = (q: readonly [number, number, number], mu: number, law: GivenLaw) =>
	withLaws(oneContact(point, q, mu), () => law);
/** By hand: [what, problem, R, U]. */
const forms: readonly [string, Problem, readonly number[], readonly number[]][] = [
	// Gravity draws 0.1 away from the ceiling: the glue has to hold 2 * 0.1.
	[
		"a hanging block that its cohesion holds",
		mass([0.1, 0, 0], 0.5, { law: "cohesive", cohesion: 0.3 }),
		[-0.2, 0, 0],
		[0, 0, 0],
	],
	// It holds 0.15 of 0.2, and the rest of the velocity stays: 0.1 - 0.15 / 2.
	[
		"a hanging block that falls",
		mass([0.1, 0, 0], 0.5, { law: "cohesive", cohesion: 0.15 }),
		[-0.15, 0, 0],
		[0.025, 0, 0],
	],
	// Sticks by cohesion alone: |R_T| = 0.1 within 0.5 (0 + 0.3).
	["a block on a wall, held", mass([0, 0.05, 0], 0.5, { law: "cohesive", cohesion: 0.3 }), [0, -0.1, 0], [0, 0, 0]],
	// |R_T| = 0.5 (0 + 0.3), and slides on with 0.2 - 0.15 / 2.
	[
		"a block on a wall, sliding",
		mass([0, 0.2, 0], 0.5, { law: "cohesive", cohesion: 0.3 }),
		[0, -0.15, 0],
		[0, 0.125, 0],
	],
	["no friction, pressed", mass([-0.1, 0.4, 0.3], 0.7, { law: "frictionless" }), [0.2, 0, 0], [0, 0.4, 0.3]],
	["no friction, open", mass([0.1, 0.4, 0.3], 0.7, { law: "frictionless" }), [0, 0, 0], [0.1, 0.4, 0.3]],
	["a joint", mass([0.1, 0.4, -0.3], 0, { law: "bilateral" }), [-0.2, -0.8, 0.6], [0, 0, 0]],
	["relaxed, stuck", mass([-0.1, 0.03, 0], 0.5, { law: "relaxed" }), [0.2, -0.06, 0], [0, 0, 0]],
	// R = t (1, -mu), t = m (0.1 + 0.5 * 0.2) / (1 + 0.25) = 0.32; U_N = mu U_T = 0.5 * 0.12.
	["relaxed, sliding and so opening", mass([-0.1, 0.2, 0], 0.5, { law: "relaxed" }), [0.32, -0.16, 0], [0.06, 0.12, 0]],
	// In the dual cone: U_N = 0.2 >= 0.5 * 0.2.
	["relaxed, taking off", mass([0.2, 0.2, 0], 0.5, { law: "relaxed" }), [0, 0, 0], [0.2, 0.2, 0]],
	// Coulomb's would be open; this one is not, as U_N < mu |U_T|: t = m (-0.02 + 0.1) / 1.25 = 0.128.
	[
		"relaxed, sliding although it would open",
		mass([0.02, 0.2, 0], 0.5, { law: "relaxed" }),
		[0.128, -0.064, 0],
		[0.084, 0.168, 0],
	],
	// Slip (0.6, 1.6) along the axes: s = hypot(0.5 * 0.6, 0.25 * 1.6) = 0.5, R_i = -0.2 mu_i^2 u_i / s.
	[
		"an ellipse, sliding off the line of its free velocity",
		mass([-0.1, 0.63, 1.62], 0.5, { law: "anisotropic", across: 0.25 }),
		[0.2, -0.06, -0.04],
		[0, 0.6, 1.6],
	],
	// The same with the first axis along (0.6, 0.8).
	[
		"an ellipse, turned",
		mass([-0.1, 0.6 * 0.63 - 0.8 * 1.62, 0.8 * 0.63 + 0.6 * 1.62], 0.5, {
			law: "anisotropic",
			across: 0.25,
			axis1: 0.6,
			axis2: 0.8,
		}),
		[0.2, -0.6 * 0.06 + 0.8 * 0.04, -0.8 * 0.06 - 0.6 * 0.04],
		[0, 0.6 * 0.6 - 0.8 * 1.6, 0.8 * 0.6 + 0.6 * 1.6],
	],
	// It holds 0.2 * 0.5 = 0.1 along its axis and 0.2 * 0.25 = 0.05 across.
	[
		"an ellipse, stuck along its axis",
		mass([-0.1, 0.0499, 0], 0.5, { law: "anisotropic", across: 0.25 }),
		[0.2, -0.0998, 0],
		[0, 0, 0],
	],
	[
		"an ellipse, sliding across its axis",
		mass([-0.1, 0.04, 0], 0.5, { law: "anisotropic", across: 0.25, axis1: 0, axis2: 1 }),
		[0.2, -0.05, 0],
		[0, 0.015, 0],
	],
	[
		"an ellipse without friction across",
		mass([-0.1, 0.04, 0.3], 0.5, { law: "anisotropic", across: 0 }),
		[0.2, -0.08, 0],
		[0, 0, 0.3],
	],
	["a floor that gives way", mass([-0.1, 0, 0], 0.5, { law: "capped", cap: 0.15 }), [0.15, 0, 0], [-0.025, 0, 0]],
	[
		"a floor that gives way while the load slides",
		mass([-0.1, 0.2, 0], 0.5, { law: "capped", cap: 0.1 }),
		[0.1, -0.05, 0],
		[-0.05, 0.175, 0],
	],
	["a floor below its cap", mass([-0.1, 0.03, 0], 0.5, { law: "capped", cap: 0.21 }), [0.2, -0.06, 0], [0, 0, 0]],
	[
		"a contact that opens, sliding under its preload",
		mass([0.3, 0.2, 0], 0.5, { law: "preloaded", preload: 0.1 }),
		[0.1, -0.05, 0],
		[0.35, 0.175, 0],
	],
	[
		"a contact that opens, held by the friction of its preload",
		mass([0.3, 0, 0.02], 0.5, { law: "preloaded", preload: 0.1 }),
		[0.1, 0, -0.04],
		[0.35, 0, 0],
	],
	[
		"a contact pressed by more than its preload",
		mass([-0.1, 0.03, 0], 0.5, { law: "preloaded", preload: 0.1 }),
		[0.2, -0.06, 0],
		[0, 0, 0],
	],
	// A motor at its limit, one within, and a given force: -0.6 is wanted of the first, 0.04 of the second.
	[
		"motors",
		mass([0.3, -0.02, 0.5], 0, {
			law: "box",
			...{ low0: -0.1, high0: 0.1, low1: -0.1, high1: 0.1, low2: 0.06, high2: 0.06 },
		}),
		[-0.1, 0.04, 0.06],
		[0.25, 0, 0.53],
	],
];

const furthest = (x: Float64Array, y: readonly number[]): number =>
	Math.max(...x.map((value, i) => Math.abs(value - y[i]!)));

describe.each(forms)("%s", (_, problem, reaction, velocity) => {
	test.each([...METHODS.filter((method) => method !== "mprgp" && method !== "gpminres")])("%s", (method) => {
		const { report, ...found } = solve(problem, { method, tolerance: 4e-13, maxIterations: 20_000 });
		expect(report.status).toBe("solved");
		expect(furthest(found.reaction, reaction)).toBeLessThan(1e-12);
		expect(furthest(found.velocity, velocity)).toBeLessThan(1e-12);
	});
});
