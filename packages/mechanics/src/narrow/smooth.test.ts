/** Contact points of smooth shapes whose answer is known in closed form. */
import { Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import type { Shape, Vector } from "../shapes/shape.js";
import { box, manifold, place, pointsOf, randomRotation, rotation, type TouchPoint } from "../testing/polyhedra.js";
import type { PlacedPiece } from "./manifold.js";
import { touch } from "./touch.js";

function touchPoints(first: PlacedPiece, second: PlacedPiece, margin = 10): TouchPoint[] {
	touch(first, second, margin, manifold);
	return pointsOf(manifold);
}

function onlyPoint(first: PlacedPiece, second: PlacedPiece, margin = 10): TouchPoint {
	const points = touchPoints(first, second, margin);
	expect(points.length).toBe(1);
	return points[0]!;
}

function expectNear(found: readonly number[], wanted: readonly number[], tolerance: number): void {
	for (const [k, value] of wanted.entries()) expect(Math.abs(found[k]! - value)).toBeLessThanOrEqual(tolerance);
}

const ellipsoid = (...radii: Vector): Shape => ({ kind: "ellipsoid", radii });
const capsule = (radius: number, length: number): Shape => ({ kind: "capsule", radius, length });

/** Where a smooth piece reaches farthest along n: A A^T n / |A^T n| from the vertex that is highest. */
function farthest(piece: PlacedPiece, n: readonly number[]): number[] {
	const { map, centre } = piece;
	const { ball, vertices } = piece.convex;
	const a = [0, 1, 2].map((i) =>
		[0, 1, 2].map((j) => [0, 1, 2].reduce((sum, k) => sum + map[3 * i + k]! * ball![3 * k + j]!, 0)),
	);
	const u = [0, 1, 2].map((j) => a.reduce((sum, row, i) => sum + row[j]! * n[i]!, 0));
	const rho = Math.hypot(...u);
	const ends = Array.from({ length: vertices.length / 3 }, (_, k) =>
		[0, 1, 2].map((i) => [0, 1, 2].reduce((sum, j) => sum + map[3 * i + j]! * vertices[3 * k + j]!, centre[i]!)),
	);
	const height = (x: readonly number[]) => x.reduce((sum, c, k) => sum + c * n[k]!, 0);
	const end = ends.reduce((best, x) => (height(x) > height(best) ? x : best));
	return a.map((row, i) => end[i]! + row.reduce((sum, value, j) => sum + (value * u[j]!) / rho, 0));
}

/** Moves the second piece so that the points farthest along n and against it are `gap` apart along n: that is what has to be found. */
function arrange(first: PlacedPiece, second: PlacedPiece, n: readonly number[], gap: number): number[] {
	const x = farthest(first, n);
	second.centre.fill(0);
	const y = farthest(
		second,
		n.map((c) => -c),
	);
	for (let c = 0; c < 3; c++) second.centre[c] = x[c]! + gap * n[c]! - y[c]!;
	return x.map((c, k) => c + 0.5 * gap * n[k]!);
}

function stretched(random: Random): Float64Array {
	const map = randomRotation(random);
	const stretch = Float64Array.from(map, (_, k) => (k % 4 === 0 ? 1 : 0) + random.between(-0.2, 0.2));
	return map.map((_, k) => [0, 1, 2].reduce((sum, i) => sum + map[k - (k % 3) + i]! * stretch[3 * i + (k % 3)]!, 0));
}

describe("smooth pieces arranged about a normal", () => {
	const kinds: Record<string, (random: Random) => Shape> = {
		sphere: (random) => ({ kind: "sphere", radius: random.between(0.1, 1) }),
		ellipsoid: (random) => ellipsoid(random.between(0.1, 1), random.between(0.1, 1), random.between(0.1, 1)),
		needle: () => ellipsoid(1, 1e-3, 1e-3),
		disc: () => ellipsoid(1, 1e-3, 1),
		capsule: (random) => capsule(random.between(0.1, 1), random.between(0.1, 2)),
	};
	const pairs = Object.keys(kinds).flatMap((a) => Object.keys(kinds).map((b) => [a, b] as const));

	it.each(pairs)("%s and %s have the gap, normal and point they were given", (a, b) => {
		const random = new Random(7);
		for (let k = 0; k < 60; k++) {
			const deformed = k % 3 === 0;
			const map = () => (deformed ? stretched(random) : randomRotation(random));
			const first = { ...place(kinds[a]!(random), [0, 0, 0], map()), isRigid: !deformed };
			const second = { ...place(kinds[b]!(random), [0, 0, 0], map()), isRigid: !deformed };
			const n = randomRotation(random).slice(0, 3);
			// Less deep than the smallest radius of curvature, so that this is the only way out.
			const gap = [0, 10 ** -random.between(0, 6), -(10 ** -random.between(7, 9))][k % 3]!;
			const isSharp = [a, b].every((kind) => kind === "needle" || kind === "disc");
			const point = arrange(first, second, [...n], isSharp ? Math.abs(gap) : gap);
			const found = onlyPointOf(touchPoints(first, second));
			expect(Math.abs(found.gap - (isSharp ? Math.abs(gap) : gap))).toBeLessThan(1e-14);
			// At the tip of a needle the radius of curvature is a millionth of its length: rounding of its points turns the normal by a million times more.
			expectNear(found.normal, [...n], isSharp ? 1e-8 : 1e-9);
			expectNear(found.point, point, 1e-10);
		}
	});

	/** Capsules side by side may have more points: the closest one counts. */
	function onlyPointOf(points: readonly TouchPoint[]): TouchPoint {
		return points.reduce((best, point) => (point.gap < best.gap ? point : best));
	}
});

describe("ellipsoids", () => {
	it("that stand on each other touch at their poles", () => {
		const found = onlyPoint(place(ellipsoid(1, 2, 3)), place(ellipsoid(3, 2, 0.5), [0, 0, 4]));
		expect(found).toEqual({ normal: [0, 0, 1], point: [0, 0, 3.25], gap: 0.5, feature: 0 });
	});

	it("with one centre are pushed along the shortest way out", () => {
		const found = onlyPoint(place(ellipsoid(1, 2, 3)), place(ellipsoid(3, 0.5, 2)));
		expect(found.gap).toBeCloseTo(-2.5, 14);
		expect(found.normal.map(Math.abs)).toEqual([0, 1, 0]);
	});

	it("that are one and the same have a unit normal and the least width as depth", () => {
		const piece = place(ellipsoid(0.3, 1, 2), [0, 0, 0], rotation([1, 2, 3], 0.7));
		const found = onlyPoint(piece, piece);
		expect(found.gap).toBeCloseTo(-0.6, 14);
		expect(Math.hypot(...found.normal)).toBeCloseTo(1, 14);
	});

	it("on a plane touch below their lowest point", () => {
		const plane = place({ kind: "plane", normal: [0, 0, 1], offset: -1 });
		const found = onlyPoint(plane, place(ellipsoid(1, 2, 0.5), [3, 4, 0]));
		expect(found).toEqual({ normal: [0, 0, 1], point: [3, 4, -0.75], gap: 0.5, feature: 0 });
	});

	it("that are no nearer than the margin do not touch", () => {
		expect(touchPoints(place(ellipsoid(1, 2, 3)), place(ellipsoid(3, 2, 0.5), [0, 0, 4]), 0.49)).toEqual([]);
	});

	it("touch faces, edges and corners of a box", () => {
		const cube = place(box(2, 2, 2));
		const face = onlyPoint(cube, place(ellipsoid(0.5, 0.4, 0.3), [0.2, 0.1, 1.5]));
		expectNear(face.normal, [0, 0, 1], 0);
		expectNear([face.gap, ...face.point], [0.2, 0.2, 0.1, 1.1], 1e-15);
		const half = Math.SQRT1_2;
		const edge = onlyPoint(cube, place({ kind: "sphere", radius: 0.5 }, [2, 0.3, 2]));
		expectNear([edge.gap, ...edge.normal], [Math.SQRT2 - 0.5, half, 0, half], 1e-15);
		const third = 1 / Math.sqrt(3);
		const corner = onlyPoint(cube, place({ kind: "sphere", radius: 0.5 }, [2, 2, 2]));
		expectNear([corner.gap, ...corner.normal], [Math.sqrt(3) - 0.5, third, third, third], 1e-15);
	});

	it("deep in a box leave it through the nearest face", () => {
		const found = onlyPoint(place(box(2, 2, 3)), place(ellipsoid(0.1, 0.2, 0.1), [0.1, 0.5, 0.2]));
		expectNear([found.gap, ...found.normal], [-0.7, 0, 1, 0], 1e-14);
	});
});

describe("capsules", () => {
	const lying = rotation([0, 1, 0], Math.PI / 2);

	it("side by side are held at both ends of what they have in common", () => {
		const points = touchPoints(place(capsule(0.5, 4)), place(capsule(0.25, 4), [1, 0, 1]));
		expect(points.map(({ gap }) => gap)).toEqual([0.25, 0.25]);
		expect(points.map(({ normal }) => normal)).toEqual([
			[1, 0, 0],
			[1, 0, 0],
		]);
		expect(points.map(({ point }) => point)).toEqual([
			[0.625, 0, -1],
			[0.625, 0, 2],
		]);
	});

	it("keep the features of their ends when they are swapped", () => {
		const [a, b] = [place(capsule(0.5, 4)), place(capsule(0.25, 4), [1, 0, 1])];
		const features = touchPoints(a, b).map(({ feature }) => feature);
		const swapped = touchPoints(b, a).map(({ feature }) => feature);
		// The end of one is 0 or 1 where it comes first, 2 or 3 where it comes second.
		expect(swapped).toEqual(features.map((feature) => feature ^ 2));
	});

	it("across each other touch in one point", () => {
		const found = onlyPoint(place(capsule(0.5, 4)), place(capsule(0.5, 4), [0, 1.25, 0], lying));
		expectNear([found.gap, ...found.normal, ...found.point], [0.25, 0, 1, 0, 0, 0.625, 0], 1e-15);
	});

	it("end to end touch in one point", () => {
		const found = onlyPoint(place(capsule(0.5, 2)), place(capsule(0.5, 2), [0, 0, 3.5]));
		expectNear([found.gap, ...found.normal, ...found.point], [0.5, 0, 0, 1, 0, 0, 1.75], 1e-15);
	});

	it("on a plane touch below both ends", () => {
		const plane = place({ kind: "plane", normal: [0, 0, 1], offset: 0 });
		const points = touchPoints(place(capsule(0.5, 2), [0, 0, 0.5], lying), plane);
		expect(points.map(({ feature }) => feature)).toEqual([0, 1]);
		for (const { gap } of points) expect(Math.abs(gap)).toBeLessThan(1e-15);
	});

	it("on a face are held at their ends, or where they leave it", () => {
		const points = touchPoints(place(box(2, 2, 2)), place(capsule(0.5, 2), [0.5, 0, 1.5], lying));
		const along = points.map(({ point }) => point[0]!).sort((a, b) => a - b);
		expectNear(along, [-0.5, 1], 1e-15);
		expect(points.length).toBe(2);
		for (const { gap, normal } of points) expectNear([gap, ...normal], [0, 0, 0, 1], 1e-15);
	});

	it("across an edge touch it in one point", () => {
		const found = onlyPoint(place(box(2, 2, 2)), place(capsule(0.25, 4), [2, 0, 2], rotation([0, 1, 0], -Math.PI / 4)));
		expectNear([found.gap, ...found.normal], [Math.SQRT2 - 0.25, Math.SQRT1_2, 0, Math.SQRT1_2], 1e-15);
	});
});
