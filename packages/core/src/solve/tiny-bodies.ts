/**
 * A few contacts of bodies whose order is known, as simulations have them step after step: set up and solved in one call of a kernel (assembly/tiny-bodies.ts) from
 * the reactions of the step before. The answer, its bits and its counts are those of `runShare`, which takes over wherever the kernel does not see the end of it.
 */

import { Arena } from "../kernels/arena.js";
import * as places from "../kernels/generated/tiny-places.js";
import { TINY_BODIES, TINY_CONTACTS } from "../kernels/generated/tiny-places.js";
import { DEFAULT_TOLERANCES, MEASURES } from "../measures/measures.js";
import { methodEntry } from "../methods/catalogue.js";
import { operatorOfBodies } from "../outline/choose.js";
import type { Problem } from "../problem/problem.js";
import { reasonOf } from "./finish.js";
import type { RunOptions } from "./options.js";
import type { Report } from "./report.js";
import { isPlain, SWEEPS } from "./tiny.js";

/** A problem of bodies, and what is known of it. */
export interface TinyBodiesProblem {
	readonly problem: Problem;
	/** Contacts in the order of blocks in rows. */
	readonly contact: Int32Array;
	/** Places in that list in the order in which they are swept, and in how many colours. */
	readonly order: Int32Array;
	readonly colours: number;
	/** How many blocks W has at most. */
	readonly blocks: number;
	/** Of contacts as the problem has them. One that is worse than zero is dropped. */
	readonly start: Float64Array | undefined;
}

export type TinyFacts = Pick<
	Report,
	"status" | "reason" | "iterations" | "products" | "measure" | "tolerance" | "seconds"
> & { readonly error: number };

/** Whether these are problems and options of which a solve may be asked here. */
export function isTiny({ contacts, rigid, W, laws }: Problem, options: RunOptions): boolean {
	const { method, set } = options;
	return (
		contacts > 0 &&
		contacts <= TINY_CONTACTS &&
		W === undefined &&
		laws === undefined &&
		rigid !== undefined &&
		rigid.inverseMass.length <= TINY_BODIES &&
		(method === undefined || method === "auto") &&
		(set === undefined || Object.keys(set).length === 0) &&
		options.repeat === undefined &&
		isPlain(options)
	);
}

/** Writes the reactions to `reaction`, contacts as the problem has them; undefined where the general way has to solve it. */
export function solveTinyBodies(
	given: TinyBodiesProblem,
	options: RunOptions,
	reaction: Float64Array,
	engine: "wasm" | "twin" = "wasm",
): TinyFacts | undefined {
	const { problem, blocks, contact, start } = given;
	if (operatorOfBodies(blocks, problem.contacts).kind !== "assembled") return undefined;
	const { measure = "energy", tolerance = DEFAULT_TOLERANCES[measure] } = options;
	const arena = new Arena(engine);
	try {
		const { at, values } = arena.room(places.TINY_NUMBERS);
		write(given, values);
		const { kernels, bins } = arena;
		const name = MEASURES.indexOf(measure);
		const began = performance.now();
		const hasStart = start === undefined ? 0 : 1;
		if (kernels.tinyBodies(at, problem.contacts, hasStart, name, tolerance, SWEEPS, bins.at) === 0) return undefined;
		const seconds = (performance.now() - began) / 1000;
		for (let i = 0; i < contact.length; i += 1) {
			for (let k = 0; k < 3; k += 1) reaction[3 * contact[i]! + k] = values[places.GIVEN + 3 * i + k]!;
		}
		const iterations = values[places.RESULT + 4]!;
		return factsOf(given, { iterations, error: values[places.RESULT + 8]!, measure, tolerance, seconds });
	} finally {
		arena.release();
	}
}

/** The numbers of one problem after those of another, and the same places as integers. */
let integers: Int32Array = new Int32Array(0);

function write({ problem, contact, order, start }: TinyBodiesProblem, values: Float64Array): void {
	const { q, mu } = problem;
	const { body, frame, arm, inverseMass, inverseInertia } = problem.rigid!;
	if (integers.buffer !== values.buffer || integers.byteOffset !== values.byteOffset) {
		integers = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
	}
	for (let i = 0; i < contact.length; i += 1) {
		const a = contact[i]!;
		for (let k = 0; k < 9; k += 1) values[places.FRAME + 9 * i + k] = frame[9 * a + k]!;
		for (let k = 0; k < 6; k += 1) values[places.ARM + 6 * i + k] = arm[6 * a + k]!;
		for (let k = 0; k < 3; k += 1) values[places.FREE + 3 * i + k] = q[3 * a + k]!;
		if (start) for (let k = 0; k < 3; k += 1) values[places.GIVEN + 3 * i + k] = start[3 * a + k]!;
		for (let k = 0; k < 2; k += 1) integers[2 * places.BODY + 2 * i + k] = body[2 * a + k]!;
		integers[2 * places.ORDER + i] = order[i]!;
		values[places.FRICTION + i] = mu[a]!;
	}
	for (let b = 0; b < inverseMass.length; b += 1) values[places.MASS + b] = inverseMass[b]!;
	for (let k = 0; k < inverseInertia.length; k += 1) values[places.INERTIA + k] = inverseInertia[k]!;
}

/** Why it ended is put in words when it is asked for. */
function factsOf(
	{ blocks, problem, colours }: TinyBodiesProblem,
	told: Pick<TinyFacts, "iterations" | "error" | "measure" | "tolerance" | "seconds">,
): TinyFacts {
	const { iterations, error, measure, tolerance, seconds } = told;
	const { contacts } = problem;
	return {
		status: "solved",
		measure,
		tolerance,
		iterations,
		error,
		seconds,
		products: iterations,
		get reason(): string {
			const share = { colours, order: "coloured" as const, coupling: `${(blocks / contacts).toFixed(1)} blocks a row` };
			const why = methodEntry("auto").reason?.({ operator: { sweep: true }, share });
			return reasonOf({ status: "solved", measure, tolerance, iterations, isSuspended: false }, error, why);
		},
	};
}
