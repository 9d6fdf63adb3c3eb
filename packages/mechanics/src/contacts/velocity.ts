/** Relative velocities at contacts, U = H u, and what reactions give to bodies, H^T R (conventions.md has the signs). */
import { type Bodies, KIND } from "../bodies/bodies.js";
import type { Impulses, Velocities } from "../bodies/generalized.js";
import { addMoment, angularVelocity } from "./angular.js";
import type { Contacts } from "./contacts.js";
import { materialPoint } from "./material-point.js";

/** Writes U = frame (velocity of body 1 at the contact - that of body 0), three numbers per contact; of moments, the angular velocities. */
export function relativeVelocity(bodies: Bodies, contacts: Contacts, velocities: Velocities, U: Float64Array): void {
	const { frame, count, body, arm } = contacts;
	const { velocity, spin } = velocities;
	const areRigid = contacts.isMoment.length === 0 && bodies.rate.length === 0;
	for (let a = 0; a < count; a += 1) {
		let x = 0;
		let y = 0;
		let z = 0;
		if (areRigid) {
			// As below, written out.
			const v = 3 * body[2 * a]!;
			const w = 3 * body[2 * a + 1]!;
			const p = 6 * a;
			x = velocity[w]! + (spin[w + 1]! * arm[p + 5]! - spin[w + 2]! * arm[p + 4]!);
			y = velocity[w + 1]! + (spin[w + 2]! * arm[p + 3]! - spin[w]! * arm[p + 5]!);
			z = velocity[w + 2]! + (spin[w]! * arm[p + 4]! - spin[w + 1]! * arm[p + 3]!);
			x -= velocity[v]! + (spin[v + 1]! * arm[p + 2]! - spin[v + 2]! * arm[p + 1]!);
			y -= velocity[v + 1]! + (spin[v + 2]! * arm[p]! - spin[v]! * arm[p + 2]!);
			z -= velocity[v + 2]! + (spin[v]! * arm[p + 1]! - spin[v + 1]! * arm[p]!);
		} else {
			velocitiesAt(bodies, contacts, velocities, a);
			x = both[3]! - both[0]!;
			y = both[4]! - both[1]!;
			z = both[5]! - both[2]!;
		}
		const k = 9 * a;
		U[3 * a] = frame[k]! * x + frame[k + 1]! * y + frame[k + 2]! * z;
		U[3 * a + 1] = frame[k + 3]! * x + frame[k + 4]! * y + frame[k + 5]! * z;
		U[3 * a + 2] = frame[k + 6]! * x + frame[k + 7]! * y + frame[k + 8]! * z;
	}
}

/** Leaves the velocities of both bodies at a contact in `both`. */
function velocitiesAt(bodies: Bodies, contacts: Contacts, velocities: Velocities, a: number): void {
	if (contacts.isMoment.length > 0 && contacts.isMoment[a] === 1) {
		angularVelocity(bodies, velocities, contacts.body[2 * a]!, both);
		angularVelocity(bodies, velocities, contacts.body[2 * a + 1]!, second);
		both.set(second, 3);
	} else {
		velocityAt(bodies, contacts, velocities, a, 0, both);
		velocityAt(bodies, contacts, velocities, a, 1, both);
	}
}

/** The rate at which the gap of contact a grows, at the velocities that bodies have or at others. */
export function gapRate(bodies: Bodies, contacts: Contacts, a: number, velocities: Velocities = bodies): number {
	velocityAt(bodies, contacts, velocities, a, 0, both);
	velocityAt(bodies, contacts, velocities, a, 1, both);
	const { frame } = contacts;
	const k = 9 * a;
	return (
		frame[k]! * (both[3]! - both[0]!) + frame[k + 1]! * (both[4]! - both[1]!) + frame[k + 2]! * (both[5]! - both[2]!)
	);
}

const both = new Float64Array(6);
const second = new Float64Array(3);

/** Velocity of the point of one body that is at the contact. */
function velocityAt(
	bodies: Bodies,
	{ body, arm }: Contacts,
	{ velocity, spin, rate }: Velocities,
	contact: number,
	side: number,
	out: Float64Array,
): void {
	const place = body[2 * contact + side]!;
	const v = 3 * place;
	const p = 6 * contact + 3 * side;
	const to = 3 * side;
	if (bodies.kind[place] === KIND.pseudoRigid) {
		materialPoint(bodies.map, 9 * place, arm, p, point);
		for (let i = 0; i < 3; i += 1) {
			const k = 9 * place + 3 * i;
			out[to + i] = velocity[v + i]! + (rate[k]! * point[0]! + rate[k + 1]! * point[1]! + rate[k + 2]! * point[2]!);
		}
		return;
	}
	out[to] = velocity[v]! + (spin[v + 1]! * arm[p + 2]! - spin[v + 2]! * arm[p + 1]!);
	out[to + 1] = velocity[v + 1]! + (spin[v + 2]! * arm[p]! - spin[v]! * arm[p + 2]!);
	out[to + 2] = velocity[v + 2]! + (spin[v]! * arm[p + 1]! - spin[v + 1]! * arm[p]!);
}

const point = new Float64Array(3);
const force = new Float64Array(3);

/** Adds H^T R to the impulses of bodies, contact by contact in their order; what obstacles and held bodies get is added too, and tells what carries them. */
export function addImpulses(bodies: Bodies, contacts: Contacts, R: Float64Array, impulses: Impulses): void {
	const { body, frame, arm, isMoment, count } = contacts;
	const haveMoments = isMoment.length > 0;
	const areRigid = !haveMoments && bodies.rate.length === 0;
	for (let a = 0; a < count; a += 1) {
		const k = 9 * a;
		const n = R[3 * a]!;
		const t1 = R[3 * a + 1]!;
		const t2 = R[3 * a + 2]!;
		force[0] = frame[k]! * n + frame[k + 3]! * t1 + frame[k + 6]! * t2;
		force[1] = frame[k + 1]! * n + frame[k + 4]! * t1 + frame[k + 7]! * t2;
		force[2] = frame[k + 2]! * n + frame[k + 5]! * t1 + frame[k + 8]! * t2;
		if (areRigid) {
			pushRigid(impulses, body[2 * a]!, body[2 * a + 1]!, arm, 6 * a);
			continue;
		}
		if (haveMoments && isMoment[a] === 1) {
			addMoment(bodies, impulses, body[2 * a]!, -force[0]!, -force[1]!, -force[2]!);
			addMoment(bodies, impulses, body[2 * a + 1]!, force[0]!, force[1]!, force[2]!);
			continue;
		}
		push(bodies, impulses, body[2 * a]!, arm, 6 * a, -1);
		push(bodies, impulses, body[2 * a + 1]!, arm, 6 * a + 3, 1);
	}
}

/** Adds the force of a contact to its second body at its arm, and the opposite to the first one, of which neither is deformed: what two pushes do, written out. */
function pushRigid({ linear, angular }: Impulses, first: number, second: number, arm: Float64Array, p: number): void {
	const x = force[0]!;
	const y = force[1]!;
	const z = force[2]!;
	const v = 3 * first;
	linear[v]! -= x;
	linear[v + 1]! -= y;
	linear[v + 2]! -= z;
	angular[v]! -= arm[p + 1]! * z - arm[p + 2]! * y;
	angular[v + 1]! -= arm[p + 2]! * x - arm[p]! * z;
	angular[v + 2]! -= arm[p]! * y - arm[p + 1]! * x;
	const w = 3 * second;
	linear[w]! += x;
	linear[w + 1]! += y;
	linear[w + 2]! += z;
	angular[w]! += arm[p + 4]! * z - arm[p + 5]! * y;
	angular[w + 1]! += arm[p + 5]! * x - arm[p + 3]! * z;
	angular[w + 2]! += arm[p + 3]! * y - arm[p + 4]! * x;
}

/** Adds the force of a contact, or the opposite of it, to what a body gets at the arm. */
function push(
	bodies: Bodies,
	{ linear, angular, rate }: Impulses,
	place: number,
	arm: Float64Array,
	p: number,
	sign: number,
): void {
	const v = 3 * place;
	const x = sign * force[0]!;
	const y = sign * force[1]!;
	const z = sign * force[2]!;
	linear[v]! += x;
	linear[v + 1]! += y;
	linear[v + 2]! += z;
	if (bodies.kind[place] === KIND.pseudoRigid) {
		materialPoint(bodies.map, 9 * place, arm, p, point);
		const k = 9 * place;
		for (let j = 0; j < 3; j += 1) {
			rate[k + j]! += x * point[j]!;
			rate[k + 3 + j]! += y * point[j]!;
			rate[k + 6 + j]! += z * point[j]!;
		}
		return;
	}
	angular[v]! += arm[p + 1]! * z - arm[p + 2]! * y;
	angular[v + 1]! += arm[p + 2]! * x - arm[p]! * z;
	angular[v + 2]! += arm[p]! * y - arm[p + 1]! * x;
}
