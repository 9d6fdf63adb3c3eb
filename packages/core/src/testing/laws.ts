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
	const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);
	if (name === "box") {
		const row = (value: number, i: number): number => clamp(value, number(1 + i), number(4 + i));
		return { nearest: ([n, t1, t2]) => [row(n, 0), row(t1, 1), row(t2, 2)], modified: itself, shift: 0 };
	}
	if (name === "capped") {
		const cap = number(1);
		const cut = (z: Triple): Triple => {
			const y = cone(z);
			const length = Math.hypot(z[1], z[2]);
			const share = Math.min(1, length > 0 ? (m * cap) / length : 1);
			return y[0] <= cap ? y : [cap, share * z[1], share * z[2]];
		};
		return { nearest: cut, modified: itself, shift: 0 };
	}
	if (name === "preloaded") {
		const preload = number(1);
		const cut = (z: Triple): Triple => {
			const y = cone(z);
			const length = Math.hypot(z[1], z[2]);
			const share = Math.min(1, length > 0 ? (m * preload) / length : 1);
			return y[0] >= preload ? y : [preload, share * z[1], share * z[2]];
		};
		return { nearest: cut, modified: (u) => modified(m, u), shift: -preload };
	}
	if (name === "anisotropic") return ellipse(m, number(1), number(2), number(3));
	throw new Error(`the judge does not know the law ${name}`);
}

/**
 * With half axes m1 along (c, s) and m2 across. The nearest point of the face is found by halves of an interval: on it y_N = z_N + k and
 * y_i = z_i m_i^2 y_N / (m_i^2 y_N + k), k being its distance along N, and the larger k the longer the axis of y_N against that of y_T.
 */
function ellipse(m1: number, m2: number, c: number, s: number): JudgedLaw {
	const turn = ([n, x, y]: Triple): Triple => [n, c * x + s * y, c * y - s * x];
	const back = ([n, x, y]: Triple): Triple => [n, c * x - s * y, s * x + c * y];
	const axes = [m1, m2];
	const nearest = ([n, x, y]: Triple): Triple => {
		const point = (k: number): Triple => {
			const height = n + k;
			const [y1, y2] = [x, y].map((value, i) => (axes[i] === 0 ? 0 : (value * height) / (height + k / axes[i]! ** 2)));
			return [height, y1!, y2!];
		};
		const excess = ([height, y1, y2]: Triple): number =>
			Math.hypot(m1 > 0 ? y1 / m1 : 0, m2 > 0 ? y2 / m2 : 0) - height;
		if (n >= 0 && excess(point(0)) <= 0) return point(0);
		if (n + Math.hypot(m1 * x, m2 * y) <= 0) return [0, 0, 0];
		let [low, high] = [Math.max(0, -n), Math.max(0, -n) + Math.hypot(m1 * x, m2 * y) + Math.abs(n)];
		for (let step = 0; step < 200; step += 1) {
			const middle = (low + high) / 2;
			if (excess(point(middle)) > 0) low = middle;
			else high = middle;
		}
		return point(high);
	};
	return {
		nearest: (z) => back(nearest(turn(z))),
		modified: (u) => {
			const [, x, y] = turn(u);
			return [u[0] + Math.hypot(m1 * x, m2 * y), u[1], u[2]];
		},
		shift: 0,
	};
}
