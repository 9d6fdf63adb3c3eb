/**
 * Colours where 32 do, by the kernels of assembly/colouring.ts. Nearly all problems have fewer; where one has more, or rows that are not
 * symmetric, the caller is told, and has the general way do it.
 */
import { Arena, type IntVector } from "../kernels/arena.js";
import type { Coupling } from "./tiles.js";

type Engine = "wasm" | "twin";

/** Integers that the kernel scratches on. */
const WORK = 96;

function copyOf(arena: Arena, values: Int32Array, count: number): IntVector {
	const copy = arena.integerRoom(count);
	copy.values.set(values.length === count ? values : values.subarray(0, count));
	return copy;
}

/** Whether rows ascend and each block is in the row of all that are in its own. */
export function isSymmetricPattern(
	rows: number,
	rowStart: Int32Array,
	column: Int32Array,
	engine: Engine = "wasm",
): boolean {
	const arena = new Arena(engine);
	try {
		const start = copyOf(arena, rowStart, rows + 1);
		const list = copyOf(arena, column, rowStart[rows]!);
		const next = arena.integerRoom(rows);
		return arena.kernels.isSymmetricPattern(rows, start.at, list.at, next.at) === 1;
	} finally {
		arena.release();
	}
}

/** Colours of all blocks, given in the order of the sequence first; undefined where this is not the way. */
export function colourByMasks(
	sequence: Int32Array,
	coupling: Coupling,
	engine: Engine = "wasm",
): Int32Array | undefined {
	const blocks = sequence.length;
	const arena = new Arena(engine);
	try {
		const isOfBodies = "body" in coupling;
		const start = isOfBodies ? undefined : copyOf(arena, coupling.rowStart, blocks + 1);
		const list = isOfBodies
			? copyOf(arena, coupling.body, 2 * blocks)
			: copyOf(arena, coupling.column, coupling.rowStart[blocks]!);
		// An obstacle is body -1: one mask in front.
		const masks = isOfBodies ? coupling.bodies + 1 : blocks;
		const mask = arena.integerRoom(masks);
		const given = copyOf(arena, sequence, blocks);
		const [colour, order, work] = [arena.integerRoom(blocks), arena.integerRoom(blocks), arena.integerRoom(WORK)];
		const { kernels } = arena;
		if (start && kernels.isSymmetricPattern(blocks, start.at, list.at, mask.at) === 0) return undefined;
		const at = start ? start.at : -1;
		const isDone = kernels.colourByMasks(blocks, at, list.at, given.at, colour.at, mask.at, masks, order.at, work.at);
		return isDone === 1 ? colour.values.slice() : undefined;
	} finally {
		arena.release();
	}
}
