import { Random } from "@stickslip/core";
import { describe, expect, test } from "vitest";
import type { Faces } from "./convex.js";
import { HULL_POINTS_MAX, type HullFault, hullFaces } from "./hull.js";

const CUBE = [-1, 1].flatMap((z) => [-1, 1].flatMap((y) => [-1, 1].flatMap((x) => [x, y, z])));

function facesOf(vertices: readonly number[]): Faces {
	const faces = hullFaces(Float64Array.from(vertices));
	if ("problem" in faces) throw new Error(`${faces.vertices} ${faces.problem}`);
	return faces;
}

/** Corners per face, sorted. */
function sizes(faces: Faces): number[] {
	return [...faces.offset.keys()].map((f) => faces.start[f + 1]! - faces.start[f]!).sort((a, b) => a - b);
}

/** All vertices are below every face, each face's corners are in it and go round it counter-clockwise, and edges know their faces. */
function checkSurface(vertices: readonly number[], faces: Faces, tolerance: number): void {
	for (const [f, offset] of faces.offset.entries()) {
		const n = faces.normal.subarray(3 * f, 3 * f + 3);
		const height = (v: number) =>
			n[0]! * vertices[3 * v]! + n[1]! * vertices[3 * v + 1]! + n[2]! * vertices[3 * v + 2]! - offset;
		const highest = Math.max(...Array.from({ length: vertices.length / 3 }, (_, v) => height(v)));
		expect(highest).toBeLessThanOrEqual(tolerance);
		const loop = [...faces.vertex.subarray(faces.start[f]!, faces.start[f + 1]!)];
		for (const [at, v] of loop.entries()) {
			if (Math.abs(height(v)) > tolerance) throw new Error(`vertex ${v} is ${height(v)} off its face`);
			const p = [v, loop[(at + 1) % loop.length]!, loop[(at + 2) % loop.length]!];
			const [a, b, c] = p.map((k) => vertices.slice(3 * k, 3 * k + 3)) as [number[], number[], number[]];
			const u = a.map((x, k) => b[k]! - x);
			const w = b.map((x, k) => c[k]! - x);
			const turn =
				n[0]! * (u[1]! * w[2]! - u[2]! * w[1]!) +
				n[1]! * (u[2]! * w[0]! - u[0]! * w[2]!) +
				n[2]! * (u[0]! * w[1]! - u[1]! * w[0]!);
			if (turn <= 0) throw new Error(`face ${f} turns the wrong way`);
		}
	}
	for (let e = 0; 2 * e < faces.edge.length; e += 1) {
		for (const f of faces.edgeFace.subarray(2 * e, 2 * e + 2)) {
			const loop = faces.vertex.subarray(faces.start[f]!, faces.start[f + 1]!);
			const ends = faces.edge.subarray(2 * e, 2 * e + 2);
			if (!ends.every((v) => loop.includes(v))) throw new Error(`edge ${e} is not one of face ${f}`);
		}
	}
}

describe("hullFaces", () => {
	test("a cube has six squares and twelve edges, with normals along the axes to the bit", () => {
		const faces = facesOf(CUBE);
		expect(sizes(faces)).toEqual([4, 4, 4, 4, 4, 4]);
		expect(faces.edge.length).toBe(24);
		expect([...faces.normal].filter((c) => Math.abs(c) === 1)).toHaveLength(6);
		expect([...faces.normal].filter((c) => c === 0)).toHaveLength(12);
		checkSurface(CUBE, faces, 0);
	});

	test("an octahedron, a prism of 32 sides and a needle", () => {
		expect(sizes(facesOf([1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1]))).toEqual(Array(8).fill(3));
		const ring = Array.from({ length: 32 }, (_, k) => [Math.cos((k * Math.PI) / 16), Math.sin((k * Math.PI) / 16)]);
		const prism = [-1, 1].flatMap((z) => ring.flatMap(([x, y]) => [x!, y!, z]));
		expect(sizes(facesOf(prism))).toEqual([...Array(32).fill(4), 32, 32]);
		checkSurface(prism, facesOf(prism), 1e-14);
		const needle = CUBE.map((c, k) => (k % 3 === 0 ? 1000 * c : c));
		expect(sizes(facesOf(needle))).toEqual([4, 4, 4, 4, 4, 4]);
	});

	test("faces that are flat to single precision are merged", () => {
		const random = new Random(1);
		const rough = CUBE.map((c) => c + 3e-8 * random.between(-1, 1));
		const faces = facesOf(rough);
		expect(sizes(faces)).toEqual([4, 4, 4, 4, 4, 4]);
		checkSurface(rough, faces, 2e-7);
	});

	test("random points on spheres: closed surfaces, whatever their order", () => {
		for (let seed = 0; seed < 30; seed += 1) {
			const random = new Random(seed);
			const count = 4 + random.below(60);
			const scale = [random.between(0.01, 1), 1, random.between(0.1, 1)];
			const points: number[][] = [];
			while (points.length < count) {
				const p = [0, 1, 2].map(() => random.between(-1, 1));
				const r = Math.sqrt(p[0]! ** 2 + p[1]! ** 2 + p[2]! ** 2);
				if (r > 0.1 && r < 1) points.push(p.map((c, k) => (scale[k]! * c) / r + 5));
			}
			const faces = facesOf(points.flat());
			checkSurface(points.flat(), faces, 1e-6);
			expect(count - faces.edge.length / 2 + faces.offset.length).toBe(2);
			const order = random.shuffle(Int32Array.from(points.keys()));
			const other = facesOf([...order].flatMap((v) => points[v]!));
			const named = (all: Faces, name: (v: number) => number) =>
				[...all.offset.keys()]
					.map((f) =>
						[...all.vertex.subarray(all.start[f]!, all.start[f + 1]!)]
							.map(name)
							.sort((a, b) => a - b)
							.join(" "),
					)
					.sort();
			expect(named(other, (v) => order[v]!)).toEqual(named(faces, (v) => v));
		}
	});

	test.each<[string, number[], number, RegExp]>([
		["three points", CUBE.slice(0, 9), -1, /3 vertices/],
		["a square", [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], -1, /one plane/],
		["points of a line", [0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0], -1, /one plane/],
		["a square out of the axes", [0, 0, 1, 1, 0, 0, 0, 1, 0, 1, 1, -1], -1, /one plane/],
		["a corner twice", [...CUBE, 1, 1, 1], 8, /same as vertex 7/],
		["a point inside", [...CUBE, 0.1, 0.2, 0.3], 8, /not a corner/],
		["a point in a face", [0.5, 0, 1, ...CUBE], 0, /not a corner/],
		["a point on an edge", [...CUBE, 1, 1, 0], 8, /not a corner/],
	])("%s", (_, vertices, vertex, problem) => {
		const fault = hullFaces(Float64Array.from(vertices)) as HullFault;
		expect(fault.problem).toMatch(problem);
		expect(fault.vertices).toEqual(vertex < 0 ? [] : [vertex]);
		expect(fault.remedy).not.toBe("");
	});

	test("a corner nearly twice is none of a flat body: it has a hull, or the corner is named", () => {
		const problems = Array.from({ length: 40 }, (_, seed) => {
			const random = new Random(seed);
			const corners = Array.from({ length: 24 }, () => random.between(-1, 1));
			const near = corners.slice(0, 3).map((c) => c + 1e-9 * random.between(-1, 1));
			const around = [...CUBE.map((c) => 2 * c), ...corners.slice(0, 3).map((c) => 6 * c), ...near.map((c) => 6 * c)];
			const found = hullFaces(Float64Array.from(around));
			return "problem" in found ? found.problem : "none";
		});
		expect(problems.filter((problem) => problem.includes("plane"))).toEqual([]);
		expect(problems.some((problem) => problem.startsWith("nearly the same as vertex 8"))).toBe(true);
	});

	test("thousands of points: a sphere, a cone, a prism, and what of a cube is no corner", () => {
		const random = new Random(5);
		const onSphere = () => {
			const p = [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)];
			const r = Math.sqrt(p[0]! ** 2 + p[1]! ** 2 + p[2]! ** 2);
			return p.map((c) => c / r);
		};
		const ring = (count: number, z: number) =>
			Array.from({ length: count }, (_, k) => {
				const angle = (2 * Math.PI * k) / count;
				return [Math.cos(angle), Math.sin(angle), z];
			});
		const sphere = Array.from({ length: 1000 }, onSphere).flat();
		const faces = facesOf(sphere);
		checkSurface(sphere, faces, 1e-7);
		expect(1000 - faces.edge.length / 2 + faces.offset.length).toBe(2);
		expect(sizes(facesOf([[0, 0, 2], ...ring(HULL_POINTS_MAX - 1, 0)].flat()))).toEqual([
			...Array(HULL_POINTS_MAX - 1).fill(3),
			HULL_POINTS_MAX - 1,
		]);
		const prism = [...ring(1000, 0), ...ring(1000, 1)].flat();
		expect(sizes(facesOf(prism))).toEqual([...Array(1000).fill(4), 1000, 1000]);
		const inCube = Array.from({ length: 3 * 5000 }, () => random.between(-1, 1));
		const onTop = Array.from({ length: 900 }, () => [random.between(-1, 1), random.between(-1, 1), 1]).flat();
		const fault = hullFaces(Float64Array.from([...CUBE, ...inCube, ...onTop])) as HullFault;
		expect(fault.vertices).toEqual(Array.from({ length: 5900 }, (_, k) => 8 + k));
	});

	test("more points than are allowed, coordinates without a scale, crowded corners", () => {
		const fault = (vertices: Float64Array) => (hullFaces(vertices) as HullFault).problem;
		expect(fault(new Float64Array(3 * HULL_POINTS_MAX + 3))).toBe(`${HULL_POINTS_MAX + 1} vertices`);
		expect(fault(Float64Array.from(CUBE, (c) => 1e-160 * c))).toContain("across");
		expect(fault(Float64Array.from(CUBE, (c) => 1e308 * c))).toContain("across");
		const curve = Array.from({ length: 10_000 }, (_, k) => [1, 2, 3].map((power) => (k / 10_000) ** power)).flat();
		expect(fault(Float64Array.from(curve))).toContain("near");
	});
});
