/** The linearisation of rolling contacts: C vanishes where the law is kept, its derivatives by differences, and the step of the diagonal method. */
import { expect, test } from "vitest";
import { Random } from "../base/random.js";
import { PARAMETERS } from "../problem/laws.js";
import { positiveDefinite } from "../testing/random-problems.js";
import { type Rolling, rollingNatural } from "../testing/rolling.js";
import { Arena } from "./arena.js";

const LAWS: readonly Rolling[] = [
	[0.5, 0.1, 0.05],
	[1.2, 0.7, 2],
	[0, 0.3, 0],
	[0.3, 0, 0],
];

interface Linear {
	readonly c: readonly number[];
	/** Six by six, by rows: both blocks of X and of Y, and the coupling. */
	readonly x: (i: number, j: number) => number;
	readonly y: (i: number, j: number) => number;
	readonly all: readonly number[];
}

const arenas = { wasm: new Arena("wasm"), twin: new Arena("twin") };

function linearise(law: Rolling, r: readonly number[], u: readonly number[], engine: "wasm" | "twin" = "wasm"): Linear {
	const arena = arenas[engine];
	const before = arena.bytes;
	const [p, rr, uu, c] = [arena.vector(2 * PARAMETERS), arena.vector(6), arena.vector(6), arena.vector(6)];
	const [x, y, coupling] = [arena.vector(18), arena.vector(18), arena.vector(6)];
	p.values.set(law);
	rr.values.set(r);
	uu.values.set(u);
	arena.kernels.rollingLinearise(0, 2, p.at, rr.at, uu.at, c.at, x.at, y.at, coupling.at);
	const inBlock = (m: Float64Array) => (i: number, j: number) =>
		Math.floor(i / 3) === Math.floor(j / 3) ? m[9 * Math.floor(i / 3) + 3 * (i % 3) + (j % 3)]! : 0;
	const [residual, inX, inY, lead] = [c, x, y, coupling].map(({ values }) => values.slice());
	arena.rewind(before);
	const own = inBlock(inY!);
	return {
		c: [...residual!],
		x: inBlock(inX!),
		y: (i, j) => own(i, j) + (j === 0 && i >= 3 ? lead![i]! : 0),
		all: [residual!, inX!, inY!, lead!].flatMap((values) => [...values]),
	};
}

const random = new Random(17);
const six = () => Array.from({ length: 6 }, () => random.between(-1, 1));
/** Pressed more or less, and apart; moving slowly or fast. */
const points = Array.from({ length: 100 }, (_, k) => {
	const [r, u] = [six(), six()];
	if (k % 3 > 0) r[0] = 2 * Math.abs(r[0]!);
	const speed = k % 2 === 0 ? 1 : 0.05;
	return { r: r.map((value, i) => (i > 0 && k % 5 === 0 ? 0.05 * value : value)), u: u.map((value) => speed * value) };
});

test("C vanishes where the natural map does, and nowhere else", () => {
	const kept = { r: [2, 1, 0, -0.1, 0, 0.2], u: [0, -3, 0, 0.7, 0, -0.4] };
	const law: Rolling = [0.5, 0.1, 0.05];
	for (const { r, u } of [kept, { r: [0, 0, 0, 0, 0, 0], u: [1, 3, 0, 1, 0, 0] }]) {
		expect(Math.hypot(...rollingNatural(law, r, u))).toBeLessThan(1e-15);
		expect(Math.hypot(...linearise(law, r, u).c)).toBeLessThan(1e-15);
	}
	for (const { r, u } of points) {
		expect(Math.hypot(...rollingNatural(law, r, u))).toBeGreaterThan(0);
		expect(Math.hypot(...linearise(law, r, u).c)).toBeGreaterThan(0);
	}
});

test("X, Y and the coupling are the derivatives of C, by differences", () => {
	const step = 1e-6;
	for (const law of LAWS) {
		for (const { r, u } of points) {
			const { x, y } = linearise(law, r, u);
			for (let j = 0; j < 6; j += 1) {
				const moved = (z: readonly number[], by: number) => z.map((value, i) => (i === j ? value + by : value));
				const [inR, inU] = [1, -1].map((sign) => [
					linearise(law, moved(r, sign * step), u).c,
					linearise(law, r, moved(u, sign * step)).c,
				]) as [number[][], number[][]];
				for (let i = 0; i < 6; i += 1) {
					expect(y(i, j)).toBeCloseTo((inR[0]![i]! - inU[0]![i]!) / (2 * step), 4);
					expect(x(i, j)).toBeCloseTo((inR[1]![i]! - inU[1]![i]!) / (2 * step), 4);
				}
			}
		}
	}
});

test("the twin has WebAssembly's bits", () => {
	for (const law of LAWS) {
		for (const { r, u } of [...points, { r: [0, 0, 0, 0, 0, 0], u: [0, 0, 0, 0, 0, 0] }]) {
			expect(linearise(law, r, u, "twin").all).toEqual(linearise(law, r, u).all);
		}
	}
});

test("a diagonal step solves each block, the moment's with what the force does to it; nothing else is touched", () => {
	const theta = 0.25;
	for (const engine of ["wasm", "twin"] as const) {
		for (const { r, u } of points.slice(0, 40)) {
			const arena = new Arena(engine);
			const [p, rr, uu, d] = [arena.vector(2 * PARAMETERS), arena.vector(6), arena.vector(6), arena.vector(6)];
			const [w, work] = [arena.vector(18), arena.vector(54)];
			p.values.set(LAWS[0]!);
			rr.values.set(r);
			uu.values.set(u);
			const blocks = [positiveDefinite(random, 3, 0.3), positiveDefinite(random, 3, 0.3)];
			w.values.set(blocks.flatMap((block) => [...block]));
			const before = six();
			d.values.set(before);
			arena.kernels.rollingDiagonalStep(0, 2, p.at, theta, w.at, rr.at, uu.at, d.at, work.at);
			const { c, x, y } = linearise(LAWS[0]!, r, u);
			// What was added, per theta: -A^-1 C, A = X W + Y with the blocks of W on the diagonal.
			const added = before.map((value, i) => (d.values[i]! - (1 - theta) * value) / theta);
			for (let i = 0; i < 6; i += 1) {
				let left = c[i]!;
				for (let j = 0; j < 6; j += 1) {
					let a = y(i, j);
					for (let k = 0; k < 6; k += 1) {
						const inW =
							Math.floor(k / 3) === Math.floor(j / 3) ? blocks[Math.floor(k / 3)]![3 * (k % 3) + (j % 3)]! : 0;
						a += x(i, k) * inW;
					}
					left += a * added[j]!;
				}
				expect(Math.abs(left)).toBeLessThan(1e-10 * (1 + Math.hypot(...added)));
			}
		}
	}
});
