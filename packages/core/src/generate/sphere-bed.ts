/**
 * The spheres laid so far, on the floor z = 0, filed in cubic cells so that finding neighbours costs the same however
 * many there are. Spheres that would lie outside the grid are not taken.
 */
import { assert } from "../base/errors.js";

export class SphereBed {
	count = 0;
	/** What `near` and `column` found. */
	readonly found: Int32Array;
	/** Four numbers each, side by side, since all are wanted where one is: x, y, z of the centre, and the radius. */
	readonly #spheres: Float64Array;
	readonly #cell: number;
	readonly #half: number;
	readonly #columns: number;
	readonly #layers: number;
	/** The newest sphere of each cell, cells of a column side by side, and the next older one of each sphere: -1 where there is none. */
	readonly #newest: Int32Array;
	readonly #older: Int32Array;
	/** One more than the highest layer in use, per column. */
	readonly #top: Int32Array;

	/** `reach` is half the width of the ground, centred on the origin. */
	constructor(
		capacity: number,
		readonly radiusMax: number,
		reach: number,
		height: number,
	) {
		this.#spheres = new Float64Array(4 * capacity);
		this.found = new Int32Array(4096);
		this.#cell = 2 * radiusMax;
		this.#columns = 2 * Math.ceil(reach / this.#cell);
		this.#half = (this.#columns / 2) * this.#cell;
		this.#layers = Math.ceil(height / this.#cell);
		this.#newest = new Int32Array(this.#columns * this.#columns * this.#layers).fill(-1);
		this.#older = new Int32Array(capacity).fill(-1);
		this.#top = new Int32Array(this.#columns * this.#columns);
	}

	x(id: number): number {
		return this.#spheres[4 * id]!;
	}

	y(id: number): number {
		return this.#spheres[4 * id + 1]!;
	}

	z(id: number): number {
		return this.#spheres[4 * id + 2]!;
	}

	radius(id: number): number {
		return this.#spheres[4 * id + 3]!;
	}

	/** False where the centre lies outside the grid. */
	holds(x: number, y: number, z: number): boolean {
		return Math.abs(x) < this.#half && Math.abs(y) < this.#half && z >= 0 && z < this.#layers * this.#cell;
	}

	/** The caller has seen that the grid holds it. */
	add(x: number, y: number, z: number, radius: number): void {
		const id = this.count;
		this.count = id + 1;
		this.#spheres[4 * id] = x;
		this.#spheres[4 * id + 1] = y;
		this.#spheres[4 * id + 2] = z;
		this.#spheres[4 * id + 3] = radius;
		const column = this.#line(x) + this.#columns * this.#line(y);
		const layer = Math.floor(z / this.#cell);
		const cell = this.#layers * column + layer;
		this.#older[id] = this.#newest[cell]!;
		this.#newest[cell] = id;
		if (this.#top[column]! <= layer) this.#top[column] = layer + 1;
	}

	/** Files in `found` the spheres of all cells that meet the box, and returns how many. */
	near(x0: number, x1: number, y0: number, y1: number, z0: number, z1: number): number {
		const fromX = this.#line(x0);
		const toX = this.#line(x1);
		const toY = this.#line(y1);
		const fromLayer = Math.max(0, Math.floor(z0 / this.#cell));
		const toLayer = Math.floor(z1 / this.#cell);
		let count = 0;
		for (let j = this.#line(y0); j <= toY; j += 1) {
			for (let i = fromX; i <= toX; i += 1) {
				const column = i + this.#columns * j;
				const first = this.#layers * column;
				const end = first + Math.min(toLayer + 1, this.#top[column]!);
				for (let cell = first + fromLayer; cell < end; cell += 1) {
					for (let id = this.#newest[cell]!; id >= 0; id = this.#older[id]!) {
						this.found[count] = id;
						count += 1;
					}
				}
			}
		}
		assert(count <= this.found.length, "more spheres near than a search can hold");
		return count;
	}

	/** No sphere's centre lies higher than this within one cell of the line. */
	topNear(x: number, y: number): number {
		let top = 0;
		const toX = this.#line(x + this.#cell);
		const toY = this.#line(y + this.#cell);
		for (let j = this.#line(y - this.#cell); j <= toY; j += 1) {
			for (let i = this.#line(x - this.#cell); i <= toX; i += 1) {
				top = Math.max(top, this.#top[i + this.#columns * j]!);
			}
		}
		return top * this.#cell;
	}

	/** The cell's place along x or y, at the border for what lies outside. */
	#line(along: number): number {
		const line = Math.floor((along + this.#half) / this.#cell);
		return line < 0 ? 0 : line >= this.#columns ? this.#columns - 1 : line;
	}
}
