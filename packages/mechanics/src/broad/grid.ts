/**
 * A hierarchical grid: boxes of about the same size share a level, whose cells are as large as its largest box. A box stands in the cell of its middle,
 * and looks for others in its own level and in all coarser ones. Cells are found by a hash of their row (y and z), from which x counts on: so cells that
 * are neighbours along x stand one after another. Time and memory are proportional to the number of boxes.
 */
import { grown } from "../base/grow.js";

/** Sizes of one level differ by less than a factor of two, but for those of the last one. */
const LEVELS_MAX = 48;
/** Cells further out are one cell: nothing is lost but speed. The next whole number is exact up to here. */
const CELL_MAX = 2 ** 52;
/** More than the cells along x in which one box can meet others. */
const BUCKETS_MIN = 8;
/** The boxes of a level that has no more than these are met one by one, which takes less time than to look for their cells. */
const FEW = 24;
/** The level of what has no box. */
const NONE = 255;

export class Grid {
	/** Pairs of boxes that were found: two numbers each, in no order. */
	pair = new Int32Array(0);
	found = 0;
	#levels = 0;
	/** By level: how many boxes, and where they begin in the order by cells. */
	readonly #count = new Int32Array(LEVELS_MAX);
	readonly #from = new Int32Array(LEVELS_MAX + 1);
	/** Cells per length. */
	readonly #perLength = new Float64Array(LEVELS_MAX);
	/** Half of the longest box along each axis, three per level. */
	readonly #half = new Float64Array(3 * LEVELS_MAX);
	/** Where the heads of a level's buckets begin, and the number of buckets, a power of two, less one. */
	readonly #headFrom = new Int32Array(LEVELS_MAX);
	readonly #mask = new Int32Array(LEVELS_MAX);
	#head = new Int32Array(0);
	/** By box. */
	#level = new Uint8Array(0);
	#bucket = new Int32Array(0);
	/** In the order by cells: which box, its cell, its bounds, and whether it counts. */
	#box = new Int32Array(0);
	#cell = new Int32Array(0);
	#bounds = new Float64Array(0);
	#isActive = new Uint8Array(0);
	/** Where a search goes: along each axis the first cell and how many follow it. */
	readonly #range = new Int32Array(6);

	/**
	 * Finds the pairs of boxes that overlap and of which one at least is active, each once. There are six numbers per box, the lower and the upper
	 * corner; what is no box, because its lower corner is above the upper one or not a number, is passed over.
	 */
	search(bounds: Float64Array, count: number, isActive: Uint8Array): void {
		this.found = 0;
		this.#level = grown(this.#level, count);
		this.#bucket = grown(this.#bucket, count);
		this.#box = grown(this.#box, count);
		this.#cell = grown(this.#cell, 3 * count);
		this.#bounds = grown(this.#bounds, 6 * count);
		this.#isActive = grown(this.#isActive, count);
		this.#chooseLevels(bounds, count);
		this.#fillBuckets(bounds, count);
		this.#sort(bounds, count, isActive);
		for (let level = 0; level < this.#levels; level += 1) {
			const end = this.#from[level + 1]!;
			for (let slot = this.#from[level]!; slot < end; slot += 1) {
				this.#searchOwn(slot, level);
				for (let other = level + 1; other < this.#levels; other += 1) {
					if (this.#count[other]! > 0) this.#searchCoarser(slot, other);
				}
			}
		}
	}

	/** Levels by doublings of the smallest size, so that equal sizes share one. */
	#chooseLevels(bounds: Float64Array, count: number): void {
		let smallest = Infinity;
		for (let box = 0; box < count; box += 1) {
			const size = sizeOf(bounds, 6 * box);
			if (size < smallest) smallest = size;
		}
		this.#levels = 0;
		this.#count.fill(0);
		this.#half.fill(0);
		for (let box = 0; box < count; box += 1) {
			const size = sizeOf(bounds, 6 * box);
			let level = 0;
			for (let upper = 2 * smallest; size >= upper && level < LEVELS_MAX - 1; upper *= 2) level += 1;
			this.#level[box] = size < Infinity ? level : NONE;
			if (!(size < Infinity)) continue;
			this.#levels = Math.max(this.#levels, level + 1);
			this.#count[level]! += 1;
			for (let d = 0; d < 3; d += 1) {
				const half = 0.5 * (bounds[6 * box + 3 + d]! - bounds[6 * box + d]!);
				if (half > this.#half[3 * level + d]!) this.#half[3 * level + d] = half;
			}
		}
	}

	/** The bucket of each box, and how many stand in each. */
	#fillBuckets(bounds: Float64Array, count: number): void {
		let heads = 0;
		for (let level = 0; level < this.#levels; level += 1) {
			const half = Math.max(this.#half[3 * level]!, this.#half[3 * level + 1]!, this.#half[3 * level + 2]!);
			this.#perLength[level] = 0.5 / half;
			let buckets = BUCKETS_MIN;
			while (buckets < 2 * this.#count[level]!) buckets *= 2;
			this.#headFrom[level] = heads;
			this.#mask[level] = buckets - 1;
			heads += buckets + 1;
			this.#from[level + 1] = this.#from[level]! + this.#count[level]!;
		}
		this.#head = grown(this.#head, heads);
		this.#head.fill(0, 0, heads);
		for (let box = 0; box < count; box += 1) {
			const level = this.#level[box]!;
			if (level === NONE) continue;
			const perLength = this.#perLength[level]!;
			const row = hashOf(middleCell(bounds, 6 * box + 1, perLength), middleCell(bounds, 6 * box + 2, perLength));
			const x = middleCell(bounds, 6 * box, perLength);
			const bucket = this.#headFrom[level]! + ((row + (x | 0)) & this.#mask[level]!);
			this.#bucket[box] = bucket;
			this.#head[bucket]! += 1;
		}
	}

	/** Counts become ends of buckets, and then their starts as each box gets its slot. */
	#sort(bounds: Float64Array, count: number, isActive: Uint8Array): void {
		for (let level = 0; level < this.#levels; level += 1) {
			const end = this.#headFrom[level]! + this.#mask[level]! + 1;
			let before = this.#from[level]!;
			for (let bucket = this.#headFrom[level]!; bucket <= end; bucket += 1) {
				before += this.#head[bucket]!;
				this.#head[bucket] = before;
			}
		}
		for (let box = count - 1; box >= 0; box -= 1) {
			const level = this.#level[box]!;
			if (level === NONE) continue;
			const bucket = this.#bucket[box]!;
			const slot = this.#head[bucket]! - 1;
			this.#head[bucket] = slot;
			this.#box[slot] = box;
			for (let d = 0; d < 3; d += 1) {
				this.#cell[3 * slot + d] = middleCell(bounds, 6 * box + d, this.#perLength[level]!);
			}
			this.#isActive[slot] = isActive[box]!;
			for (let k = 0; k < 6; k += 1) this.#bounds[6 * slot + k] = bounds[6 * box + k]!;
		}
	}

	/** In its own level a box meets those of later rows, later cells of its row, and later slots of its cell; the others meet it. */
	#searchOwn(slot: number, level: number): void {
		if (this.#count[level]! <= FEW) {
			this.#meetAll(slot, slot + 1, this.#from[level + 1]!);
			return;
		}
		this.#setRange(slot, level);
		const range = this.#range;
		const x = this.#cell[3 * slot]!;
		const y = this.#cell[3 * slot + 1]!;
		const z = this.#cell[3 * slot + 2]!;
		const bucket = this.#headFrom[level]! + ((hashOf(y, z) + x) & this.#mask[level]!);
		this.#meet(slot, slot + 1, this.#head[bucket + 1]!, y, z);
		const lowX = range[0]!;
		const lowY = range[2]!;
		const after = (lowX + range[1]! - x) | 0;
		if (after > 0) this.#meetRow(slot, level, x + 1, after - 1, y, z);
		for (let k = (y - lowY + 1) | 0; k <= range[3]!; k += 1) this.#meetRow(slot, level, lowX, range[1]!, lowY + k, z);
		this.#meetLayers(slot, level, (z - range[4]! + 1) | 0);
	}

	#searchCoarser(slot: number, level: number): void {
		if (this.#count[level]! <= FEW) {
			this.#meetAll(slot, this.#from[level]!, this.#from[level + 1]!);
			return;
		}
		this.#setRange(slot, level);
		this.#meetLayers(slot, level, 0);
	}

	/** Meets the layers of the range from the given one on. */
	#meetLayers(slot: number, level: number, from: number): void {
		const range = this.#range;
		const x = range[0]!;
		const after = range[1]!;
		for (let layer = from; layer <= range[5]!; layer += 1) {
			for (let k = 0; k <= range[3]!; k += 1) this.#meetRow(slot, level, x, after, range[2]! + k, range[4]! + layer);
		}
	}

	/** Sets the cells of a level in which boxes may stand that overlap this one. Numbers of cells are kept modulo 2^32. */
	#setRange(slot: number, level: number): void {
		const perLength = this.#perLength[level]!;
		for (let d = 0; d < 3; d += 1) {
			const half = this.#half[3 * level + d]!;
			const low = cellAt(this.#bounds[6 * slot + d]! - half, perLength);
			this.#range[2 * d] = low;
			this.#range[2 * d + 1] = cellAt(this.#bounds[6 * slot + 3 + d]! + half, perLength) - low;
		}
	}

	/** Meets the boxes of cell x and so many after it, fewer than there are buckets. */
	#meetRow(slot: number, level: number, x: number, after: number, y: number, z: number): void {
		const base = this.#headFrom[level]!;
		const mask = this.#mask[level]!;
		const from = (hashOf(y, z) + x) & mask;
		const to = from + after;
		const head = this.#head;
		this.#meet(slot, head[base + from]!, head[base + Math.min(to, mask) + 1]!, y, z);
		if (to > mask) this.#meet(slot, head[base]!, head[base + (to & mask) + 1]!, y, z);
	}

	/** Keeps those of the slots whose boxes overlap this one's. Another row may have come to the same buckets. */
	#meet(slot: number, from: number, end: number, y: number, z: number): void {
		const cell = this.#cell;
		for (let other = from; other < end; other += 1) {
			if (!overlap(this.#bounds, 6 * slot, 6 * other)) continue;
			if (cell[3 * other + 1] === (y | 0) && cell[3 * other + 2] === (z | 0)) this.#keep(slot, other);
		}
	}

	#meetAll(slot: number, from: number, end: number): void {
		for (let other = from; other < end; other += 1) {
			if (overlap(this.#bounds, 6 * slot, 6 * other)) this.#keep(slot, other);
		}
	}

	#keep(slot: number, other: number): void {
		if ((this.#isActive[slot]! | this.#isActive[other]!) === 0) return;
		if (2 * this.found + 2 > this.pair.length) this.pair = grown(this.pair, 2 * this.found + 2);
		this.pair[2 * this.found] = this.#box[slot]!;
		this.pair[2 * this.found + 1] = this.#box[other]!;
		this.found += 1;
	}
}

/** Of two boxes, whether they have a point in common. */
export function overlap(bounds: Float64Array, a: number, b: number): boolean {
	return (
		bounds[a]! <= bounds[b + 3]! &&
		bounds[b]! <= bounds[a + 3]! &&
		bounds[a + 1]! <= bounds[b + 4]! &&
		bounds[b + 1]! <= bounds[a + 4]! &&
		bounds[a + 2]! <= bounds[b + 5]! &&
		bounds[b + 2]! <= bounds[a + 5]!
	);
}

/** The longest edge; not a finite number where there is no box. */
function sizeOf(bounds: Float64Array, at: number): number {
	const x = bounds[at + 3]! - bounds[at]!;
	const y = bounds[at + 4]! - bounds[at + 1]!;
	const z = bounds[at + 5]! - bounds[at + 2]!;
	return x >= 0 && y >= 0 && z >= 0 ? Math.max(x, y, z) : Infinity;
}

function cellAt(coordinate: number, perLength: number): number {
	const cell = Math.floor(coordinate * perLength);
	return Math.max(-CELL_MAX, Math.min(CELL_MAX, cell));
}

/** The cell of a box's middle along the axis whose lower bound is at `at`. */
function middleCell(bounds: Float64Array, at: number, perLength: number): number {
	return cellAt(0.5 * (bounds[at]! + bounds[at + 3]!), perLength);
}

/** Of a row of cells: any whole number does. */
function hashOf(y: number, z: number): number {
	const mixed = (Math.imul(y, 0x2c1b3c6d) + Math.imul(z, 0x297a2d39)) | 0;
	return mixed ^ (mixed >>> 15);
}
