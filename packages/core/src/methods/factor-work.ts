/**
 * What a phase with factors costs, in sweeps: both in nanoseconds of one core, by models that were fitted to `npm run bench -- factor` and
 * `auto-train`. Only their ratio counts, and that follows from W alone: no clock and no number of ranks enters a choice.
 */
import { entriesOf } from "../factor/stored-rows.js";
import type { System } from "../system/system.js";
import type { FactorSize } from "./newton-system.js";

/** A sweep: of each contact, and of each block of W. */
const SWEEP_CONTACT = 35;
const SWEEP_BLOCK = 3;
/** Order, pattern and room of the factors, of each block of W. */
const ANALYSIS_BLOCK = 200;
/** A factorisation and a solve: of each multiplication or addition, block of the factors (6x6), contact, and block of W. */
const STEP_FLOP = 0.04;
const STEP_FACTOR_BLOCK = 90;
const STEP_CONTACT = 400;
const STEP_BLOCK = 50;

export class FactorWork {
	readonly #contacts: number;
	readonly #entries: number;
	readonly #sweep: number;

	/** Collective. Of a system whose operator has rows. */
	constructor(system: System) {
		const { start } = entriesOf(system.operator.rows!, system.blocks);
		this.#contacts = system.share.contacts;
		this.#entries = system.sumOver((a) => start[a + 1]! - start[a]!);
		this.#sweep = SWEEP_CONTACT * this.#contacts + SWEEP_BLOCK * this.#entries;
	}

	/** Sweeps that the analysis takes: known before it is made. */
	get analysis(): number {
		return (ANALYSIS_BLOCK * this.#entries) / this.#sweep;
	}

	/** Sweeps that a step takes: at least, while the size of the factors is not known. */
	step(size?: FactorSize): number {
		const { flops, blocks } = size ?? { flops: 0, blocks: this.#contacts / 2 };
		const own = STEP_FLOP * flops + STEP_FACTOR_BLOCK * blocks;
		return (own + STEP_CONTACT * this.#contacts + STEP_BLOCK * this.#entries) / this.#sweep;
	}
}
