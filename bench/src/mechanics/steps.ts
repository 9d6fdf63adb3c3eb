/**
 * Steps of the drum as a whole: what a warm step takes beside its solve, and what a thousand of them take beside a thousand single solves from zero of the problems
 * that they had: of arrays in memory, of files that one process reads, and by the command line (a sample).
 * Runs do the same to the bit, so that of each step and each solve the least time of some rounds counts. Steps come first, by themselves as in a simulation: solves
 * of other kinds in between would leave the compiler of JavaScript with more to tell apart.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Problem, solve } from "@stickslip/core";
import { toTheEnd } from "@stickslip/core/parallel";
import { Simulation, type SimulationSetup, type StepStatistics } from "@stickslip/mechanics";
import type { Bench } from "../bench.js";
import { mergeCsv } from "../record.js";
import { drumAfter, type Start } from "./drum-states.js";
import { solveByCommand, solveOfFile, writeFiles } from "./single-solves.js";

export interface StepsCase {
	readonly bodies: number;
	/** Steps of the scene before those that are measured. */
	readonly after: number;
	readonly steps: number;
	readonly rounds: number;
	/** At most this times its solve, detection left out; and single solves from zero take so many times as long as steps. */
	readonly targets: { readonly beside: number; readonly zero: number };
}

const TARGETS = { beside: 1.3, zero: 3 } as const;

/** Fewer of the larger drum: its steps and solves take twenty times as long. */
const stepsCases: readonly StepsCase[] = [
	{ bodies: 100, after: 3000, steps: 1000, rounds: 3, targets: TARGETS },
	{ bodies: 1000, after: 700, steps: 200, rounds: 2, targets: TARGETS },
];

/** Problems that are kept, and files that are there, at a time. */
const TURN = 20;
/** Problems that the command line solves, spread over the steps. */
const COMMANDS = 20;

/** Milliseconds: of a step by phase, and of single solves of its problem from zero; infinite where it was not taken. */
export interface MeasuredStep {
	readonly phases: Record<keyof StepStatistics["seconds"], number>;
	readonly told: StepStatistics;
	/** Of arrays in memory: checks, set-up and iterations. */
	zero: number;
	zeroIterations: number;
	/** Of a file, in this process. */
	file: number;
	/** Of a file, by the command line. */
	command: number;
}

export function measureSteps({ setup, state }: Start, steps: number, rounds: number): MeasuredStep[] {
	const measured: MeasuredStep[] = [];
	for (let round = 0; round < rounds; round += 1) {
		const simulation = new Simulation(setup, { onFailure: "continue" });
		simulation.resume(state);
		for (let i = 0; i < steps; i += 1) take(measured, i, toTheEnd(simulation.step()));
	}
	return measured;
}

/** Takes the single solves of all of the problems, and by the command line of so many. */
export async function measureSingles(
	{ setup, state }: Start,
	measured: readonly MeasuredStep[],
	rounds: number,
	commands: number,
): Promise<void> {
	const every = Math.max(1, Math.floor(measured.length / commands));
	let problems: (Problem | undefined)[] = [];
	const simulation = new Simulation(setup, {
		onFailure: "continue",
		// As first tried. Its arrays are used again by the next step.
		onSolve: ({ failures, whole }) => {
			if (failures === 0) problems[problems.length - 1] = structuredClone({ ...whole()!.problem });
		},
	});
	simulation.resume(state);
	for (let from = 0; from < measured.length; from += TURN) {
		problems = [];
		for (let i = from; i < Math.min(from + TURN, measured.length); i += 1) {
			problems.push(undefined);
			toTheEnd(simulation.step());
		}
		const isCommanded = (i: number) => (from + i) % every === 0 && (from + i) / every < commands;
		await takeSingles(measured.slice(from, from + TURN), problems, setup, rounds, isCommanded);
	}
}

async function takeSingles(
	steps: readonly MeasuredStep[],
	problems: readonly (Problem | undefined)[],
	setup: SimulationSetup,
	rounds: number,
	isCommanded: (i: number) => boolean,
): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), "stickslip-steps-"));
	try {
		const files = await writeFiles(folder, problems);
		for (let round = 0; round < rounds; round += 1) {
			for (const [i, problem] of problems.entries()) if (problem) takeZero(steps[i]!, problem, setup);
			for (const [i, file] of files.entries()) if (file) await takeFile(steps[i]!, file, setup);
		}
		for (const [i, file] of files.entries()) {
			if (file && isCommanded(i)) steps[i]!.command = solveByCommand(file, setup.solver.tolerance!);
		}
	} finally {
		rmSync(folder, { recursive: true });
	}
}

function take(measured: MeasuredStep[], i: number, told: StepStatistics): void {
	const all = Number.POSITIVE_INFINITY;
	measured[i] ??= {
		phases: { detect: all, setup: all, solve: all, rest: all },
		told,
		...{ zero: all, zeroIterations: 0, file: all, command: all },
	};
	const { phases } = measured[i]!;
	for (const phase of PHASES) phases[phase] = Math.min(phases[phase], 1000 * told.seconds[phase]);
}

function takeZero(step: MeasuredStep, problem: Problem, { solver }: SimulationSetup): void {
	const started = performance.now();
	const { report } = solve(problem, solver);
	step.zero = Math.min(step.zero, performance.now() - started);
	step.zeroIterations = report.iterations;
}

async function takeFile(step: MeasuredStep, file: string, { solver }: SimulationSetup): Promise<void> {
	step.file = Math.min(step.file, await solveOfFile(file, solver));
}

const PHASES = ["detect", "setup", "solve", "rest"] as const;

export type StepsRow = Readonly<Record<string, string | number>>;

export function stepsRow({ bodies, targets, rounds }: StepsCase, steps: readonly MeasuredStep[]): StepsRow {
	const mean = (of: (step: MeasuredStep) => number) => meanOf(steps.map(of));
	const [detect, setup, iterating, rest] = PHASES.map((phase) => mean(({ phases }) => phases[phase])) as [
		number,
		number,
		number,
		number,
	];
	const single = {
		zero: mean(({ zero }) => taken(zero)),
		file: mean(({ file }) => taken(file)),
		command: meanOf(steps.map(({ command }) => command).filter(Number.isFinite)),
	};
	const beside = (setup + iterating + rest) / iterating;
	const whole = detect + setup + iterating + rest;
	const rounded = (value: number) => Number(value.toPrecision(3));
	const held = (isHeld: boolean) => (isHeld ? "yes" : "NO");
	const isGained = (milliseconds: number) => held(milliseconds >= targets.zero * whole);
	return {
		bodies,
		steps: steps.length,
		rounds,
		contacts: Math.round(mean(({ told }) => told.contacts)),
		iterations: rounded(mean(({ told }) => told.iterations)),
		iterationsFromZero: rounded(mean(({ zeroIterations }) => zeroIterations)),
		retries: steps.reduce((sum, { told }) => sum + told.retries, 0),
		detectMs: rounded(detect),
		setupMs: rounded(setup),
		solveMs: rounded(iterating),
		restMs: rounded(rest),
		beside: rounded(beside),
		besideTarget: targets.beside,
		besideHeld: held(beside <= targets.beside),
		gainTarget: targets.zero,
		zeroMs: rounded(single.zero),
		zeroGain: rounded(single.zero / whole),
		zeroGainWithoutDetection: rounded(single.zero / (whole - detect)),
		zeroHeld: isGained(single.zero),
		fileMs: rounded(single.file),
		fileGain: rounded(single.file / whole),
		fileHeld: isGained(single.file),
		commandMs: rounded(single.command),
		commandGain: rounded(single.command / whole),
		commandHeld: isGained(single.command),
	};
}

/** Of a step without contacts there is nothing to solve. */
function taken(milliseconds: number): number {
	return Number.isFinite(milliseconds) ? milliseconds : 0;
}

function meanOf(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function print(row: StepsRow): void {
	const of = (name: string) => row[name];
	console.log(
		`drum of ${of("bodies")}, ${of("contacts")} contacts, ${of("steps")} steps of ${of("iterations")} iterations, least of ${of("rounds")} rounds, ${of("retries")} retries: detect ${of("detectMs")}, setup ${of("setupMs")}, solve ${of("solveMs")}, rest ${of("restMs")} ms; all but detection ${of("beside")} times the solve (at most ${of("besideTarget")}): ${of("besideHeld")}`,
	);
	const single = (what: string, name: string, more = "") =>
		console.log(
			`    single solves from zero ${what}: ${of(`${name}Ms`)} ms, ${of(`${name}Gain`)} times the step${more} (at least ${of("gainTarget")}): ${of(`${name}Held`)}`,
		);
	const more = `, ${of("zeroGainWithoutDetection")} without detection, in ${of("iterationsFromZero")} iterations`;
	single("of arrays in memory", "zero", more);
	single("of files, in one process", "file");
	single(`of files, by the command line, ${COMMANDS} of them`, "command");
}

async function run(args: readonly string[]): Promise<number> {
	const { values } = parseArgs({
		args: [...args],
		options: { bodies: { type: "string" }, steps: { type: "string" }, rounds: { type: "string" } },
	});
	let isHeld = true;
	for (const known of stepsCases) {
		if (values.bodies !== undefined && Number(values.bodies) !== known.bodies) continue;
		const each = {
			...known,
			steps: Number(values.steps ?? known.steps),
			rounds: Number(values.rounds ?? known.rounds),
		};
		const row = await measureCase(each);
		print(row);
		if (each.steps === known.steps) console.log(mergeCsv("steps", ["bodies"], [row]));
		isHeld &&= Object.entries(row).every(([name, value]) => !name.endsWith("Held") || value === "yes");
	}
	return isHeld ? 0 : 1;
}

async function measureCase(each: StepsCase): Promise<StepsRow> {
	const [start] = drumAfter(each.bodies, "rigid", [each.after]) as [Start];
	const measured = measureSteps(start, each.steps, each.rounds);
	await measureSingles(start, measured, each.rounds, COMMANDS);
	return stepsRow(each, measured);
}

export const steps: Bench = {
	name: "steps",
	what: "warm steps of the drum as a whole beside their solves, and beside single solves from zero of the same problems; [--bodies N] [--steps N] [--rounds N]",
	run,
};
