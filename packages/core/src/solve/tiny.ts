/**
 * Problems of a few contacts, solved in one call of a kernel (assembly/tiny.ts): the answer, its bits and its counts are those of the
 * general way, which goes on where the kernel does not see the end of it. Only what everybody asks for goes this way.
 */

import { version } from "../base/version.js";
import { Arena } from "../kernels/arena.js";
import * as places from "../kernels/generated/tiny-places.js";
import { TINY_BLOCKS, TINY_CONTACTS, TINY_SWEEPS } from "../kernels/generated/tiny-places.js";
import { DEFAULT_TOLERANCES, errorOf, MEASURES, type MeasureName } from "../measures/measures.js";
import { chooseOperator } from "../outline/choose.js";
import { sequenceOf } from "../outline/colouring.js";
import { assembleRigid } from "../problem/assemble-rigid.js";
import { lawsOf } from "../problem/laws.js";
import type { BlockMatrix, Problem } from "../problem/problem.js";
import type { RunState } from "../state/state.js";
import { reasonOf, solutionOf, type Timing } from "./finish.js";
import type { SolveOptions } from "./options.js";
import type { CheckedSolve } from "./prepare.js";
import type { PartOfReport, Solution } from "./report.js";
import { stateOfTiny } from "./tiny-state.js";

/** Fewer sweeps than these are the general way's. */
const SWEEPS_MIN = 30;
/** Bodies of which more have contacts are formed to W as they are stored, in the general way. */
const FORMED_MAX = 32;
/** Of the colours, where nobody chose another. */
const SEED = 1;

/** Whether nothing is asked for but an answer: no state, no history, no other start, no other end. */
export function isPlain(options: SolveOptions): boolean {
	const { start, maxIterations, timeLimit, history, signal, keep, measure } = options;
	return (
		(start === undefined || start === "zero") &&
		(maxIterations === undefined || maxIterations >= SWEEPS_MIN) &&
		(timeLimit === undefined || timeLimit > 0) &&
		history !== true &&
		signal?.aborted !== true &&
		keep === undefined &&
		measure !== "gradient"
	);
}

/** How many sweeps there may be. */
export function sweepsMost({ maxIterations = TINY_SWEEPS }: Pick<SolveOptions, "maxIterations">): number {
	return Math.min(maxIterations, TINY_SWEEPS);
}

/** W where it is what would be swept over; forming it of the bodies is what the general way does as well. */
function matrixOf(
	problem: Problem,
	why: { text: string },
	wanted: CheckedSolve["system"]["operator"],
): BlockMatrix | undefined {
	if (problem.W === undefined && (problem.rigid === undefined || problem.contacts > FORMED_MAX)) return undefined;
	const choice = chooseOperator(problem, wanted);
	if (choice.kind !== "assembled") return undefined;
	why.text = choice.why;
	return problem.W ?? assembleRigid(problem.rigid!);
}

/** Whether a checked problem, with these options, is one that may go this way. */
function mayBeTiny({ problem, entry, settings, system }: CheckedSolve, options: SolveOptions): boolean {
	const { contacts, equalities } = problem;
	return (
		contacts <= TINY_CONTACTS &&
		equalities === undefined &&
		lawsOf(problem) === undefined &&
		entry.name === "auto" &&
		isPlain(options) &&
		system.order === "coloured" &&
		system.seed === SEED &&
		system.tile === undefined &&
		typeof settings.products !== "number"
	);
}

/** Sets a checked problem up if it is one of these, and works on it; undefined where the general way has to. */
function withTiny<Result>(
	checked: CheckedSolve,
	options: SolveOptions,
	work: (tiny: Tiny, operatorReason: string) => Result,
): Result | undefined {
	if (!mayBeTiny(checked, options)) return undefined;
	const { problem, system } = checked;
	const why = { text: "" };
	const matrix = matrixOf(problem, why, system.operator);
	if (matrix === undefined || matrix.rowStart[problem.contacts]! > TINY_BLOCKS) return undefined;
	const arena = new Arena(system.engine);
	try {
		const tiny = new Tiny(arena, problem, matrix);
		return tiny.isSetUp ? work(tiny, why.text) : undefined;
	} finally {
		arena.release();
	}
}

/** Its end, or what the general way goes on from. */
export type TinyOutcome = { readonly solution: Solution } | { readonly state: RunState };

/** Solves a checked problem if it is one of these; undefined where the general way has to. `before` is when the solve began. */
export function solveTiny(checked: CheckedSolve, options: SolveOptions, before: number): TinyOutcome | undefined {
	return withTiny(checked, options, (tiny, reason) => tiny.solve(checked, reason, options, before));
}

/** Sets it up, and goes no further; false where it is the general way's. */
export function setUpTiny(checked: CheckedSolve, options: SolveOptions): boolean {
	return withTiny(checked, options, () => true) === true;
}

/** One problem in the kernel's memory. */
class Tiny {
	readonly isSetUp: boolean;
	readonly #arena: Arena;
	readonly #problem: Problem;
	readonly #blocks: number;
	readonly #base: number;
	readonly #numbers: Float64Array;
	readonly #integers: Int32Array;

	constructor(arena: Arena, problem: Problem, { rowStart, column, values: given }: BlockMatrix) {
		const { contacts, q, mu } = problem;
		const blocks = rowStart[contacts]!;
		const { at, values } = arena.room(places.layOut(contacts, blocks, 0));
		const integers = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
		integers.set(rowStart, 2 * places.ROW_START);
		integers.set(column.length === blocks ? column : column.subarray(0, blocks), 2 * places.COLUMN);
		values.set(given.length === 9 * blocks ? given : given.subarray(0, 9 * blocks), places.BLOCKS);
		values.set(q, places.FREE);
		values.set(mu, places.FRICTION);
		integers.set(sequenceOf(contacts, SEED), 2 * places.SEQUENCE);
		this.#arena = arena;
		this.#problem = problem;
		this.#blocks = blocks;
		this.#base = at;
		this.#numbers = values;
		this.#integers = integers;
		this.isSetUp = arena.kernels.tinySetUp(at, contacts, blocks, arena.bins.at) === 1;
	}

	solve(checked: CheckedSolve, operatorReason: string, options: SolveOptions, before: number): TinyOutcome | undefined {
		const { kernels, bins } = this.#arena;
		const { contacts } = this.#problem;
		const { measure = "energy", tolerance = DEFAULT_TOLERANCES[measure] } = options;
		const [name, most] = [MEASURES.indexOf(measure), sweepsMost(options)];
		this.#numbers[places.NEAR] = Number(checked.settings.near);
		this.#numbers[places.SHARE] = Number(checked.settings.share);
		const timing: Timing = { seconds: Number.POSITIVE_INFINITY, secondsFirst: 0, secondsBefore: 0 };
		for (let i = 0; i < (options.repeat ?? 1); i += 1) {
			const start = performance.now();
			const blocks = this.#blocks;
			const outcome = kernels.tinySweeps(this.#base, contacts, blocks, name, tolerance, most, bins.at);
			const end = performance.now();
			if (outcome === 0) return undefined;
			timing.seconds = Math.min(timing.seconds, (end - start) / 1000);
			if (outcome === 2) return { state: this.#state(measure, tolerance, timing.seconds) };
			if (i === 0) timing.secondsFirst = (end - before) / 1000;
		}
		kernels.tinyMeasures(this.#base, contacts, this.#blocks, bins.at);
		const numbers = 3 * contacts;
		const reaction = this.#numbers.slice(places.GIVEN, places.GIVEN + numbers);
		const velocity = this.#numbers.slice(places.VELOCITY, places.VELOCITY + numbers);
		const part = this.#part(checked, operatorReason, timing, measure, tolerance);
		return { solution: solutionOf([part], 0, reaction, velocity, this.#arena) };
	}

	/** A sweep exchanges once for each of its steps, and a measure once for its product. */
	get #exchanges(): number {
		const { RESULT } = places;
		return this.#numbers[RESULT]! * this.#numbers[RESULT + 4]! + this.#numbers[RESULT + 5]!;
	}

	#state(measure: MeasureName, tolerance: number, seconds: number): RunState {
		const { contacts } = this.#problem;
		const ids = this.#integers.slice(2 * places.ORDER, 2 * places.ORDER + contacts);
		const [numbers, exchanges, reductions] = [this.#numbers, this.#exchanges, this.#numbers[places.RESULT + 6]!];
		return stateOfTiny({ numbers, contacts, ids, measure, tolerance, seconds, exchanges, reductions });
	}

	#part(
		{ entry }: CheckedSolve,
		operatorReason: string,
		timing: Timing,
		measure: MeasureName,
		tolerance: number,
	): PartOfReport {
		const numbers = this.#numbers;
		const { name, contacts } = this.#problem;
		const { RESULT } = places;
		const colours = numbers[RESULT]!;
		const iterations = numbers[RESULT + 4]!;
		const reductions = numbers[RESULT + 6]!;
		const exchanges = this.#exchanges;
		const taken = { energy: numbers[RESULT + 8]!, natural: numbers[RESULT + 9]!, merit: numbers[RESULT + 10]! };
		const coupling = `${(this.#blocks / contacts).toFixed(1)} blocks a row`;
		const why = entry.reason?.({ operator: { sweep: true }, share: { colours, order: "coloured", coupling } });
		const { seconds } = timing;
		const ending = { status: "solved", measure, tolerance, iterations, isSuspended: false } as const;
		return {
			rank: {
				rank: 0,
				contacts,
				exchanges,
				reductions,
				messages: 0,
				bytes: 0,
				phases: { compute: seconds, pack: 0, wait: 0, reduce: 0 },
				peakMemory: this.#arena.bytes,
			},
			report: {
				problem: name,
				contacts,
				method: entry.name,
				status: "solved",
				reason: reasonOf(ending, errorOf({ ...taken, measure }), why),
				remedies: [],
				iterations,
				products: iterations,
				measure,
				tolerance,
				...taken,
				seconds,
				secondsFirst: timing.secondsFirst,
				ranks: 1,
				transport: "self",
				operator: `assembled (${operatorReason})`,
				exchanges,
				reductions,
				version,
			},
		};
	}
}
