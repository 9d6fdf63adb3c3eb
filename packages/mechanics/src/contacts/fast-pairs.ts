/**
 * Pairs of bodies that move far in a step, relative to their thickness. A single contact does not stop such a body: it turns about the point within the step,
 * and its bulk comes out on the other side. So the points that would come down first if it turns get guards: contacts without friction against the plane that
 * separates the two bodies.
 */
import { writeFrame } from "@stickslip/core";
import type { Bodies } from "../bodies/bodies.js";
import { speedOf, turningSpeed } from "../bodies/contact-range.js";
import type { Model } from "../bodies/model.js";
import type { Manifold } from "../narrow/manifold.js";
import type { CompiledShape, Convex } from "../shapes/convex.js";
import { halfWidthOf } from "../shapes/half-width.js";

/** A pair is fast if its points may come nearer by this fraction of the thinner body's half-width within a step. */
const FAST = 0.5;
/** A body has guards if it is at most this many times as large as the other: planes that touch a small body say nothing about the ends of a large one. */
const SIZE_RATIO = 2;
/** Guards have the highest features, behind those of points. */
const FIRST_GUARD = 0x7fffff00;
/** Guards of a body: its highest points along the normal tilted by 45 and 90 degrees in four directions. */
const GUARDS = 8;

export class FastPairs {
	readonly guards: Manifold = {
		count: 0,
		normal: new Float64Array(6 * GUARDS),
		point: new Float64Array(6 * GUARDS),
		gap: new Float64Array(2 * GUARDS),
		feature: Int32Array.from({ length: 2 * GUARDS }, (_, k) => FIRST_GUARD + k),
	};
	readonly #model: Model;
	readonly #halfWidth: readonly number[];
	readonly #thinnest: number;

	constructor(model: Model) {
		this.#model = model;
		this.#halfWidth = model.shapes.map(halfWidthOf);
		this.#thinnest = Math.min(...this.#halfWidth);
	}

	/** Upper bound of the speed of points of own bodies and obstacles. */
	largestSpeed(bodies: Bodies): number {
		let most = 0;
		const end = bodies.obstacles + bodies.own;
		for (let place = 0; place < end; place += 1) {
			most = Math.max(most, speedOf(bodies, place) + turningSpeed(this.#model, bodies, place));
		}
		return most;
	}

	/** True if a pair can be fast in a step of length h where no point is faster than this. */
	mayBeFast(speed: number, h: number): boolean {
		return 2 * h * speed > FAST * this.#thinnest;
	}

	/** Depth that two bodies may reach unseen in the time h: a fraction of the thinner one's half-width. Zero if they are too slow for it. */
	depth(bodies: Bodies, a: number, b: number, h: number): number {
		const { velocity, shape } = bodies;
		const x = velocity[3 * b]! - velocity[3 * a]!;
		const y = velocity[3 * b + 1]! - velocity[3 * a + 1]!;
		const z = velocity[3 * b + 2]! - velocity[3 * a + 2]!;
		const turning = turningSpeed(this.#model, bodies, a) + turningSpeed(this.#model, bodies, b);
		const depth = FAST * Math.min(this.#halfWidth[shape[a]!]!, this.#halfWidth[shape[b]!]!);
		return h * (Math.sqrt(x * x + y * y + z * z) + turning) > depth ? depth : 0;
	}

	/** Fills `guards` with the points of both bodies that are at most `range` from the plane through the nearest of their points. */
	guard(bodies: Bodies, a: number, b: number, points: Manifold, centre: Float64Array, range: number): void {
		const { shape, obstacles } = bodies;
		const { shapes } = this.#model;
		this.guards.count = 0;
		let nearest = 0;
		for (let k = 1; k < points.count; k += 1) if (points.gap[k]! < points.gap[nearest]!) nearest = k;
		const { normal, point, gap } = points;
		const k = 3 * nearest;
		writeFrame(frame, 0, normal[k]!, normal[k + 1]!, normal[k + 2]!);
		const level = normal[k]! * point[k]! + normal[k + 1]! * point[k + 1]! + normal[k + 2]! * point[k + 2]!;
		const half = 0.5 * gap[nearest]!;
		const [one, other] = [shapes[shape[a]!]!.reach, shapes[shape[b]!]!.reach];
		if (a >= obstacles && one <= SIZE_RATIO * other) this.#add(bodies, a, ORIGIN, 1, level + half, range);
		if (b >= obstacles && other <= SIZE_RATIO * one) this.#add(bodies, b, centre, -1, half - level, range);
	}

	/** The body at `place` is on the side where sign * normal . x <= level. */
	#add(bodies: Bodies, place: number, centre: Float64Array, sign: number, level: number, range: number): void {
		const { guards } = this;
		const shape = this.#model.shapes[bodies.shape[place]!]!;
		if (shape.pieces.length === 1 && shape.pieces[0]!.kind === "sphere") return;
		for (let side = 0; side < GUARDS; side += 1) {
			const tangent = side & 1 ? 3 : 6;
			const across = side & 2 ? 1 : -1;
			const along = side & 4 ? sign : 0;
			for (let d = 0; d < 3; d += 1) direction[d] = along * frame[d]! + across * frame[tangent + d]!;
			highestPoint(shape, bodies.map, 9 * place, direction, highest);
			const at = 3 * guards.count;
			let height = level;
			for (let d = 0; d < 3; d += 1) {
				guards.normal[at + d] = frame[d]!;
				guards.point[at + d] = centre[d]! + highest[d]!;
				height -= sign * frame[d]! * guards.point[at + d]!;
			}
			if (height > range) continue;
			guards.gap[guards.count] = Math.max(0, height);
			guards.count += 1;
		}
	}
}

const ORIGIN = new Float64Array(3);
/** The normal and two axes across it. */
const frame = new Float64Array(9);
const direction = new Float64Array(3);
const highest = new Float64Array(3);

/** The point of a shape, turned or deformed by the map, that is farthest along a direction. */
function highestPoint({ pieces }: CompiledShape, map: Float64Array, m: number, along: Float64Array, out: Float64Array) {
	for (let d = 0; d < 3; d += 1) {
		own[d] = map[m + d]! * along[0]! + map[m + 3 + d]! * along[1]! + map[m + 6 + d]! * along[2]!;
	}
	let most = Number.NEGATIVE_INFINITY;
	for (const piece of pieces) {
		const height = highestOfPiece(piece, own, inPiece);
		if (height <= most) continue;
		most = height;
		for (let d = 0; d < 3; d += 1) {
			const k = m + 3 * d;
			out[d] = map[k]! * inPiece[0]! + map[k + 1]! * inPiece[1]! + map[k + 2]! * inPiece[2]!;
		}
	}
}

const own = new Float64Array(3);
const inPiece = new Float64Array(3);

/** Leaves the highest point of a piece in `out`, in the axes of its body, and returns its height. */
function highestOfPiece({ vertices, ball }: Convex, n: Float64Array, out: Float64Array): number {
	let best = 0;
	let most = Number.NEGATIVE_INFINITY;
	for (let k = 0; k < vertices.length; k += 3) {
		const height = n[0]! * vertices[k]! + n[1]! * vertices[k + 1]! + n[2]! * vertices[k + 2]!;
		if (height <= most) continue;
		most = height;
		best = k;
	}
	for (let d = 0; d < 3; d += 1) out[d] = vertices[best + d]!;
	if (ball === undefined) return most;
	// The ball's highest point is B B^T n / |B^T n|.
	let square = 0;
	for (let d = 0; d < 3; d += 1) {
		turned[d] = ball[d]! * n[0]! + ball[3 + d]! * n[1]! + ball[6 + d]! * n[2]!;
		square += turned[d]! * turned[d]!;
	}
	const length = Math.sqrt(square);
	for (let d = 0; d < 3; d += 1) {
		out[d]! += (ball[3 * d]! * turned[0]! + ball[3 * d + 1]! * turned[1]! + ball[3 * d + 2]! * turned[2]!) / length;
	}
	return most + length;
}

const turned = new Float64Array(3);
