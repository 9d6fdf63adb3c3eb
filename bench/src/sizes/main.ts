/**
 * Piles of 1,000 to 1,000,000 contacts: products and time to energy 1e-3 and 1e-4 (planks 1e-6 too), and how they grow. A row is written
 * when it is done, and a row that is there is not measured again, so that a bench that was stopped goes on; what grows is told of all rows
 * that are there. Sizes above 100,000 have a limit of time: where it ends, `time-limit` stands in the row.
 */
import { parseArgs } from "node:util";
import { type Problem, type SolveOptions, solve } from "@stickslip/core";
import type { Bench } from "../bench.js";
import { mergeCsv, readCsv } from "../record.js";
import { growthOf, missed, type Row, TARGETS } from "./growth.js";
import { MOTIONS, type Motion, PILES, type PileName, pose } from "./piles.js";

const SIZES = [1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000];
const SEEDS = [3, 4, 5];
const KEY = ["pile", "motion", "contacts", "seed", "method", "tolerance"] as const;
/** Solves shorter than this are repeated: the least time counts, of the clock and of the processor. */
const REPEATED_SECONDS = 0.5;
const REPEATS = 4;
const LIMITED_ABOVE = 100_000;

interface Limits {
	readonly iterations: number;
	/** Seconds of a solve; Infinity for none. */
	readonly seconds: number;
}

function tolerancesOf(pile: PileName): readonly number[] {
	return pile === "planks" ? [1e-3, 1e-4, 1e-6] : [1e-3, 1e-4];
}

/** One tolerance after the other, up to the first that is not reached; those in `known` are not measured again. */
export function measure(
	pile: PileName,
	motion: Motion,
	contacts: number,
	seed: number,
	method: string,
	limits: Limits,
	known: readonly Row[] = [],
	done: (row: Row) => void = () => {},
): Row[] {
	const rows: Row[] = [];
	let posed: ReturnType<typeof pose> | undefined;
	for (const tolerance of tolerancesOf(pile)) {
		let row = known.find((one) => one.tolerance === tolerance);
		if (row === undefined) {
			posed ??= pose(pile, motion, contacts, seed);
			const options = {
				method,
				tolerance,
				start: posed.start,
				maxIterations: limits.iterations,
				...(limits.seconds < Number.POSITIVE_INFINITY && { timeLimit: limits.seconds }),
			};
			const { report, seconds, processor } = timedSolve(posed.problem, options);
			const { status, iterations, products, energy } = report;
			row = {
				...{ pile, motion, contacts, seed, method, tolerance },
				...{ status, iterations, products, seconds, processor, energy },
			};
			done(row);
		}
		rows.push(row);
		if (row.status !== "solved") break;
	}
	return rows;
}

/** With the least times of some solves where one is short. */
function timedSolve(problem: Problem, options: SolveOptions) {
	const once = () => {
		const before = process.cpuUsage().user;
		const { report } = solve(problem, options);
		return { report, seconds: report.seconds, processor: (process.cpuUsage().user - before) / 1e6 };
	};
	let least = once();
	if (least.seconds >= REPEATED_SECONDS) return least;
	for (let repeat = 1; repeat < REPEATS; repeat += 1) {
		const { report, seconds, processor } = once();
		least = {
			report,
			seconds: Math.min(seconds, least.seconds),
			processor: Math.min(processor, least.processor),
		};
	}
	return least;
}

function known(): Row[] {
	try {
		return readCsv<keyof Row>("sizes").map((cells) => ({
			...cells,
			pile: cells.pile as PileName,
			motion: cells.motion as Motion,
			contacts: Number(cells.contacts),
			seed: Number(cells.seed),
			tolerance: Number(cells.tolerance),
			iterations: Number(cells.iterations),
			products: Number(cells.products),
			seconds: Number(cells.seconds),
			processor: Number(cells.processor),
			energy: Number(cells.energy),
		}));
	} catch {
		return [];
	}
}

function cellsOf(row: Row): Record<string, string | number> {
	return {
		...row,
		tolerance: row.tolerance.toExponential(0),
		seconds: row.seconds.toPrecision(3),
		processor: row.processor.toPrecision(3),
		energy: row.energy.toPrecision(3),
	};
}

function line({ pile, motion, contacts, seed, tolerance, status, products, processor, energy }: Row): string {
	const name = `${pile}, ${motion}, ${contacts}, seed ${seed}`;
	return `${name.padEnd(48)}${tolerance.toExponential(0)}  ${status.padEnd(16)}${String(products).padStart(7)} products ${processor.toFixed(2).padStart(8)} s of the processor, energy ${energy.toExponential(1)}`;
}

/** A line for each pile and tolerance: how many are solved, and the exponents. */
export function summary(rows: readonly Row[]): string[] {
	const lines: string[] = [];
	for (const pile of PILES) {
		for (const motion of MOTIONS) {
			for (const tolerance of tolerancesOf(pile)) {
				const own = rows.filter((row) => row.pile === pile && row.motion === motion && row.tolerance === tolerance);
				if (own.length === 0) continue;
				const { processor, products } = growthOf(own);
				const solved = own.filter(({ status }) => status === "solved").length;
				const grows =
					processor === undefined || products === undefined
						? ""
						: `; processor time ~ n^${processor.toFixed(2)}, products ~ n^${products.toFixed(2)}`;
				lines.push(`${pile}, ${motion}, to ${tolerance.toExponential(0)}: ${solved} of ${own.length} solved${grows}`);
			}
		}
	}
	return lines;
}

export const sizes: Bench = {
	name: "sizes",
	what: "piles of 1,000 to 1,000,000 contacts: products and seconds to 1e-3, 1e-4 and 1e-6, and how they grow",
	run(args) {
		const { values } = parseArgs({
			args: [...args],
			options: {
				method: { type: "string", default: "auto" },
				sizes: { type: "string", default: SIZES.join(",") },
				seeds: { type: "string", default: SEEDS.join(",") },
				only: { type: "string", default: "" },
				limit: { type: "string", default: "300" },
				iterations: { type: "string", default: "20000" },
				again: { type: "boolean", default: false },
			},
		});
		const { method, only } = values;
		const numbers = (text: string) => text.split(",").map(Number);
		const before = values.again ? [] : known().filter((row) => row.method === method);
		for (const contacts of numbers(values.sizes)) {
			const seconds = contacts > LIMITED_ABOVE ? Number(values.limit) : Number.POSITIVE_INFINITY;
			const limits = { iterations: Number(values.iterations), seconds };
			for (const pile of PILES) {
				for (const motion of MOTIONS) {
					if (!["", pile, motion, `${pile}, ${motion}`].includes(only)) continue;
					for (const seed of numbers(values.seeds)) {
						const isOf = (row: Row) =>
							row.pile === pile && row.motion === motion && row.contacts === contacts && row.seed === seed;
						const print = (row: Row) => {
							mergeCsv("sizes", KEY, [cellsOf(row)]);
							console.log(line(row));
						};
						measure(pile, motion, contacts, seed, method, limits, before.filter(isOf), print);
					}
				}
			}
		}
		const rows = known().filter((row) => row.method === method);
		console.log(["", ...summary(rows)].join("\n"));
		const misses = TARGETS.flatMap((target) => missed(target, rows));
		for (const miss of misses) console.log(`missed: ${miss}`);
		return misses.length === 0 ? 0 : 1;
	},
};
