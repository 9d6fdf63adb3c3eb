import { describe, expect, it } from "vitest";
import type { Bodies } from "../bodies/bodies.js";
import { describeScene, makeScene, sceneEntryOf, sceneNames } from "./catalogue.js";
import type { SceneBody } from "./description.js";
import { buildScene } from "./scene.js";
import { parseScene, readScene, writeScene } from "./scene-file.js";

/** Everything that a simulation starts from. */
const numbersOf = ({ id, kind, shape, material, isHeld, position, orientation, map, velocity, spin, mass }: Bodies) =>
	[id, kind, shape, material, isHeld, position, orientation, map, velocity, spin, mass].map((field) => [...field]);

describe.each(sceneNames)("scene %s", (name) => {
	it("is the same from the same options, written out and read back", () => {
		const scene = makeScene(name);
		const read = readScene(writeScene(scene.description), "scene.json");
		expect(read.description).toEqual(scene.description);
		expect(numbersOf(read.bodies)).toEqual(numbersOf(scene.bodies));
		expect(numbersOf(makeScene(name).bodies)).toEqual(numbersOf(scene.bodies));
	});

	it("describes all options, and its defaults are within their ranges", () => {
		const { options, what } = sceneEntryOf(name);
		expect(what).not.toBe("");
		const given = Object.entries(options).filter(([, option]) => option.default !== null);
		const described = describeScene(name, Object.fromEntries(given.map(([key, { default: value }]) => [key, value!])));
		expect(described).toEqual(describeScene(name));
		for (const option of Object.values(options)) expect(option.help).not.toBe("");
	});

	it("has another start from another seed, where it has one", () => {
		if (!("seed" in sceneEntryOf(name).options)) return;
		const random = { drum: { jitter: 0.1 }, stack: { offset: 0.1 }, tower: { wind: 1 } }[name] ?? {};
		const [one, two] = [1, 2].map((seed) => writeScene(describeScene(name, { ...random, seed })));
		expect(one).not.toBe(two);
	});

	it("refuses options that it does not have, or that are out of range", () => {
		expect(() => makeScene(name, { colour: 1 })).toThrow(/colour: unknown option; choose among .*step/);
		expect(() => makeScene(name, { step: 0 })).toThrow(/step: 0 is out of range/);
		expect(() => makeScene(name, { until: "soon" })).toThrow(/until: "soon" is not a number/);
		expect(() => makeScene(name, { friction: Number.NaN })).toThrow(/friction: "NaN" is not a number/);
	});
});

it("takes numbers that are written as text, as a command line has them", () => {
	expect(describeScene("drum", { bodies: "20" })).toEqual(describeScene("drum", { bodies: 20 }));
});

it("does not know a scene", () => {
	expect(() => makeScene("barrel")).toThrow(/there is no "barrel"; choose among drum, spheres/);
});

describe("drum", () => {
	// Koziara 2017, 8.1, and the program behind it: N = 100 are dropped as 96 and 4, 0.615 s apart, and the drum turns after as long again.
	it("drops 96 of 100 particles at once, and turns when all have fallen", () => {
		const scene = makeScene("drum");
		expect(scene.bodies.own).toBe(96);
		expect(scene.events.map((event) => [event.time, event.kind === "add" && event.bodies.own])).toEqual([[0.615, 4]]);
		expect(scene.model.motions!.map((motion) => motion?.pieces.map((piece) => [piece.from, ...piece.spin]))).toEqual(
			Array(3).fill([[1.23, 0, 1, 0]]),
		);
		expect(scene.steps).toBe(10_000);
		expect(scene.total).toBe(103);
	});

	it.each([4, 100, 1000])("has %i particles that fill the same volume, inside the drum and apart", (count) => {
		const { shapes, bodies, events } = describeScene("drum", { bodies: count });
		const { particle } = shapes;
		if (particle?.kind !== "ellipsoid") throw new Error("particles are ellipsoids");
		const [rx, ry, rz] = particle.radii;
		expect(rx * ry * rz * count).toBeCloseTo(0.1 * 0.9 * 0.5, 12);
		const drops = [bodies, ...events.map((event) => (event.kind === "add" ? event.bodies : []))];
		expect(drops.flat()).toHaveLength(count);
		for (const drop of drops) requireApart(drop, [rx, ry, rz]);
		for (const { position } of drops.flat()) {
			expect(Math.hypot(position[0], position[2]) + Math.min(rx, rz)).toBeLessThan(1);
			expect(Math.abs(position[1] - 0.25) + ry).toBeLessThan(0.25 + 1e-6);
		}
	});

	it("makes pseudo-rigid particles and spheres of the mean radius", () => {
		const scene = makeScene("drum", { kind: "pseudo-rigid", shape: "spheres", bodies: 10 });
		expect(scene.total).toBe(13);
		expect([...scene.bodies.kind]).toEqual([0, 0, 0, ...Array(scene.bodies.own).fill(2)]);
		expect(scene.model.materials[0]).toMatchObject({ young: 1e6, poisson: 0.25, damping: 1e-3 });
		const radius = (2.4 / 3) * 0.01 ** (1 / 3);
		expect(scene.model.shapes[0]!.reach).toBeCloseTo(radius, 12);
		expect(() => makeScene("drum", { shape: "spheres", bodies: 3 })).toThrow(/bodies: so few are wider than the drum/);
	});
});

/** Aligned equal ellipsoids: scaled to unit balls, their centres are at least 2 apart. */
function requireApart(bodies: readonly SceneBody[], radii: readonly number[]): void {
	let least = Number.POSITIVE_INFINITY;
	for (const [i, { position: a }] of bodies.entries()) {
		for (const { position: b } of bodies.slice(i + 1)) {
			least = Math.min(least, Math.hypot(...a.map((x, d) => (x - b[d]!) / radii[d]!)));
		}
	}
	expect(least).toBeGreaterThan(2);
}

describe("beds of spheres", () => {
	it.each([
		["spheres", { bodies: 200, spread: 0.3 }],
		["spheres", { bodies: 200, state: "flowing" }],
		["hopper", { bodies: 300, slope: 40, spread: 0.2 }],
		["hopper", { bodies: 300 }],
		["impact", { bodies: 300 }],
	] as const)("%s keeps spheres apart, and from planes", (name, options) => {
		const { model, bodies } = makeScene(name, options);
		const radius = Array.from({ length: bodies.count }, (_, i) => model.shapes[bodies.shape[i]!]!.reach);
		const place = (i: number) => [...bodies.position.subarray(3 * i, 3 * i + 3)];
		let least = Number.POSITIVE_INFINITY;
		for (let i = bodies.obstacles; i < bodies.count; i += 1) {
			const a = place(i);
			for (let j = i + 1; j < bodies.count; j += 1) {
				const b = place(j);
				const distance = Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);
				least = Math.min(least, distance - radius[i]! - radius[j]!);
			}
			for (let o = 0; o < bodies.obstacles; o += 1) {
				const { plane } = model.shapes[bodies.shape[o]!]!.pieces[0]!;
				if (plane === undefined) continue;
				const height = plane.normal.reduce((sum, n, d) => sum + n * a[d]!, -plane.offset);
				least = Math.min(least, height - radius[i]!);
			}
		}
		expect(least).toBeGreaterThan(0);
	});

	it("weighs what Anitescu 2014 says: 0.882 kg at a diameter of 60 mm", () => {
		const { bodies } = makeScene("spheres", { bodies: 1 });
		expect(bodies.mass[bodies.obstacles]).toBeCloseTo(0.882, 3);
	});

	// A fall from H above the bed has the energy g H at the bed, wherever on its way the ball is put in.
	it("puts the ball of impact in with the speed of its fall, above any bed", () => {
		const H = 0.2;
		const { bodies, events, description, total } = makeScene("impact", { height: H, bodies: 1000, settle: 0.25 });
		const [add] = events;
		if (add?.kind !== "add") throw new Error("the ball is added");
		expect([add.time, add.bodies.own, add.bodies.id[0]]).toEqual([0.25, 1, total - 1]);
		const bottom = add.bodies.position[2]! - 0.0127;
		const width = -(description.shapes.left as { offset: number }).offset * 2;
		const volume = (1000 * Math.PI * 0.005 ** 3) / 6;
		const surface = volume / 0.58 / width ** 2;
		expect(add.bodies.velocity[2]! ** 2 / (2 * 9.81) + bottom - surface).toBeCloseTo(H, 5);
		// Even a bed of half solid and half air is below.
		expect(bottom).toBeGreaterThan(volume / 0.505 / width ** 2);
		expect(bodies.own).toBe(1000);
		expect(() => makeScene("impact", { height: 0.001 })).toThrow(/height: may be within the bed; give/);
	});

	it("refuses a silo that is narrower than its opening", () => {
		expect(() => makeScene("hopper", { width: 5 })).toThrow(/width: the silo is no wider than its opening/);
	});
});

describe("incline and roll", () => {
	it.each(["block", "sphere", "capsule"])("puts the %s on the slope", (body) => {
		const { bodies, description } = makeScene("incline", { body, angle: 30, speed: 2 });
		const normal = [0.5, 0, Math.sqrt(0.75)];
		const height = normal.reduce((sum, n, d) => sum + n * bodies.position[3 + d]!, 0);
		expect(height).toBeCloseTo(0.05, 14);
		const [vx, , vz] = description.bodies[0]!.velocity!;
		expect([vx, vz]).toEqual([expect.closeTo(2 * Math.sqrt(0.75), 12), expect.closeTo(-1, 12)]);
	});

	it("stacks and levels are as many as asked for", () => {
		expect(makeScene("stack", { bodies: 7, ratio: 8 }).bodies.own).toBe(7);
		expect(makeScene("tower", { levels: 5, ring: 8 }).bodies.own).toBe(40);
		expect(makeScene("tower", { levels: 5, shape: "planks" }).bodies.own).toBe(10);
		const { mass, obstacles } = makeScene("stack", { bodies: 3, ratio: 8 }).bodies;
		expect([...mass.subarray(obstacles)]).toEqual([1, 4.5, 8].map((m) => expect.closeTo(m, 12)));
	});
});

describe("events", () => {
	const base = describeScene("incline");
	const scene = (events: object[]) => buildScene(parseScene(JSON.stringify({ ...base, events }), "scene.json"));

	it("have bodies by name or number", () => {
		const { events } = scene([
			{ time: 0, kind: "gravity", gravity: [0, 0, 0] },
			{ time: 0.1, kind: "release", bodies: ["body", 0], velocity: [1, 2, 3] },
		]);
		expect(events).toEqual([
			{ time: 0, kind: "gravity", gravity: [0, 0, 0] },
			{ time: 0.1, kind: "release", ids: Int32Array.of(1), velocity: [1, 2, 3] },
		]);
	});

	it("change what obstacles do from then on", () => {
		const shake = { amplitude: [0, 0, 1], frequency: 2, phase: 1 };
		const obstacles = [
			{
				...base.obstacles[0],
				motion: [
					{ from: 0.1, velocity: [1, 0, 0] },
					{ from: 0.5, shake },
				],
			},
		];
		const events = [{ time: 0.3, kind: "motion", obstacle: "slope", velocity: [2, 0, 0] }];
		const { model } = buildScene(parseScene(JSON.stringify({ ...base, obstacles, events }), "scene.json"));
		expect(model.motions?.[0]?.pieces.map(({ from, velocity }) => [from, velocity[0]])).toEqual([
			[0.1, 1],
			[0.3, 2],
		]);
	});

	it("add bodies with the next ids", () => {
		const body = (x: number) => ({ shape: "body", material: "body", position: [x, 0, 9] });
		const add = (time: number, count: number) => ({
			...{ time, kind: "add" },
			bodies: Array.from({ length: count }, (_, k) => body(k)),
		});
		const { events, total } = scene([add(0.1, 2), add(0.2, 1)]);
		expect(events.map((event) => event.kind === "add" && [...event.bodies.id])).toEqual([[2, 3], [4]]);
		expect(total).toBe(5);
	});
});
