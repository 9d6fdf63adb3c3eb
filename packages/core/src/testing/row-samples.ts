/** Laws whose rows know nothing of one another: intervals for each. */
import type { Random } from "../base/random.js";
import type { Triple } from "./judge.js";
import { choose, type LawSample, sign, size } from "./law-sample.js";

export const frictionless: LawSample = {
	name: "frictionless",
	isCone: true,
	isMonotone: true,
	parameters: () => [0],
	outside: (_, r) => Math.max(-r[0], Math.abs(r[1]), Math.abs(r[2])),
	force: (_, u) => u,
	point: (_, random) => [size(random), 0, 0],
	pair(_, random) {
		const slip = [sign(random), sign(random)] as const;
		return random.uniform() < 0.5
			? { r: [0, 0, 0], u: [size(random), ...slip] }
			: { r: [size(random), 0, 0], u: [0, ...slip] };
	},
};

export const bilateral: LawSample = {
	name: "bilateral",
	isCone: true,
	isMonotone: true,
	parameters: () => [0],
	outside: () => 0,
	force: (_, u) => u,
	point: (_, random) => each(() => sign(random)),
	pair: (_, random) => ({ r: each(() => sign(random)), u: [0, 0, 0] }),
};

export const box: LawSample = {
	name: "box",
	isCone: false,
	isMonotone: true,
	parameters(random) {
		const rows = [0, 1, 2].map(() => {
			const ends = [sign(random), sign(random)].sort((x, y) => x - y);
			const kind = random.uniform();
			if (kind < 0.1) return [ends[0]!, ends[0]!];
			return [
				kind < 0.3 ? Number.NEGATIVE_INFINITY : ends[0]!,
				kind > 0.2 && kind < 0.4 ? Number.POSITIVE_INFINITY : ends[1]!,
			];
		});
		return [0, ...rows.map((row) => row[0]!), ...rows.map((row) => row[1]!)];
	},
	outside: (p, r) => Math.max(...r.map((value, i) => Math.max(p[1 + i]! - value, value - p[4 + i]!))),
	force: (_, u) => u,
	point: (p, random) => each((i) => between(p[1 + i]!, p[4 + i]!, random)),
	pair(p, random) {
		const r = each((i) => between(p[1 + i]!, p[4 + i]!, random));
		const u = each((i) => {
			if (p[1 + i] === p[4 + i]) return sign(random);
			return r[i] === p[1 + i] ? size(random) : r[i] === p[4 + i] ? -size(random) : 0;
		});
		return { r, u };
	},
};

function each(value: (i: number) => number): Triple {
	return [value(0), value(1), value(2)];
}

/** A limit, or something between both. */
function between(lo: number, hi: number, random: Random): number {
	const [from, to] = [Math.max(lo, Math.min(hi, 5) - 5), Math.min(hi, Math.max(lo, -5) + 5)];
	return choose(random, [lo, hi].filter(Number.isFinite).concat(random.between(from, to)));
}
