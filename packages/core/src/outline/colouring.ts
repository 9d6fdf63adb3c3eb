/**
 * Colours of blocks: no two of a colour couple, so those of a colour can be solved at once and on any ranks. Everything derives
 * from global ids and the seed, so colours are the same for any partition.
 *
 * 1. First fit in a seeded random order: in the order of ids sweeps converge as slowly as those in file order do.
 * 2. First fit again, colour by colour, the smallest first, some rounds. None needs more colours, since the n-th colour to
 *    be gone through fits in n, and the first few need fewer (iterated greedy: J. Culberson, F. Luo, "Exploring the
 *    k-colorable landscape with iterated greedy", 1996).
 * 3. Blocks of large colours move to small ones, as far as their neighbours let them.
 *
 * Where 32 colours do, kernels give them (assembly/colouring.ts), and the general way stands here. Each step sees only which blocks couple, so that bodies and the pattern of their W get the same colours.
 *
 * Colours stay numbered as first fit leaves them, from large to small: numbered at random they made sweeps slower on a few problems
 * and on the whole no faster (docs/decisions/0006).
 */
import { Random } from "../base/random.js";
import { BodySurroundings, mostAtBody } from "./colouring-bodies.js";
import { cliqueSize } from "./colouring-clique.js";
import { colourByMasks } from "./colouring-masks.js";
import { Neighbours, PatternSurroundings } from "./colouring-pattern.js";
import type { Coupling } from "./tiles.js";

/** The colours around each block, as blocks are given theirs. */
export interface Surroundings {
	/** Takes all colours back. */
	clear(): void;
	/** Gives a block that has no colour the first that no neighbour has, and returns it. */
	take(a: number): number;
	/** Whether no neighbour of a block has the colour. */
	free(a: number, colour: number): boolean;
	/** Gives a block another colour, which is free. */
	move(a: number, from: number, to: number): void;
}

/**
 * Rounds of first fit after the first: plank piles come from 1.38 to 1.19 times the bound in up to eight, more bring little.
 * An even number: each round turns the order of colours round. Blocks of many neighbours come late by first fit and after
 * even rounds, first after odd ones, and sweeps that begin with them took up to 1.1 times as many (docs/decisions/0006).
 */
const ROUNDS = 8;
/** Rounds of moves between colours; two nearly always do. */
const MOVE_ROUNDS_MAX = 4;
/** Small colours that a block tries to move to. */
const TRIES_MAX = 64;
/**
 * Small colours are filled up to this share of the mean size, and no more: the largest colours are then some twice the mean, but
 * their work is shared by all ranks just as well, and sweeps over colours of one size are slower at their worst.
 */
const FILL = 0.5;

/** Colours of all blocks of a coupling. */
export function colourBlocks(blocks: number, coupling: Coupling, seed: number): Int32Array {
	return colourByMasks(sequenceOf(blocks, seed), coupling) ?? colourWithoutMasks(blocks, coupling, seed);
}

/** The same colours where there are more than bits of a mask, or rows that are not symmetric. */
export function colourWithoutMasks(blocks: number, coupling: Coupling, seed: number): Int32Array {
	const sequence = sequenceOf(blocks, seed);
	if ("body" in coupling) {
		const { body, bodies } = coupling;
		return colourAround(sequence, new BodySurroundings(body, bodies));
	}
	const neighbours = new Neighbours(blocks, coupling.rowStart, coupling.column);
	return colourAround(sequence, new PatternSurroundings(neighbours));
}

/** The order in which colours are given first, which nobody writes to: it is that of the next problem of this size. */
export function sequenceOf(blocks: number, seed: number): Int32Array {
	if (lastSequence.seed === seed && lastSequence.ids.length === blocks) return lastSequence.ids;
	const ids = new Int32Array(blocks);
	for (let id = 0; id < blocks; id += 1) ids[id] = id;
	new Random(seed).shuffle(ids);
	if (blocks <= KEPT_MAX) lastSequence = { seed, ids };
	return ids;
}

/** Of larger problems it is made anew: their solves take far longer. */
const KEPT_MAX = 2 ** 16;
let lastSequence: { readonly seed: number; readonly ids: Int32Array } = { seed: 0, ids: new Int32Array(0) };

/**
 * A number of colours that no colouring is below, because that many blocks all couple: for bodies the contacts at one that
 * moves (an obstacle couples nothing), for a pattern a clique that is found greedily.
 */
export function colourBound(blocks: number, coupling: Coupling): number {
	if ("body" in coupling) return mostAtBody(blocks, coupling.body, coupling.bodies);
	return cliqueSize(new Neighbours(blocks, coupling.rowStart, coupling.column));
}

/** Blocks of each colour. */
export function colourSizes(colour: Int32Array): Int32Array {
	let colours = 0;
	for (let a = 0; a < colour.length; a += 1) colours = Math.max(colours, colour[a]! + 1);
	const size = new Int32Array(colours);
	for (let a = 0; a < colour.length; a += 1) size[colour[a]!]! += 1;
	return size;
}

function colourAround(sequence: Int32Array, around: Surroundings): Int32Array {
	const colour = new Int32Array(sequence.length);
	for (const a of sequence) colour[a] = around.take(a);
	let size = colourSizes(colour);
	const order = new Int32Array(sequence.length);
	for (let round = 0; round < ROUNDS; round += 1) {
		around.clear();
		for (const a of smallestFirst(colour, size, order)) colour[a] = around.take(a);
		size = colourSizes(colour);
	}
	for (let round = 0; round < MOVE_ROUNDS_MAX; round += 1) {
		if (!fillSmall(sequence, around, colour, size)) break;
	}
	return colour;
}

/** All blocks by colours, those of the smallest colour first, written into `order`. */
function smallestFirst(colour: Int32Array, size: Int32Array, order: Int32Array): Int32Array {
	const bySize = Int32Array.from(size, (_, c) => c).sort((c, d) => size[c]! - size[d]! || c - d);
	const next = new Int32Array(size.length);
	let start = 0;
	for (const c of bySize) {
		next[c] = start;
		start += size[c]!;
	}
	for (let a = 0; a < colour.length; a += 1) {
		const c = colour[a]!;
		order[next[c]!] = a;
		next[c]! += 1;
	}
	return order;
}

/** Moves blocks from colours above the mean to small ones, these by turns; false where nothing moved. */
function fillSmall(sequence: Int32Array, around: Surroundings, colour: Int32Array, size: Int32Array): boolean {
	const mean = colour.length / size.length;
	const full = Math.ceil(FILL * mean);
	const small = Int32Array.from(size, (_, c) => c).filter((c) => size[c]! < full);
	let smalls = small.length;
	if (smalls === 0) return false;
	let turn = 0;
	let moved = false;
	for (let i = 0; i < sequence.length; i += 1) {
		const a = sequence[i]!;
		const from = colour[a]!;
		if (size[from]! <= mean) continue;
		for (let tries = Math.min(smalls, TRIES_MAX); tries > 0; tries -= 1) {
			turn = turn + 1 < smalls ? turn + 1 : 0;
			const to = small[turn]!;
			if (!around.free(a, to)) continue;
			around.move(a, from, to);
			colour[a] = to;
			size[from]! -= 1;
			size[to]! += 1;
			moved = true;
			if (size[to]! >= full) {
				smalls -= 1;
				small[turn] = small[smalls]!;
			}
			break;
		}
	}
	return moved;
}
