/**
 * How orthogonal the directions of GMRES are on a problem's own matrices, beside those that Arnoldi's method gets from the same start by
 * modified and by classical Gram-Schmidt: | V^T V - I | in the Frobenius norm, columns brought to length one (GMRES knows the lengths of
 * its directions and allows for them). What is saved in reductions must not be paid for here.
 */
import type { Vector } from "../kernels/arena.js";
import { Gmres, type GmresOptions, type LinearProblem } from "../methods/gmres.js";
import { PQN_VECTORS, Pqn, type PqnSettings } from "../methods/pqn.js";
import type { Problem } from "../problem/problem.js";
import { validateProblem } from "../problem/validate.js";
import { type System, systemDefaults, systemOf } from "../system/system.js";

/** With less than this of a product left, what is left is rounding. */
const NOTHING = 1e-14;

function dot(x: Float64Array, y: Float64Array): number {
	let sum = 0;
	for (let i = 0; i < x.length; i += 1) sum += x[i]! * y[i]!;
	return sum;
}

function subtract(x: Float64Array, factor: number, y: Float64Array): void {
	for (let i = 0; i < x.length; i += 1) x[i]! -= factor * y[i]!;
}

/** Arnoldi's directions from a start of length one: at most `count`, fewer where a product has nothing new. */
export function arnoldi(
	apply: (x: Float64Array) => Float64Array,
	start: Float64Array,
	count: number,
	gramSchmidt: "modified" | "classical",
): Float64Array[] {
	const V = [start.slice()];
	while (V.length < count) {
		const w = apply(V[V.length - 1]!);
		const before = Math.sqrt(dot(w, w));
		// Classical takes all products from w as it came, modified each from what the one before left.
		const products = V.map((v) => (gramSchmidt === "classical" ? dot(w, v) : 0));
		for (const [i, v] of V.entries()) subtract(w, gramSchmidt === "classical" ? products[i]! : dot(w, v), v);
		const left = Math.sqrt(dot(w, w));
		if (!(left > NOTHING * before)) break;
		V.push(w.map((value) => value / left));
	}
	return V;
}

/** | V^T V - I | of the first `count` directions, each divided by its length. */
export function lossOfOrthogonality(V: readonly Float64Array[], count = V.length): number {
	const lengths = V.map((v) => Math.sqrt(dot(v, v)));
	let square = 0;
	for (let i = 0; i < count; i += 1) {
		for (let j = 0; j < i; j += 1) {
			const cosine = dot(V[i]!, V[j]!) / (lengths[i]! * lengths[j]!);
			square += 2 * cosine * cosine;
		}
	}
	return Math.sqrt(square);
}

export interface Orthogonality {
	/** The most directions of a solve, and of all solves the worst loss. */
	readonly directions: number;
	readonly ours: number;
	readonly modified: number;
	readonly classical: number;
}

export interface OrthogonalityOptions {
	/** Most directions per solve. Default 10. */
	readonly m?: number;
	/** Iterations of pqn, each a solve. Default 5. */
	readonly iterations?: number;
}

/** Far below what pqn asks for: the longer GMRES goes on, the more there is to lose. */
const EPSILON = 1e-10;

/** GMRES that, before each solve, does the same solve to the end, and measures its directions. */
class Watched extends Gmres {
	directions = 0;
	ours = 0;
	modified = 0;
	classical = 0;
	readonly #length: number;
	readonly #answer: Vector;
	readonly #from: Vector;
	readonly #operand: Vector;
	readonly #image: Vector;

	constructor(system: System, m: number) {
		super(system, system.vectors(m + 1));
		this.#length = 3 * system.blocks;
		this.#answer = system.operand();
		this.#from = system.vector();
		this.#operand = system.operand();
		this.#image = system.vector();
	}

	override solve(problem: LinearProblem, b: Vector, x: Vector, options: GmresOptions): number {
		const V = this.#directionsOf(problem, b, options);
		const [start] = V;
		if (start) {
			const apply = (v: Float64Array) => this.#product(problem, v);
			const modified = arnoldi(apply, start, V.length, "modified");
			const classical = arnoldi(apply, start, V.length, "classical");
			const count = Math.min(V.length, modified.length, classical.length);
			this.directions = Math.max(this.directions, count);
			this.ours = Math.max(this.ours, lossOfOrthogonality(V, count));
			this.modified = Math.max(this.modified, lossOfOrthogonality(modified, count));
			this.classical = Math.max(this.classical, lossOfOrthogonality(classical, count));
		}
		return super.solve(problem, b, x, options);
	}

	/** A direction is what is preconditioned into what is multiplied; a product with anything else begins another cycle, and is the end. */
	#directionsOf(problem: LinearProblem, b: Vector, { norm, iterationsMax }: GmresOptions): Float64Array[] {
		const directions: Float64Array[] = [];
		let [latest, image] = [new Float64Array(0), this.#answer];
		let isFirst = true;
		const watched: LinearProblem = {
			precondition: (x, y) => {
				[latest, image] = [x.values.slice(0, this.#length), y];
				problem.precondition(x, y);
			},
			apply: (x, y) => {
				isFirst &&= x === image && x !== this.#answer;
				if (isFirst) directions.push(latest);
				problem.apply(x, y);
			},
		};
		super.solve(watched, b, this.#answer, { norm, iterationsMax, target: EPSILON * norm, startGiven: false });
		return directions;
	}

	#product(problem: LinearProblem, v: Float64Array): Float64Array {
		this.#from.values.set(v);
		problem.precondition(this.#from, this.#operand);
		problem.apply(this.#operand, this.#image);
		return this.#image.values.slice(0, this.#length);
	}
}

/** The published form of pqn (no scaling, delta 0.01 of the mean of W_ii, epsilon 0.25), watched. */
export function describeOrthogonality(problem: Problem, options: OrthogonalityOptions = {}): Orthogonality {
	validateProblem(problem);
	const { m = 10, iterations = 5 } = options;
	const system = systemOf(problem, { ...systemDefaults, scaling: 1 });
	const trace = system.sumOver(
		(a) => system.w.values[9 * a]! + system.w.values[9 * a + 4]! + system.w.values[9 * a + 8]!,
	);
	const gmres = new Watched(system, m);
	const settings: PqnSettings = {
		delta: (0.01 * trace) / (3 * problem.contacts),
		damping: 0,
		epsilon: 0.25,
		m,
		omega: 1e-10,
		triangle: false,
		keepIncrement: true,
		measure: "energy",
	};
	const pqn = new Pqn(system, settings, gmres, system.vectors(PQN_VECTORS));
	pqn.start();
	for (let i = 0; i < iterations; i += 1) pqn.iterate();
	const { directions, ours, modified, classical } = gmres;
	return { directions, ours, modified, classical };
}
