/** Laws for problems of tests, and what the judge takes them for: nearest point and F by their definitions, one law after another. */
import { LAW_DOCS, LAWS, type LawName, lawCode, PARAMETERS } from "../problem/laws.js";
import type { Problem } from "../problem/problem.js";
import { modified, nearest, type Triple } from "./judge.js";

/** A law with its numbers by name; those that are not given are the defaults. */
export interface GivenLaw {
	readonly law: LawName;
	readonly [parameter: string]: number | LawName;
}

/** The problem with a law for each contact. */
export function withLaws(problem: Problem, lawOf: (contact: number) => GivenLaw): Problem {
	const law = new Uint8Array(problem.contacts);
	const parameters = new Float64Array(PARAMETERS * problem.contacts);
	for (let a = 0; a < problem.contacts; a += 1) {
		const given = lawOf(a);
		law[a] = lawCode(given.law);
		for (const [i, { name, default: usual }] of LAW_DOCS[given.law]!.parameters.entries()) {
			parameters[PARAMETERS * a + 1 + i] = Number(given[name] ?? usual);
		}
	}
	return { ...problem, laws: { law, parameters } };
}

/** K and F of one contact. */
export interface JudgedLaw {
	nearest(z: Triple): Triple;
	modified(u: Triple): Triple;
	/** What is added to R_N where measures take the size of the unknown. */
	readonly shift: number;
}

const itself = (x: Triple): Triple => x;

export function judgedLaw({ mu, laws }: Problem, a: number): JudgedLaw {
	const name = LAWS[laws?.law[a] ?? 0]!;
	const number = (index: number): number => laws!.parameters[PARAMETERS * a + index]!;
	const m = mu[a]!;
	const cone = (z: Triple): Triple => nearest(m, z);
	if (name === "coulomb") return { nearest: cone, modified: (u) => modified(m, u), shift: 0 };
	if (name === "frictionless") return { nearest: ([n]) => [Math.max(0, n), 0, 0], modified: itself, shift: 0 };
	if (name === "bilateral") return { nearest: itself, modified: itself, shift: 0 };
	if (name === "relaxed") return { nearest: cone, modified: itself, shift: 0 };
	if (name === "cohesive") {
		const cohesion = number(1);
		const moved = ([n, t1, t2]: Triple): Triple => {
			const [m0, m1, m2] = cone([n + cohesion, t1, t2]);
			return [m0 - cohesion, m1, m2];
		};
		return { nearest: moved, modified: (u) => modified(m, u), shift: cohesion };
	}
	throw new Error(`the judge does not know the law ${name}`);
}
