/**
 * Two ranks against one with `auto`, set-up included: from the problem in memory to the answer in memory, with ranks that are there already.
 * On one rank that is `solve` in this thread. On two it is all that a run does but starting threads or processes and ending them: this
 * thread checks and plans the problem, decides who owns what and cuts shares; ranks get theirs, build their systems, iterate and send
 * what they have of the answer, which is put together here. All code has run before. One and two ranks take turns; what counts of each
 * problem is the least of its rounds, and of problems that differ in their seed the geometric mean. Ratios of single rounds are the spread.
 */
import { type SolveOptions, solve } from "@stickslip/core";
import { mergeCsv } from "../record.js";
import { type AutoKind, type AutoProblem, autoProblem } from "./auto-problems.js";
import { type WarmPhases, WarmRanks } from "./warm-ranks.js";

const TRANSPORTS = ["threads", "zeromq"] as const;
export type Transport = (typeof TRANSPORTS)[number];

interface Goal {
	readonly kind: AutoKind;
	readonly contacts: number;
	readonly tolerance: number;
	readonly seeds: readonly number[];
	readonly rounds: number;
	readonly targets: Readonly<Record<Transport, number>>;
}

/** No more rounds of a problem than fit into this, but for the first ones: so that all takes some eight minutes. */
const SECONDS_MAX = 8;
const ROUNDS_MIN = 3;

const TOLERANCES: Readonly<Record<AutoKind, number>> = { planks: 1e-4, spheres: 1e-3, drum: 1e-4 };

const goals: readonly Goal[] = (["planks", "spheres", "drum"] as const).flatMap((kind) => {
	const tolerance = TOLERANCES[kind];
	// Of a drum there is one step.
	const seeds = kind === "drum" ? [3] : [3, 4, 5];
	return [
		{ kind, tolerance, contacts: 3000, seeds, rounds: 40, targets: { threads: 1.6, zeromq: 1.2 } },
		{ kind, tolerance, contacts: 10_000, seeds, rounds: 20, targets: { threads: 1.8, zeromq: 1.65 } },
		{ kind, tolerance, contacts: 30_000, seeds: [3], rounds: 6, targets: { threads: 1.88, zeromq: 1.82 } },
		...(kind === "drum"
			? []
			: [{ kind, tolerance, contacts: 100_000, seeds: [3], rounds: 3, targets: { threads: 1.88, zeromq: 1.82 } }]),
	];
});

const PHASES = ["plan", "partition", "cut", "build", "iterations", "assemble"] as const;

/** Milliseconds of one problem: the least of all rounds, as a whole and of each part. */
export interface Measured {
	readonly one: { readonly all: number; readonly iterations: number };
	readonly two: WarmPhases;
	/** One rank's time over that of two, by rounds. */
	readonly ratios: readonly number[];
	readonly iterations: number;
	readonly isSame: boolean;
}

/** This thread and warm ranks over each transport solve the problem in turn. */
export async function measureAuto(
	{ problem, start }: AutoProblem,
	tolerance: number,
	rounds: number,
	ranks: ReadonlyMap<Transport, WarmRanks>,
): Promise<ReadonlyMap<Transport, Measured>> {
	const options: SolveOptions = { tolerance, ...(start && { start, worseStart: "drop" }) };
	const measured = new Map<Transport, Measured>();
	const end = performance.now() + 1000 * SECONDS_MAX;
	for (let round = 0; round < rounds && (round < ROUNDS_MIN || performance.now() < end); round += 1) {
		const started = performance.now();
		const { report } = solve(problem, options);
		const all = performance.now() - started;
		for (const [way, warm] of ranks) {
			const { solution, phases } = await warm.solve(problem, options);
			const before = measured.get(way);
			const iterations = 1000 * report.seconds;
			measured.set(way, {
				one: before
					? { all: Math.min(before.one.all, all), iterations: Math.min(before.one.iterations, iterations) }
					: { all, iterations },
				two: before ? least(before.two, phases) : phases,
				ratios: [...(before?.ratios ?? []), all / phases.all],
				isSame: (before?.isSame ?? true) && solution.report.hash === report.hash,
				iterations: report.iterations,
			});
		}
	}
	return measured;
}

function least(one: WarmPhases, other: WarmPhases): WarmPhases {
	const smaller = (phase: keyof WarmPhases) => Math.min(one[phase], other[phase]);
	return {
		all: smaller("all"),
		plan: smaller("plan"),
		partition: smaller("partition"),
		cut: smaller("cut"),
		build: smaller("build"),
		iterations: smaller("iterations"),
		assemble: smaller("assemble"),
	};
}

type Row = Readonly<Record<string, string | number>> & { readonly held: string };

function geometricMean(values: readonly number[]): number {
	return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

export function rowOf(goal: Omit<Goal, "rounds">, way: Transport, all: readonly Measured[]): Row {
	const mean = (of: (measured: Measured) => number) => Number(geometricMean(all.map(of)).toPrecision(4));
	const ratios = all.flatMap((measured) => measured.ratios);
	const speedup = mean(({ one, two }) => one.all / two.all);
	const isSame = all.every((measured) => measured.isSame);
	const target = goal.targets[way];
	const isHeld = isSame && speedup >= target;
	return {
		problem: goal.kind,
		contacts: goal.contacts,
		way,
		tolerance: goal.tolerance,
		seeds: goal.seeds.join(" "),
		rounds: ratios.length,
		iterationsCount: mean((measured) => measured.iterations),
		oneMs: mean(({ one }) => one.all),
		twoMs: mean(({ two }) => two.all),
		speedup,
		speedupLow: Number(Math.min(...ratios).toPrecision(4)),
		speedupHigh: Number(Math.max(...ratios).toPrecision(4)),
		target,
		held: !isSame ? "OTHER BITS" : isHeld ? "yes" : "no",
		speedupOfIterations: mean(({ one, two }) => one.iterations / two.iterations),
		oneSetUpMs: mean(({ one }) => Math.max(1e-3, one.all - one.iterations)),
		...Object.fromEntries(PHASES.map((phase) => [`${phase}Ms`, mean(({ two }) => Math.max(1e-3, two[phase]))])),
	};
}

function line(row: Row): string {
	const ms = (name: string) => `${name.replace(/Ms$/, "")} ${row[name]}`;
	return [
		`${row.problem} ${row.contacts} to ${row.tolerance}, ${row.way}:`.padEnd(36),
		`${row.oneMs} ms on one rank, ${row.twoMs} on two: ${row.speedup}`,
		`(${row.speedupLow} to ${row.speedupHigh}) of ${row.target}: ${row.held};`,
		`iterations ${row.speedupOfIterations}; set-up of one ${row.oneSetUpMs};`,
		PHASES.map((phase) => ms(`${phase}Ms`)).join(", "),
	].join(" ");
}

/** Those named, as planks-3000; all where none is. */
export function autoGoals(named: readonly string[]): readonly Goal[] {
	return named.length === 0 ? goals : goals.filter(({ kind, contacts }) => named.includes(`${kind}-${contacts}`));
}

/** Whether what was asked for is held, and the bits are the same. Rows are recorded as they come. */
export async function auto(named: readonly string[]): Promise<boolean> {
	let held = true;
	const ranks = new Map(TRANSPORTS.map((way) => [way, new WarmRanks(2, way)]));
	try {
		for (const goal of autoGoals(named)) {
			const all: ReadonlyMap<Transport, Measured>[] = [];
			for (const seed of goal.seeds) {
				all.push(await measureAuto(autoProblem(goal.kind, goal.contacts, seed), goal.tolerance, goal.rounds, ranks));
			}
			for (const way of TRANSPORTS) {
				const row = rowOf(
					goal,
					way,
					all.map((measured) => measured.get(way)!),
				);
				console.log(line(row));
				held &&= row.held === "yes";
				mergeCsv("ranks-auto", ["problem", "contacts", "way"], [row]);
			}
		}
	} finally {
		for (const warm of ranks.values()) await warm.end();
	}
	return held;
}
