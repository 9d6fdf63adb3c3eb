/** Simulations on ranks: the hash of one rank on any number of ranks, wherever regions are cut, also when other ranks continue. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { dealState, describeScene, type SceneDescription } from "@stickslip/mechanics";
import { afterAll, describe, expect, it } from "vitest";
import { type Checkpointer, openCheckpointer } from "../checkpoints/checkpointer.js";
import { load } from "../files/load.js";
import { choose } from "../ranks/choose.js";
import { RunEvents } from "../ranks/run-events.js";
import { startRanks } from "../ranks/start-ranks.js";
import { Playground } from "../testing/checkpoints.js";
import type { SimulateResult, SimulateTask } from "./simulate.js";
import type { FilesTask } from "./simulation-files.js";

const play = new Playground();
afterAll(() => play.remove());

const scene = describeScene("spheres", { bodies: 60 });
const STEPS = 30;

/** The same with three materials in turn, and a law for each pair of them and of the floor. */
const lawful: SceneDescription = {
	...scene,
	materials: {
		...scene.materials,
		...Object.fromEntries(["wet", "felt", "clay"].map((name) => [name, { density: 2000 }])),
	},
	contact: { friction: 0.4 },
	laws: [
		{ between: ["wet", "wet"], friction: 0.3, law: "cohesive", cohesion: 0.01 },
		{ between: ["wet", "felt"], friction: 0.5, law: "anisotropic", frictionAcross: 0.1, axis: [1, 2, 0] },
		{ between: ["felt", "felt"], friction: 0.5, law: "relaxed" },
		{ between: ["felt", "clay"], friction: 0, law: "frictionless" },
		{ between: ["clay", "clay"], friction: 0.3, law: "capped", cap: 5 },
		{ between: ["clay", "wet"], friction: 0.4, law: "rolling", rollingFriction: 1e-3, spinningFriction: 5e-4 },
	],
	bodies: scene.bodies.map((body, i) => ({ ...body, material: ["wet", "felt", "clay"][i % 3]! })),
};

async function simulate(
	ranks: number,
	options: Partial<SimulateTask> & { readonly checkpointer?: Checkpointer; readonly given?: SceneDescription } = {},
): Promise<SimulateResult[]> {
	const { checkpointer, given = scene, ...rest } = options;
	const started = await startRanks("simulate", choose(1e6, { ranks, transport: "threads" }));
	try {
		const part = { scene: given, steps: STEPS, domain: { recutsAlways: true, epoch: 3 }, ...rest };
		return await started.run<SimulateResult>({
			part: (rank) => {
				const from = checkpointer?.from;
				return { part, buffers: [], ...(from && { from: dealState(from, rank, ranks) }) };
			},
			isResult: (value): value is SimulateResult => (value as SimulateResult).hash.length === 64,
			resultBytesMax: 2 ** 20,
			stateBytesMax: 2 ** 26,
			events: new RunEvents({ ranks, checkpointer }),
		});
	} finally {
		await started.close();
		await checkpointer?.close();
	}
}

const identity = { program: "simulate", problem: "0".repeat(64), options: {} };
const kept = (folder: string) => openCheckpointer({ folder, interval: 0, identity });

describe("simulate", () => {
	it("has the hash of one rank on two and three, cut again and again, and gone on with by another number", async () => {
		const [one] = await simulate(1);
		expect(one).toMatchObject({ ending: "done", steps: STEPS, failedSteps: 0, bodies: 60 });
		const folder = play.folder();
		const half = await simulate(2, { steps: STEPS / 2, savesEnd: true, checkpointer: await kept(folder) });
		expect(half[0]).toMatchObject({ ending: "done", steps: STEPS / 2 });
		expect(half[0]!.recuts).toBeGreaterThan(3);
		expect(half.reduce((sum, { bodies }) => sum + bodies, 0)).toBe(60);
		for (const { arrivals } of half) expect(arrivals).toBeGreaterThan(0);
		const rest = await simulate(3, { checkpointer: await kept(folder) });
		const whole = await simulate(3);
		const { extremes } = one!;
		expect(extremes.speed!.value).toBeGreaterThan(0);
		for (const { hash, steps, extremes: found } of [...rest, ...whole])
			expect({ hash, steps, found }).toEqual({ hash: one!.hash, steps: STEPS, found: extremes });
	});

	it("has it with contacts of several laws in one tile too", async () => {
		const [one] = await simulate(1, { given: lawful });
		expect(one).toMatchObject({ ending: "done", failedSteps: 0 });
		for (const { hash } of await simulate(3, { given: lawful })) expect(hash).toBe(one!.hash);
		// Moments that are remembered are gone on with, too.
		const folder = play.folder();
		const half = { given: lawful, steps: STEPS / 2, savesEnd: true, checkpointer: await kept(folder) };
		await simulate(3, half);
		const rest = await simulate(2, { given: lawful, checkpointer: await kept(folder) });
		for (const { hash } of rest) expect(hash).toBe(one!.hash);
		const [plain] = await simulate(1);
		expect(one!.hash).not.toBe(plain!.hash);
	});

	it("has it by Poisson's law of impact, whose two phases need ghosts twice", async () => {
		const bodies = scene.bodies.map((body, i) => ({ ...body, velocity: [(i % 3) - 1, (i % 5) - 2, -1] as const }));
		const contact = { friction: 0.4, restitution: 0.7 };
		const bouncing: SceneDescription = { ...scene, bodies, contact, scheme: { name: "half-step" } };
		const given: SceneDescription = { ...bouncing, scheme: { name: "half-step", restitutionLaw: "poisson" } };
		const [one] = await simulate(1, { given });
		expect(one).toMatchObject({ ending: "done", failedSteps: 0 });
		for (const ranks of [2, 3]) {
			for (const { hash, extremes } of await simulate(ranks, { given })) {
				expect({ hash, extremes }).toEqual({ hash: one!.hash, extremes: one!.extremes });
			}
		}
		expect(one!.extremes.overlap!.bodies).toHaveLength(2);
		expect((await simulate(1, { given: bouncing }))[0]!.hash).not.toBe(one!.hash);
	});

	it.each([
		["rigid", describeScene("pile", { bodies: 12 }), 60],
		// Steps until bodies touch each other, not only the drum.
		["pseudo-rigid", describeScene("drum", { bodies: 20, kind: "pseudo-rigid" }), 660],
	] as const)("writes the problems of %s bodies that one rank writes", async (_, given, steps) => {
		const [alone, together] = [play.folder(), play.folder()];
		const dumpTo = (folder: string): FilesTask => ({
			every: steps,
			stored: -1,
			dump: { which: "hard", folder, iterations: 3 },
		});
		await simulate(1, { given, steps, files: dumpTo(alone) });
		await simulate(3, { given, steps, files: dumpTo(together) });
		const names = readdirSync(alone).sort();
		expect(names.length).toBeGreaterThan(3);
		expect(readdirSync(together).sort()).toEqual(names);
		// Files contain the time of their creation.
		for (const name of names)
			expect(await load(join(together, name), name)).toEqual(await load(join(alone, name), name));
	});

	it("does not depend on the ranks for bodies that are added and released, nor where ranks have none", async () => {
		const bodies = [...scene.bodies];
		const added = bodies.splice(20);
		const released = bodies.splice(0, 3).map((body) => ({ ...body, isHeld: true }));
		const given: SceneDescription = {
			...scene,
			bodies: [...released, ...bodies.slice(0, 8)],
			events: [
				{ kind: "release", time: 5 * scene.step, bodies: [0, 2] },
				{ kind: "add", time: 10 * scene.step, bodies: added.slice(0, 10) },
				{ kind: "gravity", time: 15 * scene.step, gravity: [1, 0, -9] },
			],
		};
		const [one] = await simulate(1, { given });
		const several = await simulate(3, { given });
		expect(several.map(({ hash }) => hash)).toEqual(Array.from({ length: 3 }, () => one!.hash));
	});

	it.each([16, 1])("has the hash of one rank with fast bodies, overlaps and at most %d sub-steps", async (substeps) => {
		const pile = describeScene("pile", { bodies: 24 });
		const bodies = pile.bodies.map((body, i) => ({ ...body, velocity: [(i % 3) - 1, i % 2, -40] as const }));
		const given: SceneDescription = { ...pile, scheme: { name: "moreau", theta: 0.75, substeps }, bodies };
		const [one] = await simulate(1, { given });
		const several = await simulate(3, { given });
		expect(several.map(({ hash }) => hash)).toEqual(Array.from({ length: 3 }, () => one!.hash));
	});
});
