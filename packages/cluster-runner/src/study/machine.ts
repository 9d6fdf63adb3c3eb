/** The machine on which a sample was measured, and what else went on there meanwhile: samples of another clock or another load are not compared silently. */
import { arch, cpus, hostname, platform } from "node:os";
import { version } from "@stickslip/core";
import { systemText } from "../base/proc.js";
import { usableCores } from "./usable-cores.js";

export interface Circumstances {
	readonly version: string;
	readonly node: string;
	readonly host: string;
	readonly processor: string;
	/** That this process can keep busy. */
	readonly cores: number;
	readonly platform: string;
	readonly date: string;
	/** Milliseconds of a fixed loop of integers on one core, just before and after: a measure of its clock. */
	readonly probe: number;
	/** Cores that other programs kept busy meanwhile; absent where the system does not tell, or the sample was too short to tell. */
	readonly others?: number;
}

const PROBE_STEPS = 2 ** 20;
const PROBE_TRIES = 5;
/** Ticks of the system are 10 ms: of shorter samples nothing can be said. */
const WATCHED_SECONDS_MIN = 0.2;

/** The least milliseconds of several tries. */
export function probe(): number {
	let least = Infinity;
	for (let attempt = 0; attempt < PROBE_TRIES; attempt += 1) {
		const started = performance.now();
		let state = attempt + 1;
		for (let step = 0; step < PROBE_STEPS; step += 1) state = (Math.imul(state, 1664525) + 1013904223) | 0;
		// The result is used, so that the loop is not left out.
		least = Math.min(least, performance.now() - started + (state === 0.5 ? 1 : 0));
	}
	return least;
}

/** From its making to `end`, around one sample. */
export class MachineWatch {
	readonly #probe = probe();
	readonly #started = performance.now();
	readonly #busy = busySeconds();
	readonly #own = ownSeconds();

	end(): Circumstances {
		const seconds = (performance.now() - this.#started) / 1000;
		const [busy, own] = [busySeconds(), ownSeconds()];
		const isTold = this.#own !== undefined && own !== undefined && seconds >= WATCHED_SECONDS_MIN;
		const others = isTold ? Math.max(0, (busy - this.#busy - (own - this.#own!)) / seconds) : undefined;
		return {
			version,
			node: process.versions.node,
			host: hostname(),
			processor: cpus()[0]?.model.trim() ?? "unknown",
			cores: usableCores(),
			platform: `${platform()} ${arch()}`,
			date: new Date().toISOString(),
			probe: Math.max(this.#probe, probe()),
			...(others !== undefined && { others: Number(others.toFixed(3)) }),
		};
	}
}

/** Of all cores of the machine together. */
function busySeconds(): number {
	return cpus().reduce((sum, { times }) => sum + (times.user + times.nice + times.sys + times.irq) / 1000, 0);
}

/** Of this process and of those that it has started and that have ended; undefined where the system does not tell. */
function ownSeconds(): number | undefined {
	const stat = systemText("/proc/self/stat");
	if (stat === undefined) return undefined;
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	const ticks = [11, 12, 13, 14].map((field) => Number(fields[field]));
	const seconds = ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
	return Number.isFinite(seconds) ? seconds : undefined;
}

/** Of Linux on all machines on which Node.js runs. */
const TICKS_PER_SECOND = 100;
