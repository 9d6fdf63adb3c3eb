import { describe, expect, it } from "vitest";
import { makeBodies } from "../bodies/make.js";
import { compileShape } from "../shapes/compile.js";
import { Simulation } from "../simulation/simulation.js";
import { modelOf, planeShape } from "../testing/bodies.js";
import { makeScheme } from "../time/theta.js";
import { ContactList } from "./contact-list.js";
import { ContactDetector } from "./detect.js";

const ball = compileShape({ kind: "sphere", radius: 1 });
const model = { ...modelOf([planeShape([0, 0, 1], 0), ball]), laws: [{ friction: 0.5, restitution: 0 }] };

type Vector = readonly [number, number, number];

/** Balls above the plane, at these places and velocities. */
function ballsAt(...balls: readonly { position: Vector; velocity?: Vector; spin?: Vector }[]) {
	const plane = { kind: "obstacle", shape: 0, material: 0 } as const;
	return makeBodies(model, [plane, ...balls.map((each) => ({ shape: 1, material: 0, ...each }))]);
}

/** Pairs of bodies in contact, and their gaps. */
function found(bodies: ReturnType<typeof ballsAt>, margin: number, ahead: number): number[][] {
	const contacts = new ContactList();
	new ContactDetector(model).detect(bodies, { margin, ahead, fall: 0, beside: 0, anticipatesBounces: true }, contacts);
	return Array.from({ length: contacts.count }, (_, a) => [contacts.body[2 * a]!, contacts.body[2 * a + 1]!]);
}

describe("contacts ahead", () => {
	const above: Vector = [0, 0, 3];

	it("are those of gaps that close in time", () => {
		const falls = ballsAt({ position: above, velocity: [0, 0, -4] });
		expect(found(falls, 0.1, 0)).toEqual([]);
		expect(found(falls, 0.1, 0.4)).toEqual([]);
		// 2 - 0.475 * 4 is the margin.
		expect(found(falls, 0.1, 0.474)).toEqual([]);
		expect(found(falls, 0.1, 0.476)).toEqual([[0, 1]]);
	});

	it("are not those of gaps that stay", () => {
		for (const velocity of [
			[0, 0, 0],
			[9, 0, 0],
			[0, 0, 9],
		] as const) {
			expect(found(ballsAt({ position: above, velocity, spin: [0, 9, 0] }), 0.1, 1)).toEqual([]);
		}
	});

	it("are found between bodies that are both fast", () => {
		const meet = ballsAt(
			{ position: [0, 0, 9], velocity: [30, 0, 0] },
			{ position: [40, 0, 9], velocity: [-10, 0, 0] },
		);
		expect(found(meet, 0, 0.94)).toEqual([]);
		expect(found(meet, 0, 0.96)).toEqual([[1, 2]]);
	});

	it("end a plastic fall on the plane without a bounce, however fast it is", () => {
		const bodies = ballsAt({ position: above, velocity: [0, 0, -37] });
		const scheme = makeScheme({ name: "velocity-impulse" });
		const solver = { measure: "energy", tolerance: 1e-10 } as const;
		const simulation = new Simulation({ name: "fall", model, bodies, events: [], scheme, step: 0.01, solver });
		for (let k = 0; k < 20; k += 1) expect([...simulation.step()]).toEqual([]);
		expect(simulation.bodies.position[5]).toBeCloseTo(1, 9);
		expect(simulation.bodies.velocity[5]).toBeCloseTo(0, 9);
	});
});
