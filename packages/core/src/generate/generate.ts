/**
 * Problems of any size from a seed: piles of rigid bodies, with the geometry of their contacts, in the middle of a fall.
 * Nothing is simulated: the bodies are laid by construction, and the free velocity is gravity over one step on top of
 * small random motions. The same name, options and seed give the same bits on every machine.
 */

import { InputError } from "../base/errors.js";
import { Random } from "../base/random.js";
import { parseLaws } from "../problem/law-text.js";
import { type ContactLaws, PARAMETERS } from "../problem/laws.js";
import type { Geometry, Problem, RigidContacts } from "../problem/problem.js";
import { freeRelativeVelocity } from "../problem/rigid-to-global.js";
import { ROLLING, ROLLING_FRICTION, SPIN_FRICTION } from "../problem/rolling.js";
import { rollingBodies } from "../problem/rolling-bodies.js";
import { cast } from "./cast.js";
import { gallery, galleryEntry } from "./gallery.js";
import { freeVelocity } from "./motion.js";
import { type GenerateOptions, generalDefaults, type ResolvedOptions, resolveOptions } from "./options.js";

export type { GenerateOptions } from "./options.js";

/** A problem with bodies, and the free velocity v that its q comes from: q = H^T M^-1 f with f = M v, as a file of it gives q. */
export interface GeneratedProblem extends Problem {
	readonly rigid: RigidContacts;
	readonly geometry: Required<Geometry>;
	/** Six values per body: velocity of the centre and angular velocity, in world axes. */
	readonly freeVelocity: Float64Array;
}

/** What each random draw is for, so that e.g. another range of mu leaves the geometry as it was. */
const streams = { geometry: 1, motion: 2, friction: 3, law: 4 } as const;

export function generate(name: string, options: GenerateOptions = {}): GeneratedProblem {
	const entry = galleryEntry(name);
	const resolved = resolveOptions(options, entry.defaults);
	const { seed, mu: range } = resolved;
	const { rigid, point, centre } = cast(entry.build(resolved, new Random(seed, streams.geometry)));
	const contacts = rigid.body.length / 2;
	const velocity = freeVelocity(rigid, centre, resolved, new Random(seed, streams.motion));
	const friction = new Random(seed, streams.friction);
	const laws = contactLaws(resolved, contacts);
	return {
		name: `${name}, ${contacts} contacts, ${rigid.inverseMass.length} bodies, seed ${seed}`,
		contacts,
		q: freeRelativeVelocity(rigid, velocity),
		mu: Float64Array.from({ length: contacts }, () => friction.between(range[0], range[1])),
		...(laws && { laws }),
		rigid,
		geometry: { point, body: rigid.body },
		freeVelocity: velocity,
	};
}

/**
 * The same with the law `rolling` for all contacts, each of which has two blocks then (problem/rolling.ts), in the global form: of bodies alone
 * no operator takes moments.
 */
export function generateRolling(name: string, options: GenerateOptions & { readonly law: string }): Problem {
	const { law, ...others } = options;
	const [choice, ...more] = parseLaws(law, "generate");
	if (choice?.code !== ROLLING || more.length > 0) {
		const remedy = "give rolling alone, as in rolling:mu_r=1e-3";
		throw new InputError("generate", "law", `is ${law}, where all contacts are to roll`, remedy);
	}
	const made = generate(name, others);
	const of = (parameter: number) => new Float64Array(made.contacts).fill(choice.numbers[parameter]!);
	return rollingBodies({ ...made, muRolling: of(ROLLING_FRICTION), muSpinning: of(SPIN_FRICTION) });
}

/** One of the laws for each contact; none where that is Coulomb's. */
function contactLaws({ laws, seed }: ResolvedOptions, contacts: number): ContactLaws | undefined {
	if (laws.every(({ code }) => code === 0)) return undefined;
	if (laws.some(({ code }) => code === ROLLING)) {
		const remedy = "leave other laws out, and take generateRolling, which gives each contact its moment";
		throw new InputError("generate", "law", "is rolling, which contacts of forces alone cannot have", remedy);
	}
	const random = new Random(seed, streams.law);
	const law = new Uint8Array(contacts);
	const parameters = new Float64Array(PARAMETERS * contacts);
	for (let a = 0; a < contacts; a += 1) {
		const { code, numbers } = laws.length === 1 ? laws[0]! : laws[random.below(laws.length)]!;
		law[a] = code;
		parameters.set(numbers, PARAMETERS * a);
	}
	return { law, parameters };
}

export interface GeneratorName {
	readonly name: string;
	readonly what: string;
	readonly defaults: GenerateOptions;
}

/** All names, what they make, and their defaults. */
export function generateNames(): GeneratorName[] {
	return gallery.map(({ name, what, defaults }) => ({ name, what, defaults: { ...generalDefaults, ...defaults } }));
}
