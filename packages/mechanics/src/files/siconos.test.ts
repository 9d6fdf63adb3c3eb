import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { InputError, Random } from "@stickslip/core";
import type { Hdf5Module } from "@stickslip/core/fclib";
import { File, type Group, ready } from "h5wasm/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ContactList } from "../contacts/contact-list.js";
import { ContactDetector } from "../contacts/detect.js";
import { buildScene } from "../scenes/scene.js";
import { HULL_POINTS_MAX } from "../shapes/hull.js";
import { importSiconos } from "./siconos.js";

const folder = mkdtempSync(join(tmpdir(), "stickslip-siconos-"));
afterAll(() => rmSync(folder, { recursive: true }));
let hdf5: Hdf5Module;
beforeAll(async () => {
	hdf5 = (await ready) as unknown as Hdf5Module;
});

type Values = Record<string, string | number | number[]>;

/** A file as Siconos lays it out, with what `fill` puts into the groups of /data. */
function writeFile(name: string, fill: (group: (path: string, attributes?: Values) => Group) => void): string {
	const path = join(folder, name);
	const file = new File(path, "w");
	const group = (at: string, attributes: Values = {}) => {
		const made = (file.get(at) ?? file.create_group(at)) as Group;
		addAttributes(made, attributes);
		return made;
	};
	for (const at of ["/data", "/data/ref", "/data/input", "/data/nslaws", "/data/joints"]) group(at);
	fill(group);
	file.close();
	return path;
}

function addShape(ref: Group, name: string, attributes: Values, values: number[], shape: number[]): void {
	const dataset = ref.create_dataset({ name, data: values, shape, dtype: "<f" });
	addAttributes(dataset, attributes);
}

/** Text of fixed length: HDF5 reads damaged heaps of others for ever. */
function addAttributes(to: Pick<Group, "create_attribute">, attributes: Values): void {
	for (const [key, value] of Object.entries(attributes)) {
		to.create_attribute(key, value, null, typeof value === "string" ? `S${value.length}` : "<d");
	}
}

/** A ball on the ground, a lump of a box and a cylinder, and what cannot be read. */
function exampleFile(): string {
	return writeFile("example.hdf5", (group) => {
		const ref = group("/data/ref");
		const primitive = (kind: string) => ({ type: "primitive", primitive: kind });
		addShape(ref, "Ball", primitive("Sphere"), [0.5], [1, 1]);
		addShape(ref, "Log", primitive("Cylinder"), [0.5, 2], [1, 2]);
		addShape(ref, "Field", { type: "heightmap" }, [0], [1, 1]);
		addShape(ref, "Ground", primitive("Box"), [9, 9, 1], [1, 3]);
		addShape(ref, "Tip", primitive("Cone"), [1, 1], [1, 2]);
		const corners = [-1, -1, -1, 1, -1, -1, -1, 1, -1, -1, -1, 1, -0.5, -0.5, -0.5];
		addShape(ref, "Corner", { type: "convex" }, corners, [5, 3]);
		const identity = { translation: [0, 0, 0], orientation: [1, 0, 0, 0] };
		const contactor = (shape: string, of: Values = {}) => ({ shape_name: shape, group: 0, ...identity, ...of });
		const half = Math.SQRT1_2;
		group("/data/input/ground", { id: -1, ...identity, translation: [0, 0, -1] });
		group("/data/input/ground/Ground-0", contactor("Ground"));
		group("/data/input/ball", {
			...{ id: 1, mass: 3, inertia: [1, 0, 0, 0, 2, 0, 0, 0, 2.5] },
			...{ translation: [1, 2, 3], orientation: [half, 0, 0, half], velocity: [1, 2, 3, 4, 5, 6] },
		});
		group("/data/input/ball/Ball-0", contactor("Ball"));
		group("/data/input/lump", {
			id: 2,
			mass: 1,
			...identity,
			translation: [9, 0, 0],
			center_of_mass: [0, 1, 0],
			time_of_birth: 2,
		});
		group("/data/input/lump/Log-0", contactor("Log", { translation: [0, 1, 0], group: 1 }));
		group("/data/input/lost", { id: 3, mass: 1, ...identity, fext: [0, 0, 1] });
		group("/data/input/lost/Field-0", contactor("Field"));
		group("/data/input/wedge", { id: 4, mass: 1, ...identity, translation: [-9, 0, 9] });
		group("/data/input/wedge/Corner-0", contactor("Corner"));
		group("/data/nslaws/law", { type: "NewtonImpactFrictionNSL", mu: 0.7, e: 0.2, gid1: 1, gid2: 0 });
		group("/data/nslaws/stop", { type: "NewtonImpactNSL", e: 0, gid1: -1, gid2: -1 });
		group("/data/joints/hinge");
	});
}

describe("a file as Siconos lays it out", () => {
	it("becomes a scene, and what cannot be read is named", () => {
		const { description, unread } = importSiconos(hdf5, exampleFile(), "example.hdf5", {
			gravity: [0, 0, -1],
			step: 0.01,
		});
		expect(unread.map(({ path, problem }) => `${path}: ${problem}`).sort()).toEqual([
			"/data/input/lost: has no shape that can be read",
			"/data/input/lost@fext: cannot be read",
			'/data/input/lost[0]: its shape "Field" cannot be read',
			"/data/input/wedge: has its centre of mass 0.866 m from that of its shape",
			"/data/joints: 1 cannot be read",
			"/data/nslaws/stop: is a NewtonImpactNSL",
			"/data/nslaws: has no law for groups 0 and 0, which do not touch there",
			"/data/nslaws: has no law for groups 1 and 1, which do not touch there",
			"/data/ref/Field: a shape of type heightmap cannot be read",
			"/data/ref/Log: loses its roundness: it is a prism of 32 sides",
			"/data/ref/Tip: the primitive Cone cannot be read",
		]);
		expect(description.laws).toEqual([{ between: ["group 1", "group 0"], friction: 0.7, restitution: 0.2 }]);
		const { model, bodies, events, step } = buildScene(description);
		expect(step).toBe(0.01);
		expect([...model.gravity]).toEqual([0, 0, -1]);
		const ball = bodies.obstacles;
		expect([bodies.obstacles, bodies.own, events.length]).toEqual([1, 2, 1]);
		expect(bodies.mass[ball]).toBe(3);
		expect([...bodies.position.subarray(3 * ball, 3 * ball + 3)]).toEqual([1, 2, 3]);
		expect([...bodies.velocity.subarray(3 * ball, 3 * ball + 3)]).toEqual([1, 2, 3]);
		// A quarter turn about z takes the body's x to y and y to -x.
		expect([...bodies.spin.subarray(3 * ball, 3 * ball + 3)].map(Math.round)).toEqual([-5, 4, 6]);
		expect([...bodies.inertia.subarray(3 * ball, 3 * ball + 3)].sort()).toEqual([1, 2, 2.5]);
		// A cylinder about y; the mass of its prism and that of the file agree, since that of the file counts.
		const [added] = events;
		if (added?.kind !== "add") throw new Error("the lump comes later");
		expect([added.time, added.bodies.mass[0]]).toEqual([2, 1]);
		expect([...added.bodies.position.subarray(0, 3)].map((x) => Math.round(x) + 0)).toEqual([9, 0, 0]);
		const [x, y, z] = added.bodies.inertia;
		expect([x, y, z].sort()).toEqual([
			expect.closeTo(0.125, 2),
			expect.closeTo(1 / 3 + 1 / 16, 2),
			expect.closeTo(1 / 3 + 1 / 16, 2),
		]);
	});

	it("has bodies where they were last", () => {
		const path = writeFile("moved.hdf5", (group) => {
			addShape(group("/data/ref"), "Ball", { type: "primitive", primitive: "Sphere" }, [0.5], [1, 1]);
			group("/data/input/ball", { id: 1, mass: 1, translation: [0, 0, 0], orientation: [1, 0, 0, 0] });
			group("/data/input/ball/Ball-0", { shape_name: "Ball", group: 0 });
			const rows = (width: number, row: (k: number) => number[]) => ({
				data: Array.from({ length: 5000 }, (_, k) => row(k)).flat(),
				...{ shape: [5000, width], dtype: "<f" as const },
			});
			const data = group("/data");
			data.create_dataset({ name: "dynamic", ...rows(9, (k) => [k / 8, 1, k, 2, 3, 1, 0, 0, 0]) });
			data.create_dataset({ name: "velocities", ...rows(8, (k) => [k / 8, 1, 4, 5, k, 7, 8, 9]) });
		});
		const { bodies } = importSiconos(hdf5, path, "moved.hdf5", { state: "last" }).description;
		expect(bodies[0]).toMatchObject({ position: [4999, 2, 3], velocity: [4, 5, 4999], spin: [7, 8, 9] });
		expect(importSiconos(hdf5, path, "moved.hdf5").description.bodies[0]).toMatchObject({ position: [0, 0, 0] });
	});

	it("keeps the corners of a convex shape of thousands of points, and refuses more points than a shape may have", () => {
		const random = new Random(3);
		const cube = Array.from({ length: 8 }, (_, k) => [0, 1, 2].map((axis) => (k & (1 << axis) ? 1 : -1)));
		const onFaces = Array.from({ length: 3000 }, (_, k) =>
			[0, 1, 2].map((axis) => (axis === k % 3 ? 1 : random.between(-1, 1))),
		);
		const inside = Array.from({ length: 3000 }, () => [0, 1, 2].map(() => random.between(-0.9, 0.9)));
		// About the axis (1, 1, 1), by the angle whose cosine is 2 / 7.
		const turned = ([x = 0, y = 0, z = 0]: number[]) => [
			3 * x - 2 * y + 6 * z,
			6 * x + 3 * y - 2 * z,
			6 * y + 3 * z - 2 * x,
		];
		const points = [...onFaces, ...inside, ...cube].map((p) => turned(p).map((c) => c / 7));
		const shapeOf = (count: number) => {
			const path = writeFile(`convex-${count}.hdf5`, (group) => {
				const values = Array.from({ length: count }, (_, k) => points[points.length - 1 - (k % points.length)]!).flat();
				addShape(group("/data/ref"), "Rock", { type: "convex" }, values, [count, 3]);
				group("/data/input/rock", { id: 1, mass: 1, translation: [0, 0, 0], orientation: [1, 0, 0, 0] });
				group("/data/input/rock/Rock-0", { shape_name: "Rock", group: 0 });
			});
			return importSiconos(hdf5, path, "convex.hdf5");
		};
		const [shape] = Object.values(shapeOf(points.length).description.shapes);
		if (shape?.kind !== "polyhedron") throw new Error("the rock is a polyhedron");
		expect(shape.vertices).toHaveLength(8);
		const corners = shape.vertices.flat().map((c) => Math.round(7 * c));
		expect(corners.sort()).toEqual(cube.flatMap(turned).sort());
		expect(shapeOf(HULL_POINTS_MAX + 1).unread.map(({ path }) => path)).toContain("/data/ref/Rock");
	});

	it("is refused by name where a table of it is in another file", () => {
		const path = writeFile("linked.hdf5", (group) => {
			group("/data").create_external_link("other.hdf5", "/data/dynamic", "dynamic");
		});
		expect(() => importSiconos(hdf5, path, "linked.hdf5")).toThrow(expect.objectContaining({ place: "/data/dynamic" }));
	});

	it.each(["empty", "text"])("is refused where it is none: %s", (what) => {
		const path = join(folder, what);
		writeFileSync(path, what === "empty" ? "" : "not HDF5");
		expect(() => importSiconos(hdf5, path, what)).toThrow(/cannot be read as an HDF5 file/);
		const other = join(folder, "other.hdf5");
		new File(other, "w").close();
		expect(() => importSiconos(hdf5, other, "other.hdf5")).toThrow(/\/data\/ref: is missing; name a file of siconos/);
	});

	it("is read or refused, however it is damaged", () => {
		const bytes = readFileSync(exampleFile());
		const random = new Random(5);
		for (let k = 0; k < 60; k += 1) {
			// A name for each: HDF5 takes a file that it failed to close for the same one.
			const path = join(folder, `damaged${k}.hdf5`);
			const copy = Buffer.from(bytes);
			for (let n = 0; n <= random.below(4); n += 1) copy[random.below(copy.length)] = random.below(256);
			writeFileSync(path, k % 10 === 0 ? copy.subarray(0, random.below(copy.length)) : copy);
			try {
				const { description } = importSiconos(hdf5, path, "damaged.hdf5", { state: "last" });
				buildScene(description);
			} catch (error) {
				if (!(error instanceof InputError)) throw error;
			}
		}
	});
});

const python = "/usr/bin/python3";
const script = fileURLToPath(new URL("../testing/siconos_scene.py", import.meta.url));
const hasSiconos =
	spawnSync(python, ["-c", "import siconos.io.mechanics_run, h5py"], { timeout: 240_000 }).status === 0;

describe.skipIf(!hasSiconos)(
	`a file of Siconos itself (needs python3-siconos: ${hasSiconos ? "found" : "missing"})`,
	() => {
		let contacts: number[][];
		const path = join(folder, "real.hdf5");
		beforeAll(() => {
			const { stdout, status, stderr } = spawnSync(python, [script, path, "0.05"], {
				timeout: 240_000,
				encoding: "utf8",
			});
			expect(status, stderr).toBe(0);
			contacts = JSON.parse(/^contacts (.*)$/m.exec(stdout)![1]!);
		});

		it("has the masses and inertias that were given, and others from shapes", () => {
			const { description, unread } = importSiconos(hdf5, path, "real.hdf5");
			expect(unread).toEqual([]);
			const { bodies } = buildScene(description);
			const of = (name: string) => bodies.obstacles + description.bodies.findIndex((body) => body.name === name);
			const inertia = (name: string) => [...bodies.inertia.subarray(3 * of(name), 3 * of(name) + 3)].sort();
			expect(bodies.mass[of("low")]).toBe(2);
			expect(inertia("low")).toEqual([0.2, 0.2, 0.2].map((x) => expect.closeTo(x, 12)));
			expect(inertia("brick")).toEqual([0.8, 1, 1.5].map((x) => expect.closeTo(x, 12)));
			expect(inertia("high")).toEqual([0.1, 0.1, 0.1].map((x) => expect.closeTo(x, 12)));
			expect(description.events).toMatchObject([{ time: 9, bodies: [{ name: "late", position: [3, 0, 3.25] }] }]);
			// The pair lies along y and turns about its own x, which is y of the world.
			expect(description.bodies.find((body) => body.name === "pair")?.spin?.map((x) => Math.round(x) + 0)).toEqual([
				0, 1, 0,
			]);
		});

		// Columns of /data/cf: time, mu, points A and B, normal, force, gap, ...
		it("has its contacts: the same gaps and normals at the same places", () => {
			const { description } = importSiconos(hdf5, path, "real.hdf5", { state: "last" });
			const { model, bodies } = buildScene({ ...description, events: [] });
			const found = new ContactList();
			new ContactDetector(model).detect(bodies, 1e-3, found);
			expect(contacts.length).toBeGreaterThan(12);
			let fresh = 0;
			for (const row of contacts) {
				const middle = [0, 1, 2].map((d) => (row[2 + d]! + row[5 + d]!) / 2);
				let nearest = -1;
				let distance = Number.POSITIVE_INFINITY;
				for (let k = 0; k < found.count; k += 1) {
					const away = Math.hypot(...middle.map((x, d) => x - found.point[3 * k + d]!));
					if (away < distance) [nearest, distance] = [k, away];
				}
				const along = [0, 1, 2].reduce((sum, d) => sum + row[8 + d]! * found.frame[9 * nearest + d]!, 0);
				expect(Math.abs(along)).toBeGreaterThan(1 - 1e-6);
				expect(Math.abs(found.gap[nearest]! - row[14]!)).toBeLessThan(2e-4);
				// Bullet keeps points of steps before: those that are where ours are have our gaps too.
				if (distance > 1e-4) continue;
				fresh += 1;
				expect(Math.abs(found.gap[nearest]! - row[14]!)).toBeLessThan(5e-5);
			}
			expect(fresh).toBeGreaterThanOrEqual(8);
		});
	},
);
