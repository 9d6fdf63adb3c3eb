/**
 * Two ranks against one for every method that factors no whole matrix: so many iterations on a pile, frictionless where the method asks for
 * that. One rank is this thread, two are threads that stay; they take turns, and the least time of each counts. Where others use the machine
 * the clock tells less than processor time does: of one rank over half of that of both, in which waiting for each other counts as work.
 */
import { parseArgs } from "node:util";
import { generate, InputError, methods, type Problem, type Report, solve } from "@stickslip/core";
import type { Bench } from "../bench.js";
import { mergeCsv } from "../record.js";
import { WarmRanks } from "./warm-ranks.js";

const CONTACTS = 30_000;
const ITERATIONS = 30;
const TARGET = 1.7;
/** No more rounds of a method than fit into this, but for the first ones. */
const SECONDS_MAX = 20;
const ROUNDS_MIN = 3;
/** Solves of a round that are measured, of which the fastest counts by the clock. */
const REPEAT = 3;
/** What factors a matrix as a whole. */
const FACTORING = ["newton", "interior-point"];

interface Plan {
	readonly named: readonly string[];
	readonly contacts: number;
	readonly seconds: number;
}

type Row = Readonly<Record<string, string | number>> & { readonly held: string };

/** Seconds of a solve's iterations, by the clock and of all threads' processors. */
interface Taken {
	readonly report: Report;
	readonly seconds: number;
	readonly processor: number;
}

/** Set-up is not counted: it is what one solve takes beside several. */
async function taken(run: (repeat: number) => Report | Promise<Report>): Promise<Taken> {
	const processor = async (repeat: number) => {
		const before = process.cpuUsage();
		const report = await run(repeat);
		const { user, system } = process.cpuUsage(before);
		return { report, seconds: (user + system) / 1e6 };
	};
	const once = await processor(1);
	const { report, seconds } = await processor(1 + REPEAT);
	return { report, seconds: report.seconds, processor: (seconds - once.seconds) / REPEAT };
}

/** The pile, or the same without friction where the method refuses friction. */
function problemOf(method: string, pile: Problem): Problem {
	try {
		solve(pile, { method, maxIterations: 1, tolerance: Number.MIN_VALUE });
		return pile;
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		return { ...pile, name: `${pile.name}, frictionless`, mu: new Float64Array(pile.contacts) };
	}
}

async function rowOf(method: string, pile: Problem, seconds: number): Promise<Row> {
	const problem = problemOf(method, pile);
	const options = { method, maxIterations: ITERATIONS, tolerance: Number.MIN_VALUE };
	const ranks = new WarmRanks(2, "threads");
	const [ones, twos]: [Taken[], Taken[]] = [[], []];
	try {
		const end = performance.now() + 1000 * seconds;
		for (let round = 0; round < ROUNDS_MIN || performance.now() < end; round += 1) {
			ones.push(await taken((repeat) => solve(problem, { ...options, repeat }).report));
			twos.push(await taken(async (repeat) => (await ranks.solve(problem, { ...options, repeat })).solution.report));
		}
	} finally {
		await ranks.end();
	}
	return summaryOf(method, problem, ones, twos);
}

function summaryOf(method: string, problem: Problem, ones: readonly Taken[], twos: readonly Taken[]): Row {
	const least = (all: readonly Taken[], of: "seconds" | "processor") => Math.min(...all.map((each) => each[of]));
	const middle = (all: readonly Taken[]) =>
		all.map(({ processor }) => processor).sort((a, b) => a - b)[all.length >> 1]!;
	const digits = (value: number) => Number(value.toPrecision(4));
	const [one, two] = [least(ones, "seconds"), least(twos, "seconds")];
	const speedup = one / two;
	const ratios = ones.map(({ seconds }, round) => seconds / twos[round]!.seconds);
	const { report } = twos.reduce((best, each) => (each.seconds < best.seconds ? each : best));
	const isSame = twos.every((each) => each.report.hash === ones[0]!.report.hash);
	const { efficiency, iterations, products, exchanges, reductions } = report;
	return {
		method,
		contacts: problem.contacts,
		friction: problem.mu.some((mu) => mu > 0) ? "yes" : "no",
		rounds: ones.length,
		iterations,
		products,
		exchanges,
		reductions,
		oneMs: digits(1000 * one),
		twoMs: digits(1000 * two),
		speedup: digits(speedup),
		speedupLow: digits(Math.min(...ratios)),
		speedupHigh: digits(Math.max(...ratios)),
		byProcessor: digits((2 * middle(ones)) / middle(twos)),
		loadBalance: digits(efficiency.loadBalance),
		serialisation: digits(efficiency.serialisation),
		transfer: digits(efficiency.transfer),
		target: TARGET,
		held: !isSame ? "OTHER BITS" : speedup >= TARGET ? "yes" : "no",
	};
}

function line(row: Row): string {
	const { method, oneMs, twoMs, speedup, speedupLow, speedupHigh, byProcessor, products, exchanges, reductions } = row;
	const counts = `${products} products, ${exchanges} exchanges, ${reductions} reductions`;
	const parts = `balance ${row.loadBalance}, serialisation ${row.serialisation}, transfer ${row.transfer}`;
	return `${String(method).padEnd(22)} ${oneMs} ms on one rank, ${twoMs} on two: ${speedup} (${speedupLow} to ${speedupHigh}) of ${TARGET}: ${row.held}; by processor time ${byProcessor}; ${counts}; ${parts}`;
}

function planned(args: readonly string[]): Plan | string {
	const options = { contacts: { type: "string" }, seconds: { type: "string" } } as const;
	const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
	const known = methods().map(({ name }) => name);
	const unknown = positionals.find((name) => !known.includes(name));
	if (unknown !== undefined) return `${unknown} is not one of ${known.join(", ")}`;
	const all = known.filter((name) => !FACTORING.includes(name));
	return {
		named: positionals.length > 0 ? positionals : all,
		contacts: Number(values.contacts ?? CONTACTS),
		seconds: Number(values.seconds ?? SECONDS_MAX),
	};
}

export const twoRanksMethods: Bench = {
	name: "two-ranks-methods",
	what: "two ranks against one on a pile of 30,000 contacts, method by method   [METHOD...] [--contacts N] [--seconds S]",
	async run(args) {
		const plan = planned(args);
		if (typeof plan === "string") {
			console.log(plan);
			return 2;
		}
		const pile = generate("spheres", { contacts: plan.contacts, seed: 1 });
		const rows: Row[] = [];
		for (const method of plan.named) {
			const row = await rowOf(method, pile, plan.seconds);
			rows.push(row);
			console.log(line(row));
			if (plan.contacts === CONTACTS) mergeCsv("two-ranks-methods", ["method", "contacts"], [row]);
		}
		return rows.every(({ held }) => held === "yes") ? 0 : 1;
	},
};
