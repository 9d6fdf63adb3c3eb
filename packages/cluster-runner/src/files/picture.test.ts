/** Pictures of bodies: where they are on the page, how large, and in which order. */
import { picture } from "@stickslip/mechanics";
import { expect, test } from "vitest";
import { madeUpBodies, madeUpModel } from "../testing/bodies.js";

const { shapes } = madeUpModel();
const bodies = madeUpBodies(1, 3, 3, 0);

test("seen from the front: ellipses with half-axes of the radii, a square, 4 apart, to scale", () => {
	const svg = picture(shapes, bodies, { from: [0, -1, 0], width: 800 });
	// Ids 1, 2 and 3 at x = 4, 8 and 12 have shapes 2 (radii 0.5, 1, 1.5), 3 (a cube) and 1 (a ball): from 3.5 to 13 in 768 pixels.
	const scale = 768 / 9.5;
	const ellipse = (a: number, b: number, x: number) =>
		`matrix(${(scale * a).toFixed(3)} 0.000 0.000 ${(scale * b).toFixed(3)} ${(16 + scale * (x - 3.5)).toFixed(1)} `;
	const text = svg.replaceAll("-0.000", "0.000");
	expect(text).toContain(ellipse(0.5, 1.5, 4));
	expect(text).toContain(ellipse(1, 1, 12));
	expect([...svg.matchAll(/<polygon points="([^"]*)"/g)]).toHaveLength(1);
	expect(svg).not.toMatch(/NaN|Infinity/);
	expect(picture(shapes, bodies, { from: [0, -1, 0], width: 800 })).toBe(svg);
});

test("what is nearer is drawn later, of a cube the faces that are seen, and the plane where it is seen from above; a turned ellipsoid's image is of the size of its shadow", () => {
	const side = picture(shapes, bodies, { from: [1, 0, 0] });
	const [ellipsoid, cube, ball] = [/scale|matrix/, /<polygon/, /matrix/].map((pattern) => side.search(pattern));
	expect(ellipsoid).toBe(ball);
	expect(ellipsoid).toBeLessThan(cube!);
	expect(side.lastIndexOf("matrix")).toBeGreaterThan(cube!);
	expect([...picture(shapes, bodies, { from: [1, -1, 1] }).matchAll(/<polygon/g)]).toHaveLength(3 + 1);
});
