/** What a phase with factors costs, in sweeps (assembly/factor-work.ts), of a system. */
import { entriesOf } from "../factor/stored-rows.js";
import { analysisWork, factorStepWork, leastStepWork } from "../kernels/generated/factor-work.js";
import type { System } from "../system/system.js";
import type { FactorSize } from "./newton-system.js";

export class FactorWork {
	readonly #contacts: number;
	readonly #entries: number;

	/** Collective. Of a system whose operator has rows. */
	constructor(system: System) {
		const { start } = entriesOf(system.operator.rows!, system.blocks);
		this.#contacts = system.share.contacts;
		this.#entries = system.sumOver((a) => start[a + 1]! - start[a]!);
	}

	/** Sweeps that the analysis takes: known before it is made. */
	get analysis(): number {
		return analysisWork(this.#contacts, this.#entries);
	}

	/** Sweeps that a step takes: at least, while the size of the factors is not known. */
	step(size?: FactorSize): number {
		if (size === undefined) return leastStepWork(this.#contacts, this.#entries);
		return factorStepWork(this.#contacts, this.#entries, size.flops, size.blocks);
	}
}
