/** The progress line of a simulation: time, steps done of all, contacts, iterations, failed steps and the time left. */
import { count, duration, oneLine, three } from "../base/format.js";
import type { Terminal } from "../cli/command.js";

/** How far a simulation is. */
export interface SimulationView {
	readonly scene: string;
	readonly step: number;
	readonly steps: number;
	/** Of the simulation. */
	readonly time: number;
	readonly bodies: number;
	readonly contacts: number;
	/** Of the last solve. */
	readonly iterations: number;
	readonly failedSteps: number;
	/** Of this process, and how many the steps that are left will take; undefined until it is known. */
	readonly seconds: number;
	readonly left?: number | undefined;
}

const CELLS = 20;
const DRAW_MS = 100;
/** The rate is taken over this many seconds. */
const WINDOW_SECONDS = 5;

/** How long the rest will take, by the steps of the last seconds. */
export class TimeLeft {
	#from: { readonly step: number; readonly seconds: number } | undefined;
	#rate: number | undefined;

	of(step: number, steps: number, seconds: number): number | undefined {
		this.#from ??= { step, seconds };
		const passed = seconds - this.#from.seconds;
		if (passed > 0.2) this.#rate = (step - this.#from.step) / passed;
		if (passed > WINDOW_SECONDS) this.#from = { step, seconds };
		return this.#rate === undefined || this.#rate <= 0 ? undefined : (steps - step) / this.#rate;
	}
}

/** A function to call with each progress; it draws at most every 100 ms. */
export function simulationLine(terminal: Terminal): (view: SimulationView) => void {
	let drawn = -Infinity;
	return (view) => {
		const now = performance.now();
		if (!terminal.interactive || now - drawn < DRAW_MS) return;
		drawn = now;
		terminal.passing(simulationText(view, terminal.columns - 1));
	};
}

/** The line in at most this many columns: what matters least is left out first. */
export function simulationText(view: SimulationView, columns: number): string {
	const { scene, step, steps, time, contacts, iterations, failedSteps, left } = view;
	const share = steps > 0 ? Math.min(1, step / steps) : 1;
	const full = Math.floor(CELLS * share);
	/** The most important first; their order in the line is another one. */
	const parts: readonly (readonly [number, string])[] = [
		[7, oneLine(scene)],
		[5, `[${"#".repeat(full)}${".".repeat(CELLS - full)}]`],
		[1, `${three(time)} s`],
		[0, `step ${count(step)} of ${count(steps)}`],
		[2, `${count(contacts)} contacts`],
		[4, `${count(iterations)} it`],
		[3, failedSteps > 0 ? `${count(failedSteps)} failed` : ""],
		[6, left === undefined ? "" : `${duration(left)} left`],
	];
	for (let least = parts.length; ; least -= 1) {
		const line = parts.filter(([weight, text]) => weight < least && text !== "").map(([, text]) => text);
		const joined = line.join("  ");
		if (joined.length <= columns || least === 1) return joined.slice(0, Math.max(0, columns));
	}
}
