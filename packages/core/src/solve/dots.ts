/**
 * Inner products with the same bits in any order and any split, as a function of its own: what solvers sum with, for callers that need it
 * too, and for measuring what it costs.
 */
import { assert } from "../base/errors.js";
import { Arena } from "../kernels/arena.js";
import { SelfCommunicator } from "../parallel/self.js";
import { Reducer } from "../sums/reducer.js";
import { Sums } from "../sums/sums.js";

export interface Dots {
	/** Three numbers per block. */
	readonly x: Float64Array;
	readonly v: readonly Float64Array[];
	/** x . v_j for all j, until the next call. */
	dots(): Float64Array;
}

/** `blocks` blocks of three numbers (a multiple of eight blocks), to be multiplied with `count` vectors at a time. */
export function makeDots(blocks: number, count: number, engine: "wasm" | "twin" = "wasm"): Dots {
	assert(blocks % 8 === 0 && count >= 1, "whole cache lines, and at least one vector");
	const arena = new Arena(engine);
	const length = 3 * blocks;
	const x = arena.vector(length);
	const v = Array.from({ length: count }, () => arena.vector(length));
	const [first, last] = [v[0]!.at, v[count - 1]!.at];
	const sums = new Sums(arena, new Reducer(new SelfCommunicator()), count);
	return {
		x: x.values,
		v: v.map(({ values }) => values),
		dots() {
			sums.dots(x.at, first, length, count - 1, last, length);
			return sums.reduce();
		},
	};
}
