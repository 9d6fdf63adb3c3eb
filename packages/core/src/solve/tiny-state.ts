/**
 * What sweeps of a few contacts have come to, as the state of a run, with which the general way goes on: run.ts, relay.ts, proximal-gauss-seidel.ts, gauss-seidel.ts and anderson.ts say
 * what each number is. The kernel tells its estimates and measures by sweep; who takes them in here is who does in a run.
 */
import * as places from "../kernels/generated/tiny-places.js";
import type { MeasureName } from "../measures/measures.js";
import { HalvingRate } from "../methods/halving-rate.js";
import { proximalDefaults } from "../methods/proximal-options.js";
import type { PlainRecord, RunState, StateVector } from "../state/state.js";
import { Checks } from "./checks.js";
import { Growth } from "./growth.js";
import { Patience } from "./patience.js";
import { Reach } from "./reach.js";
import { BLOCK_SPACE } from "./run.js";

/** Numbers of a problem that is laid out, and what the kernel does not know. */
export interface UnfinishedSweeps {
	readonly numbers: Float64Array;
	readonly contacts: number;
	/** Of blocks by place. */
	readonly ids: Int32Array;
	readonly measure: MeasureName;
	readonly tolerance: number;
	readonly seconds: number;
	readonly exchanges: number;
	readonly reductions: number;
}

export function stateOfTiny(told: UnfinishedSweeps): RunState {
	const { numbers, contacts, ids, measure, seconds, exchanges, reductions } = told;
	const sweeps = numbers[places.RESULT + 4]!;
	const { progress, current } = replay(told, sweeps);
	const bestIsHere = progress.bestAt === sweeps;
	return {
		iteration: sweeps,
		scalars: {
			...{ method: "auto", measure, seconds, products: sweeps, exchanges, reductions },
			value: progress.value,
			valueAt: progress.valueAt,
			best: progress.best,
			bestIsHere,
			checks: progress.checks.state,
			patience: new Patience({ isQuadratic: measure === "merit" }).state,
			growth: new Growth().state,
			reach: progress.reach.state,
			stepper: {
				...{ phase: 0, patienceFactor: { proximal: 1, newton: 1 }, bestBefore: Number.POSITIVE_INFINITY },
				...{ sweepsPaid: false, products: sweeps, isEarly: false, remedies: [], alpha: proximalDefaults.alpha },
				turns: { work: 0, reluctance: 1, isInteriorTried: false, methods: { isKnown: false } },
				pace: progress.rate.state,
				current,
			},
		},
		spaces: {
			[BLOCK_SPACE]: {
				count: contacts,
				ids,
				vectors: vectorsOf(numbers, contacts, !bestIsHere && progress.best < Number.POSITIVE_INFINITY),
			},
		},
	};
}

/** What a run's watchers know after so many sweeps, and the state of these. */
function replay({ numbers, contacts, measure, tolerance }: UnfinishedSweeps, sweeps: number) {
	const [checks, reach, rate] = [new Checks(tolerance, measure === "merit", contacts), new Reach(), new HalvingRate()];
	const [value, best] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
	const progress = { checks, reach, rate, value, valueAt: -1, best, bestAt: -1 };
	checks.clear();
	rate.start(Number.POSITIVE_INFINITY);
	let error = Number.POSITIVE_INFINITY;
	let [mark, markedAt] = [Number.POSITIVE_INFINITY, 0];
	for (let sweep = 0; sweep <= sweeps; sweep += 1) {
		if (sweep > 0) {
			error = numbers[places.ESTIMATES + sweep]!;
			rate.note(error);
			if (error <= 0.5 * mark) [mark, markedAt] = [error, sweep];
		}
		const value = numbers[places.MEASURES + sweep]!;
		if (value < 0) continue;
		[progress.value, progress.valueAt] = [value, sweep];
		reach.note(value, sweep);
		if (value < progress.best) [progress.best, progress.bestAt] = [value, sweep];
		checks.note(sweep, error, value);
	}
	const plain = plainState(numbers, sweeps, error);
	const name = "proximal-gauss-seidel";
	return {
		progress,
		current: { name, isPlain: true, remedies: [], error, plainSweeps: sweeps, mark, markedAt, plain },
	};
}

/** The sweeps without an anchor, with Anderson's window. */
function plainState(numbers: Float64Array, sweeps: number, error: number): PlainRecord {
	const from = places.RESULT + 12;
	const [lastSquare, held] = [numbers[from]!, numbers[from + 1]!];
	const gram: number[] = [];
	for (let j = 0; j < held; j += 1) {
		for (let i = 0; i < held; i += 1) gram.push(numbers[places.GRAM + places.WINDOW * j + i]!);
	}
	const right = [...numbers.subarray(places.RIGHT_HAND_SIDE, places.RIGHT_HAND_SIDE + held)];
	return {
		...{ name: "gauss-seidel", lastSquare, firstPending: false, sweeps, mixes: true, remedies: [], error },
		mark: numbers[from + 5]!,
		markedAt: numbers[from + 6]!,
		window: { held, next: numbers[from + 2]!, hasLast: numbers[from + 3] === 1, gram, right },
	};
}

function vectorsOf(numbers: Float64Array, contacts: number, hasBest: boolean): Record<string, StateVector> {
	const from = places.RESULT + 12;
	const [held, hasLast, lastF] = [numbers[from + 1]!, numbers[from + 3] === 1, numbers[from + 4]!];
	const vector = (at: number): StateVector => ({ width: 3, values: numbers.slice(at, at + 3 * contacts) });
	const vectors: Record<string, StateVector> = { r: vector(places.R) };
	if (hasBest) vectors.best = vector(places.BEST);
	if (hasLast) vectors.lastF = vector(lastF);
	for (let j = 0; j < held; j += 1) {
		vectors[`dF${j}`] = vector(places.RESIDUAL_DIFFERENCES + j * places.VECTOR);
		vectors[`dG${j}`] = vector(places.ITERATE_DIFFERENCES + j * places.VECTOR);
	}
	return vectors;
}
