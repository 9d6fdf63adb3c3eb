/** H, its transpose and W = H A^-1 H^T against each other, for rigid and pseudo-rigid bodies, held ones and obstacles. */
import { assembleRigid, type BlockMatrix, Random, validateProblem } from "@stickslip/core";
import { expect, test } from "vitest";
import { type Bodies, KIND } from "../bodies/bodies.js";
import type { Impulses, InverseMasses, Velocities } from "../bodies/generalized.js";
import { bodiesOf, modelOf, randomSpheres, type SphereState, sphereShape } from "../testing/bodies.js";
import { ContactList } from "./contact-list.js";
import { ContactDetector } from "./detect.js";
import { ProblemMaker } from "./problem.js";
import { RowAssembly } from "./rows.js";
import { addImpulses, relativeVelocity } from "./velocity.js";

const ROLLING = {
	friction: 0.5,
	restitution: 0,
	law: "rolling",
	rollingFriction: 0.01,
	spinningFriction: 0.02,
} as const;

/** Twenty spheres in a heap, two of them obstacles and one held, those of which `isSoft` says so pseudo-rigid and deformed. */
function heap(isSoft: (i: number) => boolean, rolls = false) {
	const states: SphereState[] = randomSpheres(12, 20, [1.4, 1.4, 1.4], 3).map((state, i) => ({
		...state,
		...(i < 2 && { kind: KIND.obstacle }),
		isHeld: i === 5,
	}));
	const bodies = bodiesOf(states);
	const contacts = new ContactList();
	const model = modelOf(states.map(({ radius }) => sphereShape(radius)));
	new ContactDetector({ ...model, ...(rolls && { laws: [ROLLING] }) }).detect(bodies, 0, contacts);
	// Where contacts are is of no account here, so that spheres may deform afterwards.
	const random = new Random(4);
	for (let i = 2; i < bodies.count; i += 1) if (isSoft(i)) bodies.kind[i] = KIND.pseudoRigid;
	for (let i = 0; i < bodies.map.length; i += 1) {
		if (bodies.kind[Math.floor(i / 9)] === KIND.pseudoRigid) bodies.map[i]! += 0.1 * (random.uniform() - 0.5);
	}
	return { bodies, contacts, masses: massesOf(bodies, random) };
}

function massesOf(bodies: Bodies, random: Random): InverseMasses {
	const rate = new Float64Array(81 * bodies.count);
	for (let body = 0; body < bodies.count; body += 1) {
		for (let i = 0; i < 9; i += 1) {
			for (let j = 0; j < 9; j += 1) rate[81 * body + 9 * i + j] = (i === j ? 2 : 0) + 0.2 * random.uniform();
		}
	}
	return {
		mass: bodies.mass.map((mass) => 1 / mass),
		inertia: Float64Array.from({ length: 6 * bodies.count }, (_, i) => (i % 6 < 3 ? 2 : 0) + 0.2 * random.uniform()),
		rate,
	};
}

function noImpulses({ count }: Bodies): Impulses {
	return {
		linear: new Float64Array(3 * count),
		angular: new Float64Array(3 * count),
		rate: new Float64Array(9 * count),
	};
}

/** A^-1 of impulses; what does not move gets nothing. */
function velocitiesOf(bodies: Bodies, masses: InverseMasses, { linear, angular, rate: rates }: Impulses): Velocities {
	const velocity = new Float64Array(3 * bodies.count);
	const spin = new Float64Array(3 * bodies.count);
	const rate = new Float64Array(9 * bodies.count);
	for (let body = bodies.obstacles; body < bodies.count; body += 1) {
		if (bodies.isHeld[body] === 1) continue;
		const [xx, yy, zz, xy, xz, yz] = masses.inertia.subarray(6 * body);
		const [x, y, z] = angular.subarray(3 * body);
		for (let d = 0; d < 3; d += 1) velocity[3 * body + d] = masses.mass[body]! * linear[3 * body + d]!;
		spin[3 * body] = xx! * x! + xy! * y! + xz! * z!;
		spin[3 * body + 1] = xy! * x! + yy! * y! + yz! * z!;
		spin[3 * body + 2] = xz! * x! + yz! * y! + zz! * z!;
		for (let i = 0; i < 9; i += 1) {
			for (let j = 0; j < 9; j += 1) {
				rate[9 * body + i]! += masses.rate[81 * body + 9 * i + j]! * rates[9 * body + j]!;
			}
		}
	}
	return { velocity, spin, rate };
}

/** All of H A^-1 H^T, column by column. */
function denseOf({ bodies, contacts, masses }: ReturnType<typeof heap>): Float64Array {
	const size = 3 * contacts.count;
	const dense = new Float64Array(size * size);
	const U = new Float64Array(size);
	for (let column = 0; column < size; column += 1) {
		const R = new Float64Array(size);
		R[column] = 1;
		const impulses = noImpulses(bodies);
		addImpulses(bodies, contacts, R, impulses);
		relativeVelocity(bodies, contacts, velocitiesOf(bodies, masses, impulses), U);
		for (let row = 0; row < size; row += 1) dense[row * size + column] = U[row]!;
	}
	return dense;
}

function denseOfRows(W: BlockMatrix, size: number): Float64Array {
	const dense = new Float64Array(3 * W.rows * size);
	for (let row = 0; row < W.rows; row += 1) {
		for (let k = W.rowStart[row]!; k < W.rowStart[row + 1]!; k += 1) {
			if (k > W.rowStart[row]!) expect(W.column[k]).toBeGreaterThan(W.column[k - 1]!);
			for (let i = 0; i < 9; i += 1) {
				dense[(3 * row + Math.floor(i / 3)) * size + 3 * W.column[k]! + (i % 3)] = W.values[9 * k + i]!;
			}
		}
	}
	return dense;
}

function largestDifference(one: Float64Array, other: Float64Array): number {
	expect(one.length).toBe(other.length);
	return one.reduce((most, value, i) => Math.max(most, Math.abs(value - other[i]!)), 0);
}

const kinds: [string, (i: number) => boolean, boolean][] = [
	["rigid", () => false, false],
	["pseudo-rigid", () => true, false],
	["both", (i) => i % 2 === 0, false],
	["rigid, rolling", () => false, true],
	["pseudo-rigid, rolling", () => true, true],
	["both, rolling", (i) => i % 2 === 0, true],
];

test.each(kinds)("%s: H^T is the transpose of H", (_name, isSoft, rolls) => {
	const { bodies, contacts } = heap(isSoft, rolls);
	const random = new Random(1);
	const numbers = (length: number) => Float64Array.from({ length }, () => random.uniform() - 0.5);
	const R = numbers(3 * contacts.count);
	const U = new Float64Array(3 * contacts.count);
	const velocities = {
		velocity: numbers(3 * bodies.count),
		spin: numbers(3 * bodies.count),
		rate: numbers(9 * bodies.count),
	};
	relativeVelocity(bodies, contacts, velocities, U);
	const impulses = noImpulses(bodies);
	addImpulses(bodies, contacts, R, impulses);
	const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
	const work = dot(impulses.linear, velocities.velocity) + dot(impulses.angular, velocities.spin);
	expect(work + dot(impulses.rate, velocities.rate)).toBeCloseTo(dot(U, R), 12);
});

test.each(kinds)("%s: reactions keep momentum and angular momentum", (_name, isSoft, rolls) => {
	const { bodies, contacts } = heap(isSoft, rolls);
	const R = Float64Array.from({ length: 3 * contacts.count }, (_, i) => ((i * 7919) % 101) - 50);
	const { linear, angular, rate } = noImpulses(bodies);
	addImpulses(bodies, contacts, R, { linear, angular, rate });
	const sum = new Float64Array(6);
	for (let body = 0; body < bodies.count; body += 1) {
		for (let d = 0; d < 3; d += 1) {
			const [e, f] = [(d + 1) % 3, (d + 2) % 3];
			const [p, at] = [3 * body, 9 * body];
			sum[d]! += linear[p + d]!;
			sum[3 + d]! +=
				angular[p + d]! + bodies.position[p + e]! * linear[p + f]! - bodies.position[p + f]! * linear[p + e]!;
			// Of rates: the antisymmetric part of the impulse times the transpose of the map.
			if (bodies.kind[body] !== KIND.pseudoRigid) continue;
			for (let k = 0; k < 3; k += 1) {
				sum[3 + d]! += bodies.map[at + 3 * e + k]! * rate[at + 3 * f + k]!;
				sum[3 + d]! -= bodies.map[at + 3 * f + k]! * rate[at + 3 * e + k]!;
			}
		}
	}
	expect(contacts.count).toBeGreaterThan(15);
	for (const total of sum) expect(Math.abs(total)).toBeLessThan(1e-11);
});

test.each(kinds)("%s: rows of W are those of H A^-1 H^T", (_name, isSoft, rolls) => {
	const given = heap(isSoft, rolls);
	const { bodies, contacts, masses } = given;
	const W = new RowAssembly().assemble(bodies, contacts, masses);
	expect(largestDifference(denseOfRows(W, 3 * contacts.count), denseOf(given))).toBeLessThan(1e-12);
});

test.each([false, true])("the problem of rigid bodies, rolling: %s, is core's W of H A^-1 H^T, and valid", (rolls) => {
	const given = heap(() => false, rolls);
	const { bodies, contacts, masses } = given;
	const q = new Float64Array(3 * contacts.count).fill(-1);
	const problem = new ProblemMaker().make("test", { ...bodies, rate: new Float64Array(0) }, contacts, masses, q);
	validateProblem(problem);
	const W = denseOfRows(assembleRigid(problem.rigid!), 3 * contacts.count);
	expect(largestDifference(W, denseOf(given))).toBeLessThan(1e-12);
});

test("a problem with pseudo-rigid bodies has rows of W, and is valid", () => {
	const { bodies, contacts, masses } = heap((i) => i % 2 === 0);
	const q = new Float64Array(3 * contacts.count).fill(-1);
	const problem = new ProblemMaker().make("test", bodies, contacts, masses, q);
	validateProblem(problem);
	expect(problem.rigid).toBeUndefined();
	expect(problem.W!.rows).toBe(contacts.count);
});

test("rows of some contacts have the bits that they have among all, and columns by number", () => {
	const { bodies, contacts, masses } = heap((i) => i % 3 === 0);
	const all = new RowAssembly().assemble(bodies, contacts, masses);
	const rows = Int32Array.from({ length: Math.floor(contacts.count / 2) }, (_, i) => 2 * i + 1);
	const number = Int32Array.from({ length: contacts.count }, (_, i) => 100 + 3 * i);
	const some = new RowAssembly().assemble(bodies, contacts, masses, { rows, number });
	for (const [row, contact] of rows.entries()) {
		const [from, end] = [some.rowStart[row]!, some.rowStart[row + 1]!];
		const [at, until] = [all.rowStart[contact]!, all.rowStart[contact + 1]!];
		expect([...some.column.subarray(from, end)]).toEqual([...all.column.subarray(at, until)].map((b) => number[b]));
		expect(some.values.subarray(9 * from, 9 * end)).toEqual(all.values.subarray(9 * at, 9 * until));
	}
});
