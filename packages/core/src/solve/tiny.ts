/**
 * Problems of a few contacts, solved in one call of a kernel (assembly/tiny.ts): the answer, its bits and its counts are those of the
 * general way, which goes on where the kernel does not see the end of it. Only what everybody asks for goes this way.
 */

import { version } from "../base/version.js";
import { Arena } from "../kernels/arena.js";
import * as places from "../kernels/generated/tiny-places.js";
import { TINY_BLOCKS, TINY_BODIES, TINY_CONTACTS, TINY_SWEEPS } from "../kernels/generated/tiny-places.js";
import { DEFAULT_TOLERANCES, errorOf, MEASURES, type MeasureName } from "../measures/measures.js";
import { chooseOperator, rigidBlocks } from "../outline/choose.js";
import { sequenceOf } from "../outline/colouring.js";
import { lawsOf } from "../problem/laws.js";
import type { BlockMatrix, Problem, RigidContacts } from "../problem/problem.js";
import type { RunState } from "../state/state.js";
import { type AnswerRoom, reasonOf, solutionOf, type Timing, withChoice } from "./finish.js";
import { DOUBTFUL_ENERGY } from "./growth.js";
import type { SolveOptions } from "./options.js";
import type { CheckedSolve } from "./prepare.js";
import type { PartOfReport, Solution } from "./report.js";
import { stateOfTiny } from "./tiny-state.js";

/** Fewer sweeps than these are the general way's, and less time: it looks at the clock more often. */
const SWEEPS_MIN = 30;
const SECONDS_MIN = 0.5;
/** Of the colours, where nobody chose another. */
const SEED = 1;

/** Whether nothing is asked for but an answer: no state, no history, no other start, no other end. */
export function isPlain(options: SolveOptions): boolean {
	const { start, maxIterations, timeLimit, history, signal, keep, measure } = options;
	return (
		(start === undefined || start === "zero") &&
		(maxIterations === undefined || maxIterations >= SWEEPS_MIN) &&
		(timeLimit === undefined || timeLimit >= SECONDS_MIN) &&
		history !== true &&
		signal?.aborted !== true &&
		keep === undefined &&
		measure !== "gradient"
	);
}

/** How many sweeps there may be. */
export function sweepLimit({ maxIterations = TINY_SWEEPS }: Pick<SolveOptions, "maxIterations">): number {
	return Math.min(maxIterations, TINY_SWEEPS);
}

/** What is swept over: W as it is given, or bodies to form it of; how many blocks there are at most, and why it is that. */
interface TinyForm {
	readonly matrix?: BlockMatrix;
	readonly rigid?: RigidContacts;
	readonly blocks: number;
	readonly why: string;
}

/** Undefined where something else would be swept over, or more of it. */
function formOf(problem: Problem, wanted: CheckedSolve["system"]["operator"]): TinyForm | undefined {
	const { W: matrix, rigid, contacts } = problem;
	if (matrix === undefined && (rigid === undefined || rigid.moment !== undefined)) return undefined;
	const { kind, why } = chooseOperator(problem, wanted);
	if (kind !== "assembled") return undefined;
	const blocks = matrix ? matrix.rowStart[contacts]! : rigidBlocks(rigid!);
	const bodies = matrix ? 0 : rigid!.inverseMass.length;
	if (blocks > TINY_BLOCKS || bodies > TINY_BODIES) return undefined;
	return { ...(matrix ? { matrix } : { rigid: rigid! }), blocks, why };
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
	const form = formOf(problem, system.operator);
	if (form === undefined) return undefined;
	const arena = new Arena(system.engine);
	try {
		const tiny = new Tiny(arena, problem, form);
		return tiny.isSetUp ? work(tiny, form.why) : undefined;
	} finally {
		arena.release();
	}
}

/** Its end, or what the general way goes on from. */
type TinyOutcome = { readonly solution: Solution } | { readonly state: RunState };

/** Solves a checked problem if it is one of these; undefined where the general way has to. `before` is when the solve began; the answer is in the room where there is one. */
export function solveTiny(
	checked: CheckedSolve,
	options: SolveOptions,
	before: number,
	room?: AnswerRoom,
): TinyOutcome | undefined {
	return withTiny(checked, options, (tiny, reason) => tiny.solve(checked, reason, options, before, room));
}

/** Sets it up, and goes no further; false where it is the general way's. */
export function setUpTiny(checked: CheckedSolve, options: SolveOptions): boolean {
	return withTiny(checked, options, () => true) === true;
}

function writeRows(
	{ rowStart, column, values: given }: BlockMatrix,
	contacts: number,
	values: Float64Array,
	integers: Int32Array,
): void {
	const blocks = rowStart[contacts]!;
	integers.set(rowStart, 2 * places.ROW_START);
	integers.set(column.length === blocks ? column : column.subarray(0, blocks), 2 * places.COLUMN);
	values.set(given.length === 9 * blocks ? given : given.subarray(0, 9 * blocks), places.BLOCKS);
}

function writeBodies(rigid: RigidContacts, values: Float64Array, integers: Int32Array): void {
	integers.set(rigid.body, 2 * places.BODY);
	values.set(rigid.frame, places.FRAME);
	values.set(rigid.arm, places.ARM);
	values.set(rigid.inverseMass, places.MASS);
	values.set(rigid.inverseInertia, places.INERTIA);
}

/** One problem in the kernel's memory. */
class Tiny {
	readonly isSetUp: boolean;
	readonly #arena: Arena;
	readonly #problem: Problem;
	/** Blocks, at most, and bodies: what places follow from. */
	readonly #blocks: number;
	readonly #bodies: number;
	readonly #base: number;
	readonly #numbers: Float64Array;
	readonly #integers: Int32Array;

	constructor(arena: Arena, problem: Problem, { matrix, rigid, blocks }: TinyForm) {
		const { contacts, q, mu } = problem;
		const bodies = rigid?.inverseMass.length ?? 0;
		const { at, values } = arena.room(places.layOut(contacts, blocks, bodies));
		const integers = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
		values.set(q, places.FREE);
		values.set(mu, places.FRICTION);
		integers.set(sequenceOf(contacts, SEED), 2 * places.SEQUENCE);
		if (matrix) writeRows(matrix, contacts, values, integers);
		else if (rigid) writeBodies(rigid, values, integers);
		this.#arena = arena;
		this.#problem = problem;
		this.#blocks = blocks;
		this.#bodies = bodies;
		this.#base = at;
		this.#numbers = values;
		this.#integers = integers;
		const { kernels, bins } = arena;
		const isDone = matrix
			? kernels.tinySetUp(at, contacts, blocks, bins.at)
			: kernels.tinyBodies(at, contacts, blocks, bodies, 0, bins.at);
		this.isSetUp = isDone === 1;
	}

	solve(
		checked: CheckedSolve,
		operatorReason: string,
		options: SolveOptions,
		before: number,
		room: AnswerRoom | undefined,
	): TinyOutcome | undefined {
		const { kernels, bins } = this.#arena;
		const { contacts } = this.#problem;
		const { measure = "energy", tolerance = DEFAULT_TOLERANCES[measure] } = options;
		const [name, most] = [MEASURES.indexOf(measure), sweepLimit(options)];
		this.#numbers[places.NEAR] = Number(checked.settings.near);
		this.#numbers[places.SHARE] = Number(checked.settings.share);
		const timing: Timing = { seconds: Number.POSITIVE_INFINITY, secondsFirst: 0, secondsBefore: 0 };
		for (let i = 0; i < (options.repeat ?? 1); i += 1) {
			const start = performance.now();
			const [at, blocks, bodies] = [this.#base, this.#blocks, this.#bodies];
			const outcome = kernels.tinySweeps(at, contacts, blocks, bodies, name, tolerance, most, bins.at);
			const end = performance.now();
			if (outcome === 0) return undefined;
			timing.seconds = Math.min(timing.seconds, (end - start) / 1000);
			if (outcome === 2) return { state: this.#state(measure, tolerance, timing.seconds) };
			if (i === 0) timing.secondsFirst = (end - before) / 1000;
		}
		kernels.tinyMeasures(this.#base, contacts, this.#blocks, this.#bodies, bins.at);
		// R may be growing: the general way watches it.
		if (measure !== "energy" && this.#numbers[places.RESULT + 8]! > DOUBTFUL_ENERGY) return undefined;
		const reaction = this.#answer(places.GIVEN, room?.reaction);
		const velocity = this.#answer(places.VELOCITY, room?.velocity);
		const part = this.#part(checked, operatorReason, timing, measure, tolerance);
		return { solution: solutionOf([part], 0, reaction, velocity, this.#arena) };
	}

	#answer(at: number, room: Float64Array | undefined): Float64Array {
		const values = this.#numbers.subarray(at, at + 3 * this.#problem.contacts);
		if (room === undefined) return values.slice();
		room.set(values);
		return room;
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
		// The general way looks at the energy error of an answer in another measure.
		const reductions = numbers[RESULT + 6]! + (measure === "energy" ? 0 : 1);
		const exchanges = this.#exchanges;
		const taken = { energy: numbers[RESULT + 8]!, natural: numbers[RESULT + 9]!, merit: numbers[RESULT + 10]! };
		const coupling = `${(this.#integers[2 * places.ROW_START + contacts]! / contacts).toFixed(1)} blocks per row`;
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
				reason: reasonOf(ending, errorOf({ ...taken, measure })),
				...withChoice(why),
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
