/**
 * Heaps of spheres up to ten million contacts, made, cut, and solved to energy 1e-2 by two ranks without forming W: bytes per contact, and the time of a
 * sweep per contact, which should grow no more than leaving the caches costs. Each size in a process of its own, whose peak is that size's; a row is
 * written when it is done, and what grows is told of all rows that are there.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Bench } from "../bench.js";
import { mergeCsv, readCsv } from "../record.js";
import type { Solved } from "./ten-million-child.js";

const SIZES = [1000, 10_000, 100_000, 1_000_000, 10_000_000];
const RANKS = 2;
const ITERATIONS_MAX = 1000;
/** Small ones are solved so often that a moment of another process does not count; the fastest is taken. */
const ROUNDS_BELOW = 1_000_000;
const ROUNDS = 3;
const PEAK_MAX = 20e9;
/** Largest over least: bytes per contact; time of a sweep from all sizes on, and from 100,000 contacts on. */
const BYTES_RATIO_MAX = 1.3;
const TIME_RATIO_MAX = 2.5;
const TIME_RATIO_MAX_LARGE = 1.3;
const LARGE = 100_000;

const child = fileURLToPath(new URL("../../dist/sizes/ten-million-child.js", import.meta.url));

type Row = {
	readonly contacts: number;
	readonly ranks: number;
	readonly status: string;
	readonly energy: number;
	readonly sweeps: number;
	/** Of a sweep, per contact, on all ranks together. */
	readonly nanoseconds: number;
	readonly secondsMade: number;
	readonly secondsAll: number;
	/** Per contact: of the ranks' solvers, and of the whole process with the problem and Node.js itself. */
	readonly rankBytes: number;
	readonly peakBytes: number;
	readonly hash: string;
};

function start(contacts: number, ranks: number): Solved {
	const words = [child, contacts, ranks, ITERATIONS_MAX].map(String);
	return JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8" })) as Solved;
}

export function rowOf(solved: Solved, ranks: number): Row {
	const { contacts, status, energy, iterations, seconds, secondsMade, secondsAll, rankBytes, peakBytes, hash } = solved;
	return {
		...{ contacts, ranks, status, energy, sweeps: iterations },
		nanoseconds: (1e9 * seconds) / (iterations * contacts),
		...{ secondsMade, secondsAll, rankBytes: rankBytes / contacts, peakBytes: peakBytes / contacts },
		hash: hash.slice(0, 16),
	};
}

const ratio = (values: readonly number[]): number => Math.max(...values) / Math.min(...values);

/** One sentence for each target that is missed. */
export function missed(rows: readonly Row[]): string[] {
	const sentences = rows
		.filter(({ status }) => status !== "solved")
		.map(({ contacts, status, energy }) => `${contacts} contacts: ${status} at energy ${energy.toExponential(1)}`);
	for (const { contacts, peakBytes } of rows)
		if (contacts * peakBytes > PEAK_MAX)
			sentences.push(`${contacts} contacts: a peak of ${((contacts * peakBytes) / 1e9).toFixed(1)} GB`);
	const above = (what: string, values: readonly number[], most: number) => {
		if (values.length > 1 && ratio(values) > most)
			sentences.push(`${what}: ${ratio(values).toFixed(2)} times the least, above ${most}`);
	};
	const times = (least: number) =>
		rows.filter(({ contacts }) => contacts >= 0.9 * least).map(({ nanoseconds }) => nanoseconds);
	above(
		"bytes per contact",
		rows.map(({ rankBytes }) => rankBytes),
		BYTES_RATIO_MAX,
	);
	above("time of a sweep", times(0), TIME_RATIO_MAX);
	above(`time of a sweep from ${LARGE} contacts on`, times(LARGE), TIME_RATIO_MAX_LARGE);
	return sentences;
}

function cellsOf({ contacts, ranks, status, sweeps, hash, ...numbers }: Row): Record<string, string | number> {
	const three = Object.entries(numbers).map(([name, value]) => [name, value.toPrecision(3)] as const);
	return { contacts, ranks, status, sweeps, ...Object.fromEntries(three), hash };
}

/** All rows that are there, of this run and of those before. */
function recorded(): Row[] {
	return readCsv<keyof Row>("ten-million").map(({ status, hash, ...cells }) => {
		const numbers = Object.entries(cells).map(([name, cell]) => [name, Number(cell)] as const);
		return { status, hash, ...Object.fromEntries(numbers) } as Row;
	});
}

export const tenMillion: Bench = {
	name: "ten-million",
	what: "heaps of 1,000 to 10,000,000 contacts to energy 1e-2 without W: bytes per contact, time of a sweep",
	run(args) {
		const { values } = parseArgs({
			args: [...args],
			options: {
				sizes: { type: "string", default: SIZES.join(",") },
				ranks: { type: "string", default: String(RANKS) },
			},
		});
		const ranks = Number(values.ranks);
		for (const contacts of values.sizes.split(",").map(Number)) {
			const rounds = Array.from({ length: contacts < ROUNDS_BELOW ? ROUNDS : 1 }, () =>
				rowOf(start(contacts, ranks), ranks),
			);
			const row = rounds.reduce((best, one) => (one.nanoseconds < best.nanoseconds ? one : best));
			console.log(
				`${row.contacts} contacts, ${row.status} in ${row.sweeps} sweeps of ${row.nanoseconds.toFixed(1)} ns per contact, ${row.rankBytes.toFixed(0)} bytes per contact (${row.peakBytes.toFixed(0)} with the problem), made in ${row.secondsMade.toFixed(1)} s, all else ${row.secondsAll.toFixed(1)} s`,
			);
			mergeCsv("ten-million", ["contacts", "ranks"], [cellsOf(row)]);
		}
		const misses = missed(recorded().filter((row) => row.ranks === ranks));
		for (const miss of misses) console.log(`missed: ${miss}`);
		return misses.length === 0 ? 0 : 1;
	},
};
