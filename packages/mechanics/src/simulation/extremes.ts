/** Largest overlap and largest speed of a run so far. They are part of a checkpoint, and the same on any number of ranks. */
import type { Plain, SavedState } from "@stickslip/core/parallel";
import type { StepStatistics } from "./statistics.js";

export interface Extreme {
	readonly value: number;
	/** Time at the end of the first step that has this value. */
	readonly time: number;
	/** Ids, ascending: two bodies of an overlap, one of a speed. */
	readonly bodies: readonly number[];
}

/** Absent as long as nothing overlaps, or nothing moves. */
export interface RunExtremes {
	readonly overlap?: Extreme;
	readonly speed?: Extreme;
}

/** Numbers of an extreme in a checkpoint: value, time, and two ids, -1 for none. */
const WIDTH = 4;
const NONE = [0, 0, -1, -1];

export class ExtremeTracker {
	#overlap: Extreme | undefined;
	#speed: Extreme | undefined;

	get extremes(): RunExtremes {
		return { ...(this.#overlap && { overlap: this.#overlap }), ...(this.#speed && { speed: this.#speed }) };
	}

	/** After a step. */
	add(step: Pick<StepStatistics, "largestPenetration" | "deepestPair" | "largestSpeed" | "fastestBody">, time: number) {
		const { largestPenetration, deepestPair, largestSpeed, fastestBody } = step;
		if (largestPenetration > (this.#overlap?.value ?? 0))
			this.#overlap = { value: largestPenetration, time, bodies: deepestPair };
		if (largestSpeed > (this.#speed?.value ?? 0)) this.#speed = { value: largestSpeed, time, bodies: [fastestBody] };
	}

	/** For a checkpoint. */
	state(): Plain {
		return [this.#overlap, this.#speed].flatMap((extreme) => numbersOf(extreme));
	}

	/** Continues from a checkpoint; those of earlier versions have no extremes, which then are those since. */
	resume(saved: SavedState["scalars"]): void {
		if (!saved.has("extremes")) return;
		const numbers = saved.numbers("extremes", 2 * WIDTH);
		this.#overlap = extremeOf(numbers.slice(0, WIDTH));
		this.#speed = extremeOf(numbers.slice(WIDTH));
	}
}

function numbersOf(extreme: Extreme | undefined): number[] {
	if (extreme === undefined) return NONE;
	const { value, time, bodies } = extreme;
	return [value, time, bodies[0]!, bodies[1] ?? -1];
}

function extremeOf([value = 0, time = 0, ...ids]: readonly number[]): Extreme | undefined {
	return value > 0 ? { value, time, bodies: ids.filter((id) => id >= 0) } : undefined;
}
