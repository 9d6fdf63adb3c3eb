/** Laws on Coulomb's cone, whole, shifted or cut: they differ in F. */
import type { Random } from "../base/random.js";
import type { Triple } from "./judge.js";
import { choose, direction, type LawSample, sign, size } from "./law-sample.js";

const friction = (random: Random): number => choose(random, [0, 0.3, 1, random.between(0, 1.5)]);

/** R below the cap and U: take-off, stick or slide; `opens` is U_N of a slide in slip speeds. */
function onCone(mu: number, opens: number, random: Random): { readonly r: Triple; readonly u: Triple } {
	const [n, d] = [size(random), direction(random)];
	const slip = [size(random) * d[0], size(random) * d[1]] as const;
	switch (choose(random, ["take-off", "stick", "slide"])) {
		case "take-off":
			return { r: [0, 0, 0], u: [opens * Math.hypot(...slip) + size(random), ...slip] };
		case "stick": {
			const reach = random.uniform() * mu * n;
			const free: readonly [number, number] = mu > 0 ? [0, 0] : [sign(random), sign(random)];
			return { r: [n, reach * d[0], reach * d[1]], u: [0, ...free] };
		}
		default: {
			const speed = size(random);
			return { r: [n, mu * n * d[0], mu * n * d[1]], u: [opens * speed, -speed * d[0], -speed * d[1]] };
		}
	}
}

const outsideCone = (mu: number, [n, x, y]: Triple): number => Math.max(-n, (Math.hypot(x, y) - mu * n) / (1 + mu));

function pointOfCone(mu: number, n: number, random: Random): Triple {
	const d = direction(random);
	const reach = mu * n * choose(random, [1, random.uniform()]);
	return [n, reach * d[0], reach * d[1]];
}

const modified = (mu: number, u: Triple): Triple => [u[0] + mu * Math.hypot(u[1], u[2]), u[1], u[2]];

export const coulomb: LawSample = {
	name: "coulomb",
	isCone: true,
	isMonotone: false,
	parameters: (random) => [friction(random)],
	outside: ([mu], r) => outsideCone(mu!, r),
	force: ([mu], u) => modified(mu!, u),
	point: ([mu], random) => pointOfCone(mu!, size(random), random),
	pair: ([mu], random) => onCone(mu!, 0, random),
};

export const relaxed: LawSample = {
	...coulomb,
	name: "relaxed",
	isMonotone: true,
	force: (_, u) => u,
	pair: ([mu], random) => onCone(mu!, mu!, random),
};

/** Coulomb's, with R + c e_N in its cone. */
export const cohesive: LawSample = {
	...coulomb,
	name: "cohesive",
	isCone: false,
	parameters: (random) => [friction(random), choose(random, [0, size(random)])],
	outside: ([mu, c], [n, x, y]) => outsideCone(mu!, [n + c!, x, y]),
	point: ([mu, c], random) => below(pointOfCone(mu!, size(random), random), c!),
	pair([mu, c], random) {
		const { r, u } = onCone(mu!, 0, random);
		return { r: below(r, c!), u };
	},
};

function below([n, x, y]: Triple, c: number): Triple {
	return [n - c, x, y];
}

export const capped: LawSample = {
	name: "capped",
	isCone: false,
	isMonotone: true,
	parameters: (random) => [friction(random), choose(random, [size(random), Number.POSITIVE_INFINITY])],
	outside: ([mu, cap], r) => Math.max(-r[0], r[0] - cap!, (Math.hypot(r[1], r[2]) - mu! * r[0]) / (1 + mu!)),
	force: (_, u) => u,
	point: ([mu, cap], random) => pointOfCone(mu!, Math.min(cap!, size(random)), random),
	pair([mu, cap], random) {
		const { r, u } = onCone(mu!, mu!, random);
		if (r[0] <= cap!) return { r, u };
		// At the cap it gives way: (1, 0, 0) is in the normal cone too.
		const share = cap! / r[0];
		return { r: [cap!, share * r[1], share * r[2]], u: [u[0] - size(random), u[1], u[2]] };
	},
};

/** Coulomb's with R_N at least a preload, which stays where the contact opens. */
export const preloaded: LawSample = {
	name: "preloaded",
	isCone: false,
	isMonotone: false,
	parameters: (random) => [friction(random), choose(random, [0, size(random)])],
	outside: ([mu, preload], r) => Math.max(preload! - r[0], outsideCone(mu!, r)),
	force: ([mu], u) => modified(mu!, u),
	point: ([mu, preload], random) => pointOfCone(mu!, preload! + choose(random, [0, size(random)]), random),
	pair([mu, preload], random) {
		const { r, u } = onCone(mu!, 0, random);
		if (r[0] >= preload!) return { r, u };
		// Opens: the friction of the preload, or what keeps its point from sliding.
		if (r[0] > 0) {
			const share = preload! / r[0];
			return { r: [preload!, share * r[1], share * r[2]], u: [size(random), u[1], u[2]] };
		}
		const slip = Math.hypot(u[1], u[2]);
		const share = slip > 0 ? (mu! * preload!) / slip : 0;
		return { r: [preload!, -share * u[1], -share * u[2]], u: [size(random), u[1], u[2]] };
	},
};
