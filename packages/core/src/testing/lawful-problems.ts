/**
 * Problems with laws whose solution is known by construction: R is chosen in K and U with -F(U) in its normal cone, contact by contact
 * (law-sample.ts), and q = U - W R. W is random and positive definite, or that of a generated pile.
 */
import { Random } from "../base/random.js";
import { type ContactLaws, type LawName, lawCode, PARAMETERS } from "../problem/laws.js";
import type { Problem } from "../problem/problem.js";
import { denseOf, product } from "./dense.js";
import { pile } from "./gallery.js";
import type { Triple } from "./judge.js";
import type { LawSample } from "./law-sample.js";
import { lawSamples } from "./law-samples.js";
import { randomProblem } from "./random-problems.js";

export interface Lawful {
	readonly problem: Problem;
	readonly laws: readonly LawName[];
	/** By contact. */
	readonly samples: readonly LawSample[];
	readonly reaction: Float64Array;
	readonly velocity: Float64Array;
}

export interface LawfulOptions {
	readonly seed: number;
	readonly contacts: number;
	/** Each contact has one of these. */
	readonly laws: readonly LawName[];
	/** Contacts differ in mass by up to this factor. */
	readonly spread?: number;
	readonly skew?: number;
	readonly density?: number;
	/** The contacts of a generated pile, for W. */
	readonly pile?: string;
}

export function lawfulProblem({ seed, contacts, laws, pile: name, ...options }: LawfulOptions): Lawful {
	const base = name === undefined ? randomProblem({ seed, contacts, ...options }) : pile(name, contacts, seed);
	const random = new Random(seed + 1_000_000);
	const count = base.contacts;
	const samples = Array.from({ length: count }, () => sampleOf(laws[Math.floor(random.uniform() * laws.length)]!));
	const parameters = samples.map((sample) => sample.parameters(random));
	const pairs = samples.map((sample, a) => sample.pair(parameters[a]!, random));
	const reaction = Float64Array.from(pairs.flatMap(({ r }) => r));
	const velocity = Float64Array.from(pairs.flatMap(({ u }) => u));
	const moved = product(denseOf(base.W!), reaction);
	return {
		problem: {
			...base,
			name: `${laws.join(", ")} ${seed}`,
			q: velocity.map((u, i) => u - moved[i]!),
			mu: Float64Array.from(parameters, ([mu]) => mu!),
			laws: lawsOf(samples, parameters),
		},
		laws,
		samples,
		reaction,
		velocity,
	};
}

function sampleOf(name: LawName): LawSample {
	return lawSamples.find((sample) => sample.name === name)!;
}

function lawsOf(samples: readonly LawSample[], parameters: readonly (readonly number[])[]): ContactLaws {
	const law = Uint8Array.from(samples, ({ name }) => lawCode(name));
	const numbers = new Float64Array(PARAMETERS * samples.length);
	for (const [a, list] of parameters.entries()) numbers.set(list, PARAMETERS * a);
	return { law, parameters: numbers };
}

/**
 * How far an answer is from the laws, as a share of the largest |R| and |U|: outside of K, or on the wrong side of points of K, of which some
 * are tried: <F, Y - R> >= 0 for all Y in K is the law.
 */
export function unlawful({ problem, samples }: Lawful, reaction: Float64Array, points = 10): number {
	const { laws, q, W } = problem;
	const moved = product(denseOf(W!), reaction);
	const velocity = moved.map((u, i) => u + q[i]!);
	const largest = (values: Float64Array): number => values.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
	const [force, speed] = [largest(reaction) || 1, largest(q) || 1];
	const random = new Random(samples.length);
	let worst = 0;
	samples.forEach((sample, a) => {
		const p = [...laws!.parameters.subarray(PARAMETERS * a, PARAMETERS * (a + 1))];
		const r = tripleAt(reaction, a);
		const f = sample.force(p, tripleAt(velocity, a));
		worst = Math.max(worst, sample.outside(p, r) / force);
		for (let k = 0; k < points; k += 1) {
			const y = sample.point(p, random);
			const step = Math.hypot(y[0] - r[0], y[1] - r[1], y[2] - r[2]) + force;
			const power = f[0] * (y[0] - r[0]) + f[1] * (y[1] - r[1]) + f[2] * (y[2] - r[2]);
			worst = Math.max(worst, -power / (step * speed));
		}
	});
	return worst;
}

function tripleAt(values: Float64Array, a: number): Triple {
	return [values[3 * a]!, values[3 * a + 1]!, values[3 * a + 2]!];
}
