/**
 * Large drums that have settled, on two ranks: 20,000 ellipsoids beside one rank, which does the same steps in turn with them, and 100,000 spheres. Seconds of a
 * step by phase and rank.
 */
import { parseArgs } from "node:util";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";
import type { RankStep, Side } from "./drum-rank.js";
import { DrumRanks } from "./drum-ranks.js";
import { type FilledDrum, filledDrum, type Settling, settledState } from "./settled-drum.js";

export interface LargeDrum extends FilledDrum {
	readonly name: string;
	readonly settling: Settling;
	/** Whether the drum begins to turn where the measured steps begin. */
	readonly turns: boolean;
	/** Whether one rank does the same. */
	readonly beside: boolean;
	/** Steps until code is compiled and caches are full, and those that are measured. */
	readonly first: number;
	readonly steps: number;
}

const ELLIPSOIDS = { shape: "ellipsoids", bodies: 20_000, scheme: "velocity-impulse" } as const;
const SETTLED = { ...ELLIPSOIDS, settling: { long: 170, own: 30 } } as const;
/** The drum's own scheme knows no gaps: in a bed at rest its contacts come and go, and a step takes as long as many of the other scheme's. */
const HALF_STEP = { ...ELLIPSOIDS, scheme: "half-step", settling: { long: 170, own: 3 } } as const;
const SPHERES = { ...SETTLED, shape: "spheres", bodies: 100_000 } as const;

export const largeDrums: readonly LargeDrum[] = [
	{ name: "ellipsoids, settled", ...SETTLED, turns: false, beside: true, first: 10, steps: 100 },
	{ name: "ellipsoids, turning", ...SETTLED, turns: true, beside: true, first: 10, steps: 30 },
	{ name: "ellipsoids, half-step", ...HALF_STEP, turns: false, beside: false, first: 1, steps: 4 },
	{ name: "spheres, settled", ...SPHERES, turns: false, beside: false, first: 5, steps: 20 },
];

/** Of the whole step. */
const TARGETS = { seconds: 1, speedup: 1.75, gigabytes: 6, detect: 0.25, recut: 0.05 };
const RANKS = 2;
/** Steps of one rank and of all in turn. */
const TURN = 10;

const PHASES = ["detect", "setup", "solve", "rest", "wait", "waitSolve", "recut", "cpu"] as const;

export type DrumLargeRow = {
	readonly case: string;
	readonly bodies: number;
	readonly ranks: number;
	readonly rank: number;
	/** Of the rank, and of others beside them. */
	readonly own: number;
	readonly ghosts: number;
	readonly contacts: number;
	readonly iterations: number;
	readonly retries: number;
	readonly failed: number;
	/** Seconds of a step: mean, least and largest. */
	readonly step: number;
	readonly stepLow: number;
	readonly stepHigh: number;
} & Readonly<Record<(typeof PHASES)[number], number>>;

export interface DrumMeasurement {
	readonly rows: readonly DrumLargeRow[];
	/** One rank's time over that of all ranks: over all steps, and the least and largest of a turn; undefined where one rank did nothing. */
	readonly speedup: readonly [number, number, number] | undefined;
	readonly isSame: boolean;
}

const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;

function rowsOf(drum: LargeDrum, steps: readonly RankStep[][]): DrumLargeRow[] {
	return steps.map((own, rank) => {
		const phases = PHASES.map((phase) => [phase, mean(own.map((step) => step[phase]))] as const);
		const all = own.map((step) => step.all);
		return {
			case: drum.name,
			bodies: drum.bodies,
			ranks: steps.length,
			rank,
			own: own.at(-1)!.own,
			ghosts: own.at(-1)!.ghosts,
			contacts: Math.round(mean(own.map(({ contacts }) => contacts))),
			iterations: mean(own.map(({ iterations }) => iterations)),
			retries: own.reduce((sum, { retries }) => sum + retries, 0),
			failed: own.at(-1)!.failedSteps,
			step: mean(all),
			stepLow: Math.min(...all),
			stepHigh: Math.max(...all),
			...(Object.fromEntries(phases) as Record<(typeof PHASES)[number], number>),
		};
	});
}

/** Steps of one simulation, by rank and then by step. */
class Taken {
	readonly steps: RankStep[][] = [];

	add(more: readonly RankStep[][]): number {
		for (const [rank, steps] of more.entries()) {
			this.steps[rank] ??= [];
			this.steps[rank]!.push(...steps);
		}
		return more[0]!.reduce((sum, { all }) => sum + all, 0);
	}
}

export async function measureDrum(
	drum: LargeDrum,
	ranks: DrumRanks,
	print: (line: string) => void,
	folder?: string,
): Promise<DrumMeasurement> {
	const { settling, turns, beside, first, steps } = drum;
	const description = filledDrum(drum);
	const state = await settledState(description, settling, ranks, print, folder);
	const begun = state.iteration * description.step;
	const measured = turns ? filledDrum(drum, begun) : description;
	const sides: readonly Side[] = beside ? ["own", "all"] : ["all"];
	const taken = { own: new Taken(), all: new Taken() };
	for (const side of sides) {
		await ranks.open(side, measured, state);
		await ranks.step(side, first);
	}
	const ratios: number[] = [];
	for (let done = 0; done < steps; done += TURN) {
		const turn = Math.min(TURN, steps - done);
		const seconds = { own: 0, all: 0 };
		for (const side of sides) seconds[side] = taken[side].add(await ranks.step(side, turn));
		ratios.push(seconds.own / seconds.all);
	}
	const hashes = new Set<string>();
	for (const side of sides) hashes.add(await ranks.hash(side));
	const rows = sides.flatMap((side) => rowsOf(drum, taken[side].steps));
	const [one, all] = [rows[0]!.step, rows.at(-1)!.step];
	const speedup = beside ? ([one / all, Math.min(...ratios), Math.max(...ratios)] as const) : undefined;
	return { rows, speedup, isSame: hashes.size === 1 };
}

const rounded = (value: number): number => Number(value.toPrecision(3));

/** What was not reached. */
function missed(drum: LargeDrum, { rows, speedup, isSame }: DrumMeasurement): string[] {
	const all = rows.filter(({ ranks }) => ranks === RANKS);
	const step = all[0]!.step;
	const share = (phase: "detect" | "recut") => Math.max(...all.map((row) => row[phase])) / step;
	const told: string[] = [];
	if (!isSame) told.push("one rank and two have different hashes");
	if (drum.name === largeDrums[0]!.name) {
		if (step >= TARGETS.seconds) told.push(`${rounded(step)} s a step instead of under ${TARGETS.seconds}`);
		if (speedup![0] < TARGETS.speedup)
			told.push(`${rounded(speedup![0])} times one rank instead of ${TARGETS.speedup}`);
	}
	for (const phase of ["detect", "recut"] as const) {
		if (share(phase) < TARGETS[phase]) continue;
		told.push(`${phase} is ${rounded(100 * share(phase))} % of a step instead of under ${100 * TARGETS[phase]}`);
	}
	return told.map((line) => `MISSED: ${drum.name}: ${line}`);
}

function printMeasured({ rows, speedup, isSame }: DrumMeasurement): void {
	for (const row of rows) {
		const {
			case: name,
			ranks,
			rank,
			own,
			ghosts,
			contacts,
			iterations,
			retries,
			failed,
			step,
			stepLow,
			stepHigh,
		} = row;
		console.log(
			`${name}, rank ${rank} of ${ranks}: ${rounded(step)} s a step (${rounded(stepLow)} to ${rounded(stepHigh)}), ${own} bodies and ${ghosts} ghosts, ${contacts} contacts, ${rounded(iterations)} iterations, ${retries} retries, ${failed} failed`,
		);
		console.log(`    ${PHASES.map((phase) => `${phase} ${rounded(row[phase])}`).join(", ")}`);
	}
	if (speedup) console.log(`    two ranks: ${speedup.map(rounded).join(", ")} times one (all steps, least, largest)`);
	if (!isSame) console.log("    DIFFERENT HASHES");
}

async function run(args: readonly string[]): Promise<number> {
	const options = { bodies: { type: "string" }, steps: { type: "string" }, case: { type: "string" } } as const;
	const { values } = parseArgs({ args: [...args], options });
	const chosen = largeDrums
		.filter(({ name }) => name.includes(values.case ?? ""))
		.map((drum) => ({
			...drum,
			bodies: Number(values.bodies ?? drum.bodies),
			steps: Number(values.steps ?? drum.steps),
		}));
	console.log(
		"seconds; detect, setup, solve and rest are all of a step; wait (outside of set-up and solve), waitSolve and recut are parts of these; cpu is of the rank's thread",
	);
	const rows: DrumLargeRow[] = [];
	const failures: string[] = [];
	for (const drum of chosen) {
		const ranks = new DrumRanks(RANKS);
		try {
			const measured = await measureDrum(drum, ranks, console.log);
			printMeasured(measured);
			rows.push(...measured.rows);
			failures.push(...missed(drum, measured));
		} finally {
			await ranks.end();
		}
	}
	const gigabytes = process.resourceUsage().maxRSS / 2 ** 20;
	console.log(`largest memory of the process: ${gigabytes.toFixed(2)} GB`);
	if (gigabytes >= TARGETS.gigabytes)
		failures.push(`MISSED: ${rounded(gigabytes)} GB instead of under ${TARGETS.gigabytes}`);
	for (const line of failures) console.log(line);
	if (args.length === 0) console.log(`recorded in ${recordCsv("drum-large", rows.map(roundedRow))}`);
	return failures.length === 0 ? 0 : 1;
}

function roundedRow(row: DrumLargeRow) {
	const cells = Object.entries(row).map(([name, value]) => [
		name,
		typeof value === "number" && !Number.isInteger(value) ? rounded(value) : value,
	]);
	return Object.fromEntries(cells) as Record<string, string | number>;
}

export const drumLarge: Bench = {
	name: "drum-large",
	what: "20,000 ellipsoids and 100,000 spheres settled in the drum, on two ranks; [--case WORD] [--bodies N] [--steps N]",
	run,
};
