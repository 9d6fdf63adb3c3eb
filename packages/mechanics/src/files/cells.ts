/** The surfaces of all bodies of a rank at a step: corners in space, and cells over them as XDMF's mixed topology has them. */
import type { Bodies } from "../bodies/bodies.js";
import type { Model } from "../bodies/model.js";
import { type Surface, surfaceOf } from "./surfaces.js";

/** XDMF's number for a polygon, whose number of corners follows. */
const POLYGON = 3;
const TRIANGLE = 4;

/** Cells one after another: kind, number of corners where the kind does not say it, corners. */
export interface Nodes {
	readonly values: Int32Array;
	readonly cells: number;
	/** Whether they are others than the last time. */
	isNew: boolean;
	/** Where they are in the file, which the writer sets. */
	first: number;
}

export class SurfaceCells {
	readonly #surfaces: readonly Surface[];
	#point = new Float32Array(0);
	#velocity = new Float32Array(0);
	#nodes: Nodes | undefined;
	/** Shapes of the bodies that the nodes are of. */
	#shapes = new Int32Array(0);

	/** Planes are drawn as large as the scene is at the beginning. */
	constructor({ shapes }: Model, bodies: Bodies, subdivisions: number) {
		let planeSize = 1e-9;
		for (let place = bodies.obstacles; place < bodies.obstacles + bodies.own; place += 1) {
			const { reach } = shapes[bodies.shape[place]!]!;
			for (let axis = 0; axis < 3; axis += 1) {
				planeSize = Math.max(planeSize, Math.abs(bodies.position[3 * place + axis]!) + 2 * reach);
			}
		}
		this.#surfaces = shapes.map((shape) => surfaceOf(shape, { planeSize: 1.5 * planeSize, subdivisions }));
	}

	/** Of the bodies at these places. */
	nodesOf({ shape }: Bodies, from: number, to: number): Nodes {
		const before = this.#nodes;
		if (before !== undefined && this.#isOf(shape, from, to)) {
			before.isNew = false;
			return before;
		}
		this.#shapes = shape.slice(from, to);
		const values: number[] = [];
		let cells = 0;
		let base = 0;
		for (const number of this.#shapes) {
			const { start, corner, points } = this.#surfaces[number]!;
			for (let cell = 0; cell + 1 < start.length; cell += 1) {
				const corners = start[cell + 1]! - start[cell]!;
				if (corners === 3) values.push(TRIANGLE);
				else values.push(POLYGON, corners);
				for (let at = start[cell]!; at < start[cell + 1]!; at += 1) values.push(base + corner[at]!);
			}
			cells += start.length - 1;
			base += points.length / 3;
		}
		this.#nodes = { values: Int32Array.from(values), cells, isNew: true, first: 0 };
		return this.#nodes;
	}

	#isOf(shape: Int32Array, from: number, to: number): boolean {
		if (this.#shapes.length !== to - from) return false;
		return this.#shapes.every((number, at) => number === shape[from + at]);
	}

	/** Corners in space and their velocities; both are used again. */
	place(bodies: Bodies, from: number, to: number): { point: Float32Array; velocity: Float32Array } {
		let length = 0;
		for (let place = from; place < to; place += 1) length += this.#surfaces[bodies.shape[place]!]!.points.length;
		if (this.#point.length < length) {
			this.#point = new Float32Array(length);
			this.#velocity = new Float32Array(length);
		}
		let at = 0;
		for (let place = from; place < to; place += 1) at = this.#placeOne(bodies, place, at);
		return { point: this.#point.subarray(0, at), velocity: this.#velocity.subarray(0, at) };
	}

	/** x = centre + map X; its velocity is that of the centre + spin x (x - centre), or + rate X of a body that deforms. */
	#placeOne({ shape, kind, position, map, velocity, spin, rate }: Bodies, place: number, first: number): number {
		const { points } = this.#surfaces[shape[place]!]!;
		const isDeforming = kind[place] === 2;
		const [p, m] = [3 * place, 9 * place];
		for (let corner = 0; corner < points.length; corner += 3) {
			const [X, Y, Z] = [points[corner]!, points[corner + 1]!, points[corner + 2]!];
			const x = map[m]! * X + map[m + 1]! * Y + map[m + 2]! * Z;
			const y = map[m + 3]! * X + map[m + 4]! * Y + map[m + 5]! * Z;
			const z = map[m + 6]! * X + map[m + 7]! * Y + map[m + 8]! * Z;
			const at = first + corner;
			this.#point[at] = position[p]! + x;
			this.#point[at + 1] = position[p + 1]! + y;
			this.#point[at + 2] = position[p + 2]! + z;
			for (let axis = 0; axis < 3; axis += 1) {
				const r = m + 3 * axis;
				const [next, last] = [(axis + 1) % 3, (axis + 2) % 3];
				const arm = [x, y, z];
				this.#velocity[at + axis] =
					velocity[p + axis]! +
					(isDeforming
						? rate[r]! * X + rate[r + 1]! * Y + rate[r + 2]! * Z
						: spin[p + next]! * arm[last]! - spin[p + last]! * arm[next]!);
			}
		}
		return first + points.length;
	}
}
