/**
 * Problems with laws whose solution is known by construction: R is chosen in K and U with -F(U) in its normal cone, contact by contact
 * (law-sample.ts), and q = U - W R. W is random and positive definite, or that of a generated pile.
 */
import { Random } from "../base/random.js";
import { type ContactLaws, type LawName, lawCode, PARAMETERS } from "../problem/laws.js";
import type { Problem } from "../problem/problem.js";
import { denseOf, product } from "./dense.js";
import { pile } from "./gallery.js";
import type { LawSample } from "./law-sample.js";
import { lawSamples } from "./law-samples.js";
import { randomProblem } from "./random-problems.js";
import { rolling } from "./rolling-sample.js";

/** A contact: where its numbers begin, one block of three or two, and its law. */
interface SampledContact {
	readonly block: number;
	readonly blocks: 1 | 2;
	readonly sample: LawSample<readonly number[]>;
}

export interface Lawful {
	readonly problem: Problem;
	readonly laws: readonly LawName[];
	readonly samples: readonly SampledContact[];
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
	const given = name === undefined ? randomProblem({ seed, contacts, ...options }) : pile(name, contacts, seed);
	// Blocks of W that become moments are not those of the bodies.
	const { rigid, ...base } = given;
	const random = new Random(seed + 1_000_000);
	const count = base.contacts;
	const samples = samplesOf(count, () => laws[Math.floor(random.uniform() * laws.length)]!);
	const parameters = samples.map(({ sample }) => sample.parameters(random));
	const pairs = samples.map(({ sample }, a) => sample.pair(parameters[a]!, random));
	const reaction = Float64Array.from(pairs.flatMap(({ r }) => r));
	const velocity = Float64Array.from(pairs.flatMap(({ u }) => u));
	const moved = product(denseOf(base.W!), reaction);
	return {
		problem: {
			...base,
			...(rigid && !laws.includes("rolling") && { rigid }),
			name: `${laws.join(", ")} ${seed}`,
			q: velocity.map((u, i) => u - moved[i]!),
			mu: Float64Array.from(
				samples.flatMap(({ blocks }, a) => (blocks === 1 ? [parameters[a]![0]!] : [parameters[a]![0]!, 0])),
			),
			laws: lawsOf(count, samples, parameters),
		},
		laws,
		samples,
		reaction,
		velocity,
	};
}

/** Contacts for so many blocks; the last one alone slides where it was to roll. */
function samplesOf(count: number, draw: () => LawName): SampledContact[] {
	const samples: SampledContact[] = [];
	for (let block = 0; block < count; ) {
		const name = draw();
		const blocks = name === "rolling" && block + 1 < count ? 2 : 1;
		const single = name === "rolling" ? "coulomb" : name;
		const sample = blocks === 2 ? rolling : lawSamples.find((each) => each.name === single)!;
		samples.push({ block, blocks, sample });
		block += blocks;
	}
	return samples;
}

function lawsOf(
	count: number,
	samples: readonly SampledContact[],
	parameters: readonly (readonly number[])[],
): ContactLaws {
	const law = new Uint8Array(count);
	const numbers = new Float64Array(PARAMETERS * count);
	for (const [a, { block, blocks, sample }] of samples.entries()) {
		law.fill(lawCode(sample.name), block, block + blocks);
		numbers.set(parameters[a]!, PARAMETERS * block);
	}
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
	samples.forEach(({ block, blocks, sample }) => {
		const p = [...laws!.parameters.subarray(PARAMETERS * block, PARAMETERS * (block + 1))];
		const of = (values: Float64Array) => [...values.subarray(3 * block, 3 * (block + blocks))];
		const r = of(reaction);
		const f = sample.force(p, of(velocity));
		worst = Math.max(worst, sample.outside(p, r) / force);
		for (let k = 0; k < points; k += 1) {
			const y = sample.point(p, random);
			const step = Math.hypot(...y.map((value, i) => value - r[i]!)) + force;
			const power = y.reduce((sum, value, i) => sum + f[i]! * (value - r[i]!), 0);
			worst = Math.max(worst, -power / (step * speed));
		}
	});
	return worst;
}
