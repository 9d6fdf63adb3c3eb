/** Steps that are too long for what moves: warnings, since contacts may be where nothing is fast. */
import { type Bodies, KIND } from "../bodies/bodies.js";
import type { Model } from "../bodies/model.js";
import type { Motion } from "../bodies/motion.js";
import type { Convex } from "../shapes/convex.js";
import { lame } from "../time/elastic.js";
import type { SceneDescription } from "./description.js";
import type { MistakeList } from "./mistakes.js";

/** In a step a body may go this share of the smallest half-width: beyond, it may pass through another before they are seen to touch. */
const WAY = 0.5;

/** Where a body stands in the file. */
type PathOf = (place: number) => string;

/** An overlap of more than this fraction of the smallest body's width is warned of. */
const OVERLAP = 0.05;
/** Fraction of the longest step that fits which warnings recommend: speeds and overlaps of the next run differ. */
const MARGIN = 0.8;

/** Limits that follow from the step of a scene. */
export interface Limits {
	/** Above this speed a body moves too far in a step. */
	readonly speedLimit: number;
	/** A larger overlap is warned of. */
	readonly overlapLimit: number;
}

/** Limits by the thinnest of the shapes that bodies have. */
export function limitsOf(model: Model, lists: readonly Bodies[], step: number): Limits {
	let least = Number.POSITIVE_INFINITY;
	for (const { shape, obstacles, count } of lists) {
		for (const each of new Set(shape.subarray(obstacles, count))) {
			for (const piece of model.shapes[each]!.pieces) least = Math.min(least, halfWidth(piece));
		}
	}
	return { speedLimit: (WAY * least) / step, overlapLimit: 2 * OVERLAP * least };
}

/** A step to recommend where `longest` is just short enough: less than that by a margin, rounded down to two digits. */
export function recommendedStep(longest: number): number {
	const step = MARGIN * longest;
	const unit = 10 ** (Math.floor(Math.log10(step)) - 1);
	// Rounded to two digits: 18 times 0.0001 is 0.0018000000000000002.
	return Number((Math.floor(step / unit) * unit).toPrecision(2));
}

/** From the middle to the nearest place of the surface. */
function halfWidth({ ball, faces, middle }: Convex): number {
	if (ball !== undefined) {
		const columns = [0, 1, 2].map((k) => Math.sqrt(ball[k]! ** 2 + ball[k + 3]! ** 2 + ball[k + 6]! ** 2));
		return Math.min(...columns);
	}
	if (faces === undefined) return Number.POSITIVE_INFINITY;
	const { normal, offset } = faces;
	return Math.min(
		...offset.map(
			(height, f) =>
				height - normal[3 * f]! * middle[0]! - normal[3 * f + 1]! * middle[1]! - normal[3 * f + 2]! * middle[2]!,
		),
	);
}

/** Warns of the fastest body of a list. */
export function checkSpeeds(
	bodies: Bodies,
	model: Model,
	step: number,
	limit: number,
	pathOf: PathOf,
	warnings: MistakeList,
): void {
	let fastest = -1;
	let speed = limit;
	for (let i = bodies.obstacles; i < bodies.count; i += 1) {
		const spin = length(bodies.spin, 3 * i) * model.shapes[bodies.shape[i]!]!.reach;
		const own = length(bodies.velocity, 3 * i) + spin;
		if (own <= speed) continue;
		speed = own;
		fastest = i;
	}
	if (fastest >= 0) warnTooFast(pathOf(fastest), speed, step, limit, warnings);
}

/** Warns of obstacles that are too fast while a piece of their motion lasts. */
export function checkMotions(
	motions: readonly (Motion | undefined)[],
	bodies: Bodies,
	model: Model,
	step: number,
	limit: number,
	warnings: MistakeList,
): void {
	motions.forEach((motion, i) => {
		const { reach } = model.shapes[bodies.shape[i]!]!;
		motion?.pieces.forEach(({ velocity, spin, amplitude, omega, arm }, k) => {
			const turning = length(spin, 0) === 0 ? 0 : length(spin, 0) * (length(arm, 0) + reach);
			const speed = length(velocity, 0) + turning + omega * length(amplitude, 0);
			if (speed > limit) warnTooFast(`obstacles[${i}].motion[${k}]`, speed, step, limit, warnings);
		});
	});
}

function warnTooFast(path: string, speed: number, step: number, limit: number, warnings: MistakeList): void {
	const way = shown(speed * step);
	const least = shown((limit * step) / WAY);
	const remedy = `give a step of at most ${recommendedStep((limit * step) / speed)}`;
	warnings.add(
		path,
		`moves ${way} m in a step, and the thinnest body is ${least} m from its middle to its surface`,
		remedy,
	);
}

const constants = new Float64Array(2);

/**
 * Of explicit steps with pseudo-rigid bodies: the fastest oscillation stretches a body along its shortest axis, with a frequency whose square is
 * (lambda + 2 mu) volume / (least second moment of mass). Steps longer than 2 / frequency let it grow.
 */
export function checkStiffness(
	{ scheme, step }: SceneDescription,
	model: Model,
	bodies: Bodies,
	pathOf: PathOf,
	warnings: MistakeList,
): void {
	if (scheme.implicit === true) return;
	const told = new Set<string>();
	for (let i = bodies.obstacles; i < bodies.count; i += 1) {
		const material = model.materials[bodies.material[i]!]!;
		const key = `${bodies.shape[i]} ${bodies.material[i]}`;
		if (bodies.kind[i] !== KIND.pseudoRigid || told.has(key)) continue;
		told.add(key);
		lame(material, constants);
		const [a, b, c] = [bodies.inertia[3 * i]!, bodies.inertia[3 * i + 1]!, bodies.inertia[3 * i + 2]!];
		const moment = (a + b + c) / 2 - Math.max(a, b, c);
		const volume = bodies.mass[i]! / material.density!;
		const longest = 2 / Math.sqrt(((constants[0]! + 2 * constants[1]!) * volume) / moment);
		if (step <= longest) continue;
		const remedy = `give a step of at most ${recommendedStep(longest)}, or a scheme with implicit: true`;
		warnings.add(pathOf(i), `is too stiff for explicit steps of ${step}`, remedy);
	}
}

function length(v: ArrayLike<number>, at: number): number {
	return Math.sqrt(v[at]! * v[at]! + v[at + 1]! * v[at + 1]! + v[at + 2]! * v[at + 2]!);
}

function shown(value: number): string {
	return String(Number(value.toPrecision(3)));
}
