/** An orthographic view: where points of space are on a page, and how far in front. */
import type { Vector } from "../shapes/shape.js";

export class View {
	/** Unit vectors to the right and up on the page, and from the scene to whoever looks. */
	readonly right: Vector;
	readonly up: Vector;
	readonly towards: Vector;

	/** `from`: the direction in which the eye is, seen from the scene. */
	constructor(from: Vector, up: Vector = [0, 0, 1]) {
		this.towards = unit(from);
		const across = cross(unit(up), this.towards);
		const isAbove = Math.abs(across[0]) + Math.abs(across[1]) + Math.abs(across[2]) < 1e-3;
		this.right = unit(isAbove ? cross([0, 1, 0.1], this.towards) : across);
		this.up = cross(this.towards, this.right);
	}

	x([x, y, z]: Vector): number {
		return dot(this.right, x, y, z);
	}

	y([x, y, z]: Vector): number {
		return dot(this.up, x, y, z);
	}

	depth([x, y, z]: Vector): number {
		return dot(this.towards, x, y, z);
	}
}

function dot([a, b, c]: Vector, x: number, y: number, z: number): number {
	return a * x + b * y + c * z;
}

export function cross([a, b, c]: Vector, [x, y, z]: Vector): Vector {
	return [b * z - c * y, c * x - a * z, a * y - b * x];
}

export function unit([x, y, z]: Vector): Vector {
	const length = Math.sqrt(x * x + y * y + z * z);
	return length > 0 ? [x / length, y / length, z / length] : [0, -1, 0];
}
