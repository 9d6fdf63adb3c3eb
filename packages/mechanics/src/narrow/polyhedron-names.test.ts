/** Points keep their names while bodies move a little, so that the next step starts from their reactions. */
import { Random } from "@stickslip/core";
import { expect, test } from "vitest";
import type { Shape, Vector } from "../shapes/shape.js";
import { box, manifold, place, pointsOf, rotation } from "../testing/polyhedra.js";
import { touch } from "./touch.js";

const HALF = 0.5;

/** A hexagonal prism of unit height. */
const PRISM: Shape = {
	kind: "polyhedron",
	vertices: [-HALF, HALF].flatMap((z) =>
		Array.from({ length: 6 }, (_, k): Vector => [Math.cos((k * Math.PI) / 3), Math.sin((k * Math.PI) / 3), z]),
	),
};

interface Stack {
	readonly name: string;
	readonly below: Shape;
	readonly above: Shape;
	readonly x: number;
	readonly turn: number;
	readonly points: number;
}

const stacks: Stack[] = [
	{ name: "equal boxes, flush", below: box(1, 1, 1), above: box(1, 1, 1), x: 0, turn: 0, points: 4 },
	{ name: "flush on two sides", below: box(1, 1, 1), above: box(1, 1, 1), x: 0.4, turn: 0, points: 4 },
	{ name: "a small box on a large one", below: box(3, 3, 1), above: box(1, 1, 1), x: 0.3, turn: 0.3, points: 4 },
	{ name: "a large box on a small one", below: box(1, 1, 1), above: box(3, 3, 1), x: 0.3, turn: 0.3, points: 4 },
	{ name: "turned", below: box(1, 1, 1), above: box(1, 1, 1), x: 0.05, turn: 0.5, points: 8 },
	{ name: "equal prisms, flush", below: PRISM, above: PRISM, x: 0, turn: 0, points: 6 },
	{ name: "a box on a prism", below: PRISM, above: box(1, 1, 1), x: 0, turn: 0.2, points: 4 },
	{ name: "a plank across", below: box(0.2, 3, 1), above: box(3, 0.2, 1), x: 0, turn: 0.01, points: 4 },
];

test.each(stacks)("$name", ({ below, above, x, turn, points }) => {
	const random = new Random(3);
	const jitter = () => random.between(-1e-5, 1e-5);
	let names: string | undefined;
	for (let k = 0; k < 200; k += 1) {
		const tilt: Vector = [jitter(), jitter(), 1];
		const a = place(below, [0, 0, 0], rotation([jitter(), jitter(), 1], jitter()));
		const b = place(above, [x + jitter(), jitter(), 1 - 5e-5 + jitter()], rotation(tilt, turn + jitter()));
		touch(a, b, 0, manifold);
		const found = pointsOf(manifold);
		const sorted = found.map(({ feature }) => feature).sort((one, other) => one - other);
		expect(found).toHaveLength(points);
		names ??= sorted.join(" ");
		expect(sorted.join(" ")).toBe(names);
		for (const { normal } of found) expect(normal[2]).toBeGreaterThan(0.999);
	}
});
