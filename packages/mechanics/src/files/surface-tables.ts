/**
 * Surfaces of bodies in a run file. The corners of each shape are there once, in the axes of a body; tables say, corner after corner, which body of a step it
 * belongs to and which corner of the shapes it is, so that a viewer places it by x = centre + map X. Bodies stand behind obstacles in the order of their shapes:
 * the tables of many bodies then hold, in their beginning, those of fewer.
 */
import type { Bodies } from "../bodies/bodies.js";
import type { Model } from "../bodies/model.js";
import { type Surface, surfaceOf } from "./surfaces.js";

/** XDMF's number for a polygon, whose number of corners follows. */
const POLYGON = 3;
const TRIANGLE = 4;
/** With more bodies than this in a run, they are shown as points. */
const BODIES_MAX = 5000;
/** From so many bodies on balls have fewer triangles. */
const COARSE_FROM = 100;

/** Of bodies one after another. */
export interface Tables {
	/** Three per corner: 3 times the place of its body, plus the axis. */
	readonly place: Int32Array;
	/** Three per corner: 3 times its row among the corners of all shapes. */
	readonly source: Int32Array;
	/** Cell after cell: kind, number of corners where the kind does not say it, corners. */
	readonly nodes: Int32Array;
}

/** How much of the tables some bodies take. */
export interface TableSizes {
	readonly corners: number;
	readonly nodes: number;
	readonly cells: number;
}

export class SurfaceTables {
	/** Three numbers per corner, shape after shape. */
	readonly corners: Float32Array;
	readonly #surfaces: readonly Surface[];
	/** By shape: the row of its first corner. */
	readonly #first: Int32Array;
	/** Shapes of the bodies that the last tables were made of. */
	#shapes = new Int32Array(0);

	/** Undefined where there are too many bodies. Planes are drawn as large as the scene is at the beginning. */
	static of(model: Model, bodies: Bodies): SurfaceTables | undefined {
		return bodies.total > BODIES_MAX ? undefined : new SurfaceTables(model, bodies);
	}

	private constructor({ shapes }: Model, bodies: Bodies) {
		let planeSize = 1e-9;
		for (let place = bodies.obstacles; place < bodies.obstacles + bodies.own; place += 1) {
			const { reach } = shapes[bodies.shape[place]!]!;
			for (let axis = 0; axis < 3; axis += 1) {
				planeSize = Math.max(planeSize, Math.abs(bodies.position[3 * place + axis]!) + 2 * reach);
			}
		}
		const options = { planeSize: 1.5 * planeSize, subdivisions: bodies.total >= COARSE_FROM ? 1 : 2 };
		this.#surfaces = shapes.map((shape) => surfaceOf(shape, options));
		this.#first = new Int32Array(shapes.length);
		let rows = 0;
		for (const [shape, { points }] of this.#surfaces.entries()) {
			this.#first[shape] = rows;
			rows += points.length / 3;
		}
		this.corners = new Float32Array(3 * rows);
		for (const [shape, { points }] of this.#surfaces.entries()) this.corners.set(points, 3 * this.#first[shape]!);
	}

	/** Of bodies of these shapes; undefined where those that were made last will do. */
	extend(shapes: Int32Array, isMoving: boolean): Tables | undefined {
		const { length } = shapes;
		if (length <= this.#shapes.length && shapes.every((shape, at) => shape === this.#shapes[at])) return undefined;
		// Where bodies come and go there are soon more of the last shape.
		const isOne = length > 1 && shapes[length - 1] === shapes[length - 2];
		const list = new Int32Array(isMoving && isOne ? Math.ceil(1.25 * length) : length).fill(shapes[length - 1] ?? 0);
		list.set(shapes);
		this.#shapes = list;
		return this.#made(list);
	}

	/** Of bodies of these shapes, the first of those that the tables were made of. */
	sizesOf(shapes: Int32Array): TableSizes {
		const sizes = { corners: 0, nodes: 0, cells: 0 };
		for (const shape of shapes) {
			const { points, start, nodes } = this.#surfaces[shape]!;
			sizes.corners += points.length / 3;
			sizes.nodes += nodes;
			sizes.cells += start.length - 1;
		}
		return sizes;
	}

	#made(shapes: Int32Array): Tables {
		const sizes = this.sizesOf(shapes);
		const place = new Int32Array(3 * sizes.corners);
		const source = new Int32Array(3 * sizes.corners);
		const nodes = new Int32Array(sizes.nodes);
		let [corners, at] = [0, 0];
		for (const [body, shape] of shapes.entries()) {
			const { points, start, corner } = this.#surfaces[shape]!;
			for (let cell = 0; cell + 1 < start.length; cell += 1) {
				const count = start[cell + 1]! - start[cell]!;
				nodes[at++] = count === 3 ? TRIANGLE : POLYGON;
				if (count !== 3) nodes[at++] = count;
				for (let entry = start[cell]!; entry < start[cell + 1]!; entry += 1) nodes[at++] = corners + corner[entry]!;
			}
			for (let row = 0; row < points.length / 3; row += 1, corners += 1) {
				for (let axis = 0; axis < 3; axis += 1) place[3 * corners + axis] = 3 * body + axis;
				source.fill(3 * (this.#first[shape]! + row), 3 * corners, 3 * corners + 3);
			}
		}
		return { place, source, nodes };
	}
}
