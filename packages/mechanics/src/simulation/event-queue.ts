/** The events of a simulation in their order, and which of them have happened. */
import type { SimulationEvent } from "./events.js";

/** Of a step. */
const LATE = 1e-6;

const NONE: readonly SimulationEvent[] = [];

export class EventQueue {
	readonly #events: readonly SimulationEvent[];
	/** Length of a step. */
	readonly #h: number;
	#next = 0;

	constructor(events: readonly SimulationEvent[], h: number) {
		this.#events = events;
		this.#h = h;
	}

	/** What is due before step `step`, counted from 0, and has not been taken yet. */
	take(step: number): readonly SimulationEvent[] {
		const from = this.#next;
		while (this.#next < this.#events.length && this.#isDue(this.#events[this.#next]!, step)) this.#next += 1;
		return from === this.#next ? NONE : this.#events.slice(from, this.#next);
	}

	/** What was due before the first `steps` steps: for a simulation that goes on after them. */
	resume(steps: number): readonly SimulationEvent[] {
		this.#next = 0;
		return this.take(steps - 1);
	}

	/** Times of events and of steps are rounded: one that comes a little late is due. */
	#isDue({ time }: SimulationEvent, step: number): boolean {
		return time <= (step + LATE) * this.#h;
	}
}
