/** Steps that are too long for what moves: warnings, since contacts may be where nothing is fast. */
import { type Bodies, KIND } from "../bodies/bodies.js";
import type { Model } from "../bodies/model.js";
import type { Motion } from "../bodies/motion.js";
import { halfWidthOf } from "../shapes/half-width.js";
import { lame } from "../time/elastic.js";
import { SUBSTEPS } from "../time/scheme.js";
import type { SceneDescription } from "./description.js";
import type { MistakeList } from "./mistakes.js";

/** Bodies stop each other for sure if they approach by no more than this fraction of the smallest half-width in a part of a step. */
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

/** Limits by the thinnest of the shapes that bodies have; the speed also by the number of parts into which a step may be divided. */
export function limitsOf(
	model: Model,
	lists: readonly Bodies[],
	{ step, scheme: { substeps = SUBSTEPS } }: Pick<SceneDescription, "step" | "scheme">,
): Limits {
	let least = Number.POSITIVE_INFINITY;
	for (const { shape, obstacles, count } of lists) {
		for (const each of new Set(shape.subarray(obstacles, count))) {
			least = Math.min(least, halfWidthOf(model.shapes[each]!));
		}
	}
	return { speedLimit: (WAY * least * substeps) / step, overlapLimit: 2 * OVERLAP * least };
}

/** A step to recommend where `longest` is just short enough: less than that by a margin, rounded down to two digits. */
export function recommendedStep(longest: number): number {
	const step = MARGIN * longest;
	const unit = 10 ** (Math.floor(Math.log10(step)) - 1);
	// Rounded to two digits: 18 times 0.0001 is 0.0018000000000000002.
	return Number((Math.floor(step / unit) * unit).toPrecision(2));
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
	const remedy = `give a step of at most ${recommendedStep((limit * step) / speed)}, or more substeps`;
	const sure = shown(limit * step);
	warnings.add(
		path,
		`moves ${shown(speed * step)} m in a step, and bodies stop each other for sure up to ${sure} m`,
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
