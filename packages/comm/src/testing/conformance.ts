/**
 * One suite for all communicators. A transport's test file says how its ranks are started, and nothing else:
 *
 * ```ts
 * const program = bundle(new URL("./testing/threads-rank.ts", import.meta.url));   // one .mjs for workers or processes
 * afterAll(() => program.remove());
 * conformance("threads", { sizes: [1, 2, 3, 5, 8], start: (run) => ... });
 * ```
 *
 * `start(run)` starts run.size ranks from that file, hands each one the run (plain JSON) and its rank, and resolves with their
 * outcomes by rank. On the rank's side all that is left to do is
 *
 * ```ts
 * const control = ...; const patience = new Patience({ control, seconds: run.patienceSeconds, spins: ... });
 * return runProgram(run, () => new SomeCommunicator(...), patience);     // never throws; opens, runs, closes
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
import type { Outcome, Run } from "./outcome.js";

export interface Conformance {
	readonly sizes: readonly number[];
	start(run: Run): Promise<readonly Outcome[]>;
	readonly without?: readonly { readonly test: string; readonly reason: string }[];
	/** The transport promises that arriving places are NaN while an exchange is under way. */
	readonly strict?: boolean;
	/** Seeds per test; 3 unless said. */
	readonly seeds?: number;
	/** Milliseconds for one test; 30 s unless said. */
	readonly timeout?: number;
}

interface Case {
	readonly program: string;
	/** Not meaningful with fewer ranks. */
	readonly sizeMin?: number;
	/** What the outcomes must be, beyond that all are well; undefined for programs that check themselves. */
	readonly check?: (outcomes: readonly Outcome[], run: Run) => void;
	readonly isStrict?: true;
	/** After this program a communicator is of no use: each seed starts ranks afresh. */
	readonly isFatal?: true;
}

const PATIENCE_SECONDS = 20;

const cases: readonly Case[] = [
	{ program: "identity", check: identity },
	{ program: "exchanges with random plans" },
	{ program: "several plans in turn" },
	{ program: "a reduction between begin and finish" },
	{ program: "large blocks" },
	{ program: "early reads", isStrict: true },
	{ program: "a fast sender" },
	{ program: "plans that grow" },
	{ program: "reductions" },
	{ program: "thousands of rounds" },
	{ program: "broadcasts" },
	{ program: "gathers" },
	{ program: "barriers", check: barriers },
	{ program: "counters" },
	{ program: "strictness", check: (outcomes, run) => expect(values(outcomes, run).flat(2)).toEqual([]) },
	{ program: "an abort", check: aborted, isFatal: true },
	...["late in a reduction", "late in an exchange", "late in a barrier", "late behind another"].map((program) => ({
		program,
		sizeMin: 2,
		check: late,
		isFatal: true as const,
	})),
];

export function conformance(
	name: string,
	{ sizes, start, without = [], strict = false, seeds = 3, timeout = 30_000 }: Conformance,
): void {
	for (const { test, reason } of without) {
		if (!cases.some(({ program }) => program === test)) throw new Error(`no conformance test is named ${test}`);
		console.log(`${name}: without "${test}": ${reason}`);
	}
	const isWanted = ({ program }: Case) => without.every(({ test }) => test !== program);
	describe.each(sizes)(`${name}, %i ranks`, (size) => {
		const fitting = cases.filter(({ sizeMin = 1, isStrict }) => size >= sizeMin && (strict || !isStrict));
		for (const one of fitting.filter(isWanted)) {
			it(one.program, { timeout }, async () => {
				const all = Array.from({ length: seeds }, (_, i) => 1 + i);
				// A late rank takes its seconds each time, and the seed only chooses which one it is.
				const given = !one.isFatal ? [all] : one.check === late ? [[size + 1]] : all.map((seed) => [seed]);
				for (const seeds of given) {
					const run: Run = { program: one.program, size, seeds, patienceSeconds: PATIENCE_SECONDS };
					const outcomes = await start(run);
					expect(outcomes.length, told(run)).toBe(size);
					if (one.check === undefined) values(outcomes, run);
					else one.check(outcomes, run);
				}
			});
		}
	});
}

const told = ({ program, size, seeds }: Run): string => `${program}, ${size} ranks, seeds ${seeds.join(" ")}`;

/** What the ranks returned, by rank and seed; fails where one did not. */
function values(outcomes: readonly Outcome[], run: Run): (readonly unknown[])[] {
	const failed = outcomes.flatMap((outcome, rank) => (outcome.ok ? [] : [`on rank ${rank}: ${outcome.message}`]));
	if (failed.length > 0) expect.fail([told(run), ...failed].join("\n"));
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
		for (const rounds of times) expect(rounds[round]?.[1], told(run)).toBeGreaterThanOrEqual(last - 2);
	}
}

function aborted(outcomes: readonly Outcome[], run: Run): void {
	const named = outcomes.map((outcome) => (outcome.ok ? "nobody" : `${outcome.rank}: ${outcome.message}`));
	expect(new Set(named).size, `${told(run)}: ${named.join("; ")}`).toBe(1);
	expect(named[0], told(run)).toMatch(/^(\d+): rank \1 gives up in round \d+$/);
}

function late(outcomes: readonly Outcome[], run: Run): void {
	const away = (run.seeds[0] ?? 0) % run.size;
	for (const [rank, outcome] of outcomes.entries()) {
		if (rank === away) continue;
		if (outcome.ok) expect.fail(`${told(run)}: rank ${rank} ${String(outcome.values[0])}`);
		expect(outcome.rank, `${told(run)}: on rank ${rank}: ${outcome.message}`).toBe(away);
	}
}
