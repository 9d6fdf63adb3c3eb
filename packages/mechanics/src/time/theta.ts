/** The family of schemes that time/scheme.ts describes. */
import { InputError } from "@stickslip/core";
import { grown } from "../base/grow.js";
import { type Bodies, KIND } from "../bodies/bodies.js";
import type { ContactRange } from "../bodies/contact-range.js";
import type { Impulses, InverseMasses, Velocities } from "../bodies/generalized.js";
import type { Model } from "../bodies/model.js";
import { placeObstacle, setObstacleVelocity } from "../bodies/motion.js";
import { setSpin } from "../bodies/principal.js";
import { deformBody, forceBody } from "./pseudo-rigid.js";
import { turnBodies } from "./rotation.js";
import { RESTITUTION_LAWS, SCHEME_NAMES, type Scheme, type SchemeOptions } from "./scheme.js";

export function makeScheme(options: SchemeOptions): Scheme {
	const { name, theta, margin, recovery, recoverySpeed, substeps, restitutionLaw = "newton" } = options;
	if (!SCHEME_NAMES.includes(name)) throw refuse("name", name, `choose one of ${SCHEME_NAMES.join(", ")}`);
	if (theta !== undefined && name !== "moreau") throw refuse("theta", theta, "it is an option of moreau");
	if (theta !== undefined && !(theta >= 0.5 && theta <= 1)) throw refuse("theta", theta, "give a number from 0.5 to 1");
	if (margin !== undefined && !(margin >= 0 && Number.isFinite(margin)))
		throw refuse("margin", margin, "give zero or more");
	if (recovery !== undefined && !(recovery >= 0 && recovery <= 1)) {
		throw refuse("recovery", recovery, "give a number from 0 to 1");
	}
	if (recoverySpeed !== undefined && !(recoverySpeed >= 0))
		throw refuse("recoverySpeed", recoverySpeed, "give zero or more");
	if (!RESTITUTION_LAWS.includes(restitutionLaw))
		throw refuse("restitutionLaw", restitutionLaw, `choose one of ${RESTITUTION_LAWS.join(", ")}`);
	if (substeps !== undefined && !(Number.isInteger(substeps) && substeps >= 1)) {
		throw refuse("substeps", substeps, "give a whole number from 1");
	}
	return new ThetaScheme(options);
}

function refuse(name: string, value: unknown, remedy: string): InputError {
	return new InputError("scene", `/scheme/${name}`, `${value} cannot be`, remedy);
}

/** As shares of the smallest body's reach: gaps that count, how high recovery may throw a body, and how far it may push one in a step without gravity. */
const MARGIN = 1e-5;
const BESIDE = 0.05;
const RECOVERY_LIFT = 1e-3;
const RECOVERY_STEP = 1e-4;
const OVERLAP_LEFT = 1e-3;

/** Half-step keeps overlaps unless asked: moving bodies would change their angular momentum. */
const RECOVERY = { "half-step": 0, moreau: 0.5, "velocity-impulse": 1 } as const;

class ThetaScheme implements Scheme {
	readonly options: SchemeOptions;
	readonly #theta: number;
	readonly recovery: number;
	/** The part of an overlap that the contact law takes back. */
	readonly #recovery: number;
	/** Of this step. */
	#recoverySpeed = 0;
	#margin = 0;
	readonly #isAhead: boolean;
	#before: Velocities = { velocity: new Float64Array(0), spin: new Float64Array(0), rate: new Float64Array(0) };
	#inverse: InverseMasses = { mass: new Float64Array(0), inertia: new Float64Array(0), rate: new Float64Array(0) };

	constructor(options: SchemeOptions) {
		this.options = options;
		this.#isAhead = options.name === "velocity-impulse";
		this.#theta = this.#isAhead ? 1 : (options.theta ?? 0.5);
		const recovery = options.recovery ?? RECOVERY[options.name];
		this.#recovery = this.#isAhead ? recovery : 0;
		this.recovery = this.#isAhead ? 0 : recovery;
	}

	overlapLeft(model: Model): number {
		return OVERLAP_LEFT * smallestReach(model);
	}

	get before(): Velocities {
		return this.#before;
	}

	get inverseMasses(): InverseMasses {
		return this.#inverse;
	}

	range(model: Model, h: number): ContactRange {
		const reach = smallestReach(model);
		const margin = this.options.margin ?? MARGIN * reach;
		return {
			margin,
			ahead: h,
			fall: gravityOf(model) * h * h,
			beside: BESIDE * reach,
			anticipatesBounces: this.#isAhead,
		};
	}

	moveObstacles(model: Model, bodies: Bodies, t: number): void {
		this.#moveObstacles(model, bodies, t, bodies.velocity, bodies.spin);
	}

	configure(model: Model, bodies: Bodies, t: number, h: number): void {
		this.#drift(model, bodies, t, (1 - this.#theta) * h);
		// Contacts of the step see what obstacles do at its end.
		this.moveObstacles(model, bodies, t + h);
	}

	freeVelocity(model: Model, bodies: Bodies, t: number, h: number): void {
		this.#grow(bodies);
		this.#recoverySpeed = this.options.recoverySpeed ?? recoverySpeed(model, h);
		this.#margin = this.range(model, h).margin;
		const { velocity, spin } = bodies;
		const [gx, gy, gz] = [h * model.gravity[0]!, h * model.gravity[1]!, h * model.gravity[2]!];
		this.#moveObstacles(model, bodies, t, this.#before.velocity, this.#before.spin);
		this.#moveObstacles(model, bodies, t + h, velocity, spin);
		for (let i = bodies.obstacles; i < bodies.count; i += 1) {
			this.#weigh(bodies, i);
			this.#keep(bodies, i);
			if (bodies.isHeld[i] === 1) continue;
			velocity[3 * i]! += gx;
			velocity[3 * i + 1]! += gy;
			velocity[3 * i + 2]! += gz;
			if (bodies.kind[i] === KIND.pseudoRigid) {
				forceBody(model, bodies, i, h, this.options.implicit === true, this.#inverse.rate);
			}
		}
	}

	contactTerm(gap: number, restitution: number, normalVelocity: number, h: number): number {
		const back = restitution * normalVelocity;
		const overlap = Math.max((this.#recovery * Math.min(gap, 0)) / h, -this.#recoverySpeed);
		const isTouching = gap <= 0 || (restitution > 0 && gap <= this.#margin);
		// V_N is used as it is where a pair separates too: e min(V_N, 0) would create energy.
		if (isTouching && !this.#isAhead) return back + overlap;
		const open = gap > 0 ? gap / h : overlap;
		return back < 0 && gap + h * normalVelocity <= 0 ? Math.min(open, back) : open;
	}

	push(bodies: Bodies, impulses: Impulses): void {
		this.#addImpulses(bodies, impulses);
		this.#setSpins(bodies);
	}

	finish(model: Model, bodies: Bodies, impulses: Impulses, t: number, h: number): void {
		this.#addImpulses(bodies, impulses);
		this.#drift(model, bodies, t + (1 - this.#theta) * h, this.#theta * h);
		this.#moveObstacles(model, bodies, t + h, bodies.velocity, bodies.spin);
		this.#setSpins(bodies);
	}

	#addImpulses(bodies: Bodies, impulses: Impulses): void {
		const { mass, rate: inverseRate } = this.#inverse;
		const { velocity, angularMomentum, rate } = bodies;
		const { linear, angular } = impulses;
		const end = bodies.obstacles + bodies.own;
		for (let i = bodies.obstacles; i < end; i += 1) {
			if (bodies.isHeld[i] === 1) continue;
			for (let k = 3 * i; k < 3 * i + 3; k += 1) velocity[k]! += mass[i]! * linear[k]!;
			if (bodies.kind[i] === KIND.rigid) {
				for (let k = 3 * i; k < 3 * i + 3; k += 1) angularMomentum[k]! += angular[k]!;
			}
			if (bodies.kind[i] === KIND.pseudoRigid) addRate(inverseRate, impulses.rate, rate, i);
		}
	}

	/** Spins of own rigid bodies, as their momentum makes them where they are. */
	#setSpins(bodies: Bodies): void {
		const end = bodies.obstacles + bodies.own;
		for (let i = bodies.obstacles; i < end; i += 1)
			if (bodies.kind[i] === KIND.rigid) setSpin(bodies, i, inertiaNow, 0);
	}

	/** Obstacles and own bodies from time t for the time dt. */
	#drift(model: Model, bodies: Bodies, t: number, dt: number): void {
		for (let i = 0; i < bodies.obstacles; i += 1) {
			const motion = model.motions?.[i];
			if (motion !== undefined) placeObstacle(bodies, i, motion, t + dt);
		}
		if (dt === 0) return;
		const { position, velocity } = bodies;
		const end = bodies.obstacles + bodies.own;
		for (let i = bodies.obstacles; i < end; i += 1) {
			if (bodies.isHeld[i] === 1) continue;
			for (let k = 3 * i; k < 3 * i + 3; k += 1) position[k]! += dt * velocity[k]!;
			if (bodies.kind[i] === KIND.pseudoRigid) deformBody(bodies, i, dt, t + dt);
		}
		turnBodies(bodies, bodies.obstacles, end, dt, this.options.rotation ?? "explicit");
		for (let i = bodies.obstacles; i < end; i += 1) if (bodies.isHeld[i] === 0) checkPlace(bodies, i, t + dt);
	}

	#moveObstacles(model: Model, bodies: Bodies, t: number, velocity: Float64Array, spin: Float64Array): void {
		for (let i = 0; i < bodies.obstacles; i += 1) {
			const motion = model.motions?.[i];
			if (motion === undefined) {
				velocity.fill(0, 3 * i, 3 * i + 3);
				spin.fill(0, 3 * i, 3 * i + 3);
			} else setObstacleVelocity(bodies, i, motion, t, velocity, spin);
		}
	}

	#grow({ count, rate }: Bodies): void {
		const { velocity, spin, rate: before } = this.#before;
		const rates = rate.length > 0 ? count : 0;
		this.#before = {
			velocity: grown(velocity, 3 * count),
			spin: grown(spin, 3 * count),
			rate: grown(before, 9 * rates),
		};
		const { mass, inertia, rate: inverse } = this.#inverse;
		this.#inverse = {
			mass: grown(mass, count),
			inertia: grown(inertia, 6 * count),
			rate: grown(inverse, 81 * rates),
		};
		this.#inverse.mass.fill(0, 0, count);
	}

	/** The inverse masses of a body where it is, and of a rigid one the spin that its momentum makes there. */
	#weigh(bodies: Bodies, i: number): void {
		const { mass, inertia } = this.#inverse;
		if (bodies.kind[i] === KIND.rigid) setSpin(bodies, i, inertia, 6 * i);
		if (bodies.isHeld[i] === 1) {
			inertia.fill(0, 6 * i, 6 * i + 6);
			if (bodies.rate.length > 0) this.#inverse.rate.fill(0, 81 * i, 81 * i + 81);
		} else mass[i] = 1 / bodies.mass[i]!;
	}

	#keep(bodies: Bodies, i: number): void {
		const { velocity, spin, rate } = this.#before;
		for (let k = 3 * i; k < 3 * i + 3; k += 1) {
			velocity[k] = bodies.velocity[k]!;
			spin[k] = bodies.spin[k]!;
		}
		if (bodies.rate.length > 0) for (let k = 9 * i; k < 9 * i + 9; k += 1) rate[k] = bodies.rate[k]!;
	}
}

/** Of shapes that weigh something; zero where there is none. */
function smallestReach({ shapes }: Model): number {
	let least = Number.POSITIVE_INFINITY;
	for (const { mass, reach } of shapes) if (mass !== undefined && reach < least) least = reach;
	return least < Number.POSITIVE_INFINITY ? least : 0;
}

function gravityOf({ gravity }: Model): number {
	const [x, y, z] = [gravity[0]!, gravity[1]!, gravity[2]!];
	return Math.sqrt(x * x + y * y + z * z);
}

/** What a body has of recovery at the end of a step it keeps: so it may be thrown no higher than a small part of its size. */
function recoverySpeed(model: Model, h: number): number {
	const reach = smallestReach(model);
	const gravity = gravityOf(model);
	return gravity > 0 ? Math.sqrt(2 * gravity * RECOVERY_LIFT * reach) : (RECOVERY_STEP * reach) / h;
}

/** What is not a number would spread from contact to contact. */
function checkPlace({ position, orientation, id }: Bodies, i: number, t: number): void {
	const place = position[3 * i]! + position[3 * i + 1]! + position[3 * i + 2]! + orientation[4 * i]!;
	if (place - place === 0) return;
	throw new InputError(
		"simulation",
		`body ${id[i]} at t = ${t}`,
		"where it is, or how it is turned, is no finite number",
		"take a smaller step, or solve contacts to a smaller error",
	);
}

function addRate(inverse: Float64Array, impulse: Float64Array, rate: Float64Array, i: number): void {
	for (let k = 0; k < 9; k += 1) {
		let sum = 0;
		for (let m = 0; m < 9; m += 1) sum += inverse[81 * i + 9 * k + m]! * impulse[9 * i + m]!;
		rate[9 * i + k]! += sum;
	}
}

/** The inverse inertia, which nothing needs where it is written. */
const inertiaNow = new Float64Array(6);
