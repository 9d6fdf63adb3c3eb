/**
 * A few contacts of bodies whose order is known, as simulations have them step after step: set up and solved in one call of a kernel (assembly/tiny-bodies.ts) from
 * the reactions of the step before. The answer, its bits and its counts are those of `runShare`, which takes over wherever the kernel does not see the end of it.
 */

import { Arena } from "../kernels/arena.js";
import * as places from "../kernels/generated/tiny-places.js";
import { TINY_BLOCKS, TINY_BODIES } from "../kernels/generated/tiny-places.js";
import { DEFAULT_TOLERANCES, MEASURES, type MeasureName } from "../measures/measures.js";
import { factorRules } from "../methods/factor-turns.js";
import { operatorOfBodies } from "../outline/choose.js";
import type { Problem } from "../problem/problem.js";
import type { RunState } from "../state/state.js";
import { reasonOf } from "./finish.js";
import type { RunOptions } from "./options.js";
import type { Report } from "./report.js";
import { isPlain, sweepLimit } from "./tiny.js";
import { stateOfTiny, type UnfinishedSweeps } from "./tiny-state.js";

/** A problem of bodies, and what is known of it. */
export interface TinyBodiesProblem {
	readonly problem: Problem;
	/** Contacts in the order of blocks in rows. */
	readonly contact: Int32Array;
	/** Places in that list in the order in which they are swept. */
	readonly order: Int32Array;
	/** How many blocks W has at most. */
	readonly blocks: number;
	/** Of contacts as the problem has them. One that is worse than zero is dropped. */
	readonly start: Float64Array | undefined;
}

export type TinyFacts = Pick<
	Report,
	"status" | "reason" | "iterations" | "products" | "measure" | "tolerance" | "seconds"
> & { readonly error: number; readonly missesDualCone: false };

/** Steps of more contacts take more sweeps than one call makes: most of them would be handed out, and set up again. */
const CONTACTS_MAX = 512;

/** Whether these are problems and options of which a solve may be asked here. */
export function isTiny({ contacts, rigid, W, laws }: Problem, options: RunOptions): boolean {
	const { method, set } = options;
	return (
		contacts > 0 &&
		contacts <= CONTACTS_MAX &&
		W === undefined &&
		laws === undefined &&
		rigid !== undefined &&
		rigid.inverseMass.length <= TINY_BODIES &&
		(method === undefined || method === "auto") &&
		(set === undefined || Object.keys(set).length === 0) &&
		options.repeat === undefined &&
		// An answer within another measure's tolerance is looked at with the energy error, which the kernel does not return for bodies.
		(options.measure === undefined || options.measure === "energy") &&
		isPlain(options)
	);
}

/** Its end, with the reactions written, or what the general way goes on from: ids are places in the list of contacts. */
type TinyBodiesOutcome = { readonly facts: TinyFacts } | { readonly state: RunState };

/** Writes the reactions to `reaction`, contacts as the problem has them; undefined where the general way has to solve it. */
export function solveTinyBodies(
	given: TinyBodiesProblem,
	options: RunOptions,
	reaction: Float64Array,
	engine: "wasm" | "twin" = "wasm",
): TinyBodiesOutcome | undefined {
	const { problem, blocks, contact, start } = given;
	const { contacts } = problem;
	if (blocks > TINY_BLOCKS || operatorOfBodies(blocks, contacts).kind !== "assembled") return undefined;
	const { measure = "energy", tolerance = DEFAULT_TOLERANCES[measure] } = options;
	const arena = new Arena(engine);
	try {
		const bodies = problem.rigid!.inverseMass.length;
		const { at, values } = arena.room(places.layOut(contacts, blocks, bodies));
		write(given, values);
		values[places.NEAR] = factorRules.near;
		values[places.SHARE] = factorRules.share;
		const { kernels, bins } = arena;
		const [name, hasStart] = [MEASURES.indexOf(measure), start === undefined ? 0 : 1];
		const most = sweepLimit(options);
		const table = bins.at;
		if (kernels.tinyBodies(at, contacts, blocks, bodies, 1, table) === 0) return undefined;
		const began = performance.now();
		const outcome = kernels.tinyBodySweeps(at, contacts, blocks, bodies, hasStart, name, tolerance, most, table);
		if (outcome === 0) return undefined;
		const seconds = (performance.now() - began) / 1000;
		if (outcome === 2) return { state: stateOf(given, values, { measure, tolerance, seconds }) };
		for (let i = 0, from = places.GIVEN; i < contact.length; i += 1, from += 3) {
			const to = 3 * contact[i]!;
			reaction[to] = values[from]!;
			reaction[to + 1] = values[from + 1]!;
			reaction[to + 2] = values[from + 2]!;
		}
		const iterations = values[places.RESULT + 4]!;
		return {
			facts: new SolvedFacts({ iterations, error: values[places.RESULT + 8]!, measure, tolerance, seconds }),
		};
	} finally {
		arena.release();
	}
}

/** Of a step nobody is told of exchanges and reductions. */
function stateOf(
	{ problem, order }: TinyBodiesProblem,
	numbers: Float64Array,
	told: Pick<UnfinishedSweeps, "measure" | "tolerance" | "seconds">,
): RunState {
	const { contacts } = problem;
	return stateOfTiny({ ...told, numbers, contacts, ids: order.slice(), exchanges: 0, reductions: 0 });
}

/** The numbers of one problem after those of another, and the same places as integers. */
let integers: Int32Array = new Int32Array(0);

function write({ problem, contact, order, start }: TinyBodiesProblem, values: Float64Array): void {
	const { q, mu } = problem;
	const { body, frame, arm, inverseMass, inverseInertia } = problem.rigid!;
	const isSame = integers.buffer === values.buffer && integers.byteOffset === values.byteOffset;
	if (!isSame || integers.length !== 2 * values.length) {
		integers = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
	}
	writeContacts(contact, body, order, integers);
	copyRows(frame, contact, 9, values, places.FRAME);
	copyRows(arm, contact, 6, values, places.ARM);
	copyRows(q, contact, 3, values, places.FREE);
	if (start) copyRows(start, contact, 3, values, places.GIVEN);
	const friction = places.FRICTION;
	for (let i = 0; i < contact.length; i += 1) values[friction + i] = mu[contact[i]!]!;
	values.set(inverseMass, places.MASS);
	values.set(inverseInertia, places.INERTIA);
}

/** Bodies of contacts, and the order. */
function writeContacts(contact: Int32Array, body: Int32Array, order: Int32Array, to: Int32Array): void {
	const bodyAt = 2 * places.BODY;
	const orderAt = 2 * places.ORDER;
	for (let i = 0; i < contact.length; i += 1) {
		const a = contact[i]!;
		to[bodyAt + 2 * i] = body[2 * a]!;
		to[bodyAt + 2 * i + 1] = body[2 * a + 1]!;
		to[orderAt + i] = order[i]!;
	}
}

/** Numbers of these contacts, `width` of each, one contact after another; three at a time, as all are. */
function copyRows(from: Float64Array, contact: Int32Array, width: number, to: Float64Array, first: number): void {
	for (let i = 0, at = first; i < contact.length; i += 1) {
		for (let k = width * contact[i]!, end = k + width; k < end; k += 3, at += 3) {
			to[at] = from[k]!;
			to[at + 1] = from[k + 1]!;
			to[at + 2] = from[k + 2]!;
		}
	}
}

type Told = Pick<TinyFacts, "iterations" | "error" | "measure" | "tolerance" | "seconds">;

/** A class: objects with a getter of their own are slow to make, and to read from. */
class SolvedFacts implements TinyFacts {
	readonly status = "solved";
	readonly missesDualCone = false;
	readonly measure: MeasureName;
	readonly tolerance: number;
	readonly iterations: number;
	readonly products: number;
	readonly error: number;
	readonly seconds: number;

	constructor(told: Told) {
		this.measure = told.measure;
		this.tolerance = told.tolerance;
		this.iterations = told.iterations;
		this.products = told.iterations;
		this.error = told.error;
		this.seconds = told.seconds;
	}

	/** Why it ended is put in words when it is asked for. */
	get reason(): string {
		const { status, measure, tolerance, iterations } = this;
		return reasonOf({ status, measure, tolerance, iterations, isSuspended: false }, this.error);
	}
}
