/**
 * Colours where 32 do, by the kernels of assembly/colouring.ts. Nearly all problems have fewer; where one has more, or rows that are not
 * symmetric, the caller is told, and has the general way do it.
 */
import { Arena, type IntVector } from "../kernels/arena.js";
import type { Coupling } from "./tiles.js";

type Engine = "wasm" | "twin";

const COLOURS = 32;
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
	return withColours(sequence, coupling, engine, (_, colour) => colour.values.slice());
}

/** Blocks by colour, as orderByColour has them. */
export interface ColourOrder {
	readonly order: Int32Array;
	readonly place: Int32Array;
	/** Where each colour starts, and where the last one ends. */
	readonly start: Int32Array;
}

/** The same colours, and blocks in their order: nothing of it leaves the kernels' memory in between. */
export function orderByMasks(
	sequence: Int32Array,
	coupling: Coupling,
	engine: Engine = "wasm",
): ColourOrder | undefined {
	return withColours(sequence, coupling, engine, (arena, colour, rowStart) => {
		const blocks = sequence.length;
		const [order, place] = [arena.integerRoom(blocks), arena.integerRoom(blocks)];
		const [start, work] = [arena.integerRoom(COLOURS + 1), arena.integerRoom(3 * blocks + COLOURS + 2)];
		const { kernels } = arena;
		const colours = kernels.orderByColour(blocks, colour.at, rowStart, order.at, place.at, start.at, work.at);
		return { order: order.values.slice(), place: place.values.slice(), start: start.values.slice(0, colours + 1) };
	});
}

/** `work` gets the place of the rows' starts as well, -1 where there are none. */
function withColours<Result>(
	sequence: Int32Array,
	coupling: Coupling,
	engine: Engine,
	work: (arena: Arena, colour: IntVector, rowStart: number) => Result,
): Result | undefined {
	const blocks = sequence.length;
	const arena = new Arena(engine);
	try {
		const isOfBodies = "body" in coupling;
		const start = coupling.rowStart && copyOf(arena, coupling.rowStart, blocks + 1);
		const list = isOfBodies
			? copyOf(arena, coupling.body, 2 * blocks)
			: copyOf(arena, coupling.column, coupling.rowStart[blocks]!);
		// An obstacle is body -1: one mask in front.
		const masks = isOfBodies ? coupling.bodies + 1 : blocks;
		const mask = arena.integerRoom(masks);
		const given = copyOf(arena, sequence, blocks);
		const [colour, order, scratch] = [arena.integerRoom(blocks), arena.integerRoom(blocks), arena.integerRoom(WORK)];
		const { kernels } = arena;
		const rows = start?.at ?? -1;
		if (!isOfBodies && kernels.isSymmetricPattern(blocks, rows, list.at, mask.at) === 0) return undefined;
		const at = isOfBodies ? -1 : rows;
		const isDone = kernels.colourByMasks(
			blocks,
			at,
			list.at,
			given.at,
			colour.at,
			mask.at,
			masks,
			order.at,
			scratch.at,
		);
		return isDone === 1 ? work(arena, colour, rows) : undefined;
	} finally {
		arena.release();
	}
}
