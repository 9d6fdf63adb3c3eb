/**
 * Problems of a few contacts, solved in one call of a kernel (assembly/tiny.ts): the answer, its bits and its counts are those of the
 * general way, which takes over wherever the kernel does not see the end of it. Only what everybody asks for goes this way.
 */

import { version } from "../base/version.js";
import { Arena } from "../kernels/arena.js";
import * as places from "../kernels/generated/tiny-places.js";
import { TINY_CONTACTS } from "../kernels/generated/tiny-places.js";
import { DEFAULT_TOLERANCES, errorOf, MEASURES } from "../measures/measures.js";
import { chooseOperator } from "../outline/choose.js";
import { sequenceOf } from "../outline/colouring.js";
import { assembleRigid } from "../problem/assemble-rigid.js";
import { lawsOf } from "../problem/laws.js";
import type { BlockMatrix, Problem } from "../problem/problem.js";
import { assemble, reasonOf, type Timing } from "./finish.js";
import type { SolveOptions } from "./options.js";
import type { CheckedSolve } from "./prepare.js";
import type { RankResult, Solution } from "./report.js";

/** Sweeps that every schedule of `auto` begins with (schedules.ts): more of them are the general way's. */
export const SWEEPS = 30;
/** Of the colours, where nobody chose another. */
const SEED = 1;

const sequences: (Int32Array | undefined)[] = [];

/** Whether nothing is asked for but an answer: no state, no history, no other start, no other end. */
export function isPlain(options: SolveOptions): boolean {
	const { start, maxIterations, timeLimit, history, signal, keep, measure } = options;
	return (
		(start === undefined || start === "zero") &&
		(maxIterations === undefined || maxIterations >= SWEEPS) &&
		(timeLimit === undefined || timeLimit > 0) &&
		history !== true &&
		signal?.aborted !== true &&
		keep === undefined &&
		measure !== "gradient"
	);
}

/** W where it is what would be swept over; forming it of the bodies is what the general way does as well. */
function matrixOf(
	problem: Problem,
	why: { text: string },
	wanted: CheckedSolve["system"]["operator"],
): BlockMatrix | undefined {
	if (problem.W === undefined && problem.rigid === undefined) return undefined;
	const choice = chooseOperator(problem, wanted);
	if (choice.kind !== "assembled") return undefined;
	why.text = choice.why;
	return problem.W ?? assembleRigid(problem.rigid!);
}

/** Sets a checked problem up if it is one of these, and works on it; undefined where the general way has to. */
function withTiny<Result>(
	{ problem, entry, settings, system }: CheckedSolve,
	options: SolveOptions,
	work: (tiny: Tiny, operatorReason: string) => Result,
): Result | undefined {
	const { contacts, equalities } = problem;
	if (
		contacts > TINY_CONTACTS ||
		equalities !== undefined ||
		lawsOf(problem) !== undefined ||
		entry.name !== "auto" ||
		!isPlain(options)
	)
		return undefined;
	const isUsual = system.order === "coloured" && system.seed === SEED && system.tile === undefined;
	if (!isUsual || typeof settings.products === "number") return undefined;
	const why = { text: "" };
	const matrix = matrixOf(problem, why, system.operator);
	if (matrix === undefined) return undefined;
	const arena = new Arena(system.engine);
	try {
		const tiny = new Tiny(arena, problem, matrix);
		return tiny.isSetUp ? work(tiny, why.text) : undefined;
	} finally {
		arena.release();
	}
}

/** Solves a checked problem if it is one of these; undefined where the general way has to. `before` is when the solve began. */
export function solveTiny(checked: CheckedSolve, options: SolveOptions, before: number): Solution | undefined {
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
	readonly #matrix: BlockMatrix;
	readonly #base: number;
	readonly #numbers: Float64Array;
	readonly #integers: Int32Array;

	constructor(arena: Arena, problem: Problem, matrix: BlockMatrix) {
		const { at, values } = arena.room(places.TINY_NUMBERS);
		const integers = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
		const { contacts } = problem;
		const blocks = matrix.rowStart[contacts]!;
		integers.set(matrix.rowStart, 2 * places.ROW_START);
		for (let k = 0; k < blocks; k += 1) integers[2 * places.COLUMN + k] = matrix.column[k]!;
		for (let i = 0; i < 9 * blocks; i += 1) values[places.BLOCKS + i] = matrix.values[i]!;
		for (let i = 0; i < 3 * contacts; i += 1) values[places.FREE + i] = problem.q[i]!;
		for (let a = 0; a < contacts; a += 1) values[places.FRICTION + a] = problem.mu[a]!;
		sequences[contacts] ??= sequenceOf(contacts, SEED);
		integers.set(sequences[contacts], 2 * places.SEQUENCE);
		this.#arena = arena;
		this.#problem = problem;
		this.#matrix = matrix;
		this.#base = at;
		this.#numbers = values;
		this.#integers = integers;
		this.isSetUp = arena.kernels.tinySetUp(at, contacts, arena.bins.at) === 1;
	}

	solve(checked: CheckedSolve, operatorReason: string, options: SolveOptions, before: number): Solution | undefined {
		const { kernels, bins } = this.#arena;
		const { contacts } = this.#problem;
		const { measure = "energy", tolerance = DEFAULT_TOLERANCES[measure] } = options;
		const name = MEASURES.indexOf(measure);
		const length = this.#numbers[places.RESULT + 2]!;
		const timing: Timing = { seconds: Number.POSITIVE_INFINITY, secondsFirst: 0, secondsBefore: 0 };
		for (let i = 0; i < (options.repeat ?? 1); i += 1) {
			const start = performance.now();
			if (kernels.tinySweeps(this.#base, contacts, length, name, tolerance, SWEEPS, bins.at) === 0) return undefined;
			const end = performance.now();
			timing.seconds = Math.min(timing.seconds, (end - start) / 1000);
			if (i === 0) timing.secondsFirst = (end - before) / 1000;
		}
		kernels.tinyMeasures(this.#base, contacts, length, bins.at);
		return assemble([this.#outcome(checked, operatorReason, timing, measure, tolerance)], this.#arena);
	}

	#outcome(
		{ entry }: CheckedSolve,
		operatorReason: string,
		timing: Timing,
		measure: RankResult["report"]["measure"],
		tolerance: number,
	): RankResult {
		const numbers = this.#numbers;
		const { name, contacts } = this.#problem;
		const { RESULT, ORDER } = places;
		const colours = numbers[RESULT]!;
		const iterations = numbers[RESULT + 4]!;
		const reductions = numbers[RESULT + 6]!;
		// A sweep exchanges once for each of its steps, and a measure once for its product.
		const exchanges = colours * iterations + numbers[RESULT + 5]!;
		const taken = { energy: numbers[RESULT + 8]!, natural: numbers[RESULT + 9]!, merit: numbers[RESULT + 10]! };
		const coupling = `${(this.#matrix.rowStart[contacts]! / contacts).toFixed(1)} blocks a row`;
		const why = entry.reason?.({ operator: { sweep: true }, share: { colours, order: "coloured", coupling } });
		const { seconds } = timing;
		const ending = { status: "solved", measure, tolerance, iterations, isSuspended: false } as const;
		return {
			ids: this.#integers.slice(2 * ORDER, 2 * ORDER + contacts),
			reaction: this.#load(places.R, false),
			velocity: this.#load(places.U, true),
			equalityRows: 0,
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

	/** Numbers of the system in the problem's units, by place: velocities are divided by the scale, reactions multiplied. */
	#load(from: number, isVelocity: boolean): Float64Array {
		const numbers = this.#numbers;
		const unit = numbers[places.RESULT + 1]!;
		const to = new Float64Array(3 * this.#problem.contacts);
		for (let i = 0; i < to.length; i += 1) {
			const value = numbers[from + i]! / unit;
			const s = numbers[places.SCALE + Math.floor(i / 3)]!;
			to[i] = isVelocity ? value / s : value * s;
		}
		return to;
	}
}
