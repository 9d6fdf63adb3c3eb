/** Distances of polyhedra and points of boxes on boxes beside those of MuJoCo, which are in double precision too. */
import loadMujoco from "@mujoco/mujoco";
import { Random } from "@stickslip/core";
import { compileShape, makeManifold, type PlacedPiece, type Shape, touch, type Vector } from "@stickslip/mechanics";
import { afterAll, expect, test } from "vitest";
import { randomDirection, randomRotation } from "./random-pairs.js";

const Mujoco = await loadMujoco();
const manifold = makeManifold();
const closing: (() => void)[] = [];
afterAll(() => {
	for (const close of closing) close();
});

interface Oracle {
	/** Places both. */
	place(first: PlacedPiece, second: PlacedPiece): void;
	distance(): number;
	contacts(): { gap: number; point: number[] }[];
}

/** MuJoCo's world of two bodies. Meshes keep their corners where they are: about the mesh's own centre of mass, as ours. */
function makeOracle(shapes: readonly [Shape, Shape]): Oracle {
	const geoms = shapes.map((shape, k) => {
		if (shape.kind === "box") return ["", `type="box" size="${shape.size.map((c) => c / 2).join(" ")}"`] as const;
		const corners = compileShape(shape).pieces[0]!.vertices;
		return [`<mesh name="m${k}" vertex="${[...corners].join(" ")}"/>`, `type="mesh" mesh="m${k}"`] as const;
	});
	const bodies = geoms.map(([, geom]) => `<body><freejoint/><geom ${geom} density="1000"/></body>`);
	const model = Mujoco.MjModel.from_xml_string(`<mujoco>
<option ccd_tolerance="1e-14" ccd_iterations="500"><flag multiccd="enable"/></option>
<compiler inertiafromgeom="true" boundmass="1e-9" boundinertia="1e-12"/>
<asset>${geoms.map(([mesh]) => mesh).join("\n")}</asset><worldbody>${bodies.join("\n")}</worldbody></mujoco>`);
	if (model === null) throw new Error("MuJoCo does not read the pair");
	const data = new Mujoco.MjData(model);
	const ends = new Mujoco.DoubleBuffer(6);
	closing.push(() => [ends, data, model].forEach((each) => void each.delete()));
	return {
		place(first, second) {
			const qpos = data.qpos as Float64Array;
			for (const [k, { centre, map }] of [first, second].entries()) {
				qpos.set(centre, 7 * k);
				qpos.set(quaternionOf(map), 7 * k + 3);
			}
			Mujoco.mj_kinematics(model, data);
			Mujoco.mj_comPos(model, data);
		},
		distance: () => Mujoco.mj_geomDistance(model, data, 0, 1, 100, ends),
		contacts() {
			Mujoco.mj_collision(model, data);
			const found = data.contact;
			return Array.from({ length: data.ncon }, (_, k) => {
				const each = found.get(k)!;
				return { gap: each.dist, point: [...(each.pos as Float64Array)] };
			});
		},
	};
}

/** Of a rotation by less than half a turn. */
function quaternionOf(map: Float64Array): number[] {
	const w = Math.sqrt(Math.max(0, 1 + map[0]! + map[4]! + map[8]!)) / 2;
	return [w, (map[7]! - map[5]!) / (4 * w), (map[2]! - map[6]!) / (4 * w), (map[3]! - map[1]!) / (4 * w)];
}

/** Not near half a turn, where the quaternion loses digits. */
function turned(random: Random): Float64Array {
	for (;;) {
		const map = randomRotation(random);
		if (map[0]! + map[4]! + map[8]! > -0.9) return map;
	}
}

function placed(shape: Shape, centre: readonly number[], map: Float64Array): PlacedPiece {
	return { convex: compileShape(shape).pieces[0]!, centre: Float64Array.from(centre), map, isRigid: true };
}

function hull(random: Random, count: number): Shape {
	const vertices = Array.from({ length: count }, () => randomDirection(random) as unknown as Vector);
	return { kind: "polyhedron", vertices };
}

test("distances of boxes and hulls that are apart", () => {
	const random = new Random(11);
	let exact = 0;
	let pairs = 0;
	for (let shape = 0; shape < 12; shape += 1) {
		const size = (): Vector => [random.between(0.2, 2), random.between(0.2, 2), random.between(0.2, 2)];
		const make = (isBox: boolean): Shape =>
			isBox ? { kind: "box", size: size() } : hull(random, 6 + random.below(10));
		const shapes = [make(shape % 3 !== 0), make(shape % 2 === 0)] as const;
		const oracle = makeOracle(shapes);
		// Meshes of MuJoCo are in single precision.
		const tolerance = shapes.every(({ kind }) => kind === "box") ? 1e-9 : 1e-6;
		for (let k = 0; k < 60; k += 1) {
			const first = placed(shapes[0], [0, 0, 0], turned(random));
			const direction = randomDirection(random);
			const far = random.between(1, 3);
			const second = placed(
				shapes[1],
				direction.map((c) => far * c),
				turned(random),
			);
			oracle.place(first, second);
			const distance = oracle.distance();
			if (distance < 1e-3) continue;
			touch(first, second, 10, manifold);
			const gap = Math.min(...manifold.gap.subarray(0, manifold.count));
			pairs += 1;
			if (Math.abs(gap - distance) < tolerance) exact += 1;
			// A face that is nearly across the way is preferred, with points that are as near but for a thousandth of the size.
			expect(gap).toBeGreaterThan(distance - tolerance);
			expect(gap).toBeLessThan(distance + 2e-3);
		}
	}
	expect(pairs).toBeGreaterThan(300);
	expect(exact).toBeGreaterThan(0.98 * pairs);
});

test("boxes on boxes: as deep as MuJoCo has them, and the points reach as far in every direction", () => {
	const random = new Random(12);
	const shapes = [
		{ kind: "box", size: [1, 1.2, 1] },
		{ kind: "box", size: [1.1, 0.9, 0.5] },
	] as const;
	const oracle = makeOracle(shapes);
	for (let k = 0; k < 200; k += 1) {
		const angle = random.between(-1.5, 1.5);
		const [c, s] = [Math.cos(angle), Math.sin(angle)];
		const map = Float64Array.of(c, -s, 0, s, c, 0, 0, 0, 1);
		const identity = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
		const centre = [random.between(-0.6, 0.6), random.between(-0.6, 0.6), 0.75 - random.between(1e-6, 0.02)];
		const [first, second] = [placed(shapes[0], [0, 0, 0], identity), placed(shapes[1], centre, map)];
		oracle.place(first, second);
		touch(first, second, 0, manifold);
		const theirs = oracle.contacts();
		const ours = Array.from({ length: manifold.count }, (_, i) => [...manifold.point.subarray(3 * i, 3 * i + 3)]);
		expect(theirs.length).toBeGreaterThan(0);
		for (const { gap } of theirs) expect(Math.abs(gap - manifold.gap[0]!)).toBeLessThan(1e-12);
		for (let side = 0; side < 12; side += 1) {
			const [x, y] = [Math.cos(side), Math.sin(side)];
			const reach = (points: readonly number[][]) => Math.max(...points.map((p) => x * p[0]! + y * p[1]!));
			expect(Math.abs(reach(ours) - reach(theirs.map(({ point }) => point)))).toBeLessThan(1e-3);
		}
	}
});
