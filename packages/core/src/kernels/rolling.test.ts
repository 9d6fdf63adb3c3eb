/** The law of rolling contacts: its projection by what makes a point the nearest of a cone, its linearisation by differences, its local solve by the law. */
import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import { PARAMETERS } from "../problem/laws.js";
import { ROLLING } from "../problem/rolling.js";
import { positiveDefinite } from "../testing/random-problems.js";
import { inRollingCone, type Rolling, rollingNatural } from "../testing/rolling.js";
import { Arena } from "./arena.js";

const random = new Random(66);
const six = (): number[] => Array.from({ length: 6 }, () => random.between(-1, 1));
const laws: Rolling[] = [
	[0.5, 0.1, 0.05],
	[1.2, 0.7, 2],
	[0, 0.3, 0],
	[0.3, 0, 0],
	[0, 0, 0],
	[0.4, 1e-3, 0],
];
const points = [
	[1, 0.1, 0, 0.5, 0.02, 0],
	[1, 2, 0.3, -0.5, 0.02, 0],
	[1, 0.1, 0, 0, 0.5, -0.2],
	...Array.from({ length: 400 }, six),
	...Array.from({ length: 100 }, () => six().map((value, i) => (i === 0 ? value : 0.05 * value))),
	[0, 0, 0, 0, 0, 0],
	[1, 0, 0, 0, 0, 0],
	[-1, 0, 0, 0, 0, 0],
	[1, 0.5, 0, 0.05, 0.1, 0],
	[0, 0, 0, 1, 0, 0],
	[-5, 0.1, 0, 0.1, 0, 0],
];

const dot = (x: readonly number[], y: readonly number[]): number => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
const norm = (x: readonly number[]): number => Math.sqrt(dot(x, x));
const minus = (x: readonly number[], y: readonly number[]): number[] => x.map((value, i) => value - y[i]!);

/** The projection of many points, each a contact of its own. */
function project(law: Rolling, list: readonly number[][], engine: "wasm" | "twin" = "wasm"): number[][] {
	const arena = new Arena(engine);
	const parameters = arena.vector(2 * PARAMETERS * list.length);
	const r = arena.vector(6 * list.length);
	for (let k = 0; k < list.length; k += 1) parameters.values.set(law, 2 * PARAMETERS * k);
	r.values.set(list.flat());
	arena.kernels.lawProject(ROLLING, 0, 2 * list.length, parameters.at, 0, -1, r.at);
	return list.map((_, k) => [...r.values.subarray(6 * k, 6 * k + 6)]);
}

/** What -F may be where R is p: nonpositive against every ray of the cone, so u_N + mu |u_T| + ... <= 0. */
const isPolar = ([mu, roll, spin]: Rolling, z: readonly number[], small: number): boolean =>
	z[0]! + mu * Math.hypot(z[1]!, z[2]!) + roll * Math.hypot(z[4]!, z[5]!) + spin * Math.abs(z[3]!) <= small;

describe.each(["wasm", "twin"] as const)("projection, %s", (engine) => {
	test.each(laws)(
		"mu %d, mu_r %d, mu_s %d: P z in K, z - P z polar, at right angles (Moreau); twice is once",
		(...law) => {
			const projected = project(law, points, engine);
			const again = project(law, projected, engine);
			for (const [k, p] of projected.entries()) {
				const z = points[k]!;
				const small = 4e-15 * (1 + norm(z));
				expect(inRollingCone(law, p, small)).toBe(true);
				expect(isPolar(law, minus(z, p), small * (1 + norm(law)))).toBe(true);
				expect(Math.abs(dot(p, minus(z, p)))).toBeLessThanOrEqual(small * (1 + norm(law)));
				expect(norm(minus(again[k]!, p))).toBeLessThanOrEqual(small);
			}
		},
	);

	test("nothing in the cone is nearer, by sampling; and it brings no two points farther apart", () => {
		const law: Rolling = [0.5, 0.2, 0.1];
		const projected = project(law, points, engine);
		for (let k = 0; k < 100; k += 1) {
			for (const other of project(law, Array.from({ length: 20 }, six))) {
				expect(norm(minus(points[k]!, projected[k]!))).toBeLessThanOrEqual(norm(minus(points[k]!, other)) + 1e-15);
			}
			const [x, y] = [points[k]!, points[k + 1]!];
			expect(norm(minus(projected[k]!, projected[k + 1]!))).toBeLessThanOrEqual(norm(minus(x, y)) + 1e-15);
		}
	});
});

test("the gradient of the projection and the slope of F are their derivatives", () => {
	const arena = new Arena();
	const [p, z, work] = [arena.vector(3), arena.vector(6), arena.vector(6)];
	const [c, y, slope] = [arena.vector(6), arena.vector(36), arena.vector(6)];
	const zero = arena.vector(6);
	const seen = new Set<number>();
	for (const law of [laws[0]!, laws[1]!]) {
		p.values.set(law);
		for (const point of points.slice(0, 200)) {
			z.values.set(point);
			// The residual at U = 0 is z - proj_K(z).
			const parts = arena.kernels.rollingResidual(p.at, z.at, zero.at, c.at, work.at);
			seen.add(parts);
			arena.kernels.rollingGradient(p.at, parts, z.values[0]! - c.values[0]!, z.at, y.at);
			for (let j = 0; j < 6; j += 1) {
				const step = 1e-6;
				const [up, down] = [1, -1].map(
					(sign) => project(law, [point.map((x, i) => (i === j ? x + sign * step : x))])[0]!,
				);
				for (let i = 0; i < 6; i += 1) expect(y.values[6 * i + j]).toBeCloseTo((up![i]! - down![i]!) / (2 * step), 5);
			}
			arena.kernels.rollingSlope(p.at, z.at, slope.at);
			const speed = (u: readonly number[]): number =>
				u[0]! + law[0] * Math.hypot(u[1]!, u[2]!) + law[1] * Math.hypot(u[4]!, u[5]!) + law[2] * Math.abs(u[3]!);
			for (let j = 0; j < 6; j += 1) {
				const moved = (by: number): number => speed(point.map((x, i) => (i === j ? x + by : x)));
				expect(slope.values[j]).toBeCloseTo((moved(1e-6) - moved(-1e-6)) / 2e-6, 5);
			}
		}
	}
	// All combinations of parts at their limits, the tip, and the inside.
	expect([...seen].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

interface Local {
	readonly count?: number;
	readonly shift: number;
	/** Moments in units that differ by up to this factor. */
	readonly unit?: number;
	readonly law: Rolling;
	readonly skew?: number;
}

/** The largest natural residual of many local solves, in units in which W is about 1, relative to b; and how many cases there were of each kind. */
function worstOf({ count = 1000, shift, unit = 1, law, skew = 0 }: Local, engine: "wasm" | "twin") {
	const random = new Random(12);
	const six = (): number[] => Array.from({ length: 6 }, () => random.between(-1, 1));
	const reactions: number[] = [];
	const arena = new Arena(engine);
	const [w, p, b, r] = [arena.vector(36), arena.vector(3), arena.vector(6), arena.vector(6)];
	const work = arena.vector(240);
	let worst = 0;
	const kinds = { "take-off": 0, stick: 0, moving: 0 };
	for (let n = 0; n < count; n += 1) {
		const block = positiveDefinite(random, 6, shift);
		for (let i = 0; i < 6; i += 1) {
			for (let j = 0; j < i; j += 1) {
				const turn = skew * random.between(-1, 1);
				block[6 * i + j]! += turn;
				block[6 * j + i]! -= turn;
			}
		}
		const factor = unit ** random.between(-1, 1);
		const own: Rolling = [law[0] * random.uniform(), law[1] * random.uniform(), law[2] * random.uniform()];
		const free = six();
		if (n % 5 > 0) free[0] = -Math.abs(free[0]!);
		const scale = (i: number): number => (i < 3 ? 1 : factor);
		w.values.set(block.map((value, k) => value * scale(Math.floor(k / 6)) * scale(k % 6)));
		b.values.set(free.map((value, i) => value * scale(i)));
		p.values.set([own[0], own[1] / factor, own[2] / factor]);
		r.values.fill(0);
		arena.kernels.solveRolling(w.at, p.at, b.at, r.at, work.at);
		const reaction = [...r.values.subarray(0, 6)].map((value, i) => value * scale(i));
		reactions.push(...reaction);
		const velocity = free.map((value, i) => value + dot([...block.subarray(6 * i, 6 * i + 6)], reaction));
		worst = Math.max(worst, norm(rollingNatural(own, reaction, velocity)) / norm(free));
		kinds[reaction[0] === 0 ? "take-off" : norm(velocity) < 1e-9 ? "stick" : "moving"] += 1;
	}
	return { worst, kinds, reactions };
}

const kinds: [string, Local][] = [
	["of moderate friction", { shift: 0.3, law: [0.8, 0.3, 0.3] }],
	["of high friction", { shift: 1, law: [1.5, 1.5, 1.5] }],
	["with moments in units of their own", { shift: 0.3, law: [0.8, 0.3, 0.3], unit: 1e6 }],
	["unsymmetric", { shift: 0.5, law: [0.6, 0.2, 0.2], skew: 0.1 }],
	["that do not resist rolling", { shift: 0.3, law: [0.8, 0, 0] }],
	["that resist rolling alone", { shift: 0.3, law: [0, 0.5, 0] }],
	["without any friction", { shift: 0.1, law: [0, 0, 0] }],
];

test.each(kinds)("local solves of blocks %s keep the law to 1e-12, to the same bits in the twin", (_, options) => {
	const { worst, kinds: seen, reactions } = worstOf(options, "wasm");
	expect(worst).toBeLessThan(1e-12);
	expect(seen["take-off"]).toBeGreaterThan(50);
	expect(seen.moving).toBeGreaterThan(50);
	expect(worstOf(options, "twin").reactions).toEqual(reactions);
});

test("the twin has WebAssembly's bits: ranges and measures", () => {
	const draw = new Random(5);
	const contacts = 40;
	const numbers = Float64Array.from({ length: 6 * contacts }, () => draw.between(-1, 1));
	const run = (engine: "wasm" | "twin"): Float64Array => {
		const arena = new Arena(engine);
		const { kernels } = arena;
		const p = arena.vector(2 * PARAMETERS * contacts);
		const [r, u, f] = [arena.vector(6 * contacts), arena.vector(6 * contacts), arena.vector(6 * contacts)];
		const [w, s] = [arena.vector(18 * contacts), arena.vector(2 * contacts)];
		const [e, values, sums] = [arena.vector(32), arena.vector(3 * 64), arena.vector(64)];
		const blocks = new Random(6);
		for (let k = 0; k < contacts; k += 1) p.values.set([0.5, 0.2 * (k % 3), 0.1 * (k % 2)], 2 * PARAMETERS * k);
		for (let a = 0; a < 2 * contacts; a += 1) {
			w.values.set(positiveDefinite(blocks, 3, 0.2), 9 * a);
			s.values[a] = blocks.between(0.5, 2);
		}
		r.values.set(numbers);
		u.values.set(numbers.map((value) => 2 * value * value - 1));
		const to = 2 * contacts;
		kernels.lawVelocities(ROLLING, 0, to, p.at, u.at, f.at);
		kernels.lawProject(ROLLING, 0, to, p.at, -0.5, f.at, r.at);
		// The terms: sums of them are told apart by lanes.
		const terms = [f, r, u].map(({ values: of }) => [...of]);
		kernels.lawEnergyTerms(ROLLING, 0, to, p.at, w.at, r.at, u.at, e.at, values.at);
		terms.push([...values.values]);
		kernels.lawNaturalTerms(ROLLING, 0, to, p.at, s.at, r.at, u.at, e.at, values.at, sums.at, arena.bins.at);
		terms.push([...values.values]);
		kernels.lawMeritTerms(ROLLING, 0, to, p.at, s.at, w.at, r.at, u.at, e.at, values.at, sums.at, arena.bins.at);
		terms.push([...values.values]);
		return Float64Array.from(terms.flat());
	};
	expect(run("twin")).toEqual(run("wasm"));
});
