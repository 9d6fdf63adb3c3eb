import { InputError, Random } from "@stickslip/core";
import { describe, expect, test } from "vitest";
import { compileShape } from "./compile.js";
import type { CompiledShape, MassProperties } from "./convex.js";
import type { Quaternion, Shape, Vector } from "./shape.js";

const TETRAHEDRON: Shape = {
	kind: "polyhedron",
	vertices: [
		[0, 0, 0],
		[1, 0, 0],
		[0, 1, 0],
		[0, 0, 1],
	],
};

function boxCorners(size: Vector, at: Vector = [0, 0, 0]): Vector[] {
	return [-0.5, 0.5].flatMap((x) =>
		[-0.5, 0.5].flatMap((y) =>
			[-0.5, 0.5].map((z): Vector => [at[0] + x * size[0], at[1] + y * size[1], at[2] + z * size[2]]),
		),
	);
}

function massOf(shape: Shape): MassProperties {
	return compileShape(shape).mass!;
}

function expectClose(actual: MassProperties, wanted: MassProperties, tolerance: number): void {
	expect(Math.abs(actual.volume - wanted.volume)).toBeLessThanOrEqual(tolerance * wanted.volume);
	const size = Math.max(...wanted.moments);
	for (const [k, m] of wanted.moments.entries()) {
		expect(Math.abs(actual.moments[k]! - m)).toBeLessThanOrEqual(tolerance * size);
	}
	for (const [k, c] of wanted.centre.entries()) expect(Math.abs(actual.centre[k]! - c)).toBeLessThanOrEqual(tolerance);
}

/** By the midpoint rule on a fine grid of the ball |X| <= reach: whether a point is inside is all that it knows of the shape. */
function sampled(reach: number, isInside: (x: number, y: number, z: number) => boolean): MassProperties {
	const steps = 90;
	const cell = (2 * reach) / steps;
	let volume = 0;
	const first = new Float64Array(3);
	const second = new Float64Array(6);
	for (let i = 0; i < steps; i += 1) {
		for (let j = 0; j < steps; j += 1) {
			for (let k = 0; k < steps; k += 1) {
				const [x, y, z] = [i, j, k].map((n) => (n + 0.5) * cell - reach) as [number, number, number];
				if (!isInside(x, y, z)) continue;
				volume += cell ** 3;
				for (const [n, c] of [x, y, z].entries()) first[n]! += c * cell ** 3;
				for (const [n, c] of [x * x, y * y, z * z, x * y, x * z, y * z].entries()) second[n]! += c * cell ** 3;
			}
		}
	}
	return { volume, centre: first.map((c) => c / volume), moments: second };
}

describe("mass properties", () => {
	test("of a ball, of an ellipsoid and of a capsule, against a fine grid", () => {
		expect(massOf({ kind: "sphere", radius: 2 }).volume).toBeCloseTo((32 / 3) * Math.PI, 12);
		expect(massOf({ kind: "sphere", radius: 2 }).moments[2]).toBeCloseTo(((32 / 3) * Math.PI * 4) / 5, 12);
		const ellipsoid = sampled(1, (x, y, z) => (x / 0.9) ** 2 + (y / 0.5) ** 2 + z ** 2 <= 1);
		expectClose(massOf({ kind: "ellipsoid", radii: [0.9, 0.5, 1] }), ellipsoid, 3e-3);
		const capsule = sampled(1, (x, y, z) => x * x + y * y + Math.max(0, Math.abs(z) - 0.6) ** 2 <= 0.16);
		expectClose(massOf({ kind: "capsule", radius: 0.4, length: 1.2 }), capsule, 3e-3);
	});

	test("of a tetrahedron", () => {
		const { volume, centre, moments } = massOf(TETRAHEDRON);
		expect(volume).toBeCloseTo(1 / 6, 15);
		for (const c of centre) expect(c).toBeCloseTo(1 / 4, 15);
		// About the corner xx is 1/60 and xy 1/120; about the centre of mass volume / 16 less.
		for (const k of [0, 1, 2]) expect(moments[k]).toBeCloseTo(1 / 60 - 1 / 96, 15);
		for (const k of [3, 4, 5]) expect(moments[k]).toBeCloseTo(1 / 120 - 1 / 96, 15);
	});

	test("a box is the hull of its corners, also far away", () => {
		const size: Vector = [0.2, 1.5, 0.7];
		const box = massOf({ kind: "box", size });
		expectClose(massOf({ kind: "polyhedron", vertices: boxCorners(size) }), box, 1e-14);
		const far: Vector = [1024, -2048, 512];
		const moved = massOf({ kind: "polyhedron", vertices: boxCorners(size, far) });
		expectClose(moved, { ...box, centre: Float64Array.from(far) }, 1e-11);
	});

	test("a box of two halves in a union is the box, turned or not", () => {
		const q: Quaternion = [0.5, 0.5, 0.5, 0.5];
		const halves = ([-0.5, 0.5] as const).map((x) => ({
			shape: { kind: "box", size: [2, 1, 3] } as const,
			position: [x, 7, 1] as Vector,
			// x -> y -> z -> x: the half has edges 3, 2, 1 then.
			orientation: q,
		}));
		const mass = massOf({
			kind: "union",
			pieces: halves.map((half) => ({ ...half, position: [3 * half.position[0], 7, 1] as Vector })),
		});
		const whole = massOf({ kind: "box", size: [6, 2, 1] });
		expectClose(mass, { ...whole, centre: Float64Array.of(0, 7, 1) }, 1e-14);
	});

	test("of a turned union are those of the union, turned", () => {
		const random = new Random(5);
		const pieces = Array.from({ length: 3 }, () => ({
			shape: TETRAHEDRON,
			position: [0, 1, 2].map(() => random.between(-1, 1)) as unknown as Vector,
			orientation: [0, 1, 2, 3].map(() => random.between(-1, 1)) as unknown as Quaternion,
		}));
		const { moments: m, volume } = massOf({ kind: "union", pieces });
		expect(volume).toBeCloseTo(0.5, 14);
		// A quarter turn about z: x -> y, y -> -x.
		const turned = pieces.map(({ shape, position: [x, y, z], orientation: [a, b, c, d] }) => ({
			shape,
			position: [-y, x, z] as Vector,
			orientation: [a - d, b - c, c + b, d + a] as Quaternion,
		}));
		const t = massOf({ kind: "union", pieces: turned }).moments;
		const wanted = [m[1], m[0], m[2], -m[3]!, -m[5]!, m[4]];
		for (const [k, value] of wanted.entries()) expect(t[k]).toBeCloseTo(value!, 13);
	});
});

describe("pieces", () => {
	test("vertices are about the centre of mass", () => {
		const { pieces, reach } = compileShape(TETRAHEDRON);
		expect([...pieces[0]!.vertices.subarray(0, 3)]).toEqual([-0.25, -0.25, -0.25]);
		expect(reach).toBeGreaterThanOrEqual(Math.sqrt(0.75 ** 2 + 2 * 0.25 ** 2));
		checkFaces(compileShape(TETRAHEDRON));
	});

	test("a turned piece of a union has faces that its own corners are in", () => {
		const pieces = [
			{ shape: TETRAHEDRON, position: [1, 2, 3], orientation: [1, 2, 3, 4] },
			{ shape: { kind: "box", size: [1, 2, 3] }, position: [-3, 0, 0], orientation: [1, -1, 0, 2] },
			{ shape: { kind: "capsule", radius: 0.1, length: 2 }, orientation: [1, 1, 0, 0] },
		] as const;
		const compiled = compileShape({ kind: "union", pieces });
		checkFaces(compiled);
		// A quarter turn about x: z -> -y, also of a ball that may have been stretched.
		const capsule = compiled.pieces[2]!.vertices;
		expect(capsule[1]! - capsule[4]!).toBeCloseTo(2, 14);
	});

	test("a plate is as thin as it likes", () => {
		checkFaces(compileShape({ kind: "box", size: [1, 1e-9, 1e3] }));
	});

	test("a plane has a unit normal and no mass", () => {
		const { pieces, mass, reach } = compileShape({ kind: "plane", normal: [0, 3, 4], offset: 10 });
		expect([...pieces[0]!.plane!.normal, pieces[0]!.plane!.offset]).toEqual([0, 0.6, 0.8, 2]);
		expect(mass).toBeUndefined();
		expect(reach).toBe(Number.POSITIVE_INFINITY);
	});
});

function checkFaces({ pieces, reach }: CompiledShape): void {
	for (const { faces, vertices, middle, reach: own } of pieces) {
		for (let v = 0; v < vertices.length; v += 3) {
			const p = vertices.subarray(v, v + 3);
			expect(Math.hypot(...p)).toBeLessThanOrEqual(reach * (1 + 1e-14));
			expect(Math.hypot(...p.map((c, k) => c - middle[k]!))).toBeLessThanOrEqual(own * (1 + 1e-14));
		}
		if (faces === undefined) continue;
		for (const [f, offset] of faces.offset.entries()) {
			for (const v of faces.vertex.subarray(faces.start[f]!, faces.start[f + 1]!)) {
				let height = -offset;
				for (let k = 0; k < 3; k += 1) height += faces.normal[3 * f + k]! * vertices[3 * v + k]!;
				expect(Math.abs(height)).toBeLessThan(1e-13 * reach);
			}
		}
	}
}

test.each<[string, unknown, string]>([
	["radius", { kind: "sphere", radius: 0 }, "radius"],
	["no radius", { kind: "sphere" }, "radius"],
	["radii", { kind: "ellipsoid", radii: [1, -1, 1] }, "radii"],
	["length", { kind: "capsule", radius: 1, length: Number.NaN }, "length"],
	["size", { kind: "box", size: [1, 1, Number.POSITIVE_INFINITY] }, "size"],
	["two sizes", { kind: "box", size: [1, 1] }, "size"],
	["normal", { kind: "plane", normal: [0, 0, 0], offset: 1 }, "normal"],
	["offset", { kind: "plane", normal: [0, 0, 1], offset: Number.NaN }, "offset"],
	["NaN", { kind: "polyhedron", vertices: [[0, 0, Number.NaN]] }, "vertices[0]"],
	["few vertices", { kind: "polyhedron", vertices: boxCorners([1, 1, 1]).slice(0, 3) }, "vertices"],
	["a corner within", { kind: "polyhedron", vertices: [...boxCorners([1, 1, 1]), [0, 0, 0]] }, "vertices[8]"],
	["no pieces", { kind: "union", pieces: [] }, "pieces"],
	["a plane in a union", { kind: "union", pieces: [{ shape: { kind: "plane" } }] }, "pieces[0].shape.kind"],
	["position", { kind: "union", pieces: [{ shape: TETRAHEDRON, position: [0, 1] }] }, "pieces[0].position"],
	[
		"quaternion",
		{ kind: "union", pieces: [{ shape: TETRAHEDRON, orientation: [0, 0, 0, 0] }] },
		"pieces[0].orientation",
	],
	["a piece", { kind: "union", pieces: [{ shape: { kind: "box", size: [0, 1, 1] } }] }, "pieces[0].shape.size"],
])("refused: %s", (_, shape, path) => {
	const attempt = () => compileShape(shape as Shape, "scene.json", "shapes.stone");
	expect(attempt).toThrow(InputError);
	expect(attempt).toThrow(`scene.json: shapes.stone.${path}: `);
});
