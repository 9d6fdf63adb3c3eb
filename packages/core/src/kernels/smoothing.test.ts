/** C, X and Y of the smoothed problem (Koziara 2017, sections 4 and 6) against the paper's own formulas, finite differences and limits. */
import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import { difference } from "../testing/dense.js";
import { modified, nearest, type Triple } from "../testing/judge.js";
import { smoothedC, smoothedF, smoothedGradient } from "../testing/smooth.js";
import { Arena } from "./arena.js";

interface State {
	readonly r: Triple;
	readonly u: Triple;
}

interface Linearised {
	readonly c: Float64Array;
	readonly x: Float64Array;
	readonly y: Float64Array;
}

/** One contact through the kernel. */
function linearise(mu: number, omega: number, { r, u }: State, engine: "wasm" | "twin" = "wasm"): Linearised {
	const arena = new Arena(engine);
	const [friction, rr, uu, c] = [arena.vector(1), arena.vector(3), arena.vector(3), arena.vector(3)];
	const [x, y] = [arena.vector(9), arena.vector(9)];
	friction.values[0] = mu;
	rr.values.set(r);
	uu.values.set(u);
	arena.kernels.linearise(0, 1, 1, omega, friction.at, rr.at, uu.at, c.at, x.at, y.at);
	return { c: c.values.slice(), x: x.values.slice(), y: y.values.slice() };
}

const random = new Random(38);
const triple = (scale = 1): Triple => [
	random.between(-scale, scale),
	random.between(-scale, scale),
	random.between(-scale, scale),
];
const states: State[] = Array.from({ length: 60 }, () => ({ r: triple(), u: triple() }));
const mus = [1e-2, 0.3, 1, 3];
const argument = (mu: number, omega: number, { r, u }: State): Triple => {
	const f = smoothedF(mu, omega, u);
	return [r[0] - f[0], r[1] - f[1], r[2] - f[2]];
};

describe.each(mus)("mu %d", (mu) => {
	test.each([1, 0.1, 1e-3])("omega %d: C and Y are the paper's eqs. 24, 27-30, 39", (omega) => {
		for (const state of states) {
			const { c, y } = linearise(mu, omega, state);
			expect(difference(c, smoothedC(mu, omega, state.u, state.r))).toBeLessThan(1e-12);
			// a in eq. 28 is a difference quotient: it has lost some digits that the stable form keeps.
			expect(difference(y, smoothedGradient(mu, omega, argument(mu, omega, state)))).toBeLessThan(1e-9);
		}
	});

	test.each([1, 0.1])("omega %d: X and Y are the derivatives of C by U and R", (omega) => {
		const step = 1e-5;
		for (const state of states.slice(0, 20)) {
			const { x, y } = linearise(mu, omega, state);
			for (let j = 0; j < 3; j += 1) {
				const moved = (from: Triple, by: number): Triple => {
					const to = [...from] as [number, number, number];
					to[j]! += by;
					return to;
				};
				const { r, u } = state;
				const forward = smoothedC(mu, omega, moved(u, step), r);
				const back = smoothedC(mu, omega, moved(u, -step), r);
				const forwardR = smoothedC(mu, omega, u, moved(r, step));
				const backR = smoothedC(mu, omega, u, moved(r, -step));
				for (let i = 0; i < 3; i += 1) {
					expect(x[3 * i + j]).toBeCloseTo((forward[i]! - back[i]!) / (2 * step), 7);
					expect(y[3 * i + j]).toBeCloseTo((forwardR[i]! - backR[i]!) / (2 * step), 7);
				}
			}
		}
	});

	test.each([1, 1e-2, 1e-4])("omega %d: Y and I - Y are symmetric and positive definite", (omega) => {
		// For small omega the smallest eigenvalue is below what rounding leaves of a determinant.
		const least = omega === 1 ? 0 : -1e-15;
		for (const state of states) {
			const { y } = linearise(mu, omega, state);
			const rest = y.map((value, k) => (k % 4 === 0 ? 1 : 0) - value);
			for (const m of [y, rest]) {
				expect([m[1], m[2], m[5]]).toEqual([m[3], m[6], m[7]]);
				const [n, n1, n2, , t11, t12, , , t22] = m as unknown as number[];
				const minor = n! * t11! - n1! * n1!;
				const determinant = minor * t22! - n! * t12! * t12! - n2! * n2! * t11! + 2 * n1! * n2! * t12!;
				expect(n).toBeGreaterThan(0);
				expect(minor).toBeGreaterThan(least);
				expect(determinant).toBeGreaterThan(least);
			}
		}
	});

	test("omega -> 0: C becomes R - proj_K(R - F), the distance falling with omega, and omega = 0 is the limit itself", () => {
		for (const { r, u } of states) {
			const f = modified(mu, u);
			const p = nearest(mu, [r[0] - f[0], r[1] - f[1], r[2] - f[2]]);
			const limit = [r[0] - p[0], r[1] - p[1], r[2] - p[2]];
			const distance = (omega: number): number => {
				const { c } = linearise(mu, omega, { r, u });
				return Math.hypot(c[0]! - limit[0]!, c[1]! - limit[1]!, c[2]! - limit[2]!);
			};
			// |m_omega - m| <= omega (1 + mu)(1 + mu^2) and |F_omega - F| <= mu omega, coarsely.
			const bound = 4 * (1 + mu) ** 3;
			for (const omega of [1e-2, 1e-6, 1e-10]) expect(distance(omega)).toBeLessThan(bound * omega + 1e-14);
			expect(distance(0)).toBeLessThan(1e-14);
		}
	});

	test("z_T = 0: Y is a multiple of the identity (eq. 27), and near it Y is continuous", () => {
		const omega = 0.1;
		const at = linearise(mu, omega, { r: [0.3, 0, 0], u: [0.1, 0, 0] }).y;
		expect([...at]).toEqual([at[0], 0, 0, 0, at[0], 0, 0, 0, at[0]]);
		const near = linearise(mu, omega, { r: [0.3, 1e-9 * mu, -1e-9 * mu], u: [0.1, 0, 0] }).y;
		expect(difference(near, at)).toBeLessThan(1e-7);
	});

	test.each([1e9, 1e-9])("scaled by %d with omega: C scales, X and Y stay", (factor) => {
		for (const { r, u } of states) {
			const times = (z: Triple): Triple => [factor * z[0], factor * z[1], factor * z[2]];
			const plain = linearise(mu, 0.1, { r, u });
			const scaled = linearise(mu, 0.1 * factor, { r: times(r), u: times(u) });
			expect(
				difference(
					scaled.c,
					plain.c.map((value) => factor * value),
				),
			).toBeLessThan(1e-13);
			expect(difference(scaled.x, plain.x)).toBeLessThan(1e-13);
			expect(difference(scaled.y, plain.y)).toBeLessThan(1e-13);
		}
	});
});

test("deep in the cone and deep in the polar cone no digit of C is lost to the root in g", () => {
	const omega = 1e-6;
	// R - F far inside K: C = F + m with |m| ~ omega^2 / |lambda|, so C is F to all digits but those.
	const inside = linearise(0.5, omega, { r: [1e6, 0, 0], u: [1e-3, 0, 0] });
	// lambda_1 = -1e6 / 1.25, g_1 = omega^2 / |lambda_1|, both with mu = 0.5: far below the last digit of 1e-3.
	expect(inside.c[0]).toBeCloseTo(1e-3, 17);
	const outside = linearise(0.5, omega, { r: [0, 0, 0], u: [1e6, 0, 0] });
	expect(Math.abs(outside.c[0]!)).toBeLessThan(1e-9);
});

test("mu = 0: C_T = R_T (eq. 33), Y is the identity in T, X takes no T in, at omega > 0 and at omega = 0", () => {
	for (const omega of [1e-3, 1e-10, 0]) {
		for (const { r, u } of states) {
			const { c, x, y } = linearise(0, omega, { r, u });
			expect(c[1]).toBeCloseTo(r[1], 15);
			expect(c[2]).toBeCloseTo(r[2], 15);
			expect(difference([y[4]!, y[5]!, y[7]!, y[8]!], [1, 0, 0, 1])).toBeLessThan(1e-15);
			expect(difference([y[1]!, y[2]!, y[3]!, y[6]!, 1], [0, 0, 0, 0, 1])).toBeLessThan(1e-15);
			expect(x[0]).toBeCloseTo(1 - y[0]!, 15);
			expect(Math.max(...x.slice(1).map(Math.abs))).toBeLessThan(1e-15);
		}
	}
});

test("at the kinks of omega = 0 every number is finite: tip, axis, boundary, no slip", () => {
	for (const mu of [0, 0.5, 2]) {
		for (const r of [
			[0, 0, 0],
			[1, 0, 0],
			[2, 2 * mu, 0],
			[-1, 0, 0],
		] as Triple[]) {
			for (const u of [
				[0, 0, 0],
				[1, 0, 0],
				[0, 1, 1],
			] as Triple[]) {
				const { c, x, y } = linearise(mu, 0, { r, u });
				for (const value of [...c, ...x, ...y]) expect(Number.isFinite(value)).toBe(true);
			}
		}
	}
});

test("an equality block has C = U, X = I, Y = 0", () => {
	const arena = new Arena();
	const [friction, r, u, c] = [arena.vector(1), arena.vector(3), arena.vector(3), arena.vector(3)];
	const [x, y] = [arena.vector(9), arena.vector(9)];
	u.values.set([3, -4, 5]);
	y.values.fill(7);
	arena.kernels.linearise(0, 1, 0, 0, friction.at, r.at, u.at, c.at, x.at, y.at);
	expect([...c.values]).toEqual([3, -4, 5]);
	expect([...x.values]).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
	expect([...y.values]).toEqual(new Array(9).fill(0));
});
