/** The progress line of a solve: iteration, error, rates and method. Errors fall by powers of ten, so the bar counts decades. */
import type { Progress } from "@stickslip/core";
import { count, duration, oneLine, small, three } from "../base/format.js";
import type { Terminal } from "../cli/command.js";

const cells = 20;
/** Rates are taken over this many seconds. */
const windowSeconds = 2;

/** A progress with what its line needs: its problem, and what came before it. */
export interface ProgressView extends Progress {
	readonly problem: string;
	readonly measure: string;
	readonly tolerance: number;
	/** The first error and the least; infinite before there is one. */
	readonly first?: number;
	readonly best: number;
	/** Iterations per second, and decades of the error per hundred iterations, if they are known. */
	readonly rate?: number;
	readonly decades?: number;
}

/** Follows a solve, so that its line can be drawn here or elsewhere. */
export class ProgressTracker {
	readonly #about: Pick<ProgressView, "problem" | "measure" | "tolerance">;
	readonly #rates = new Rates();
	#first: number | undefined;
	#best = Number.POSITIVE_INFINITY;

	constructor(problem: string, measure: string, tolerance: number, first?: number) {
		this.#about = { problem, measure, tolerance };
		this.#first = first;
	}

	take(now: Progress): ProgressView {
		if (now.error > 0 && Number.isFinite(now.error)) {
			this.#first ??= now.error;
			this.#best = Math.min(this.#best, now.error);
		}
		this.#rates.take(now);
		const { speed, decades } = this.#rates;
		return {
			...this.#about,
			...now,
			...(this.#first !== undefined && { first: this.#first }),
			best: this.#best,
			...(speed !== undefined && { rate: speed }),
			...(decades !== undefined && { decades }),
		};
	}
}

/** A function to call with each progress; it draws at most every 100 ms. */
export function progressLine(
	terminal: Terminal,
	problem: string,
	measure: string,
	tolerance: number,
): (progress: Progress) => void {
	let drawn = -Infinity;
	const tracker = new ProgressTracker(problem, measure, tolerance);
	return (now) => {
		if (!terminal.interactive) return;
		const shown = tracker.take(now);
		if (now.seconds - drawn < 0.1 && now.seconds >= drawn) return;
		drawn = now.seconds;
		// The last column stays free: a terminal may wrap a line that fills it.
		terminal.passing(progressText(shown, terminal.columns - 1));
	};
}

/** The line in at most this many columns; 39 are always enough. */
export function progressText(shown: ProgressView, columns: number): string {
	const { problem, measure, error, rate, decades } = shown;
	const known = Number.isFinite(error) ? `${shown.exact ? "" : "~"}${small(error)}` : "not known yet";
	const line: Line = {
		name: oneLine(problem.slice(problem.lastIndexOf("/") + 1)),
		bar: bar(shown.first, shown.best, shown.tolerance),
		method: shown.method,
		iteration: `iteration ${count(shown.iterations)}`,
		error: `${measure} ${known}`,
		speed: rate === undefined ? "" : `${three(rate)} it/s`,
		decades: decades === undefined ? "" : `${decades.toFixed(1)} decades/100 it`,
		time: duration(shown.seconds),
	};
	return fitted(line, columns);
}

interface Line {
	readonly name: string;
	readonly bar: string;
	readonly method: string;
	readonly iteration: string;
	readonly error: string;
	readonly speed: string;
	readonly decades: string;
	readonly time: string;
}

/** How a line that is too long is shortened, in this order; error and speed always stay. */
const shortenings: readonly ((line: Line) => Line)[] = [
	(line) => ({ ...line, name: cut(line.name, 24) }),
	(line) => ({ ...line, name: cut(line.name, 12) }),
	(line) => ({ ...line, name: "" }),
	(line) => ({ ...line, decades: "" }),
	(line) => ({ ...line, iteration: line.iteration.replace("iteration ", "it ") }),
	(line) => ({ ...line, bar: "" }),
	(line) => ({ ...line, time: "" }),
	(line) => ({ ...line, method: cut(line.method, 8) }),
	(line) => ({ ...line, method: "" }),
	(line) => ({ ...line, iteration: "" }),
];

/** The line in at most this many columns; 39 are always enough. */
export function fitted(line: Line, columns: number): string {
	let short = line;
	for (const shorten of shortenings) {
		if (laidOut(short).length <= columns) break;
		short = shorten(short);
	}
	return laidOut(short);
}

function laidOut({ name, bar, method, iteration, error, speed, decades, time }: Line): string {
	const rates = [speed, decades].filter((part) => part !== "").join(", ");
	return [name, bar, method, iteration, error, rates, time].filter((part) => part !== "").join("  ");
}

/** The end of a name says more than its beginning: piles of one study differ there. */
function cut(name: string, length: number): string {
	return name.length <= length ? name : `…${name.slice(1 - length)}`;
}

/** Decades done of the decades from the first error to the tolerance. */
export function bar(first: number | undefined, error: number, tolerance: number): string {
	const all = Math.log10((first ?? error) / tolerance);
	const done = all > 0 ? Math.log10((first ?? error) / error) / all : 0;
	const full = Math.max(0, Math.min(cells, Math.floor(cells * (Number.isFinite(done) ? done : 0))));
	return `[${"#".repeat(full)}${".".repeat(cells - full)}]`;
}

/** Iterations per second, and decades of the error per hundred iterations, of the present method over the last seconds. */
class Rates {
	speed: number | undefined;
	decades: number | undefined;
	#from: Progress | undefined;

	take(now: Progress): void {
		const from = this.#from;
		// Another method, or another solve of the same problem: earlier progress does not count.
		if (from === undefined || now.method !== from.method || now.iterations < from.iterations) {
			this.speed = undefined;
			this.decades = undefined;
			this.#from = now;
			return;
		}
		const seconds = now.seconds - from.seconds;
		if (this.speed === undefined || seconds > windowSeconds / 4) this.#measure(from, now);
		if (seconds > windowSeconds) this.#from = now;
	}

	#measure(from: Progress, now: Progress): void {
		const iterations = now.iterations - from.iterations;
		const seconds = now.seconds - from.seconds;
		if (iterations <= 0 || seconds <= 0) return;
		this.speed = iterations / seconds;
		const decades = (100 * Math.log10(from.error / now.error)) / iterations;
		this.decades = Number.isFinite(decades) ? decades : undefined;
	}
}
