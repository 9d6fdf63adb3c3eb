/** Bodies of all shapes, rigid and deformed: which of them touch, against the pieces of all pairs of bodies. */
import { Random } from "@stickslip/core";
import { expect, test } from "vitest";
import type { Bodies } from "../bodies/bodies.js";
import { makeBodies } from "../bodies/make.js";
import type { Model } from "../bodies/model.js";
import { makeManifold, type PlacedPiece } from "../narrow/manifold.js";
import { touch } from "../narrow/touch.js";
import { compileShape } from "../shapes/compile.js";
import type { Quaternion, Shape, Vector } from "../shapes/shape.js";
import { randomPolyhedron } from "../testing/polyhedra.js";
import { ContactList } from "./contact-list.js";
import { ContactDetector } from "./detect.js";

const random = new Random(12);
const hammer: Shape = {
	kind: "union",
	pieces: [
		{ shape: { kind: "capsule", radius: 0.1, length: 1 } },
		{ shape: { kind: "box", size: [0.6, 0.3, 0.3] }, position: [0, 0, 0.5] },
	],
};
const shapes: readonly Shape[] = [
	{ kind: "plane", normal: [0.1, 0.2, 1], offset: 0.2 },
	{ kind: "sphere", radius: 0.3 },
	{ kind: "ellipsoid", radii: [0.5, 0.2, 0.3] },
	{ kind: "capsule", radius: 0.15, length: 0.6 },
	{ kind: "box", size: [0.7, 0.4, 0.2] },
	randomPolyhedron(random, 9, [0.5, 0.3, 0.2]),
	{ kind: "ellipsoid", radii: [0.02, 0.01, 0.03] },
	hammer,
];
const model: Model = {
	shapes: shapes.map((shape) => compileShape(shape)),
	materials: [{ name: "soft", density: 1000, young: 1e6, poisson: 0.25 }],
	laws: [{ friction: 0.5, restitution: 0 }],
	gravity: new Float64Array(3),
};

const numbers = (count: number, size: number) => Array.from({ length: count }, () => size * random.between(-1, 1));

function scatter(count: number): Bodies {
	const obstacle = { kind: "obstacle", shape: 0, material: 0 } as const;
	const loose = Array.from({ length: count }, (_, i) => ({
		kind: i % 3 === 0 ? ("pseudo-rigid" as const) : ("rigid" as const),
		shape: 1 + (i % 7),
		material: 0,
		position: numbers(3, 1.3) as unknown as Vector,
		orientation: numbers(4, 1) as unknown as Quaternion,
	}));
	const bodies = makeBodies(model, [obstacle, ...loose]);
	for (let i = 1; i < bodies.count; i += 1) {
		if (loose[i - 1]!.kind === "pseudo-rigid")
			for (let k = 0; k < 9; k += 1) bodies.map[9 * i + k]! += numbers(1, 0.2)[0]!;
	}
	return bodies;
}

function pieceOf(bodies: Bodies, place: number, piece: number, origin: number): PlacedPiece {
	return {
		convex: model.shapes[bodies.shape[place]!]!.pieces[piece]!,
		centre: Float64Array.from([0, 1, 2], (d) => bodies.position[3 * place + d]! - bodies.position[3 * origin + d]!),
		map: bodies.map.slice(9 * place, 9 * place + 9),
		isRigid: bodies.kind[place] === 1 || place === 0,
	};
}

const manifold = makeManifold();

/** "i j" of all pairs of bodies that have a point, and the smallest gap of each. */
function allPairs(bodies: Bodies, margin: number): Map<string, number> {
	const found = new Map<string, number>();
	const pieces = (place: number) => [...model.shapes[bodies.shape[place]!]!.pieces.keys()];
	for (let i = 0; i < bodies.count; i += 1) {
		for (let j = i + 1; j < bodies.count; j += 1) {
			for (const a of pieces(i)) {
				for (const b of pieces(j)) {
					touch(pieceOf(bodies, i, a, i), pieceOf(bodies, j, b, i), margin, manifold);
					const gaps = [found.get(`${i} ${j}`) ?? Infinity, ...manifold.gap.subarray(0, manifold.count)];
					if (manifold.count > 0) found.set(`${i} ${j}`, Math.min(...gaps));
				}
			}
		}
	}
	return found;
}

test.each([0, 0.05])("all that touch, with a margin of %d", (margin) => {
	for (let round = 0; round < 3; round += 1) {
		const bodies = scatter(70);
		const contacts = new ContactList();
		new ContactDetector(model).detect(bodies, margin, contacts);
		const found = new Map<string, number>();
		for (let a = 0; a < contacts.count; a += 1) {
			const key = `${contacts.body[2 * a]} ${contacts.body[2 * a + 1]}`;
			found.set(key, Math.min(found.get(key) ?? Infinity, contacts.gap[a]!));
		}
		const wanted = allPairs(bodies, margin);
		expect([...found.keys()]).toEqual([...wanted.keys()]);
		for (const [key, gap] of wanted) {
			// Unions leave out points that stand for nothing on their surface, which may be deeper.
			const hasUnion = key.split(" ").some((place) => shapes[bodies.shape[Number(place)]!] === hammer);
			if (!hasUnion) expect([key, found.get(key)]).toEqual([key, gap]);
		}
		expect(wanted.size).toBeGreaterThan(100);
	}
});
