/**
 * A method is a stepper: it works on the system's R and U, one iteration at a time, and owns no loop, clock or communicator.
 * Drivers own the loop, decide when to measure, and end it.
 */
import type { Vector } from "../kernels/arena.js";
import type { MeasureName } from "../measures/measures.js";
import type { SavedRecord, SavedSpace } from "../state/saved.js";
import type { PlainRecord } from "../state/state.js";

/** What a method is between two iterations, besides R: no more than what cannot be made again to the same bits. */
export interface MethodState {
	/** Plain data, the same on every rank. */
	readonly scalars: PlainRecord;
	/** The method's own, not copies. */
	readonly vectors: Readonly<Record<string, Vector>>;
}

export interface Measurement {
	readonly name: MeasureName;
	readonly value: number;
}

export interface Method {
	/** The method of the moment, by the name users know. */
	readonly name: string;
	/** Products with W, without those that refresh U; a sweep over all rows counts as one. */
	readonly products: number;
	/** Whether the system's U belongs to its R, so that measuring costs no product. */
	readonly velocityFresh: boolean;
	/** The energy error of R: exact where U is fresh, an estimate otherwise; infinite where the method does not know it. */
	readonly error: number;
	/** The measure of R where U is fresh and the method has taken it with sums of its own. */
	readonly measured?: Measurement | undefined;
	/** Where U is fresh: iterations from one measure, and so one reduction, to the next; 1 where absent. */
	readonly measureEvery?: number;
	/** True when the method has nothing left to try. */
	readonly exhausted: boolean;
	/** What was changed when progress stopped, in order. */
	readonly remedies: readonly string[];
	/** Begins from the system's R as it stands. */
	start(): void;
	/** One iteration: R becomes a point of the cone. */
	iterate(): void;
	/** Between two iterations. */
	readonly state: MethodState;
	/** Collective. Goes on from the state of another run instead of starting; the system's R is there, its U is not. */
	resume(from: SavedRecord, vectors: SavedSpace): void;
	/** After R left the finite numbers: goes on from the best iterate in another way, or says that it has none. */
	recover?(): boolean;
}
