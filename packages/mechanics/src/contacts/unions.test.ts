/** Contacts of unions: what their pieces give is as if they were one. */
import { expect, test } from "vitest";
import { type BodyDescription, makeBodies } from "../bodies/make.js";
import { compileShape } from "../shapes/compile.js";
import type { Quaternion, Shape, Union, Vector } from "../shapes/shape.js";
import { modelOf } from "../testing/bodies.js";
import { ContactList } from "./contact-list.js";
import { ContactDetector } from "./detect.js";

const CUBE = { kind: "box", size: [1, 1, 1] } as const;

/** Cubes side by side along x, with their seams at whole numbers, tops at 0. */
function pavement(count: number): Union {
	const pieces = Array.from({ length: count }, (_, k) => ({ shape: CUBE, position: [k + 0.5, 0, -0.5] as Vector }));
	return { kind: "union", pieces };
}

interface Found {
	readonly bodies: readonly number[];
	readonly normal: readonly number[];
	readonly point: readonly number[];
	readonly gap: number;
	readonly feature: number;
}

function detect(shapes: readonly Shape[], bodies: readonly Omit<BodyDescription, "material">[], margin = 0): Found[] {
	const model = modelOf(shapes.map((shape) => compileShape(shape)));
	const made = makeBodies(
		model,
		bodies.map((body) => ({ ...body, material: 0 })),
	);
	const list = new ContactList();
	new ContactDetector(model).detect(made, margin, list);
	return Array.from({ length: list.count }, (_, a) => ({
		bodies: [...list.body.subarray(2 * a, 2 * a + 2)],
		normal: [...list.frame.subarray(9 * a, 9 * a + 3)],
		point: [...list.point.subarray(3 * a, 3 * a + 3)],
		gap: list.gap[a]!,
		feature: list.feature[a]!,
	}));
}

function on(shapes: readonly Shape[], position: Vector, orientation: Quaternion = [1, 0, 0, 0]): Found[] {
	return detect(shapes, [
		{ kind: "obstacle", shape: 0 },
		{ shape: 1, position, orientation },
	]);
}

test("a box across a seam: no point twice, no normal sideways, wherever it lies and however deep it is", () => {
	for (const depth of [1e-7, 1e-4, 0.01, 0.1]) {
		for (const x of [0.5, 0.501, 0.5001, 0.499, 1, 1.5 + 1e-6, 1.5 - 1e-6, 2.2]) {
			const found = on([pavement(4), CUBE], [x, 0.1, 0.5 - depth]);
			for (const { normal, gap } of found) {
				expect(normal[2]).toBeCloseTo(1, 12);
				expect(gap).toBeCloseTo(-depth, 12);
			}
			const places = found.map(({ point }) => point.map((c) => c.toFixed(3)).join(" "));
			expect(new Set(places).size).toBe(places.length);
			const along = found.map(({ point }) => point[0]!);
			expect(Math.min(...along)).toBeCloseTo(x - 0.5, 2);
			expect(Math.max(...along)).toBeCloseTo(x + 0.5, 2);
			expect(found.length).toBeLessThanOrEqual(6);
		}
	}
});

test("a ball that rolls over seams feels one face", () => {
	const ball = { kind: "sphere", radius: 0.5 } as const;
	for (let x = 0.6; x < 3.4; x += 0.0371) {
		const found = on([pavement(4), ball], [x, 0.1, 0.49]);
		expect(found).toHaveLength(1);
		expect(found[0]!.normal[2]).toBeCloseTo(1, 12);
		expect(found[0]!.point[0]).toBeCloseTo(x, 12);
	}
	expect(on([pavement(4), ball], [2, 0.1, 0.49])).toHaveLength(1);
});

test("a capsule across a seam has no point twice", () => {
	const capsule = { kind: "capsule", radius: 0.2, length: 1 } as const;
	const lying: Quaternion = [Math.SQRT1_2, 0, Math.SQRT1_2, 0];
	const found = on([pavement(4), capsule], [1.1, 0, 0.199], lying);
	for (const { normal } of found) expect(normal[2]).toBeCloseTo(1, 12);
	const along = found.map(({ point }) => point[0]!);
	expect(new Set(along.map((x) => x.toFixed(4))).size).toBe(found.length);
});

test("a step and a wall are felt", () => {
	const wall = { shape: { kind: "box", size: [1, 1, 2] }, position: [2.5, 0, 0] } as const;
	const floor = { kind: "union", pieces: [...pavement(2).pieces, wall] } as const;
	const corner = on([floor, CUBE], [1.51, 0, 0.49]);
	const [up, side] = [2, 0].map((axis) => corner.filter(({ normal }) => Math.abs(normal[axis]!) > 0.999));
	expect(up!.length).toBeGreaterThanOrEqual(4);
	expect(side!.length).toBeGreaterThanOrEqual(2);
	expect(up!.length + side!.length).toBe(corner.length);
	for (const { normal } of side!) expect(normal[0]).toBeCloseTo(-1, 12);
	const step = { kind: "union", pieces: [pavement(1).pieces[0]!, { shape: CUBE, position: [1.5, 0, -0.45] }] } as const;
	const ball = on([step, { kind: "sphere", radius: 0.5 }], [0.78, 0, 0.48]);
	expect(ball.some(({ normal }) => normal[0]! < -0.4)).toBe(true);
});

test("two unions on each other: the corners they have in common", () => {
	const found = on([pavement(3), pavement(3)], [0.5, 0.25, 0.99]);
	for (const { normal } of found) expect(normal[2]).toBeCloseTo(1, 12);
	const along = found.map(({ point }) => point[0]!);
	expect(Math.min(...along)).toBeCloseTo(0.5, 6);
	expect(Math.max(...along)).toBeCloseTo(3, 6);
	const places = found.map(({ point }) => point.map((c) => c.toFixed(3)).join(" "));
	expect(new Set(places).size).toBe(places.length);
	expect(new Set(found.map(({ feature }) => feature)).size).toBe(found.length);
});

test("many bodies on an obstacle of many pieces: pairs of bodies in order, each once", () => {
	const balls = Array.from({ length: 20 }, (_, k) => ({
		shape: 1,
		position: [(7 * k * 0.37) % 4, 0.2 * (k % 3), 0.49] as Vector,
	}));
	const found = detect([pavement(4), { kind: "sphere", radius: 0.5 }], [{ kind: "obstacle", shape: 0 }, ...balls]);
	const pairs = found.map(({ bodies }) => 100 * bodies[0]! + bodies[1]!);
	expect(pairs).toEqual([...pairs].sort((a, b) => a - b));
	const ground = found.filter(({ bodies }) => bodies[0] === 0);
	expect(ground.length).toBeGreaterThanOrEqual(20);
});
