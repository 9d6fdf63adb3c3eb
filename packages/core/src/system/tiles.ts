/**
 * Tiles: runs of neighbouring contacts that are stored and swept as one. Tiles are coloured as contacts are, so that no two of
 * a colour couple: a sweep over one colour of tiles after another can be shared out by tiles and still be the same sweep.
 */

/** Which blocks couple: the pattern of W, or for rigid bodies the bodies of each contact. */
export type Coupling =
	| { readonly rowStart: Int32Array; readonly column: Int32Array }
	| { readonly body: Int32Array; readonly bodies: number };

/** The neighbours of each tile, by the pattern: tiles couple when either holds a column of the other. */
function neighboursByPattern(tile: Int32Array, tiles: number, rowStart: Int32Array, column: Int32Array): Set<number>[] {
	const neighbours = Array.from({ length: tiles }, () => new Set<number>());
	for (let a = 0; a < tile.length; a += 1) {
		const own = tile[a]!;
		for (let k = rowStart[a]!; k < rowStart[a + 1]!; k += 1) {
			const other = tile[column[k]!]!;
			if (other === own) continue;
			neighbours[own]!.add(other);
			neighbours[other]!.add(own);
		}
	}
	return neighbours;
}

/** The neighbours of each tile, by bodies: all tiles that a body touches couple. */
function neighboursByBody(tile: Int32Array, tiles: number, body: Int32Array, bodies: number): Set<number>[] {
	const neighbours = Array.from({ length: tiles }, () => new Set<number>());
	const touched: (number[] | undefined)[] = new Array(bodies);
	for (let k = 0; k < body.length; k += 1) {
		const b = body[k]!;
		if (b < 0) continue;
		const own = tile[k >> 1]!;
		const list = touched[b] ?? [];
		touched[b] = list;
		// Contacts come in the order of tiles, so a tile already there is the last.
		if (list[list.length - 1] === own) continue;
		for (const other of list) {
			neighbours[own]!.add(other);
			neighbours[other]!.add(own);
		}
		list.push(own);
	}
	return neighbours;
}

/** First-fit colours of tiles by number; `tile` is that of each block, in ascending order. */
export function colourTiles(tile: Int32Array, tiles: number, coupling: Coupling): Int32Array {
	const neighbours =
		"body" in coupling
			? neighboursByBody(tile, tiles, coupling.body, coupling.bodies)
			: neighboursByPattern(tile, tiles, coupling.rowStart, coupling.column);
	const colour = new Int32Array(tiles).fill(-1);
	for (let t = 0; t < tiles; t += 1) {
		const used = new Set<number>();
		for (const other of neighbours[t]!) used.add(colour[other]!);
		let c = 0;
		while (used.has(c)) c += 1;
		colour[t] = c;
	}
	return colour;
}
