/**
 * What a method may ask of W, in the scaled system and in storage order. Everything does its own halo when rows are spread over
 * ranks; the sweeps visit rows in the layout's coloured order. An operator that has no rows to visit (a global form that
 * is never condensed) leaves the sweeps out, and methods that need them say so.
 */
import type { StoredOfRank } from "../factor/body-matrix.js";
import type { StoredRows } from "../factor/stored-rows.js";
import type { Vector } from "../kernels/arena.js";
import type { Cones } from "./cones.js";

/** What a nonlinear Gauss-Seidel sweep needs besides W. */
export interface SweepData {
	readonly q: Vector;
	/** Diagonal blocks of W. */
	readonly w: Vector;
	/** Which law each row has. */
	readonly cones: Cones;
}

export interface Operator {
	readonly kind: "assembled" | "matrix-free" | "global";
	/** Whether it was made of finite numbers, as far as anybody has looked. */
	readonly isFinite: boolean;
	/** Bytes of the operator itself, beyond the problem it was made of. */
	readonly bytes: number;
	/** The rows as they are stored, of operators that have them all in one place. */
	readonly rows?: StoredRows;
	/** Bodies and own contacts as they are stored, of operators that are made of them. */
	readonly stored?: StoredOfRank;
	/** y = W x; x has room for ghosts, which are refreshed. */
	apply(x: Vector, y: Vector): void;
	/**
	 * One nonlinear Gauss-Seidel sweep, R overwritten; relax is the over-relaxation, 1 for none; alpha is the weight of a proximal step
	 * (assembly/proximal.ts), whose anchor is in q, 0 for none. omega above 0: projected steps of that length in place of exact local
	 * solves (assembly/projected-step.ts), with relax the weight of their results.
	 */
	sweep?(data: SweepData, r: Vector, backward: boolean, relax: number, alpha?: number, omega?: number): void;
	/** z = T^-1 c with T the block lower triangle of X W + ... in sweep order, p its inverted diagonal blocks; z has room for ghosts. */
	triangle?(p: Vector, x: Vector, c: Vector, z: Vector): void;
}
