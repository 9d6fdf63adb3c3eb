/** The passing line of a solve: how far, how fast, by which method. Errors fall by powers of ten, so the bar counts decades. */
import type { Progress } from "@stickslip/core";
import type { Terminal } from "../command.js";
import { count, duration, oneLine, small } from "./format.js";

const cells = 20;
/** Rates are taken over this many seconds. */
const windowSeconds = 2;

/** A function to call with each progress; it draws at most every 100 ms. */
export function progressLine(
	terminal: Terminal,
	problem: string,
	measure: string,
	tolerance: number,
): (progress: Progress) => void {
	let first: number | undefined;
	let drawn = -Infinity;
	let from: Progress | undefined;
	let rates = "";
	const shown = oneLine(problem.slice(problem.lastIndexOf("/") + 1));
	return (now) => {
		if (!terminal.interactive) return;
		if (now.error > 0 && Number.isFinite(now.error)) first ??= now.error;
		if (from === undefined || now.seconds - from.seconds > windowSeconds || now.iterations < from.iterations) {
			if (from !== undefined) rates = rate(from, now);
			from = now;
		} else if (rates === "" || now.seconds - from.seconds > windowSeconds / 4) rates = rate(from, now);
		if (now.seconds - drawn < 0.1 && now.seconds >= drawn) return;
		drawn = now.seconds;
		const error = `${measure} ${Number.isFinite(now.error) ? `${now.exact ? "" : "~"}${small(now.error)}` : "not known yet"}`;
		const parts = [bar(first, now.error, tolerance), now.method, `iteration ${count(now.iterations)}`, error, rates];
		terminal.passing([shown, ...parts, duration(now.seconds)].filter((part) => part !== "").join("  "));
	};
}

/** Decades done of the decades from the first error to the tolerance. */
export function bar(first: number | undefined, error: number, tolerance: number): string {
	const all = Math.log10((first ?? error) / tolerance);
	const done = all > 0 ? Math.log10((first ?? error) / error) / all : 0;
	const full = Math.max(0, Math.min(cells, Math.floor(cells * (Number.isFinite(done) ? done : 0))));
	return `[${"#".repeat(full)}${".".repeat(cells - full)}]`;
}

/** Iterations per second, and decades of the error per hundred iterations. */
function rate(from: Progress, now: Progress): string {
	const iterations = now.iterations - from.iterations;
	const seconds = now.seconds - from.seconds;
	if (iterations <= 0 || seconds <= 0) return "";
	const speed = `${count(iterations / seconds)} it/s`;
	const decades = (100 * Math.log10(from.error / now.error)) / iterations;
	return Number.isFinite(decades) ? `${speed}, ${decades.toFixed(1)} decades/100 it` : speed;
}
