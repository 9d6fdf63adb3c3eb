/**
 * Loads of ranks that nobody could make here: a lattice of ranks, each with a cube of tiles in the colours of a checkerboard (eight: by the parities of
 * a tile's three coordinates), each tile coupled with the 26 around it. Tiles beside another rank pass on what lies on their faces, edges and corners.
 */
import type { Messages, RankLoad, StepLoad } from "./loads.js";

export interface TileGraph {
	readonly ranks: number;
	/** Of each rank, about: a cube of tiles has an even number along each side. */
	readonly contacts: number;
	readonly tileContacts: number;
	/** Ghosts of a face of so many contacts along each side, in layers of contacts. */
	readonly layers: number;
}

const COLOURS = 8;
const WIDTH = 3;

/** Ranks along each axis, as near to a cube as their number allows. */
export function latticeOf(ranks: number): [number, number, number] {
	let best: [number, number, number] = [1, 1, ranks];
	for (let x = 1; x * x * x <= ranks; x += 1) {
		if (ranks % x !== 0) continue;
		for (let y = x; x * y * y <= ranks; y += 1) {
			if ((ranks / x) % y === 0) best = [x, y, ranks / x / y];
		}
	}
	return best;
}

export function tileLoads({ ranks, contacts, tileContacts, layers }: TileGraph): RankLoad[] {
	const lattice = latticeOf(ranks);
	const side = 2 * Math.max(1, Math.round(Math.cbrt(contacts / tileContacts) / 2));
	const tiles = side ** 3;
	const each = contacts / tiles;
	const waitingTiles = tiles - Math.max(0, side - 2) ** 3;
	return Array.from({ length: ranks }, (_, rank) => {
		const own = bordersOf(rank, lattice, { side, each, layers });
		const waiting = ranks === 1 ? 0 : (waitingTiles * each) / COLOURS;
		const steps = Array.from({ length: COLOURS }, (_unused, colour): StepLoad => {
			const passed = messagesOf(own, (blocks) => blocks[colour]!);
			return { interior: contacts / COLOURS - waiting, boundary: waiting, passed };
		});
		const halo = messagesOf(own, (blocks) => blocks.reduce((total, count) => total + count, 0));
		const ghosts = halo.received.reduce((sum, blocks) => sum + blocks, 0);
		return { contacts, ghosts, halo, steps };
	});
}

interface Border {
	readonly other: number;
	/** By colour, of the own tiles on it, and of those on the other side. */
	readonly blocks: readonly number[];
	readonly theirs: readonly number[];
}

interface Cube {
	readonly side: number;
	readonly each: number;
	readonly layers: number;
}

function bordersOf(rank: number, [nx, ny, nz]: readonly [number, number, number], cube: Cube): Border[] {
	const [x, y, z] = [rank % nx, Math.floor(rank / nx) % ny, Math.floor(rank / nx / ny)];
	const found: Border[] = [];
	for (const [dx, dy, dz] of DIRECTIONS) {
		const [ox, oy, oz] = [x + dx, y + dy, z + dz];
		if (ox < 0 || oy < 0 || oz < 0 || ox >= nx || oy >= ny || oz >= nz) continue;
		const other = ox + nx * (oy + ny * oz);
		found.push({
			other,
			blocks: blocksTowards([dx, dy, dz], cube),
			theirs: blocksTowards([-dx, -dy, -dz], cube),
		});
	}
	return found.sort((one, two) => one.other - two.other);
}

const STEPS = [-1, 0, 1] as const;
const DIRECTIONS = STEPS.flatMap((dx) => STEPS.flatMap((dy) => STEPS.map((dz) => [dx, dy, dz] as const))).filter(
	([dx, dy, dz]) => dx !== 0 || dy !== 0 || dz !== 0,
);

/** Along an axis without a border half of the tiles have each parity; at a border there is one tile, of parity 0 at the low end and 1 at the high. */
function blocksTowards(direction: readonly number[], { side, each, layers }: Cube): number[] {
	const length = Math.cbrt(each);
	return Array.from({ length: COLOURS }, (_, colour) => {
		let blocks = 1;
		for (let axis = 0; axis < direction.length; axis += 1) {
			const parity = (colour >> axis) & 1;
			const towards = direction[axis]!;
			if (towards === 0) blocks *= (side / 2) * length;
			else blocks *= parity === (towards < 0 ? 0 : 1) ? layers : 0;
		}
		return Math.ceil(blocks);
	});
}

function messagesOf(borders: readonly Border[], countOf: (blocks: readonly number[]) => number): Messages {
	const sending = borders.filter(({ blocks }) => countOf(blocks) > 0);
	const receiving = borders.filter(({ theirs }) => countOf(theirs) > 0);
	return {
		width: WIDTH,
		targets: Int32Array.from(sending, ({ other }) => other),
		sent: Int32Array.from(sending, ({ blocks }) => countOf(blocks)),
		sources: Int32Array.from(receiving, ({ other }) => other),
		received: Int32Array.from(receiving, ({ theirs }) => countOf(theirs)),
	};
}
