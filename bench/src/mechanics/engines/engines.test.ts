/** Each engine is told of the same scene and tells of it in the same numbers: a turning cube in free fall, whose motion is known; and what is made of states. */
import { describeScene, type SceneDescription } from "@stickslip/mechanics";
import { describe, expect, it } from "vitest";
import type { BodyStates, Engine } from "./engine.js";
import { jolt } from "./jolt.js";
import { energyDrift, energyGain, farthest, lift, measureStates } from "./measures.js";
import { mujoco } from "./mujoco.js";
import { ours } from "./ours.js";
import { rapier } from "./rapier.js";
import { type EngineRow, lostRow, rowOf } from "./rows.js";
import { lackOfSiconos, siconos } from "./siconos.js";
import { verdict } from "./verdict.js";

const lack = lackOfSiconos();
const engines: readonly (readonly [string, Engine, string | undefined])[] = [
	["stickslip", ours(1e-6), undefined],
	["rapier", rapier, undefined],
	["jolt", jolt, undefined],
	["mujoco", mujoco, undefined],
	[`siconos (needs ${lack ?? "nothing more"})`, siconos(1e-6), lack],
];

const stack = describeScene("stack", { bodies: 1, size: 0.2, step: 1e-3 });
const spin = [0.3, -0.5, 2] as const;
const falling: SceneDescription = {
	...stack,
	bodies: [{ ...stack.bodies[0]!, position: [1, 2, 5], orientation: [0.8, 0, 0.6, 0], velocity: [0.5, 0, 1], spin }],
};
const steps = 100;
const limit = 60;
const truth = {};

describe.each(engines)("%s", (_, engine, reason) => {
	it("has a cube fall and turn as it does", async (context) => {
		if (reason !== undefined) context.skip(`needs Siconos: ${reason}`);
		const run = await engine.run({ name: "fall", description: falling, steps, every: 50, limit, truth });
		expect([run.seconds.length, run.states.length]).toEqual([steps, 3]);
		const t = steps * 1e-3;
		const { position, orientation, velocity, spin: turning } = run.states[2]!;
		// Of order 1 in the step at most: g h t / 2.
		const place = [1 + 0.5 * t, 2, 5 + t - 4.905 * t * t];
		for (const [d, x] of place.entries()) expect(position[d]).toBeCloseTo(x, 2);
		for (const [d, v] of [0.5, 0, 1 - 9.81 * t].entries()) expect(velocity[d]).toBeCloseTo(v, 2);
		for (const [d, w] of spin.entries()) expect(turning[d]).toBeCloseTo(w, 2);
		const angle = Math.sqrt(spin[0] ** 2 + spin[1] ** 2 + spin[2] ** 2) * t;
		const [c, s] = [Math.cos(angle / 2), Math.sin(angle / 2) / (angle / t)];
		const [x, y, z] = spin.map((w) => w * s) as [number, number, number];
		const expected = [0.8 * c - 0.6 * y, 0.8 * x - 0.6 * z, 0.6 * c + 0.8 * y, 0.8 * z + 0.6 * x];
		const dot = expected.reduce((sum, q, k) => sum + q * orientation[k]!, 0);
		expect(Math.abs(dot)).toBeGreaterThan(1 - 1e-5);
	});

	it("has a block rest on a slope below the angle of friction", async (context) => {
		if (reason !== undefined) context.skip(`needs Siconos: ${reason}`);
		const description = describeScene("incline", { angle: 20, friction: 0.5, step: 2e-3 });
		const { states } = await engine.run({ name: "slope", description, steps: 100, every: 50, limit, truth });
		expect(farthest(states)).toBeLessThan(1e-3);
	});
});

describe("measures", () => {
	const at = (...z: number[]): BodyStates => ({
		position: Float64Array.from(z.flatMap((height) => [0, 0, height])),
		orientation: Float64Array.from(z.flatMap(() => [1, 0, 0, 0])),
		velocity: new Float64Array(3 * z.length).fill(1),
		spin: new Float64Array(3 * z.length),
	});

	it("know how deep boxes are in each other, and their energy", () => {
		const description = describeScene("stack", { bodies: 2, size: 0.1 });
		const { deepest, energy, kinetic, contacts } = measureStates(description, at(0.05, 0.14), 0);
		expect(contacts).toBe(8);
		expect(deepest).toBeCloseTo(0.01, 9);
		// Two of a kilogram.
		expect(kinetic).toBeCloseTo(3, 9);
		expect(energy).toBeCloseTo(3 + 9.81 * 0.19, 9);
	});

	it("know what went farthest, what rose, and how energy changed", () => {
		const states = [at(0, 1), at(0.2, 0.9), at(-0.3, 1)];
		expect(farthest(states)).toBe(0.3);
		expect(lift(states, [0, 0, 1], [0, 0.95])).toBeCloseTo(0.2, 12);
		expect([energyGain([3, 2, 2.5, 1, 1.2]), energyDrift([3, 2, 4, 5])]).toEqual([0.5, 2]);
	});

	it("make a row of a run, and of one that is stopped", async () => {
		const description = describeScene("stack", { bodies: 2 });
		const scene = { name: "stack", description, steps: 4, every: 2, limit, truth: { isAtRest: true } };
		const row = rowOf(scene, "stickslip", await ours(1e-6).run(scene));
		expect(row).toMatchObject({
			scene: "stack",
			engine: "stickslip",
			steps: "4",
			contacts: "8",
			failed: "0",
			ended: "",
		});
		expect([Number(row.deepest) < 1e-5, Number(row.creep) < 1e-5, row.lift]).toEqual([true, true, ""]);
		const stopped = { ...scene, limit: 0 };
		const [none, lost] = [rowOf(stopped, "stickslip", await ours(1e-6).run(stopped)), lostRow(stopped, "x", "failed")];
		expect([none.steps, none.ended, lost.steps, lost.ended]).toEqual(["0", "no step within 0 s", "0", "failed"]);
	});

	it("are judged by speed against Siconos and errors against all", () => {
		const row = (engine: string, ms: string, creep: string): EngineRow => ({
			...lostRow({ name: "slope", description: stack, steps, every: 1, limit, truth }, engine, ""),
			...{ steps: "100", ms, creep },
		});
		const own = row("stickslip", "2", "0.01");
		const lines = verdict([own, row("siconos", "8", "0.02"), row("jolt", "1", "0.005")]);
		expect(lines).toEqual([
			"slope: 4.0 times as fast as siconos, at least 5 wanted: NOT HELD",
			"slope: time of a step, stickslip = 1: jolt 0.50",
			"slope: creep 0.01: LARGER than of jolt (0.005)",
		]);
		const lost = lostRow({ name: "slope", description: stack, steps, every: 1, limit, truth }, "siconos", "no step");
		expect(verdict([own, lost])).toEqual(["slope: siconos: no step", "slope: creep 0.01: at most that of the others"]);
	});
});

describe.skipIf(lack !== undefined)(`siconos, stopped (needs ${lack ?? "nothing more"})`, () => {
	it("counts as far as it came when its time is over", async () => {
		const description = describeScene("tower", { step: 2e-3 });
		const run = await siconos(1e-6).run({ name: "tower", description, steps: 1000, every: 1000, limit: 1, truth });
		expect(run.seconds.length).toBeLessThan(1000);
		expect(run.states.length).toBeLessThanOrEqual(1);
	});
});
