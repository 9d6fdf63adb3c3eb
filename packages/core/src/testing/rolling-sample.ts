/** The law of rolling as tests know it: of one contact six numbers, N, T1, T2, spin, rolling about T1 and T2. */
import type { Random } from "../base/random.js";
import { choose, direction, type LawSample, type Parameters, sign, size } from "./law-sample.js";

export type Six = readonly [number, number, number, number, number, number];

/** Friction, rolling friction and spinning friction with the parts that they limit. */
function limited([mu = 0, muRolling = 0, muSpinning = 0]: Parameters, [, x, y, spin, one, other]: Six) {
	return [
		[mu, Math.hypot(x, y)],
		[muRolling, Math.hypot(one, other)],
		[muSpinning, Math.abs(spin)],
	] as const;
}

/** Parts of these lengths in random directions. */
function inParts(n: number, [t, m, s]: readonly [number, number, number], random: Random): Six {
	const [d, e] = [direction(random), direction(random)];
	return [n, t * d[0], t * d[1], random.uniform() < 0.5 ? s : -s, m * e[0], m * e[1]];
}

export const rolling: LawSample<Six> = {
	name: "rolling",
	isCone: true,
	isMonotone: false,
	parameters: (random) => [0, 1, 2].map(() => choose(random, [0, 0.3, random.between(0, 1.5)])),
	outside(p, r) {
		const over = limited(p, r).map(([limit, length]) => (length - limit * r[0]) / (1 + limit));
		return Math.max(-r[0], ...over);
	},
	force(p, u) {
		const sum = limited(p, u).reduce((all, [limit, speed]) => all + limit * speed, u[0]);
		return [sum, u[1], u[2], u[3], u[4], u[5]];
	},
	point([mu = 0, muRolling = 0, muSpinning = 0], random) {
		const n = size(random);
		const share = () => choose(random, [1, random.uniform()]);
		return inParts(n, [share() * mu * n, share() * muRolling * n, share() * muSpinning * n], random);
	},
	pair(p, random) {
		if (random.uniform() < 0.25) {
			return { r: [0, 0, 0, 0, 0, 0], u: inParts(size(random), [size(random), size(random), size(random)], random) };
		}
		const n = size(random);
		const [mu = 0, muRolling = 0, muSpinning = 0] = p;
		// Each part sticks or slips by itself; what has no friction does as it likes.
		const states = [mu, muRolling, muSpinning].map((limit) => {
			const slips = limit === 0 || random.uniform() < 0.5;
			return slips ? [limit * n, size(random)] : [random.uniform() * limit * n, 0];
		}) as [[number, number], [number, number], [number, number]];
		const r = inParts(n, [states[0][0], states[1][0], states[2][0]], random);
		const lengths = limited(p, r).map(([, length]) => length);
		const against = (k: 0 | 1 | 2, value: number): number =>
			lengths[k]! > 0 ? (-states[k][1] * value) / lengths[k]! : states[k][1] * sign(random);
		const [u1, u2] = [against(0, r[1]), against(0, r[2])];
		return { r, u: [0, u1, u2, against(2, r[3]), against(1, r[4]), against(1, r[5])] };
	},
};
