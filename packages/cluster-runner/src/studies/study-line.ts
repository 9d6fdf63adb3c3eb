/** The progress line of a study: how many cells are done, how long the others may take, and what is measured now. */
import { count, duration, oneLine } from "../base/format.js";
import type { Terminal } from "../cli/command.js";
import { type SimulationView, simulationText } from "../output/simulation-progress.js";
import type { StudyProgress } from "../study/run-cells.js";

const DRAW_MS = 100;

export class StudyLine {
	readonly #terminal: Terminal;
	readonly #now: () => number;
	/** When the first cell of this process was begun, and how many were done before. */
	#from: { readonly at: number; readonly done: number } | undefined;
	#drawn = -Infinity;

	/** `now` in milliseconds. */
	constructor(terminal: Terminal, now = () => performance.now()) {
		this.#terminal = terminal;
		this.#now = now;
	}

	show({ done, all, current, last }: StudyProgress): void {
		const at = this.#now();
		this.#from ??= { at, done };
		const measured = done - this.#from.done;
		const seconds = (at - this.#from.at) / 1000;
		const left = measured > 0 && done < all ? [`${duration(((all - done) * seconds) / measured)} left`] : [];
		const axes = Object.values(current ?? last?.axes ?? {}).join(" ");
		this.#draw([`${count(done)} of ${count(all)}`, ...left, oneLine(axes)].join("  "));
	}

	/** Steps of a scene that are left out of what is measured. */
	showStart(view: SimulationView): void {
		if (this.#now() - this.#drawn < DRAW_MS) return;
		this.#draw(`start: ${simulationText(view, this.#terminal.columns - 8)}`);
	}

	#draw(text: string): void {
		this.#drawn = this.#now();
		this.#terminal.passing(text.slice(0, this.#terminal.columns - 1));
	}
}
