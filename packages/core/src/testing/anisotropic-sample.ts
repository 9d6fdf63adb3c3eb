/** Friction that depends on the direction (assembly/laws/anisotropic.ts has the formulas). */
import type { Triple } from "./judge.js";
import { choose, direction, type LawSample, type Parameters, sign, size } from "./law-sample.js";

/** From the frame of the axes to (T1, T2). */
function turned([, , c, s]: Parameters, [n, x, y]: Triple): Triple {
	return [n, c! * x - s! * y, s! * x + c! * y];
}

function turnedBack([, , c, s]: Parameters, [n, x, y]: Triple): Triple {
	return [n, c! * x + s! * y, c! * y - s! * x];
}

export const anisotropic: LawSample = {
	name: "anisotropic",
	isCone: true,
	isMonotone: false,
	parameters: (random) => [
		choose(random, [0, 1e-3, 0.3, random.between(0, 1.2)]),
		choose(random, [0, 0.01, 0.5, random.between(0, 1.2)]),
		...direction(random),
	],
	outside(p, r) {
		const [m1, m2] = [p[0]!, p[1]!];
		const [n, x, y] = turnedBack(p, r);
		const parts = [m1 > 0 ? x / m1 : 0, m2 > 0 ? y / m2 : 0] as const;
		const off = Math.max(m1 > 0 ? 0 : Math.abs(x), m2 > 0 ? 0 : Math.abs(y));
		return Math.max(-n, off, (Math.hypot(...parts) - n) * Math.min(m1 || 1, m2 || 1));
	},
	force(p, u) {
		const [, x, y] = turnedBack(p, u);
		return [u[0] + Math.hypot(p[0]! * x, p[1]! * y), u[1], u[2]];
	},
	point(p, random) {
		const [n, d, inside] = [size(random), direction(random), choose(random, [1, random.uniform()])];
		return turned(p, [n, inside * n * p[0]! * d[0], inside * n * p[1]! * d[1]]);
	},
	pair(p, random) {
		const [m1, m2] = [p[0]!, p[1]!];
		const n = size(random);
		const d = direction(random);
		// Slip in a direction without friction costs nothing, whatever R.
		const free: Triple = [0, m1 > 0 ? 0 : sign(random), m2 > 0 ? 0 : sign(random)];
		switch (choose(random, ["take-off", "stick", "slide"])) {
			case "take-off":
				return { r: [0, 0, 0], u: [size(random), sign(random), sign(random)] };
			case "stick": {
				const inside = random.uniform();
				return { r: turned(p, [n, inside * n * m1 * d[0], inside * n * m2 * d[1]]), u: turned(p, free) };
			}
			default: {
				// U_T against the outer normal (d_1 / mu_1, d_2 / mu_2) of the ellipse.
				const speed = size(random);
				const slip: Triple = [0, m1 > 0 ? (-speed * d[0]) / m1 : 0, m2 > 0 ? (-speed * d[1]) / m2 : 0];
				const isFree = m1 === 0 || m2 === 0;
				if (isFree && m1 + m2 > 0) {
					// The ellipse is a segment: its ends have all outer normals of a half-plane.
					const way = Math.sign(d[0]) || 1;
					const along = -way * speed;
					return m1 > 0
						? { r: turned(p, [n, way * m1 * n, 0]), u: turned(p, [0, along, free[2]]) }
						: { r: turned(p, [n, 0, way * m2 * n]), u: turned(p, [0, free[1], along]) };
				}
				if (isFree) return { r: [n, 0, 0], u: turned(p, free) };
				return { r: turned(p, [n, n * m1 * d[0], n * m2 * d[1]]), u: turned(p, slip) };
			}
		}
	},
};
