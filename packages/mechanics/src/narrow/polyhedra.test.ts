import { Random } from "@stickslip/core";
import { describe, expect, test } from "vitest";
import type { Vector } from "../shapes/shape.js";
import {
	box,
	manifold,
	place,
	pointsOf,
	randomPolyhedron,
	randomRotation,
	rotation,
	separationAlong,
} from "../testing/polyhedra.js";
import { touch } from "./touch.js";

const CUBE = box(1, 1, 1);
const TETRAHEDRON = {
	kind: "polyhedron",
	vertices: [
		[0, 0, 0],
		[1, 0, 0],
		[0, 1, 0],
		[0, 0, 1],
	],
} as const;

function touching(a: ReturnType<typeof place>, b: ReturnType<typeof place>, margin = 0) {
	touch(a, b, margin, manifold);
	return pointsOf(manifold);
}

function sorted(points: readonly { point: readonly number[] }[]): number[][] {
	return points
		.map(({ point }) => point.map((c) => Math.round(c * 1e9) / 1e9 + 0))
		.sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]!);
}

describe("faces", () => {
	test("a box on a box: the four corners they share, half-way between the faces", () => {
		const points = touching(place(CUBE), place(CUBE, [0.5, 0.25, 0.875]));
		expect(sorted(points)).toEqual([
			[0, -0.25, 0.4375],
			[0, 0.5, 0.4375],
			[0.5, -0.25, 0.4375],
			[0.5, 0.5, 0.4375],
		]);
		for (const { normal, gap } of points) {
			expect(normal).toEqual([0, 0, 1]);
			expect(gap).toBe(-0.125);
		}
	});

	test("flush: equal boxes share four corners, each once", () => {
		const points = touching(place(CUBE), place(CUBE, [0, 0, 1 - 2 ** -10]));
		expect(points).toHaveLength(4);
		expect(new Set(points.map(({ feature }) => feature)).size).toBe(4);
	});

	test("turned by 30 degrees: an octagon", () => {
		const points = touching(place(CUBE), place(CUBE, [0, 0, 0.99], rotation([0, 0, 1], Math.PI / 6)));
		expect(points).toHaveLength(8);
		expect(new Set(points.map(({ feature }) => feature)).size).toBe(8);
		for (const { point, gap, normal } of points) {
			expect(normal).toEqual([0, 0, 1]);
			expect(gap).toBeCloseTo(-0.01, 14);
			// On a side of both squares.
			expect(Math.max(Math.abs(point[0]!), Math.abs(point[1]!))).toBeCloseTo(0.5, 14);
		}
	});

	test("a small box on a large one and under it: the small one's corners, in whatever order they come", () => {
		for (const z of [-1, 1]) {
			const points = touching(place(box(4, 4, 1)), place(CUBE, [0.3, 0.2, z * 0.99]));
			expect(sorted(points)).toEqual([
				[-0.2, -0.3, z * 0.495],
				[-0.2, 0.7, z * 0.495],
				[0.8, -0.3, z * 0.495],
				[0.8, 0.7, z * 0.495],
			]);
			for (const { normal } of points) expect(normal[2]).toBe(z);
		}
	});

	test("a corner on a face: one point", () => {
		// Standing on its tip: the diagonal is along z.
		const tip = rotation([1, -1, 0], Math.acos(1 / Math.sqrt(3)));
		const low = Math.sqrt(3) / 2;
		const points = touching(place(box(4, 4, 1)), place(CUBE, [0.1, 0.2, 0.5 + low - 0.001], tip));
		expect(points).toHaveLength(1);
		expect(points[0]!.gap).toBeCloseTo(-0.001, 14);
		expect(points[0]!.normal[2]).toBeCloseTo(1, 14);
		for (const [k, c] of [0.1, 0.2, 0.4995].entries()) expect(points[0]!.point[k]).toBeCloseTo(c, 13);
	});

	test("an edge on a face: two points", () => {
		const edge = rotation([1, 0, 0], Math.PI / 4);
		const points = touching(place(box(4, 4, 1)), place(CUBE, [0, 0, 0.5 + Math.SQRT1_2 - 0.001], edge));
		expect(points).toHaveLength(2);
		expect(sorted(points)[0]).toEqual([-0.5, 0, 0.4995]);
		expect(sorted(points)[1]).toEqual([0.5, 0, 0.4995]);
	});

	test("a prism of 32 sides on another: eight points that hold it", () => {
		const ring = Array.from({ length: 32 }, (_, k) => [Math.cos((k * Math.PI) / 16), Math.sin((k * Math.PI) / 16)]);
		const vertices = [-0.5, 0.5].flatMap((z) => ring.map(([x, y]) => [x!, y!, z] as Vector));
		const prism = { kind: "polyhedron", vertices } as const;
		const stand = [prism, box(3, 3, 1), { kind: "plane", normal: [0, 0, 1], offset: 0.5 }] as const;
		for (const below of stand) {
			const points = touching(place(below), place(prism, [0, 0, 0.999]));
			expect(points).toHaveLength(8);
			for (const axis of [0, 1]) {
				const along = points.map(({ point }) => point[axis]!);
				expect(Math.min(...along)).toBeLessThan(-0.9);
				expect(Math.max(...along)).toBeGreaterThan(0.9);
			}
		}
	});
});

describe("edges", () => {
	const ridge = rotation([1, 0, 0], Math.PI / 4);
	const across = rotation([0, 1, 0], Math.PI / 4);

	test("two crossed edges: one point where they cross", () => {
		const points = touching(place(CUBE, [0, 0, 0], ridge), place(CUBE, [0.2, 0.1, Math.SQRT2 - 0.01], across));
		expect(points).toHaveLength(1);
		const { point, normal, gap } = points[0]!;
		expect(gap).toBeCloseTo(-0.01, 14);
		expect(normal[2]).toBeCloseTo(1, 14);
		for (const [k, c] of [0.2, 0, Math.SQRT1_2 - 0.005].entries()) expect(point[k]).toBeCloseTo(c, 13);
	});

	test("crossed and apart: the same with a gap, and none beyond the margin", () => {
		const [a, b] = [place(CUBE, [0, 0, 0], ridge), place(CUBE, [0.2, 0.1, Math.SQRT2 + 0.01], across)];
		const points = touching(a, b, 0.02);
		expect(points).toHaveLength(1);
		expect(points[0]!.gap).toBeCloseTo(0.01, 14);
		expect(touching(a, b, 0.005)).toHaveLength(0);
	});

	test("boxes apart along a diagonal: corner to corner, and edge to edge with both ends", () => {
		const [corner] = touching(place(CUBE), place(CUBE, [1.1, 1.2, 1.2]), 1);
		expect(corner!.gap).toBeCloseTo(0.3, 14);
		for (const [k, c] of [1, 2, 2].entries()) expect(corner!.normal[k]).toBeCloseTo(c / 3, 13);
		const ends = touching(place(CUBE), place(CUBE, [1.3, 0.25, 1.4]), 1);
		expect(ends).toHaveLength(2);
		for (const { gap, normal } of ends) {
			expect(gap).toBeCloseTo(0.5, 14);
			expect(normal[0]).toBeCloseTo(0.6, 14);
			expect(normal[2]).toBeCloseTo(0.8, 14);
		}
		expect(sorted(ends)).toEqual([
			[0.65, -0.25, 0.7],
			[0.65, 0.5, 0.7],
		]);
	});

	test("a corner beside an edge, both apart", () => {
		const half = Math.SQRT1_2;
		const points = touching(
			place(CUBE),
			place(CUBE, [0.5 + 0.3 + half, 0, 0.9 + 0.5], rotation([0, 0, 1], Math.PI / 4)),
			1,
		);
		expect(points).toHaveLength(1);
		expect(points[0]!.gap).toBeCloseTo(0.5, 14);
	});
});

describe("two of any kind", () => {
	const random = new Random(7);

	function randomPiece(centre: Vector, isDeformed: boolean) {
		const radii = [0, 1, 2].map(() => random.between(0.2, 1)) as unknown as Vector;
		const shape =
			random.below(2) === 0
				? box(2 * radii[0], 2 * radii[1], 2 * radii[2])
				: randomPolyhedron(random, 6 + random.below(8), radii);
		const piece = place(shape, centre, randomRotation(random));
		if (isDeformed) for (let j = 0; j < 9; j += 1) piece.map[j]! *= random.between(0.9, 1.1);
		piece.isRigid = !isDeformed;
		return piece;
	}

	/** Over directions of the whole sphere and close to this one. */
	function sampledSeparation(a: ReturnType<typeof place>, b: ReturnType<typeof place>, normal: readonly number[]) {
		let most = Number.NEGATIVE_INFINITY;
		for (let s = 0; s < 60; s += 1) {
			const n = normal.map((c) => (s % 3 === 0 ? 1 : c) * random.between(-1, 1) + (s % 2) * 3 * c);
			const length = Math.hypot(...n);
			most = Math.max(
				most,
				separationAlong(
					a,
					b,
					n.map((c) => c / length),
				),
			);
		}
		return most;
	}

	test("the least gap is the largest separation over all directions, swapped to the bit", () => {
		let deep = 0;
		const pairs = 1200;
		for (let k = 0; k < pairs; k += 1) {
			const centre = [0, 1, 2].map(() => random.between(-1, 1)) as unknown as Vector;
			const [a, b] = [randomPiece([0, 0, 0], k % 7 === 0), randomPiece(centre, k % 7 === 0)];
			const points = touching(a, b, 10);
			const best = points.reduce((least, point) => (point.gap < least.gap ? point : least));
			if (best.gap < 0) deep += 1;
			// Along the normal the two are as far apart as the gap says, but for the angle by which faces are preferred.
			const along = separationAlong(a, b, best.normal);
			if (!(along < best.gap + 1e-12 && along > best.gap - 0.08)) expect([k, along]).toEqual([k, best.gap]);
			const sampled = sampledSeparation(a, b, best.normal);
			if (!(sampled < best.gap + 1e-12)) expect([k, sampled]).toEqual([k, best.gap]);
			const turned = touching(b, a, 10).map((each) => ({ ...each, normal: each.normal.map((c) => -c + 0) }));
			const bits = (all: typeof points) =>
				all.flatMap(({ gap, point, normal }) => [gap, ...point, ...normal]).join(" ");
			expect(bits(turned)).toBe(bits(points));
			expect(new Set(points.map(({ feature }) => feature)).size).toBe(points.length);
		}
		expect(deep).toBeGreaterThan(0.2 * pairs);
		expect(deep).toBeLessThan(0.8 * pairs);
	});
});

test("a plane under a box: its four corners", () => {
	const plane = place({ kind: "plane", normal: [0, 0, 2], offset: 1 });
	const points = touching(place(CUBE, [5, 0, 0.99]), plane);
	expect(sorted(points)).toEqual([
		[4.5, -0.5, 0.495],
		[4.5, 0.5, 0.495],
		[5.5, -0.5, 0.495],
		[5.5, 0.5, 0.495],
	]);
	for (const { normal } of points) expect(normal[2]).toBe(-1);
	expect(touching(place(TETRAHEDRON, [0, 0, 0.7]), plane)).toHaveLength(3);
});
