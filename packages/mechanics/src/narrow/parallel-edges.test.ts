import { expect, it } from "vitest";
import { compileShape } from "../shapes/compile.js";
import type { Shape } from "../shapes/shape.js";
import { makeManifold, type PlacedPiece } from "./manifold.js";
import { touch } from "./touch.js";

const SIZE = [0.001, 0.06, 0.09] as const;
const box: Shape = { kind: "box", size: SIZE };
/** Polyhedron with the corners of a box, so that no special case of boxes applies. */
const hull: Shape = {
	kind: "polyhedron",
	vertices: [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [
		(k & 1 ? 0.5 : -0.5) * SIZE[0],
		(k & 2 ? 0.5 : -0.5) * SIZE[1],
		(k & 4 ? 0.5 : -0.5) * SIZE[2],
	]),
};

/** A card tilted by an angle about y, then turned by a small one about z and another about x, whose upper edge on the side of x = 0 has its middle at a point. */
function card(shape: Shape, tilt: number, yaw: number, x: number, y: number, z: number, roll = 0): PlacedPiece {
	const [c, s, cy, sy] = [Math.cos(tilt), Math.sin(tilt), Math.cos(yaw), Math.sin(yaw)];
	const [cr, sr] = [Math.cos(roll), Math.sin(roll)];
	const [fromY, fromZ] = [
		[sy * c, cy, sy * s],
		[-s, 0, c],
	] as const;
	const along = [cy * c, -sy, cy * s];
	const map = Float64Array.from([
		...along,
		...fromY.map((v, k) => cr * v - sr * fromZ[k]!),
		...fromY.map((v, k) => sr * v + cr * fromZ[k]!),
	]);
	const corner = [(tilt < 0 ? -0.5 : 0.5) * SIZE[0], 0, 0.5 * SIZE[2]];
	const turned = [0, 1, 2].map(
		(i) => map[3 * i]! * corner[0]! + map[3 * i + 1]! * corner[1]! + map[3 * i + 2]! * corner[2]!,
	);
	const centre = Float64Array.of(x - turned[0]!, y - turned[1]!, z - turned[2]!);
	return { convex: compileShape(shape).pieces[0]!, centre, map, isRigid: true };
}

function points(first: PlacedPiece, second: PlacedPiece, margin = 1e-4) {
	const manifold = makeManifold();
	touch(first, second, margin, manifold);
	return Array.from({ length: manifold.count }, (_, k) => ({
		gap: manifold.gap[k]!,
		normal: [...manifold.normal.subarray(3 * k, 3 * k + 3)],
		feature: manifold.feature[k]!,
		y: manifold.point[3 * k + 1]!,
	}));
}

/** Tilts of two cards that lean against each other; the first is on the side of positive x. */
const TILT = 0.6;

for (const [name, shape] of [
	["boxes", box],
	["polyhedra", hull],
] as const) {
	it(`${name} edge on edge are pushed apart along the middle of the faces, however little they overlap or are shifted`, () => {
		for (const [dx, dz] of [
			[0, 0],
			[1e-6, 0],
			[-1e-6, 0],
			[1e-7, 3e-6],
			[-1e-7, -3e-6],
			[2e-6, -2e-6],
		] as const) {
			const found = points(card(shape, -TILT, 0, 0, 0, 0), card(shape, TILT, 0, -dx, 0.01, dz));
			expect(found).toHaveLength(2);
			for (const { normal, gap } of found) {
				expect(normal[0]).toBeCloseTo(-1, 12);
				expect(Math.abs(normal[2]!)).toBeLessThan(1e-12);
				expect(Math.abs(gap)).toBeLessThan(4e-6);
				if (dz === 0 && dx !== 0) expect(Math.sign(gap)).toBe(Math.sign(dx));
			}
			// Ends of what the two edges have beside each other.
			expect(
				found
					.map(({ y }) => y)
					.sort((a, b) => a - b)
					.map((y) => Math.round(1e6 * y)),
			).toEqual([-20000, 30000]);
			expect(new Set(found.map(({ feature }) => feature)).size).toBe(2);
		}
	});

	it(`${name} whose edges are nearly parallel keep that normal`, () => {
		for (const angle of [1e-6, 1e-4, 1e-3]) {
			// Turned about the vertical they overlap at one end; about the horizontal they cross, and are apart at both.
			const overlap = points(card(shape, -TILT, 0, 0, 0, 0), card(shape, TILT, angle, 0, 0, 0));
			expect(Math.min(...overlap.map(({ gap }) => gap))).toBeCloseTo(-0.03 * angle * Math.cos(TILT), 8);
			const crossing = points(card(shape, -TILT, 0, 0, 0, 0), card(shape, TILT, 0, 0, 0, 0, angle));
			expect(Math.min(...crossing.map(({ gap }) => Math.abs(gap)))).toBeLessThan(1e-9);
			for (const { normal } of [...overlap, ...crossing]) expect(normal[0]).toBeLessThan(-1 + 1e-4);
			for (const { gap } of crossing) expect(gap).toBeGreaterThan(-1e-12);
		}
	});

	it(`${name} flush on each other have the normal of their faces`, () => {
		const flat = (z: number): PlacedPiece => ({
			convex: compileShape(shape).pieces[0]!,
			centre: Float64Array.of(0, 0, z),
			map: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
			isRigid: true,
		});
		const found = points(flat(0), flat(SIZE[2] - 1e-9));
		expect(found).toHaveLength(4);
		for (const { normal } of found) expect(normal).toEqual([0, 0, 1]);
	});
}
