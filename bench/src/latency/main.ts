/** How long ranks take to talk, transport by transport, each beside the same thing written in C, in one run. */
import { parseArgs } from "node:util";
import type { Bench } from "../bench.js";
import { compare, type Times } from "../kernels/windows.js";
import { recordCsv } from "../record.js";
import { mpiLatency } from "./mpi.js";
import { threadsLatency } from "./threads.js";
import { zeromqLatency } from "./zeromq.js";

const usage = "npm run bench -- latency [--only threads|zeromq|openmpi|mpich] [--rounds N] [--window MS] [--tiny]";

export interface LatencyEffort {
	/** Windows of each side. */
	readonly rounds: number;
	readonly windowMs: number;
}

/** One thing that ranks do; times are nanoseconds. */
export interface LatencyRow {
	readonly what: string;
	/** Two unless said. */
	readonly ranks?: number;
	readonly bytes: number;
	readonly ours: Times;
	/** Absent for what C has no counterpart here. */
	readonly c?: Times;
}

/** A transport's rows, or why there are none; `absent` tells why there is no C beside them. */
interface Section {
	readonly name: string;
	readonly measure: (
		effort: LatencyEffort,
	) => Promise<{ readonly rows: readonly LatencyRow[]; readonly absent?: string }>;
}

const sections: readonly Section[] = [
	{ name: "threads", measure: threadsLatency },
	{ name: "zeromq", measure: zeromqLatency },
	{ name: "openmpi", measure: (effort) => mpiLatency("openmpi", effort) },
	{ name: "mpich", measure: (effort) => mpiLatency("mpich", effort) },
];

/** What the figures have to be: microseconds, or times what C takes. */
interface Promised {
	readonly transport: string;
	readonly what: string;
	readonly bytes: number;
	readonly microsecondsMax?: number;
	readonly ratioMax?: number;
}

const promises: readonly Promised[] = [
	{ transport: "threads", what: "reduction", bytes: 32, microsecondsMax: 1 },
	{ transport: "zeromq", what: "round trip", bytes: 8, ratioMax: 1.35 },
	...["openmpi", "mpich"].flatMap((transport) => [
		{ transport, what: "reduction", bytes: 8, ratioMax: 1.5 },
		{ transport, what: "reduction", bytes: 32, ratioMax: 1.5 },
		{ transport, what: "exchange", bytes: 1024, ratioMax: 1.5 },
		{ transport, what: "round trip", bytes: 8, ratioMax: 1.5 },
	]),
];

export const latency: Bench = {
	name: "latency",
	what: "communication times of threads, zeromq and MPI, each beside C",
	async run(args) {
		const plan = planned(args);
		if (typeof plan === "string") {
			console.log(`${plan}\n${usage}`);
			return 2;
		}
		const flat: Record<string, string | number>[] = [];
		const broken: string[] = [];
		console.log(header);
		for (const { name, measure } of sections) {
			if (plan.only !== undefined && plan.only !== name) continue;
			const { rows, absent } = await measure(plan.effort);
			if (absent !== undefined)
				console.log(`${name}: ${rows.length === 0 ? "skipped" : "no C program beside it"}: ${absent}`);
			for (const row of rows) {
				console.log(line(name, row));
				flat.push(record(name, row));
				broken.push(...brokenBy(name, row));
			}
		}
		if (plan.tiny) return 0;
		for (const one of broken) console.log(`not kept: ${one}`);
		if (plan.only === undefined) console.log(`recorded in ${recordCsv("latency", flat)}`);
		return broken.length === 0 ? 0 : 1;
	},
};

function planned(args: readonly string[]) {
	try {
		const { values } = parseArgs({
			args: [...args],
			options: {
				only: { type: "string" },
				rounds: { type: "string" },
				window: { type: "string" },
				tiny: { type: "boolean", default: false },
			},
		});
		const { only, tiny } = values;
		const effort: LatencyEffort = {
			rounds: Number(values.rounds ?? (tiny ? 2 : 30)),
			windowMs: Number(values.window ?? (tiny ? 0.5 : 10)),
		};
		if (!(effort.rounds >= 1 && effort.windowMs > 0)) return "an option is not a positive number";
		if (only !== undefined && !sections.some(({ name }) => name === only)) return `unknown transport ${only}`;
		return { only, tiny, effort };
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

const header = `${"microseconds".padEnd(36)}${["least", "median", "high", "C least", "C median", "times C"].map((text) => text.padStart(10)).join("")}`;

const micro = (nanoseconds: number | undefined): string =>
	nanoseconds === undefined ? "" : (nanoseconds / 1000).toFixed(nanoseconds < 1e5 ? 3 : 0);

function line(transport: string, { what, ranks = 2, bytes, ours, c }: LatencyRow): string {
	const name = `${transport}, ${ranks} ranks: ${what}, ${bytes} B`;
	const ratio = c === undefined ? "" : (ours.least / c.least).toFixed(2);
	const numbers = [ours.least, ours.median, ours.high, c?.least, c?.median].map(micro);
	return `${name.padEnd(36)}${[...numbers, ratio].map((text) => text.padStart(10)).join("")}`;
}

function record(transport: string, { what, ranks = 2, bytes, ours, c }: LatencyRow): Record<string, string | number> {
	const ratio = c === undefined ? undefined : compare(c, ours);
	return {
		transport,
		ranks,
		what,
		bytes,
		leastMicroseconds: micro(ours.least),
		lowMicroseconds: micro(ours.low),
		medianMicroseconds: micro(ours.median),
		highMicroseconds: micro(ours.high),
		cLeastMicroseconds: micro(c?.least),
		cMedianMicroseconds: micro(c?.median),
		timesC: ratio?.byLeast.toFixed(3) ?? "",
		timesCMedian: ratio?.pairs.median.toFixed(3) ?? "",
	};
}

/** Least times, as far as the machine is quiet enough for them. */
export function brokenBy(transport: string, { what, ranks = 2, bytes, ours, c }: LatencyRow): string[] {
	const one = promises.find((it) => it.transport === transport && it.what === what && it.bytes === bytes);
	if (one === undefined || ranks !== 2) return [];
	const name = `${transport}: ${what} of ${bytes} bytes`;
	const { microsecondsMax, ratioMax } = one;
	const broken: string[] = [];
	if (microsecondsMax !== undefined && ours.least > 1000 * microsecondsMax) {
		broken.push(`${name} takes ${micro(ours.least)} microseconds, at most ${microsecondsMax} were promised`);
	}
	if (ratioMax !== undefined && c !== undefined && ours.least > ratioMax * c.least) {
		broken.push(
			`${name} takes ${(ours.least / c.least).toFixed(2)} times what C takes, at most ${ratioMax} were promised`,
		);
	}
	return broken;
}
