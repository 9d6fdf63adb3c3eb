/** What is told of a step: energies, momentum, penetration, and how the solve went. The numbers are the same on any number of ranks. */
import { grown } from "../base/grow.js";
import type { Bodies } from "../bodies/bodies.js";
import type { Model } from "../bodies/model.js";
import type { Contacts } from "../contacts/contacts.js";
import type { Domain } from "../ranks/domain.js";
import { EXTREME } from "../ranks/totals.js";
import { addAngularMomentum, elasticEnergy, kineticEnergy, potentialEnergy } from "../time/energy.js";

export interface StepStatistics {
	/** Steps done with this one. */
	readonly step: number;
	/** At its end. */
	readonly time: number;
	/** Without obstacles. */
	readonly bodies: number;
	/** Parts into which the step was divided because bodies were fast. */
	readonly substeps: number;
	readonly contacts: number;
	readonly status: string;
	readonly iterations: number;
	readonly products: number;
	/** Of the solve, in the measure of its tolerance. */
	readonly error: number;
	/** Solves of this step that failed and were tried again. */
	readonly retries: number;
	/** Steps so far whose solve failed in the end. */
	readonly failedSteps: number;
	readonly seconds: PhaseSeconds;
	readonly kinetic: number;
	readonly potential: number;
	readonly strain: number;
	readonly momentum: readonly [number, number, number];
	/** About the origin. */
	readonly angularMomentum: readonly [number, number, number];
	readonly largestPenetration: number;
	readonly meanPenetration: number;
	readonly largestSpeed: number;
	/** The ids of the two bodies of the largest penetration, the smaller first; -1 where nothing overlaps. */
	readonly deepestPair: readonly [number, number];
	/** The id of the body of the largest speed; -1 where nothing moves. */
	readonly fastestBody: number;
}

/** Of rank 0: detection with what bodies need to be where they are, problem and set-up of the solve, the solve, everything else. */
export interface PhaseSeconds {
	readonly detect: number;
	readonly setup: number;
	readonly solve: number;
	readonly rest: number;
}

export type Mechanics = Pick<
	StepStatistics,
	| "contacts"
	| "kinetic"
	| "potential"
	| "strain"
	| "momentum"
	| "angularMomentum"
	| "largestPenetration"
	| "meanPenetration"
	| "largestSpeed"
	| "deepestPair"
	| "fastestBody"
>;

/** Numbers summed per body. */
const WIDTH = 9;

/** Used again by each step. */
let terms = new Float64Array(0);
let penetration = new Float64Array(0);

/** Collective. `owner` is the rank of each contact, on which alone it counts. */
export function measureMechanics(
	model: Model,
	bodies: Bodies,
	contacts: Contacts,
	owner: Int32Array,
	{ totals, communicator }: Domain,
): Mechanics {
	const { own, obstacles } = bodies;
	terms = grown(terms, WIDTH * own);
	let [speed, fastest] = [0, -1];
	for (let i = 0; i < own; i += 1) {
		const each = writeTerms(model, bodies, obstacles + i, terms, WIDTH * i);
		if (each <= speed) continue;
		speed = each;
		fastest = bodies.id[obstacles + i]!;
	}
	penetration = grown(penetration, contacts.count);
	const { gap, isMoment } = contacts;
	const { rank } = communicator;
	const haveMoments = isMoment.length > 0;
	let [deepest, at] = [0, -1];
	let count = 0;
	for (let a = 0; a < contacts.count; a += 1) {
		if (owner[a] !== rank || (haveMoments && isMoment[a] === 1)) continue;
		const depth = Math.max(0, -gap[a]!);
		penetration[count] = depth;
		count += 1;
		if (depth <= deepest) continue;
		deepest = depth;
		at = a;
	}
	const pair = (side: number) => (at < 0 ? -1 : bodies.id[contacts.body[2 * at + side]!]!);
	const extremes = totals.extremes(Float64Array.of(speed, fastest, -1, deepest, pair(0), pair(1)));
	const sums = totals.sums(terms, own, WIDTH);
	const depth = totals.sums(penetration, count, 1)[0]!;
	const all = totals.counts(Float64Array.of(count))[0]!;
	return {
		contacts: all,
		kinetic: sums[0]!,
		potential: sums[1]!,
		strain: sums[2]!,
		momentum: [sums[3]!, sums[4]!, sums[5]!],
		angularMomentum: [sums[6]!, sums[7]!, sums[8]!],
		largestPenetration: extremes[EXTREME]!,
		meanPenetration: all > 0 ? depth / all : 0,
		largestSpeed: extremes[0]!,
		deepestPair: [extremes[EXTREME + 1]!, extremes[EXTREME + 2]!],
		fastestBody: extremes[1]!,
	};
}

/** Writes what a body adds to the sums, and returns its speed. */
function writeTerms(model: Model, bodies: Bodies, place: number, terms: Float64Array, at: number): number {
	const { velocity, mass } = bodies;
	const p = 3 * place;
	const u = velocity[p]!;
	const v = velocity[p + 1]!;
	const w = velocity[p + 2]!;
	terms[at] = kineticEnergy(bodies, place);
	terms[at + 1] = potentialEnergy(model, bodies, place);
	terms[at + 2] = elasticEnergy(model, bodies, place);
	const m = mass[place]!;
	terms[at + 3] = m * u;
	terms[at + 4] = m * v;
	terms[at + 5] = m * w;
	for (let d = 6; d < WIDTH; d += 1) terms[at + d] = 0;
	addAngularMomentum(bodies, place, terms, at + 6);
	return Math.sqrt(u * u + v * v + w * w);
}
