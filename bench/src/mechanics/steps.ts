/**
 * Steps of the drum as a whole: what a warm step takes beside its solve, and what a thousand of them take beside a thousand solves from zero of the problems that they had.
 * Runs do the same to the bit, so that of each step and each solve the least time of some rounds counts; steps and solves take turns.
 */
import { parseArgs } from "node:util";
import { type Problem, solve } from "@stickslip/core";
import { type RunState, toTheEnd } from "@stickslip/core/parallel";
import { Simulation, type SimulationSetup, type StepStatistics } from "@stickslip/mechanics";
import type { Bench } from "../bench.js";
import { mergeCsv } from "../record.js";
import { drumAfter } from "./drum-states.js";

export interface StepsCase {
	readonly bodies: number;
	/** Steps of the scene before those that are measured. */
	readonly after: number;
	/** At most this times its solve, detection left out; and solves from zero take so many times as long as steps. */
	readonly targets: { readonly beside: number; readonly zero: number };
}

const TARGETS = { beside: 1.3, zero: 3 } as const;

const stepsCases: readonly StepsCase[] = [
	{ bodies: 100, after: 3000, targets: TARGETS },
	{ bodies: 1000, after: 700, targets: TARGETS },
];

const STEPS = 1000;
const ROUNDS = 5;
/** Steps of a turn, in which rounds of steps and rounds of solves take turns. */
const TURN = 20;

/** Milliseconds: of a step by phase, and of the problem's solve from zero. */
export interface MeasuredStep {
	readonly phases: Record<keyof StepStatistics["seconds"], number>;
	readonly told: StepStatistics;
	zero: number;
	zeroIterations: number;
}

interface Turn {
	readonly steps: MeasuredStep[];
	/** After the last of them. */
	readonly state: RunState;
}

/** The problems of some steps from a state, as first tried. */
function problemsFrom(setup: SimulationSetup, state: RunState, steps: number): (Problem | undefined)[] {
	const problems: (Problem | undefined)[] = [];
	const simulation = new Simulation(setup, {
		onFailure: "continue",
		// Its arrays are used again by the next step.
		onSolve: ({ failures, step, whole }) => {
			if (failures === 0) problems[step - state.iteration] = structuredClone({ ...whole()!.problem });
		},
	});
	simulation.resume(state);
	for (let step = 0; step < steps; step += 1) toTheEnd(simulation.step());
	return problems;
}

export function measureTurn(setup: SimulationSetup, state: RunState, steps: number, rounds: number): Turn {
	const measured: MeasuredStep[] = [];
	const problems = problemsFrom(setup, state, steps);
	let after = state;
	for (let round = 0; round < rounds; round += 1) {
		const simulation = new Simulation(setup, { onFailure: "continue" });
		simulation.resume(state);
		for (let i = 0; i < steps; i += 1) take(measured, i, toTheEnd(simulation.step()));
		after = simulation.state();
		for (const [i, problem] of problems.entries()) {
			if (problem === undefined) continue;
			const started = performance.now();
			const { report } = solve(problem, setup.solver);
			measured[i]!.zero = Math.min(measured[i]!.zero, performance.now() - started);
			measured[i]!.zeroIterations = report.iterations;
		}
	}
	for (const step of measured) if (step.zero === Number.POSITIVE_INFINITY) step.zero = 0;
	return { steps: measured, state: after };
}

function take(measured: MeasuredStep[], i: number, told: StepStatistics): void {
	const all = Number.POSITIVE_INFINITY;
	measured[i] ??= {
		phases: { detect: all, setup: all, solve: all, rest: all },
		told,
		zero: all,
		zeroIterations: 0,
	};
	const { phases } = measured[i]!;
	for (const phase of PHASES) phases[phase] = Math.min(phases[phase], 1000 * told.seconds[phase]);
}

const PHASES = ["detect", "setup", "solve", "rest"] as const;

export type StepsRow = Readonly<Record<string, string | number>>;

export function stepsRow({ bodies, targets }: StepsCase, rounds: number, steps: readonly MeasuredStep[]): StepsRow {
	const mean = (of: (step: MeasuredStep) => number) => steps.reduce((sum, step) => sum + of(step), 0) / steps.length;
	const [detect, setup, iterating, rest] = PHASES.map((phase) => mean(({ phases }) => phases[phase])) as [
		number,
		number,
		number,
		number,
	];
	const zero = mean((step) => step.zero);
	const beside = (setup + iterating + rest) / iterating;
	const whole = detect + setup + iterating + rest;
	const [gain, gainBeside] = [zero / whole, zero / (whole - detect)];
	const rounded = (value: number) => Number(value.toPrecision(3));
	const isHeld = beside <= targets.beside && gain >= targets.zero;
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
		zeroMs: rounded(zero),
		gain: rounded(gain),
		gainWithoutDetection: rounded(gainBeside),
		gainTarget: targets.zero,
		held: isHeld ? "yes" : "NO",
	};
}

function print(row: StepsRow): void {
	const of = (name: string) => row[name];
	console.log(
		`drum of ${of("bodies")}, ${of("contacts")} contacts, ${of("steps")} steps of ${of("iterations")} iterations, ${of("retries")} retries: detect ${of("detectMs")}, setup ${of("setupMs")}, solve ${of("solveMs")}, rest ${of("restMs")} ms; all but detection ${of("beside")} times the solve (at most ${of("besideTarget")})`,
	);
	console.log(
		`    from zero ${of("zeroMs")} ms and ${of("iterationsFromZero")} iterations: ${of("gain")} times the step, ${of("gainWithoutDetection")} without detection (at least ${of("gainTarget")}): ${of("held")}`,
	);
}

function run(args: readonly string[]): number {
	const { values } = parseArgs({
		args: [...args],
		options: {
			bodies: { type: "string" },
			steps: { type: "string", default: String(STEPS) },
			rounds: { type: "string", default: String(ROUNDS) },
		},
	});
	const [wanted, rounds] = [Number(values.steps), Number(values.rounds)];
	const rows: StepsRow[] = [];
	for (const each of stepsCases) {
		if (values.bodies !== undefined && Number(values.bodies) !== each.bodies) continue;
		let [{ setup, state }] = drumAfter(each.bodies, "rigid", [each.after]) as [ReturnType<typeof drumAfter>[0]];
		const steps: MeasuredStep[] = [];
		while (steps.length < wanted) {
			const turn = measureTurn(setup, state, Math.min(TURN, wanted - steps.length), rounds);
			steps.push(...turn.steps);
			({ state } = turn);
		}
		const row = stepsRow(each, rounds, steps);
		rows.push(row);
		print(row);
	}
	if (wanted === STEPS && rows.length > 0) console.log(mergeCsv("steps", ["bodies"], rows));
	return rows.every(({ held }) => held === "yes") ? 0 : 1;
}

export const steps: Bench = {
	name: "steps",
	what: "warm steps of the drum as a whole beside their solves, and beside solves from zero of the same problems; [--bodies N] [--steps N] [--rounds N]",
	run,
};
