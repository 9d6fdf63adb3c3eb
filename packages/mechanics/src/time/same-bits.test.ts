import { describe, expect, it } from "vitest";
import { STATE_FIELDS } from "../bodies/bodies.js";
import { makeBodies } from "../bodies/make.js";
import { makeMotion } from "../bodies/motion.js";
import { ellipsoidModel, SOFT } from "../testing/ellipsoids.js";
import { fly } from "../testing/flight.js";
import type { SchemeOptions } from "./scheme.js";
import { makeScheme } from "./theta.js";

/** A turning and shaken obstacle, two rigid bodies and a pseudo-rigid one after some steps, as the bits of their state in one number (FNV-1a). */
function bitsOf(options: SchemeOptions): string {
	const material = { ...SOFT, damping: 0.01 };
	const model = ellipsoidModel([0.9, 0.5, 1], { gravity: Float64Array.of(0.1, 0.2, -9.81), materials: [material] });
	const spin = [3, -2, 5] as const;
	const bodies = makeBodies(model, [
		{ kind: "obstacle", shape: 0, material: 0, position: [1, 2, 3] },
		{ shape: 0, material: 0, spin, orientation: [1, 2, 3, 4] },
		{ shape: 0, material: 0, spin, inertia: [3, 2, 2.5, 0.3, -0.2, 0.1], velocity: [1, 2, 3] },
		{ kind: "pseudo-rigid", shape: 0, material: 0, spin: [0.3, 0.2, 0.1] },
	]);
	const shake = { amplitude: [0.1, 0, 0.3], frequency: 1.7, phase: 0.3 } as const;
	const motion = makeMotion(bodies, 0, [{ from: 0.1, spin: [0.3, 1, 20], pivot: [0, 0, 1], shake }]);
	fly(makeScheme(options), { ...model, motions: [motion] }, bodies, 0.01, 500);
	let hash = 0x811c9dc5;
	for (const field of STATE_FIELDS) {
		for (const number of bodies[field]) {
			// The two zeros are one.
			for (const byte of new Uint8Array(Float64Array.of(number + 0).buffer)) {
				hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
			}
		}
	}
	return hash.toString(16);
}

describe("motion without contacts", () => {
	const stored: readonly [SchemeOptions, string][] = [
		[{ name: "half-step" }, "aa4e75d1"],
		[{ name: "half-step", rotation: "conserving", implicit: true }, "7b15439f"],
		[{ name: "moreau", theta: 0.75, implicit: true }, "c1d392f5"],
		[{ name: "velocity-impulse" }, "6040a006"],
	];
	it.each(stored)("has the bits that it always had: %o", (options, bits) => {
		expect(bitsOf(options)).toBe(bits);
	});
});
