/** What steps of a simulation cost a rank: seconds of computing and of waiting, and what it sent. */
import type { TimedCollectives, Traffic } from "@stickslip/core/parallel";
import { anyNumber, type Checked, called, record } from "@stickslip/core/schema";
import type { StepStatistics } from "@stickslip/mechanics";

const amount = called("a number", anyNumber);

export const isStepEffort = record({
	steps: amount,
	/** Of the steps, by the rank's own clock. */
	seconds: amount,
	/** Of these: what is not in the communicator, packing, waiting for neighbours, and reductions with other collective calls. */
	compute: amount,
	pack: amount,
	wait: amount,
	reduce: amount,
	/** Parts of the steps: finding contacts, setting up solves, solving, the rest. */
	detect: amount,
	setup: amount,
	solve: amount,
	rest: amount,
	exchanges: amount,
	reductions: amount,
	messages: amount,
	bytes: amount,
	/** Sums over the steps. */
	contacts: amount,
	iterations: amount,
	products: amount,
	/** Solves that failed and were tried again in another way. */
	retries: amount,
	/** Steps whose first solve failed, and the iterations of what solved them. */
	retriedSteps: amount,
	retriedIterations: amount,
});
export type StepEffort = Checked<typeof isStepEffort>;

const NOTHING = {
	...{ steps: 0, seconds: 0, compute: 0, pack: 0, wait: 0, reduce: 0 },
	...{ detect: 0, setup: 0, solve: 0, rest: 0 },
	...{ exchanges: 0, reductions: 0, messages: 0, bytes: 0 },
	...{ contacts: 0, iterations: 0, products: 0, retries: 0, retriedSteps: 0, retriedIterations: 0 },
};

/** Steps before `from` are not counted. */
export class EffortCounter {
	readonly #communicator: TimedCollectives;
	readonly #from: number;
	readonly #sums: Record<keyof typeof NOTHING, number> = { ...NOTHING };
	#started = 0;
	#before: Traffic | undefined;
	#collectiveBefore = 0;

	constructor(communicator: TimedCollectives, from: number) {
		this.#communicator = communicator;
		this.#from = from;
	}

	/** `steps` are done so far. */
	begin(steps: number): void {
		if (steps < this.#from) return;
		this.#before = this.#communicator.traffic;
		this.#collectiveBefore = this.#communicator.collectiveSeconds;
		this.#started = performance.now();
	}

	end({ seconds: phases, contacts, iterations, products, retries }: StepStatistics): void {
		if (this.#before === undefined) return;
		const seconds = (performance.now() - this.#started) / 1000;
		const [before, after] = [this.#before, this.#communicator.traffic];
		const less = (name: keyof Traffic) => after[name] - before[name];
		const [pack, wait] = [less("pack"), less("wait")];
		const reduce = less("reduce") + this.#communicator.collectiveSeconds - this.#collectiveBefore;
		const { detect, setup, solve, rest } = phases;
		const [retriedSteps, retriedIterations] = retries > 0 ? [1, iterations] : [0, 0];
		const step: StepEffort = {
			...{ steps: 1, seconds, compute: Math.max(0, seconds - pack - wait - reduce), pack, wait, reduce },
			...{ detect, setup, solve, rest, contacts, iterations, products, retries },
			...{ retriedSteps, retriedIterations },
			...{ exchanges: less("exchanges"), reductions: less("reductions") },
			...{ messages: less("messages"), bytes: less("bytes") },
		};
		for (const [name, value] of Object.entries(step)) this.#sums[name as keyof typeof NOTHING] += value;
		this.#before = undefined;
	}

	get total(): StepEffort {
		return this.#sums;
	}
}
