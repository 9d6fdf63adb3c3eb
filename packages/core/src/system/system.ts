/**
 * The scaled system that methods work on: R, U and q in storage order, W as an operator, sums through a reducer. Storage places
 * below `contacts` are contacts, the rest are equality blocks, which are free (their cone is the whole space).
 * Vectors are padded with zeros to multiples of eight blocks: whole pairs, and whole cache lines, so that they follow one another.
 */
import { Arena, type Vector } from "../kernels/arena.js";
import { type MeasureName, Measures } from "../measures/measures.js";
import { rigidDiagonal } from "../problem/assemble-rigid.js";
import { diagonalOf } from "../problem/blocks.js";
import type { Guess, Problem } from "../problem/problem.js";
import { factor } from "../problem/sparse-lu.js";
import { checkDiagonal, SIGNS } from "../problem/validate.js";
import { AssembledOperator } from "./assembled.js";
import { Best } from "./best.js";
import { chooseOperator, matrixOf, type OperatorName } from "./choose.js";
import { GlobalOperator, globalDiagonal } from "./global.js";
import { type Layout, type LayoutOptions, makeLayout } from "./layout.js";
import { MatrixFreeOperator } from "./matrix-free.js";
import type { Operator } from "./operator.js";
import { LEAF_BLOCKS, type Reducer, SerialReducer } from "./reducer.js";
import { scales, stiffen, unitOf } from "./scaling.js";
import { equalityBlocks, squareMatrix } from "./square-matrix.js";
import { Sums } from "./sums.js";
import type { Coupling } from "./tiles.js";

export interface SystemOptions extends LayoutOptions {
	/** Scale R, U and W so that every diagonal block has norm 1. */
	readonly scaled: boolean;
	readonly operator: OperatorName;
	/** WebAssembly, or its TypeScript twin. */
	readonly engine: "wasm" | "twin";
	/** The measure by which the best iterate is kept. */
	readonly measure: MeasureName;
}

export const systemDefaults: SystemOptions = {
	scaled: true,
	operator: "auto",
	engine: "wasm",
	order: "coloured",
	seed: 1,
	measure: "energy",
};

/** An operator's making: what couples, the diagonal blocks by id, and the operator once layout and scales are known. */
interface Making {
	readonly coupling: Coupling;
	readonly diagonal: Float64Array;
	/** For messages: what the diagonal blocks are made of, and what to do about a bad one. */
	readonly place: string;
	readonly remedy: string;
	make(layout: Layout, scale: Float64Array): Operator;
}

export class System {
	readonly arena: Arena;
	readonly problem: Problem;
	readonly contacts: number;
	/** Contacts and equality blocks. */
	readonly blocks: number;
	/** Numbers in a vector, padding included. */
	readonly length: number;
	readonly leaves: number;
	readonly layout: Layout;
	readonly operator: Operator;
	/** Bytes of the operator that stand in the arena; a global one has its factors elsewhere. */
	readonly operatorArenaBytes: number;
	/** Why this operator. */
	readonly operatorReason: string;
	readonly reducer: Reducer;
	readonly q: Vector;
	readonly mu: Vector;
	/** The scale of each block. */
	readonly s: Vector;
	/**
	 * A power of two that q, U and R are multiplied by so that q is about 1: the problem is homogeneous in them, so this changes
	 * no bit, and squares neither vanish nor overflow whatever the units are. 1 where the problem's own units are wanted.
	 */
	readonly unit: number = 1;
	/** Diagonal blocks of the scaled W. */
	readonly w: Vector;
	/** Storage places of the contacts whose diagonal block was singular. */
	readonly singular = new Set<number>();
	/** The iterate, and its velocity where a method keeps it fresh. */
	readonly r: Vector;
	readonly u: Vector;
	readonly measures: Measures;
	/** The best iterate in the measure that counts. */
	readonly best: Best;
	readonly #sums: Sums;

	constructor(problem: Problem, options: SystemOptions = systemDefaults) {
		const { kind, why } = chooseOperator(problem, options.operator);
		this.problem = problem;
		this.operatorReason = why;
		this.contacts = problem.contacts;
		this.blocks = problem.contacts + equalityBlocks(problem.equalities);
		this.length = 24 * Math.ceil(this.blocks / 8);
		this.leaves = Math.ceil(this.blocks / LEAF_BLOCKS);
		this.arena = new Arena(options.engine);
		this.reducer = new SerialReducer(this.arena);
		const making = this.#making(kind);
		const { diagonal } = making;
		const contactBlocks = diagonal.subarray(0, 9 * this.contacts);
		const singular = checkDiagonal(contactBlocks, problem.name, making.place, making.remedy);
		this.layout = makeLayout(this.blocks, this.contacts, making.coupling, options);
		const scale = scales(diagonal, this.layout.order, options.scaled);
		const before = this.arena.bytes;
		this.operator = making.make(this.layout, scale);
		this.operatorArenaBytes = this.arena.bytes - before;
		this.s = this.arena.vector(this.blocks);
		this.s.values.set(scale);
		this.mu = this.arena.vector(this.blocks);
		this.w = this.arena.vector(9 * this.blocks);
		this.q = this.vector();
		this.r = this.vector();
		this.u = this.vector();
		this.#fill(diagonal);
		if (options.scaled) {
			this.unit = unitOf(this.q.values);
			for (let i = 0; i < this.length; i += 1) this.q.values[i]! *= this.unit;
		}
		for (const id of singular) {
			const at = this.layout.place[id] as number;
			stiffen(this.w.values, 9 * at);
			this.singular.add(at);
		}
		this.#sums = new Sums(this, 1);
		this.measures = new Measures(this);
		this.best = new Best(this, options.measure);
	}

	#making(kind: Operator["kind"]): Making {
		const { problem, arena, contacts, blocks } = this;
		const { rigid, global } = problem;
		if (kind === "matrix-free" && rigid !== undefined) {
			return {
				coupling: { body: rigid.body, bodies: rigid.inverseMass.length },
				diagonal: rigidDiagonal(rigid),
				place: "W of the bodies",
				remedy: "check frames, masses and inertias",
				make: (layout, scale) => new MatrixFreeOperator(arena, rigid, layout, scale),
			};
		}
		if (kind === "global" && global !== undefined) {
			const lu = factor(global.M, problem.name, "M");
			const diagonal = new Float64Array(9 * blocks);
			globalDiagonal(global.H, lu, contacts, diagonal, 0);
			if (global.G) globalDiagonal(global.G, lu, blocks - contacts, diagonal, 9 * contacts);
			return {
				// Nothing is swept, so no order is better than that of the ids.
				coupling: { body: new Int32Array(2 * blocks).fill(-1), bodies: 0 },
				diagonal,
				place: "H^T M^-1 H",
				remedy: "check M, which has to be positive definite",
				make: (layout, scale) => new GlobalOperator(global, lu, layout, scale, contacts, diagonal),
			};
		}
		// Where W is formed here it lives until the operator is made of it: `problem` stays what was given.
		const W = matrixOf(problem);
		if (W === undefined) throw new Error("an assembled operator without W");
		const matrix = squareMatrix(problem, W);
		return {
			coupling: matrix,
			diagonal: diagonalOf(matrix),
			...(problem.W
				? { place: "W", remedy: SIGNS }
				: { place: "W as it was formed", remedy: "check frames, masses and inertias, or M and H" }),
			make: (layout, scale) => new AssembledOperator(arena, matrix, contacts, layout, scale),
		};
	}

	/** mu, the scaled diagonal blocks, and the scaled q with s of the equality rows behind it. */
	#fill(diagonal: Float64Array): void {
		const { problem } = this;
		for (let at = 0; at < this.blocks; at += 1) {
			const id = this.layout.order[at]!;
			const square = this.s.values[at]! * this.s.values[at]!;
			for (let i = 0; i < 9; i += 1) this.w.values[9 * at + i] = square * diagonal[9 * id + i]!;
			if (at >= this.contacts) continue;
			this.mu.values[at] = problem.mu[id]!;
		}
		const free = new Float64Array(3 * this.blocks);
		free.set(problem.q);
		if (problem.equalities) free.set(problem.equalities.s, 3 * this.contacts);
		this.store(free, this.q, 1);
	}

	/** As many vectors as a method asks for, one after another in memory. */
	vectors(count: number): Vector[] {
		return Array.from({ length: count }, () => this.vector());
	}

	/** |x| */
	norm(x: Vector): number {
		this.#sums.dots(x.at, 0, 0, 0, x.at);
		return Math.sqrt(this.#sums.reduce()[0] as number);
	}

	/** r <- proj_K(r) */
	project(r: Vector): void {
		this.arena.kernels.addProjected(0, this.blocks, this.contacts, this.mu.at, 0, -1, r.at);
	}

	/** r <- proj_K(r + factor d) */
	addProjected(factor: number, d: Vector, r: Vector): void {
		this.arena.kernels.addProjected(0, this.blocks, this.contacts, this.mu.at, factor, d.at, r.at);
	}

	/** A vector of this system, zero. */
	vector(): Vector {
		return this.arena.vector(this.length);
	}

	/** Takes numbers in id order into storage order and units; power 1 multiplies by s (velocities), -1 divides (reactions). */
	store(from: Float64Array, to: Vector, power: 1 | -1): void {
		for (let at = 0; at < this.blocks; at += 1) {
			const id = this.layout.order[at] as number;
			const s = this.s.values[at] as number;
			for (let i = 0; i < 3; i += 1) {
				const value = from[3 * id + i] as number;
				to.values[3 * at + i] = this.unit * (power === 1 ? value * s : value / s);
			}
		}
	}

	/** The inverse of `store`. */
	load(from: Vector, to: Float64Array, power: 1 | -1): void {
		for (let at = 0; at < this.blocks; at += 1) {
			const id = this.layout.order[at] as number;
			const s = this.s.values[at] as number;
			for (let i = 0; i < 3; i += 1) {
				const value = from.values[3 * at + i]! / this.unit;
				to[3 * id + i] = power === 1 ? value / s : value * s;
			}
		}
	}

	/** U = W R + q. */
	velocity(r: Vector, u: Vector): void {
		this.operator.apply(r, u);
		this.arena.kernels.axpby(1, this.q.at, 1, u.at, this.length);
	}

	/** Sets R to a guess, or to zero. */
	startAt(guess: Guess | undefined, r: Vector): void {
		r.values.fill(0);
		if (guess === undefined) return;
		const start = new Float64Array(3 * this.blocks);
		start.set(guess.r);
		if (guess.l) start.set(guess.l, 3 * this.contacts);
		this.store(start, r, -1);
	}
}
