/**
 * The kernels of each law against what defines them (testing/law-samples.ts): the projection by the inequality that only the nearest
 * point keeps, the residual by differences, the local solve by pairs of R and U that keep the law by construction.
 */
import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import { type LawName, lawCode, PARAMETERS } from "../problem/laws.js";
import { systemDefaults, systemOf } from "../system/system.js";
import { loadById } from "../testing/by-id.js";
import { type Triple, tripleOf } from "../testing/judge.js";
import type { LawSample } from "../testing/law-sample.js";
import { lawSamples } from "../testing/law-samples.js";
import { positiveDefinite } from "../testing/random-problems.js";
import { Arena } from "./arena.js";

const COUNT = process.env.STICKSLIP_THOROUGH ? 4000 : 400;
const plus = (x: Triple, y: Triple): Triple => [x[0] + y[0], x[1] + y[1], x[2] + y[2]];
const minus = (x: Triple, y: Triple): Triple => [x[0] - y[0], x[1] - y[1], x[2] - y[2]];
const dot = (x: Triple, y: Triple): number => x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
const norm = (x: Triple): number => Math.hypot(...x);
const along = (j: number, step: number): Triple => [j === 0 ? step : 0, j === 1 ? step : 0, j === 2 ? step : 0];

function triple(random: Random, scale = 1): Triple {
	return [random.between(-scale, scale), random.between(-scale, scale), random.between(-scale, scale)];
}

/** Contacts of one law with parameters of their own, on one engine. */
class Contacts {
	readonly random: Random;
	readonly parameters: readonly (readonly number[])[];
	readonly #law: LawSample;
	readonly #code: number;
	readonly #arena: Arena;
	readonly #p: number;

	constructor(law: LawSample, engine: "wasm" | "twin", seed: number) {
		this.random = new Random(seed);
		this.#law = law;
		this.#code = lawCode(law.name);
		this.#arena = new Arena(engine);
		this.parameters = this.each(() => law.parameters(this.random));
		const vector = this.#arena.vector(PARAMETERS * COUNT);
		for (const [a, list] of this.parameters.entries()) vector.values.set(list, PARAMETERS * a);
		this.#p = vector.at;
	}

	each<T>(make: (a: number) => T): T[] {
		return Array.from({ length: COUNT }, (_, a) => make(a));
	}

	pairs(): { readonly r: Triple; readonly u: Triple }[] {
		return this.parameters.map((p) => this.#law.pair(p, this.random));
	}

	project(z: readonly Triple[]): Triple[] {
		const r = this.#vector(z);
		this.#arena.kernels.lawProject(this.#code, 0, COUNT, this.#p, 0, -1, r.at);
		return this.each((a) => tripleOf(r.values, a));
	}

	force(u: readonly Triple[]): Triple[] {
		const f = this.#vector(u);
		this.#arena.kernels.lawVelocities(this.#code, 0, COUNT, this.#p, f.at, f.at);
		return this.each((a) => tripleOf(f.values, a));
	}

	/** C, X and Y, without smoothing. */
	residual(r: readonly Triple[], u: readonly Triple[]) {
		const before = this.#arena.bytes;
		const [rr, uu, c] = [this.#vector(r), this.#vector(u), this.#arena.vector(3 * COUNT)];
		const [x, y] = [this.#arena.vector(9 * COUNT), this.#arena.vector(9 * COUNT)];
		this.#arena.kernels.lawLinearise(this.#code, 0, COUNT, this.#p, 0, rr.at, uu.at, c.at, x.at, y.at);
		this.#arena.rewind(before);
		return { c: this.each((a) => tripleOf(c.values, a)), x: x.values.slice(), y: y.values.slice() };
	}

	#vector(triples: readonly Triple[]) {
		const vector = this.#arena.vector(3 * COUNT);
		vector.values.set(triples.flat());
		return vector;
	}
}

/** Laws whose local solve is Coulomb's, which ends before its last digits. */
const BY_COULOMB: readonly LawName[] = ["cohesive", "preloaded"];
const laws = lawSamples.filter(({ name }) => name !== "coulomb");
const cases = laws.flatMap((law) => (["wasm", "twin"] as const).map((engine) => [law.name, engine, law] as const));

describe.each(cases)("%s, %s", (_, engine, law) => {
	test("the projection is in K, and no point of K is on z's side of it: it is the nearest", () => {
		const contacts = new Contacts(law, engine, 1);
		const z = contacts.each(() => triple(contacts.random, 10 ** contacts.random.between(-3, 2)));
		contacts.project(z).forEach((y, a) => {
			const p = contacts.parameters[a]!;
			const rest = minus(z[a]!, y);
			const scale = norm(z[a]!) + norm(y) + sizeOf(law, p);
			expect(law.outside(p, y)).toBeLessThanOrEqual(4e-16 * scale);
			for (let k = 0; k < 10; k += 1) {
				const other = law.point(p, contacts.random);
				expect(dot(rest, minus(other, y))).toBeLessThanOrEqual(8e-16 * scale * (norm(other) + norm(y) + scale));
			}
			if (law.isCone) expect(Math.abs(dot(rest, y))).toBeLessThanOrEqual(8e-16 * scale * scale);
		});
	});

	test("twice is once, two points do not move apart, and what is in K stays", () => {
		const contacts = new Contacts(law, engine, 2);
		const points = () => contacts.each(() => triple(contacts.random, 3));
		const [one, other] = [points(), points()];
		const inside = contacts.parameters.map((p) => law.point(p, contacts.random));
		const [y, yOther, kept] = [contacts.project(one), contacts.project(other), contacts.project(inside)];
		contacts.project(y).forEach((again, a) => {
			const size = sizeOf(law, contacts.parameters[a]!) + 3;
			expect(norm(minus(again, y[a]!))).toBeLessThanOrEqual(1e-15 * size);
			const apart = norm(minus(y[a]!, yOther[a]!));
			expect(apart).toBeLessThanOrEqual(norm(minus(one[a]!, other[a]!)) * (1 + 1e-14) + 1e-15 * size);
			expect(norm(minus(kept[a]!, inside[a]!))).toBeLessThanOrEqual(1e-15 * (norm(inside[a]!) + size));
		});
	});

	test("NaN stays NaN, so that a solve that diverged is seen", () => {
		const contacts = new Contacts(law, engine, 6);
		for (let i = 0; i < 3; i += 1) {
			const z = contacts.each(() => plus([1, 1, 1], along(i, Number.NaN)));
			const lost = contacts.project(z).filter((y) => y.every(Number.isFinite)).length;
			expect(lost).toBe(0);
		}
	});

	test("F is the law's, and C vanishes where R and U keep it", () => {
		const contacts = new Contacts(law, engine, 3);
		const pairs = contacts.pairs();
		const [r, u] = [pairs.map((pair) => pair.r), pairs.map((pair) => pair.u)];
		const { c } = contacts.residual(r, u);
		contacts.force(u).forEach((f, a) => {
			const p = contacts.parameters[a]!;
			expect(norm(minus(f, law.force(p, u[a]!)))).toBeLessThanOrEqual(1e-15 * (1 + norm(u[a]!)));
			const scale = norm(r[a]!) + norm(u[a]!) + sizeOf(law, p);
			expect(norm(c[a]!)).toBeLessThanOrEqual(2e-15 * scale);
		});
	});

	test("X and Y are the derivatives of C by U and R, where it has one", () => {
		const contacts = new Contacts(law, engine, 4);
		const points = () => contacts.each(() => triple(contacts.random));
		const [r, u] = [points(), points()];
		const { c, x, y } = contacts.residual(r, u);
		const h = 1e-7;
		let compared = 0;
		for (let j = 0; j < 3; j += 1) {
			for (const [derivative, at] of [
				[
					x,
					(step: number) =>
						contacts.residual(
							r,
							u.map((each) => plus(each, along(j, step))),
						),
				],
				[
					y,
					(step: number) =>
						contacts.residual(
							r.map((each) => plus(each, along(j, step))),
							u,
						),
				],
			] as const) {
				const [forth, back] = [at(h).c, at(-h).c];
				c.forEach((middle, a) => {
					const [right, left] = [minus(forth[a]!, middle), minus(middle, back[a]!)];
					// Not at a kink, where both sides disagree.
					if (norm(minus(right, left)) > 1e-5 * h) return;
					compared += 1;
					for (let i = 0; i < 3; i += 1) {
						const wanted = (right[i]! + left[i]!) / (2 * h);
						expect(Math.abs(derivative[9 * a + 3 * i + j]! - wanted)).toBeLessThan(1e-5);
					}
				});
			}
		}
		expect(compared).toBeGreaterThan(5 * COUNT);
	});

	test.each([0, 0.2])("a sweep over contacts that do not couple keeps the law, W unsymmetric by %d", (skew) => {
		const contacts = new Contacts(law, engine, 5);
		const pairs = contacts.pairs();
		const blocks = pairs.map(() => turned(positiveDefinite(contacts.random, 3), skew, contacts.random));
		const q = pairs.map(({ r, u }, a) => minus(u, apply(blocks[a]!, r)));
		const rowStart = Int32Array.from({ length: COUNT + 1 }, (_, a) => a);
		const parameters = new Float64Array(PARAMETERS * COUNT);
		for (const [a, list] of contacts.parameters.entries()) parameters.set(list, PARAMETERS * a);
		const problem = {
			name: "uncoupled",
			contacts: COUNT,
			q: Float64Array.from(q.flat()),
			mu: Float64Array.from(contacts.parameters, ([mu]) => mu!),
			laws: { law: new Uint8Array(COUNT).fill(lawCode(law.name)), parameters },
			W: { rows: COUNT, rowStart, column: rowStart.slice(0, COUNT), values: Float64Array.from(blocks.flat()) },
		};
		const system = systemOf(problem, { ...systemDefaults, scaling: 1, engine });
		system.operator.sweep!(system, system.r, false, 1);
		const reaction = loadById(system, system.r, -1);
		const found = contacts.each((a) => tripleOf(reaction, a));
		const velocity = found.map((r, a) => plus(q[a]!, apply(blocks[a]!, r)));
		contacts.residual(found, velocity).c.forEach((left, a) => {
			const scale = norm(pairs[a]!.r) + norm(q[a]!) + norm(found[a]!) + sizeOf(law, contacts.parameters[a]!);
			expect(norm(left)).toBeLessThanOrEqual((BY_COULOMB.includes(law.name) ? 1e-10 : 1e-14) * scale);
			if (law.isMonotone) expect(norm(minus(found[a]!, pairs[a]!.r))).toBeLessThanOrEqual(1e-13 * scale);
		});
	});
});

/** The largest of the finite numbers of a set: what rounding is relative to. */
function sizeOf(law: LawSample, p: readonly number[]): number {
	return law.isCone ? 0 : Math.max(0, ...p.filter(Number.isFinite).map(Math.abs));
}

function apply(w: readonly number[], r: Triple): Triple {
	const row = (i: number): number => dot([w[i]!, w[i + 1]!, w[i + 2]!], r);
	return [row(0), row(3), row(6)];
}

/** With an antisymmetric part. */
function turned(w: Float64Array, skew: number, random: Random): number[] {
	for (const [i, j] of [
		[1, 3],
		[2, 6],
		[5, 7],
	] as const) {
		const by = skew * random.between(-1, 1);
		w[i]! += by;
		w[j]! -= by;
	}
	return [...w];
}
