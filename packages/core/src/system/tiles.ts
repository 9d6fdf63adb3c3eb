/**
 * Tiles: runs of neighbouring contacts that are stored and swept as one. Tiles are coloured as contacts are, so that no two of
 * a colour couple: a sweep over one colour of tiles after another can be shared out by tiles and still be the same sweep.
 */

import { colourBlocks } from "./colouring.js";

/** Which blocks couple: the pattern of W, or for rigid bodies the bodies of each contact. */
export type Coupling =
	| { readonly rowStart: Int32Array; readonly column: Int32Array }
	| { readonly body: Int32Array; readonly bodies: number };

/** Marks both ways. */
function couple(neighbours: Set<number>[], a: number, b: number): void {
	neighbours[a]!.add(b);
	neighbours[b]!.add(a);
}

/** The neighbours of each tile: tiles couple when either holds a column of the other, or when a body touches both. */
export function tileNeighbours(tile: Int32Array, tiles: number, coupling: Coupling): Set<number>[] {
	const neighbours = Array.from({ length: tiles }, () => new Set<number>());
	if ("body" in coupling) {
		const touched = Array.from({ length: coupling.bodies }, () => new Set<number>());
		for (const [k, b] of coupling.body.entries()) if (b >= 0) touched[b]!.add(tile[k >> 1]!);
		for (const all of touched) for (const a of all) for (const b of all) if (a < b) couple(neighbours, a, b);
		return neighbours;
	}
	const { rowStart, column } = coupling;
	for (let a = 0; a < tile.length; a += 1) {
		const own = tile[a]!;
		if (own >= tiles) continue;
		for (let k = rowStart[a]!; k < rowStart[a + 1]!; k += 1) {
			const other = tile[column[k]!]!;
			if (other !== own && other < tiles) couple(neighbours, own, other);
		}
	}
	return neighbours;
}

/** Colours of tiles; `tile` is that of each block, and numbers from `tiles` on are left out. */
export function colourTiles(tile: Int32Array, tiles: number, coupling: Coupling, seed: number): Int32Array {
	const neighbours = tileNeighbours(tile, tiles, coupling);
	const rowStart = new Int32Array(tiles + 1);
	for (const [t, others] of neighbours.entries()) rowStart[t + 1] = rowStart[t]! + others.size;
	return colourBlocks(tiles, { rowStart, column: Int32Array.from(neighbours.flatMap((others) => [...others])) }, seed);
}
