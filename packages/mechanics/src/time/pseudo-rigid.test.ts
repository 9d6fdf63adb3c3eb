import { describe, expect, it } from "vitest";
import type { Bodies } from "../bodies/bodies.js";
import { makeBodies } from "../bodies/make.js";
import type { Model } from "../bodies/model.js";
import { ellipsoidModel, SOFT } from "../testing/ellipsoids.js";
import { fly, orders } from "../testing/flight.js";
import { addStiffness, addStress, addStressRate, lame, strainEnergy } from "./elastic.js";
import { addAngularMomentum, elasticEnergy, kineticEnergy } from "./energy.js";
import type { SchemeOptions } from "./scheme.js";
import { makeScheme } from "./theta.js";

const explicit: SchemeOptions = { name: "half-step" };
const implicit: SchemeOptions = { name: "half-step", implicit: true };

function drop(model: Model, changes: object = {}): Bodies {
	return makeBodies(model, [{ kind: "pseudo-rigid", shape: 0, material: 0, ...changes }]);
}

describe("the material", () => {
	const F = Float64Array.of(1.1, 0.2, -0.1, 0.05, 0.9, 0.3, -0.2, 0.1, 1.2);
	const constants = new Float64Array(2);
	lame(SOFT, constants);
	const [lambda, mu] = [constants[0]!, constants[1]!];

	it("has Lame's constants of its modulus and ratio", () => {
		expect([lambda, mu]).toEqual([expect.closeTo(0.4, 14), expect.closeTo(0.4, 14)]);
	});

	it("has a stress that is the slope of its energy, and a stiffness that is the slope of its stress", () => {
		const [stress, A] = [new Float64Array(9), new Float64Array(81)];
		addStress(F, 0, lambda, mu, 1, stress);
		addStiffness(F, 0, lambda, mu, 1, 1, A);
		const step = 1e-5;
		for (let k = 0; k < 9; k += 1) {
			const [up, down] = [F.slice(), F.slice()];
			up[k]! += step;
			down[k]! -= step;
			const slope = (strainEnergy(up, 0, lambda, mu) - strainEnergy(down, 0, lambda, mu)) / (2 * step);
			expect(slope).toBeCloseTo(stress[k]!, 8);
			const [above, below, rate] = [new Float64Array(9), new Float64Array(9), new Float64Array(9)];
			addStress(up, 0, lambda, mu, 1, above);
			addStress(down, 0, lambda, mu, 1, below);
			addStressRate(
				F,
				0,
				Float64Array.from({ length: 9 }, (_, m) => Number(m === k)),
				lambda,
				mu,
				1,
				1,
				rate,
			);
			for (let m = 0; m < 9; m += 1) {
				expect((above[m]! - below[m]!) / (2 * step)).toBeCloseTo(rate[m]!, 8);
				if (m >= k) expect(A[9 * m + k]).toBeCloseTo(rate[m]!, 12);
			}
		}
	});

	it("is as stiff as its modulus says", () => {
		const [stretch, stress] = [1e-6, new Float64Array(9)];
		const thin = 1 - SOFT.poisson! * stretch;
		addStress(Float64Array.of(1 + stretch, 0, 0, 0, thin, 0, 0, 0, thin), 0, lambda, mu, 1, stress);
		expect(stress[0]! / stretch).toBeCloseTo(SOFT.young!, 5);
		expect(stress[4]! / stretch).toBeCloseTo(0, 5);
	});
});

describe("a pseudo-rigid body", () => {
	/** Of a sphere that grows and shrinks: moment V rho r^2 / 5, stiffness V (3 lambda + 2 mu), with r = 1, rho = 1 and both constants 0.4. */
	const omega = Math.sqrt(5 * 2);

	it("breathes at its frequency, with the error that each scheme has in closed form", () => {
		const model = ellipsoidModel([1, 1, 1]);
		for (const [options, numerical] of [
			[explicit, (h: number) => (2 / h) * Math.asin(0.5 * h * omega)],
			[implicit, (h: number) => (2 / h) * Math.atan(0.5 * h * omega)],
		] as const) {
			const errors = [32, 64, 128].map((steps) => {
				const bodies = drop(model);
				const h = 1 / steps;
				for (let k = 0; k < 9; k += 4) bodies.rate[k] = 1e-8;
				const frequency = numerical(h);
				fly(makeScheme(options), model, bodies, h, steps);
				const stretch = (bodies.map[0]! - 1) / 1e-8;
				// Both schemes are exact for an oscillator of another frequency and amplitude.
				const amplitude = (0.5 * h) / Math.tan(0.5 * frequency * h);
				expect(stretch / amplitude).toBeCloseTo(Math.sin(frequency), 6);
				return Math.abs(stretch - Math.sin(omega) / omega);
			});
			for (const order of orders(errors)) expect(order).toBeGreaterThan(1.9);
		}
	});

	it("flies and deforms without drift of energy, and with its angular momentum", () => {
		const model = ellipsoidModel([0.9, 0.5, 1]);
		const bodies = drop(model, { spin: [0.3, -0.2, 0.5] });
		for (let k = 0; k < 9; k += 1) bodies.map[k]! += 0.005 * (((k * 7) % 5) - 2);
		// The shortest period is that of waves along the smallest radius: sqrt((lambda + 2 mu) 5 / rho) / r.
		const h = (2 * Math.PI * 0.5) / Math.sqrt(1.2 * 5) / 100;
		const energy = () => kineticEnergy(bodies, 0) + elasticEnergy(model, bodies, 0);
		const momentum = () => {
			const out = new Float64Array(3);
			addAngularMomentum(bodies, 0, out);
			return [...out];
		};
		const [start, before] = [energy(), momentum()];
		const quarters = [0, 0, 0, 0];
		fly(makeScheme(explicit), model, bodies, h, 10_000, (step) => {
			quarters[Math.floor(step / 2500)]! += energy() / start / 2500;
		});
		for (const quarter of quarters) expect(Math.abs(quarter - quarters[0]!)).toBeLessThan(1e-6);
		momentum().forEach((x, d) => {
			expect(Math.abs(x - before[d]!)).toBeLessThan(1e-11 * Math.max(...before.map(Math.abs)));
		});
	});

	it("stays stable in steps longer than its shortest period where its scheme is implicit, and loses energy where it is damped", () => {
		const model = ellipsoidModel([0.9, 0.5, 1]);
		const damped = ellipsoidModel([0.9, 0.5, 1], { materials: [{ ...SOFT, damping: 0.1 }] });
		for (const [of, least, most] of [
			[model, 0.9, 1.1],
			[damped, 0, 0.02],
		] as const) {
			const bodies = drop(of);
			for (let k = 0; k < 9; k += 4) bodies.map[k] = 1.0001;
			const start = elasticEnergy(of, bodies, 0);
			fly(makeScheme(implicit), of, bodies, 2, 1000);
			const end = kineticEnergy(bodies, 0) + elasticEnergy(of, bodies, 0);
			expect(end / start).toBeGreaterThanOrEqual(least);
			expect(end / start).toBeLessThan(most);
		}
	});

	it("is braked by damping in what deforms it, not in what turns it", () => {
		const model = ellipsoidModel([1, 1, 1], { materials: [{ ...SOFT, damping: 0.05 }] });
		const bodies = drop(model, { spin: [0, 0, 0.1] });
		const momentum = () => {
			const out = new Float64Array(3);
			addAngularMomentum(bodies, 0, out);
			return out[2]!;
		};
		const start = momentum();
		fly(makeScheme(explicit), model, bodies, 0.02, 5000);
		expect(Math.abs(momentum() / start - 1)).toBeLessThan(1e-12);
		const turning = kineticEnergy(bodies, 0);
		fly(makeScheme(explicit), model, bodies, 0.02, 5000);
		expect(Math.abs(kineticEnergy(bodies, 0) / turning - 1)).toBeLessThan(1e-6);
	});

	it("turns without end in implicit steps of any scheme, damped or not", () => {
		for (const damping of [0, 0.05]) {
			const model = ellipsoidModel([0.9, 0.5, 1], { materials: [{ ...SOFT, damping }] });
			for (const options of [
				{ name: "velocity-impulse" },
				{ name: "moreau", theta: 0.6 },
				{ name: "moreau", theta: 1 },
			] as const) {
				const bodies = drop(model, { spin: [0.02, 0.01, 0.01] });
				const start = kineticEnergy(bodies, 0);
				fly(makeScheme({ ...options, implicit: true }), model, bodies, 0.05, 10_000);
				const end = kineticEnergy(bodies, 0) + elasticEnergy(model, bodies, 0);
				expect(Math.abs(end / start - 1)).toBeLessThan(1e-3);
			}
		}
	});

	it("says so when it is turned inside out", () => {
		const model = ellipsoidModel([1, 1, 1]);
		const bodies = drop(model);
		bodies.rate[0] = -30;
		expect(() => fly(makeScheme(explicit), model, bodies, 0.1, 1)).toThrow(
			"simulation: body 0 at t = 0.05: it is turned inside out: the determinant of its deformation gradient is not above zero; take a smaller step",
		);
	});
});
