/**
 * One suite for all communicators. A transport's test file says how its ranks are started, and nothing else:
 *
 * ```ts
 * const program = bundle(new URL("./testing/threads-rank.ts", import.meta.url));   // one .mjs for workers or processes
 * afterAll(() => program.remove());
 * conformance("threads", { sizes: [1, 2, 3, 5, 8], start: (runs) => ... });
 * ```
 *
 * `start(runs)` starts ranks from that file, as many as all runs say, hands each one the runs (plain JSON) and its rank, and resolves
 * with their outcomes by run and rank. On the rank's side all that is left to do is
 *
 * ```ts
 * const control = ...; const patience = new Patience({ control, seconds: run.patienceSeconds, spins: ... });
 * return runPrograms(runs, () => new SomeCommunicator(...), patience);     // never throws; opens, runs, closes
 * ```
 *
 * `start` must not reject because ranks fail: their errors are outcomes, since the suite asks who was named on every rank.
 * In the suite's eyes, for every transport:
 *   - a neighbour with an empty list is sent nothing, and is not counted in `messages`;
 *   - exchanges count exactly their messages and bytes of payload, reductions any number of messages;
 *   - misuse throws "assertion failed: ..." at once and leaves the communicator as it was;
 *   - a rank that aborts, or is late, is named by a RankError on every rank (a rank that is away itself excepted).
 * `without` names tests of `cases` below that make no sense for a transport, with the reason, which is printed.
 */
import { describe, expect, it } from "vitest";
import type { HeldMemory } from "./memory.js";
import type { Outcome, Run } from "./outcome.js";
import { isThorough } from "./thorough.js";

export interface Conformance {
	readonly sizes: readonly number[];
	start(runs: readonly Run[]): Promise<readonly (readonly Outcome[])[]>;
	readonly without?: readonly { readonly test: string; readonly reason: string }[];
	/** The transport promises that arriving places are NaN while an exchange is under way. */
	readonly strict?: boolean;
	/** Seeds per test; 2 unless said, and 3 where all is tested. */
	readonly seeds?: number;
	/** Ranks that are late sleep for seconds: the sizes, and the programs where it is not all, with which they do so unless all is tested. */
	readonly late?: { readonly sizes: readonly number[]; readonly programs?: readonly string[] };
}

interface Case {
	readonly program: string;
	/** Not meaningful with fewer ranks. */
	readonly sizeMin?: number;
	/** What the outcomes must be, beyond that all are well; undefined for programs that check themselves. */
	readonly check?: (outcomes: readonly Outcome[], run: Run) => void;
	readonly isStrict?: true;
	/** After this program a communicator is of no use: each seed starts ranks afresh. All others run in one start. */
	readonly isFatal?: true;
	/** Takes many times longer than others: one seed, and the fewest ranks of a file that are more than one, unless all is tested. */
	readonly isLong?: true;
	/** Takes seconds whatever the machine: with the sizes of `late` unless all is tested. */
	readonly isSlow?: true;
}

/** Much longer than the ranks of a busy machine are late. */
const PATIENCE_SECONDS = 200;

const cases: readonly Case[] = [
	{ program: "identity", check: identity },
	{ program: "exchanges with random plans" },
	{ program: "several plans in turn" },
	{ program: "a reduction between begin and finish" },
	{ program: "large blocks" },
	{ program: "early reads", isStrict: true },
	{ program: "a fast sender" },
	{ program: "plans that grow" },
	{ program: "plans closed while their messages are on their way" },
	{ program: "reductions" },
	{ program: "thousands of rounds", isLong: true },
	{ program: "thousands of plans", isLong: true, check: flat },
	{ program: "idle ranks", sizeMin: 2, isLong: true, isSlow: true },
	{ program: "broadcasts" },
	{ program: "gathers" },
	{ program: "barriers", check: barriers },
	{ program: "counters" },
	// Ends the others, since it wants the communicator itself and not one that is kept open: see run-programs.ts.
	{ program: "strictness", check: (outcomes, run) => expect(values(outcomes, run).flat(2)).toEqual([]) },
	{ program: "an abort", check: aborted, isFatal: true },
	{ program: "an abort among idle ranks", check: aborted, isFatal: true },
	...["late in a reduction", "late in an exchange", "late in a barrier", "late behind another"].map((program) => ({
		program,
		sizeMin: 2,
		check: late,
		isFatal: true as const,
	})),
];

export function conformance(name: string, options: Conformance): void {
	const { sizes, start, without = [], strict = false, seeds = isThorough ? 3 : 2 } = options;
	for (const { test, reason } of without) {
		if (!cases.some(({ program }) => program === test)) throw new Error(`no conformance test is named ${test}`);
		console.log(`${name}: without "${test}": ${reason}`);
	}
	const isWanted = ({ program }: Case) => without.every(({ test }) => test !== program);
	describe.each(sizes)(`${name}, %i ranks`, (size) => {
		const isFitting = ({ sizeMin = 1, isStrict }: Case) => size >= sizeMin && (strict || !isStrict);
		const fitting = cases.filter(
			(one) => isFitting(one) && isWanted(one) && (isThorough || !isLeftOut(one, size, options)),
		);
		const runOf = ({ program, isLong }: Case, seedOf: (i: number) => number, count = seeds): Run => {
			const length = isLong && !isThorough ? 1 : count;
			return { program, size, seeds: Array.from({ length }, (_, i) => seedOf(i)), patienceSeconds: PATIENCE_SECONDS };
		};
		const together = fitting.filter(({ isFatal }) => !isFatal);
		const runs = together.map((one) => runOf(one, (i) => 1 + i));
		let begun: ReturnType<Conformance["start"]> | undefined;
		for (const [index, one] of together.entries()) {
			it(one.program, async () => {
				begun ??= start(runs);
				verify(one, (await begun)[index] ?? [], runs[index]!);
			});
		}
		// These sleep most of the time, each test with ranks of its own.
		for (const one of fitting.filter(({ isFatal }) => isFatal)) {
			it.concurrent(one.program, async () => {
				// The seed only chooses who is late, or fails when: other sizes have other seeds.
				const count = one.check === late || !isThorough ? 1 : seeds;
				for (let i = 0; i < count; i += 1) {
					const run = runOf(one, () => size + 1 + i, 1);
					verify(one, (await start([run]))[0] ?? [], run);
				}
			});
		}
	});
}

function isLeftOut({ check, program, isLong, isSlow }: Case, size: number, options: Conformance): boolean {
	const { sizes, late: chosen } = options;
	const several = sizes.filter((each) => each > 1);
	if (isLong && !isSlow && several.length > 0 && size !== Math.min(...several)) return true;
	if (chosen === undefined || (check !== late && !isSlow)) return false;
	return !chosen.sizes.includes(size) || !(isSlow || (chosen.programs?.includes(program) ?? true));
}

function verify({ check }: Case, outcomes: readonly Outcome[], run: Run): void {
	expect(outcomes.length, describeRun(run)).toBe(run.size);
	if (check === undefined) values(outcomes, run);
	else check(outcomes, run);
}

const describeRun = ({ program, size, seeds }: Run): string => `${program}, ${size} ranks, seeds ${seeds.join(" ")}`;

/** What the ranks returned, by rank and seed; fails where one did not. */
function values(outcomes: readonly Outcome[], run: Run): (readonly unknown[])[] {
	const failed = outcomes.flatMap((outcome, rank) => (outcome.ok ? [] : [`on rank ${rank}: ${outcome.message}`]));
	if (failed.length > 0) expect.fail([describeRun(run), ...failed].join("\n"));
	return outcomes.map((outcome) => (outcome.ok ? outcome.values : []));
}

function identity(outcomes: readonly Outcome[], run: Run): void {
	const ids = values(outcomes, run).map(([id]) => id as { rank: number; size: number; transport: string });
	const transport = ids[0]?.transport;
	expect(ids).toEqual(outcomes.map((_, rank) => ({ rank, size: outcomes.length, transport })));
}

/** Clocks of threads and processes on one machine agree to well below a millisecond. */
function barriers(outcomes: readonly Outcome[], run: Run): void {
	const times = values(outcomes, run).map((seeds) => seeds.flat() as [number, number][]);
	for (const round of times[0]?.keys() ?? []) {
		const last = Math.max(...times.map((rounds) => rounds[round]?.[0] ?? Number.NaN));
		for (const rounds of times) expect(rounds[round]?.[1], describeRun(run)).toBeGreaterThanOrEqual(last - 2);
	}
}

function aborted(outcomes: readonly Outcome[], run: Run): void {
	const named = outcomes.map((outcome) => (outcome.ok ? "nobody" : `${outcome.rank}: ${outcome.message}`));
	expect(new Set(named).size, `${describeRun(run)}: ${named.join("; ")}`).toBe(1);
	expect(named[0], describeRun(run)).toMatch(/^(\d+): rank \1 gives up in round \d+$/);
}

/** Bytes that a rank may hold more after 4,000 further plans: the engine goes on compiling, and libraries take their own lists in pieces. */
const GROWTH = { objects: 800_000, arrays: 100_000, native: 1_500_000 };

/** A plan that left anything behind would leave it thousands of times. What C holds is all of a process. */
function flat(outcomes: readonly Outcome[], run: Run): void {
	for (const [rank, [[before, after]]] of (values(outcomes, run) as [[HeldMemory, HeldMemory]][]).entries()) {
		for (const what of ["objects", "arrays", "native"] as const) {
			const grown = after[what] - before[what];
			expect(grown, `${describeRun(run)}: bytes of ${what} on rank ${rank}`).toBeLessThan(GROWTH[what]);
		}
	}
}

function late(outcomes: readonly Outcome[], run: Run): void {
	const away = (run.seeds[0] ?? 0) % run.size;
	for (const [rank, outcome] of outcomes.entries()) {
		if (rank === away) continue;
		if (outcome.ok) expect.fail(`${describeRun(run)}: rank ${rank} ${String(outcome.values[0])}`);
		expect(outcome.rank, `${describeRun(run)}: on rank ${rank}: ${outcome.message}`).toBe(away);
	}
}
