import { Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { makeBodies } from "../bodies/make.js";
import { ellipsoidModel, SOFT } from "../testing/ellipsoids.js";
import { SCHEME_NAMES } from "./scheme.js";
import { makeScheme } from "./theta.js";

const model = ellipsoidModel([0.9, 0.5, 1], {
	gravity: Float64Array.of(0.1, 0.2, -9.81),
	materials: [{ ...SOFT, damping: 0.1 }],
});
const random = new Random(7);
const numbers = (count: number) => Float64Array.from({ length: count }, () => random.between(-1, 1));

/** A rigid body and a pseudo-rigid one in the middle of a step, and random impulses that it ends with. */
function midway(options: Parameters<typeof makeScheme>[0]) {
	const h = 0.01;
	const scheme = makeScheme(options);
	const spin = [0.3, -0.2, 0.5] as const;
	const bodies = makeBodies(model, [
		{ shape: 0, material: 0, spin, orientation: [1, 2, 3, 4], inertia: [3, 2, 2.5, 0.3, -0.2, 0.1] },
		{ kind: "pseudo-rigid", shape: 0, material: 0, spin },
	]);
	scheme.configure(model, bodies, 0, h);
	scheme.freeVelocity(model, bodies, 0, h);
	const impulses = { linear: numbers(6), angular: numbers(6), rate: numbers(18) };
	return { scheme, bodies, impulses, end: () => scheme.finish(model, bodies, impulses, 0, h) };
}

describe.each(SCHEME_NAMES)("impulses of %s", (name) => {
	it.each([false, true])("change velocities by the inverse masses of W (implicit: %s)", (implicit) => {
		const { scheme, bodies, impulses, end } = midway({ name, implicit });
		const { mass, rate: inverse } = scheme.inverseMasses;
		const [velocity, rate] = [bodies.velocity.slice(), bodies.rate.slice()];
		end();
		for (let k = 0; k < 6; k += 1) {
			expect(bodies.velocity[k]).toBe(velocity[k]! + mass[Math.floor(k / 3)]! * impulses.linear[k]!);
		}
		for (let k = 0; k < 9; k += 1) {
			let change = 0;
			for (let m = 0; m < 9; m += 1) change += inverse[81 + 9 * k + m]! * impulses.rate[9 + m]!;
			expect(bodies.rate[9 + k]).toBeCloseTo(rate[9 + k]! + change, 13);
		}
	});

	it("add to the momentum of rigid bodies, which is what the inverse inertia makes of the change of spin", () => {
		const { scheme, bodies, impulses, end } = midway({ name });
		const [xx, yy, zz, xy, xz, yz] = scheme.inverseMasses.inertia as unknown as number[];
		const rows = [
			[xx, xy, xz],
			[xy, yy, yz],
			[xz, yz, zz],
		] as number[][];
		const momentum = bodies.angularMomentum.slice(0, 3);
		const spin = bodies.spin.slice(0, 3);
		end();
		for (let d = 0; d < 3; d += 1) {
			expect(bodies.angularMomentum[d]).toBe(momentum[d]! + impulses.angular[d]!);
			// Free spin is the inverse inertia times the momentum, in the configuration of the contacts.
			const free = rows[d]!.reduce((sum, entry, k) => sum + entry * momentum[k]!, 0);
			expect(spin[d]).toBeCloseTo(free, 13);
		}
	});
});
