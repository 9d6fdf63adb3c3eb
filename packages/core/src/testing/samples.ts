/** Small problems from a seed, for the tests of reading and writing: rigid bodies in contact, in all the forms a file can have. */

import { Random } from "../base/random.js";
import { condense, reduce } from "../problem/condense.js";
import { csrFromTriplets } from "../problem/csr.js";
import type { GlobalForm, Guess, Problem, RigidContacts } from "../problem/problem.js";
import { rigidToGlobal } from "../problem/rigid-to-global.js";
import { rollingBodies } from "../problem/rolling-bodies.js";
import { factor } from "../problem/sparse-lu.js";

export interface SampleOptions {
	readonly seed: number;
	readonly contacts: number;
	readonly bodies: number;
	readonly equalityRows?: number;
}

/** Bodies with random contacts: body 0 against an obstacle first, so that no two runs of ids are alike. */
export function sampleRigid({ seed, contacts, bodies }: SampleOptions): RigidContacts {
	const random = new Random(seed);
	const body = new Int32Array(2 * contacts);
	const frame = new Float64Array(9 * contacts);
	const arm = new Float64Array(6 * contacts).map(() => random.between(-1, 1));
	for (let a = 0; a < contacts; a += 1) {
		body[2 * a + 1] = a % bodies;
		body[2 * a] = a % 3 === 0 || bodies === 1 ? -1 : (a + 1 + random.below(bodies - 1)) % bodies;
		frame.set(rotation(random), 9 * a);
	}
	const inverseMass = new Float64Array(bodies).map(() => random.between(0.5, 2));
	const inverseInertia = new Float64Array(6 * bodies).map((_, k) =>
		k % 6 < 3 ? random.between(1, 3) : random.between(-0.3, 0.3),
	);
	return { body, frame, arm, inverseMass, inverseInertia };
}

/** The whole sample: global form, bodies, points, two guesses, equality rows where asked for; W formed. */
export function sampleProblem(options: SampleOptions): Problem {
	const { contacts, bodies, seed, equalityRows = 0 } = options;
	const random = new Random(seed, 1);
	const reals = (length: number): Float64Array => new Float64Array(length).map(() => random.between(-1, 1));
	const rigid = sampleRigid(options);
	const { M, H } = rigidToGlobal(rigid, new Float64Array(3 * contacts));
	const size = 6 * bodies;
	const rows = {
		row: Int32Array.from({ length: 2 * equalityRows }, () => random.below(size)),
		column: Int32Array.from({ length: 2 * equalityRows }, (_, k) => k >> 1),
		values: reals(2 * equalityRows),
	};
	const G = csrFromTriplets(size, equalityRows, rows);
	const mixed = equalityRows > 0 ? { G, b: reals(equalityRows) } : {};
	const global: GlobalForm = { M, H, f: reals(size), w: reals(3 * contacts), ...mixed };
	const guess = (): Guess => ({
		r: reals(3 * contacts),
		u: reals(3 * contacts),
		v: reals(size),
		...(equalityRows > 0 && { l: reals(equalityRows) }),
	});
	return condense({
		name: `sample ${seed}`,
		contacts,
		mu: reals(contacts).map((value) => value + 1),
		global,
		...reduce("sample", global, factor(M, "sample", "M")),
		rigid,
		geometry: { point: reals(3 * contacts), body: rigid.body },
		guesses: [guess(), guess()],
	});
}

/** The bodies of a sample with rolling contacts, in the global form; spins are resisted where `spin` is not zero. */
export function sampleRolling(options: SampleOptions, spin = 0): Problem {
	const { contacts, bodies, seed } = options;
	const random = new Random(seed, 2);
	const reals = (length: number, from: number, to: number): Float64Array =>
		new Float64Array(length).map(() => random.between(from, to));
	return rollingBodies({
		name: `rolling ${seed}`,
		mu: reals(contacts, 0.2, 0.9),
		muRolling: reals(contacts, 0.01, 0.3),
		muSpinning: reals(contacts, 0, spin),
		rigid: sampleRigid(options),
		freeVelocity: reals(6 * bodies, -1, 1),
		geometry: { point: reals(3 * contacts, -1, 1) },
	});
}

/** Three unit vectors at right angles: Gram and Schmidt on random ones. */
function rotation(random: Random): Float64Array {
	const axes = new Float64Array(9);
	for (let i = 0; i < 3; i += 1) {
		const v = [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)];
		for (let round = 0; round < 2; round += 1) {
			for (let j = 0; j < i; j += 1) {
				const along = v.reduce((sum, x, d) => sum + x * axes[3 * j + d]!, 0);
				for (let d = 0; d < 3; d += 1) v[d]! -= along * axes[3 * j + d]!;
			}
		}
		const length = Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));
		for (let d = 0; d < 3; d += 1) axes[3 * i + d] = v[d]! / length;
	}
	return axes;
}
