import { describe, expect, it } from "vitest";
import { ellipsoidModel } from "../testing/ellipsoids.js";
import { fly } from "../testing/flight.js";
import { makeScheme } from "../time/theta.js";
import { makeBodies } from "./make.js";
import { type MotionPiece, makeMotion, placeObstacle, setObstacleVelocity } from "./motion.js";

const still = ellipsoidModel([1, 1, 1]);
const wall = () => makeBodies(still, [{ kind: "obstacle", shape: 0, material: 0, position: [2, 0, 0] }]);

/** Position, quaternion, velocity and spin at a time. */
function at(pieces: readonly MotionPiece[], t: number) {
	const bodies = wall();
	const motion = makeMotion(bodies, 0, pieces);
	placeObstacle(bodies, 0, motion, t);
	setObstacleVelocity(bodies, 0, motion, t, bodies.velocity, bodies.spin);
	const near = (numbers: Float64Array) => [...numbers].map((x) => Math.round(x * 1e12) / 1e12 + 0);
	return [bodies.position, bodies.velocity, bodies.spin].map(near);
}

describe("an obstacle", () => {
	const turn: MotionPiece = { from: 1, spin: [0, 0, 0.5 * Math.PI], pivot: [0, 0, 0] };

	it("rests before its first piece", () => {
		expect(at([turn], 0.5)).toEqual([
			[2, 0, 0],
			[0, 0, 0],
			[0, 0, 0],
		]);
	});

	it("turns about its pivot", () => {
		const spin = [0, 0, Math.round(0.5 * Math.PI * 1e12) / 1e12];
		expect(at([turn], 2)).toEqual([[0, 2, 0], [Math.round(-Math.PI * 1e12) / 1e12, 0, 0], spin]);
		// The product of rate and time is rounded: to 1e-10 after a million quarters of a turn.
		expect(at([turn], 1_000_001)[0]).toEqual([2, 0, 0].map((x) => expect.closeTo(x, 9)));
	});

	it("goes on from where a piece ends, with the rates of the next piece at that time", () => {
		const pieces = [turn, { from: 2, velocity: [0, 1, 0] }, { from: 4 }] as const;
		expect(at(pieces, 2)).toEqual([
			[0, 2, 0],
			[0, 1, 0],
			[0, 0, 0],
		]);
		expect(at(pieces, 3.5)[0]).toEqual([0, 3.5, 0]);
		expect(at(pieces, 9)).toEqual([
			[0, 4, 0],
			[0, 0, 0],
			[0, 0, 0],
		]);
	});

	it("shakes about where it is, and moves on at the same time", () => {
		const shake = { amplitude: [0, 0, 0.5], frequency: 2 } as const;
		expect(at([{ from: 0, shake }], 0.125)).toEqual([
			[2, 0, 0.5],
			[0, 0, 0],
			[0, 0, 0],
		]);
		const velocity = Math.round(2 * Math.PI * 1e12) / 1e12;
		expect(at([{ from: 0, velocity: [1, 0, 0], shake }], 1)).toEqual([
			[3, 0, 0],
			[1, 0, velocity],
			[0, 0, 0],
		]);
		const late = { ...shake, phase: 0.5 * Math.PI };
		expect(at([{ from: 0, shake: late }], 0.25)[0]).toEqual([2, 0, -1]);
	});

	it("has rates that are the slopes of its pose", () => {
		const shake = { amplitude: [0.1, 0.2, 0.3], frequency: 1.3, phase: 0.4 } as const;
		const piece: MotionPiece = { from: 0, spin: [0.3, -0.2, 0.7], velocity: [1, 2, 3], pivot: [1, 1, 1], shake };
		const [before, now, after] = [0.7 - 1e-5, 0.7, 0.7 + 1e-5].map((t) => at([piece], t));
		for (let d = 0; d < 3; d += 1) {
			expect((after![0]![d]! - before![0]![d]!) / 2e-5).toBeCloseTo(now![1]![d]!, 6);
		}
	});

	it("is where its motion says after many steps, and its contacts see the velocity at their end", () => {
		const bodies = wall();
		const model = { ...still, motions: [makeMotion(bodies, 0, [turn])] };
		const scheme = makeScheme({ name: "half-step" });
		fly(scheme, model, bodies, 1 / 64, 128);
		expect([...bodies.position]).toEqual([0, 2, 0].map((x) => expect.closeTo(x, 14)));
		scheme.configure(model, bodies, 0.75, 0.5);
		expect([...bodies.position]).toEqual([2, 0, 0]);
		scheme.freeVelocity(model, bodies, 0.75, 0.5);
		expect([bodies.velocity[1], scheme.before.velocity[1]]).toEqual([expect.closeTo(Math.PI, 14), 0]);
	});

	it("is refused where its pieces are out of order or no numbers", () => {
		expect(() => at([{ from: 1 }, { from: 1 }], 0)).toThrow("/bodies/0/motion/1/from: 1 is not after 1");
		expect(() => at([{ from: Number.NaN }], 0)).toThrow("/bodies/0/motion/0: a number is not finite");
	});
});
