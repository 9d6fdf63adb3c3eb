/**
 * Prescribed motion of obstacles: pieces in time, in each of which the body turns at a constant rate about a pivot that moves at a constant velocity and may
 * be shaken. A pose follows from the time alone, not from the steps before, so that nothing drifts and all ranks have the same bits.
 */
import { InputError } from "@stickslip/core";
import { sine, sineCosine } from "../base/elementary.js";
import { fromRotationVector, multiply, normalise, toMatrix } from "../base/quaternions.js";
import type { Vector } from "../shapes/shape.js";
import type { Bodies } from "./bodies.js";

export interface MotionPiece {
	/** Seconds; the piece ends where the next begins, and the last one lasts. Before the first the obstacle is at rest. */
	readonly from: number;
	/** Of the pivot. */
	readonly velocity?: Vector | undefined;
	/** Angular velocity in world axes. */
	readonly spin?: Vector | undefined;
	/** A point that the obstacle turns about, where it is at `from`; the obstacle's own origin unless said. */
	readonly pivot?: Vector | undefined;
	/** Shaking: amplitude * sin(2 pi frequency (t - from) + phase) on top, less its value at `from`. */
	readonly shake?:
		| { readonly amplitude: Vector; readonly frequency: number; readonly phase?: number | undefined }
		| undefined;
}

/** Pieces with the pose at the beginning of each. */
export interface Motion {
	readonly pieces: readonly PlacedMotion[];
	/** Before the first piece. */
	readonly position: Float64Array;
	readonly orientation: Float64Array;
}

interface PlacedMotion {
	readonly from: number;
	readonly velocity: Vector;
	readonly spin: Vector;
	readonly pivot: Vector;
	readonly amplitude: Vector;
	/** Angular frequency. */
	readonly omega: number;
	readonly phase: number;
	/** The sine of the phase. */
	readonly base: number;
	/** From the pivot to the centre at `from`. */
	readonly arm: Float64Array;
	readonly orientation: Float64Array;
}

const ZERO: Vector = [0, 0, 0];

/** The motion of obstacle i, which is in `bodies` as it is before its first piece. */
export function makeMotion(
	bodies: Bodies,
	i: number,
	pieces: readonly MotionPiece[],
	path = `/bodies/${i}/motion`,
): Motion {
	checkPieces(pieces, path);
	const position = bodies.position.slice(3 * i, 3 * i + 3);
	const orientation = bodies.orientation.slice(4 * i, 4 * i + 4);
	const motion = { pieces: [] as PlacedMotion[], position, orientation };
	const pose = { position: position.slice(), orientation: orientation.slice() };
	for (const { from, velocity = ZERO, spin = ZERO, pivot, shake } of pieces) {
		poseAt(motion, from, pose.position, 0, pose.orientation, 0);
		const { position: at } = pose;
		const about: Vector = pivot ?? [at[0]!, at[1]!, at[2]!];
		motion.pieces.push({
			from,
			velocity,
			spin,
			pivot: about,
			amplitude: shake?.amplitude ?? ZERO,
			omega: 2 * Math.PI * (shake?.frequency ?? 0),
			phase: shake?.phase ?? 0,
			base: sine(shake?.phase ?? 0),
			arm: at.map((x, d) => x - about[d]!),
			orientation: pose.orientation.slice(),
		});
	}
	return motion;
}

function checkPieces(pieces: readonly MotionPiece[], path: string): void {
	let last = Number.NEGATIVE_INFINITY;
	pieces.forEach(({ from, velocity, spin, pivot, shake }, k) => {
		const numbers = [from, ...(velocity ?? []), ...(spin ?? []), ...(pivot ?? []), ...(shake?.amplitude ?? [])];
		if (![...numbers, shake?.frequency ?? 0, shake?.phase ?? 0].every(Number.isFinite)) {
			throw new InputError("scene", `${path}/${k}`, "a number is not finite", "give finite numbers");
		}
		if (!(from > last)) {
			throw new InputError("scene", `${path}/${k}/from`, `${from} is not after ${last}`, "order the pieces by time");
		}
		last = from;
	});
}

function pieceAt(motion: Motion, t: number): PlacedMotion | undefined {
	for (let k = motion.pieces.length - 1; k >= 0; k -= 1) if (motion.pieces[k]!.from <= t) return motion.pieces[k];
	return undefined;
}

const turned = new Float64Array(4);
const rotation = new Float64Array(3);
const matrix = new Float64Array(9);
const wave = new Float64Array(2);
const arm = new Float64Array(3);

/** Writes position and orientation at time t. */
function poseAt(
	motion: Motion,
	t: number,
	position: Float64Array,
	p: number,
	orientation: Float64Array,
	q: number,
): void {
	const piece = pieceAt(motion, t);
	if (piece === undefined) {
		for (let d = 0; d < 3; d += 1) position[p + d] = motion.position[d]!;
		for (let d = 0; d < 4; d += 1) orientation[q + d] = motion.orientation[d]!;
		return;
	}
	const since = t - piece.from;
	const { spin, pivot, velocity, amplitude } = piece;
	for (let d = 0; d < 3; d += 1) rotation[d] = since * spin[d]!;
	fromRotationVector(rotation, turned, 0);
	toMatrix(turned, 0, matrix, 0);
	wave[0] = piece.omega * since + piece.phase;
	sineCosine(wave);
	for (let d = 0; d < 3; d += 1) {
		const along =
			matrix[3 * d]! * piece.arm[0]! + matrix[3 * d + 1]! * piece.arm[1]! + matrix[3 * d + 2]! * piece.arm[2]!;
		position[p + d] = pivot[d]! + since * velocity[d]! + amplitude[d]! * (wave[0]! - piece.base) + along;
	}
	multiply(orientation, q, turned, 0, piece.orientation, 0);
	normalise(orientation, q);
}

/** Puts obstacle i where it is at time t. */
export function placeObstacle(bodies: Bodies, i: number, motion: Motion, t: number): void {
	poseAt(motion, t, bodies.position, 3 * i, bodies.orientation, 4 * i);
	toMatrix(bodies.orientation, 4 * i, bodies.map, 9 * i);
}

/** Its rates at time t, for the place in which it is now; at a time where two pieces meet, those of the later one. */
export function setObstacleVelocity(
	bodies: Bodies,
	i: number,
	motion: Motion,
	t: number,
	velocity: Float64Array,
	spin: Float64Array,
): void {
	const piece = pieceAt(motion, t);
	const at = 3 * i;
	if (piece === undefined) {
		velocity.fill(0, at, at + 3);
		spin.fill(0, at, at + 3);
		return;
	}
	const since = t - piece.from;
	wave[0] = piece.omega * since + piece.phase;
	sineCosine(wave);
	const [x, y, z] = piece.spin;
	for (let d = 0; d < 3; d += 1) {
		spin[at + d] = piece.spin[d]!;
		velocity[at + d] = piece.velocity[d]! + piece.amplitude[d]! * (piece.omega * wave[1]!);
		// From the pivot to the centre, of the place that the obstacle has.
		const moved = piece.pivot[d]! + since * piece.velocity[d]! + piece.amplitude[d]! * (wave[0]! - piece.base);
		arm[d] = bodies.position[at + d]! - moved;
	}
	velocity[at]! += y * arm[2]! - z * arm[1]!;
	velocity[at + 1]! += z * arm[0]! - x * arm[2]!;
	velocity[at + 2]! += x * arm[1]! - y * arm[0]!;
}
