/** The drum of Koziara 2017, section 8.1, with 100 particles: iterations, failed steps, contacts and CPU seconds beside those of the report's own program. */
import { parseArgs } from "node:util";
import { type GivenOptions, makeScene, type SceneSolver, type StepStatistics } from "@stickslip/mechanics";
import type { Bench } from "../bench.js";
import { mergeCsv } from "../record.js";
import { openScene, runSteps } from "./simulate.js";

const STEPS = 10_001;
/** That of the report's program, in each step. */
const TARGET = { measure: "merit", tolerance: 1e-8, maxIterations: 1000 } as const;
/** As that program does, GMRES starts from its last increment, and quasi-Newton may fail to pay for some iterations; pseudo-rigid particles need neither. */
const HARD = { increment: "last", patience: 20 } as const;
const PQN_RIGID: SceneSolver = { ...TARGET, method: "pqn", set: { delta: 0.01, epsilon: 0.25, m: 10, ...HARD } };
const PQN_PSEUDO_RIGID: SceneSolver = { ...TARGET, method: "pqn", set: { delta: 0.01, epsilon: 0.01, m: 5 } };
const GAUSS_SEIDEL: SceneSolver = { ...TARGET, method: "gauss-seidel" };
const AUTO: SceneSolver = { ...TARGET, method: "auto" };

/** What the report's program takes on one core of the machine that its figures were measured on again. */
interface KnownRun {
	readonly seconds: number;
	readonly iterations: number;
	readonly failed: number;
	/** On average, where it is known. */
	readonly contacts?: readonly [number, number];
}

export interface DrumCase {
	readonly name: string;
	readonly options: GivenOptions;
	readonly solver: SceneSolver;
	readonly theirs?: KnownRun;
	/** Other particles than 100 and fewer steps; of these the report's program is known to take iterations within a range. */
	readonly large?: { readonly bodies: number; readonly steps: number; readonly iterations: string };
}

/** Of all cases of ellipsoids; of spheres nobody has said. */
const ELLIPSOID_CONTACTS = [245, 251] as const;

const pseudoRigid = { kind: "pseudo-rigid" };
const spheres = { shape: "spheres" };
export const drumCases: readonly DrumCase[] = [
	{
		...{ name: "rigid, pqn", options: {}, solver: PQN_RIGID },
		theirs: { seconds: 44.4, iterations: 10.5, failed: 1, contacts: ELLIPSOID_CONTACTS },
	},
	{
		...{ name: "rigid, gauss-seidel", options: {}, solver: GAUSS_SEIDEL },
		theirs: { seconds: 159.7, iterations: 119, failed: 60, contacts: ELLIPSOID_CONTACTS },
	},
	{
		...{ name: "pseudo-rigid, pqn", options: pseudoRigid, solver: PQN_PSEUDO_RIGID },
		theirs: { seconds: 33.6, iterations: 5.4, failed: 0, contacts: ELLIPSOID_CONTACTS },
	},
	{
		...{ name: "pseudo-rigid, gauss-seidel", options: pseudoRigid, solver: GAUSS_SEIDEL },
		theirs: { seconds: 40.5, iterations: 14.2, failed: 0, contacts: ELLIPSOID_CONTACTS },
	},
	{
		...{ name: "spheres rigid, gauss-seidel", options: spheres, solver: GAUSS_SEIDEL },
		theirs: { seconds: 128, iterations: 157, failed: 120 },
	},
	{ name: "spheres rigid, pqn", options: spheres, solver: PQN_RIGID },
	{
		...{ name: "1,000 rigid, pqn", options: {}, solver: PQN_RIGID },
		large: { bodies: 1000, steps: 1000, iterations: "14 to 37" },
	},
	{
		...{ name: "1,000 rigid, gauss-seidel", options: {}, solver: GAUSS_SEIDEL },
		large: { bodies: 1000, steps: 1000, iterations: "187 to 561" },
	},
	{ name: "rigid, auto", options: {}, solver: AUTO },
	{ name: "rigid, auto, natural 1e-3", options: {}, solver: { method: "auto" } },
];

export type DrumRow = {
	readonly case: string;
	readonly steps: number;
	/** Means over all steps with contacts; iterations leave out, as the tables do, those that were solved at once or failed. */
	readonly contacts: string;
	readonly iterations: string;
	readonly theirIterations: string;
	readonly retries: number;
	readonly failed: number;
	readonly theirFailed: string;
	readonly cpuSeconds: string;
	readonly theirSeconds: string;
	/** Shares of the time in steps. */
	readonly detect: string;
	readonly setup: string;
	readonly solve: string;
	readonly rest: string;
	readonly energy: string;
	readonly penetration: string;
	readonly held: string;
};

export function runDrum({ name, options, solver, theirs, large }: DrumCase, steps: number, bodies = 100): DrumRow {
	const scene = makeScene("drum", { ...options, bodies });
	const simulation = openScene({ ...scene, solver });
	const seen: StepStatistics[] = [];
	const before = process.cpuUsage();
	runSteps(simulation, steps, (told) => seen.push(told));
	const { user, system } = process.cpuUsage(before);
	const cpuSeconds = (user + system) / 1e6;
	const touching = seen.filter(({ contacts }) => contacts > 0);
	const worked = touching.filter(({ iterations, status }) => iterations > 0 && status === "solved");
	const mean = (rows: readonly StepStatistics[], of: (row: StepStatistics) => number) =>
		rows.reduce((sum, row) => sum + of(row), 0) / Math.max(1, rows.length);
	const contacts = mean(touching, (row) => row.contacts);
	const iterations = mean(worked, (row) => row.iterations);
	const failed = simulation.failedSteps;
	const phases = (["detect", "setup", "solve", "rest"] as const).map((phase) =>
		mean(seen, (row) => row.seconds[phase]),
	);
	const all = phases.reduce((sum, each) => sum + each, 0);
	const [detect, setup, solve, rest] = phases.map((each) => (each / all).toFixed(2)) as [
		string,
		string,
		string,
		string,
	];
	const last = seen.at(-1)!;
	const share = steps / STEPS;
	const isWhole = steps === STEPS && theirs !== undefined;
	const isFew = theirs === undefined || (iterations <= theirs.iterations && failed <= theirs.failed);
	const isQuick = theirs === undefined || cpuSeconds <= 0.5 * theirs.seconds * share;
	const [fewest, most] = theirs?.contacts ?? [0, Number.POSITIVE_INFINITY];
	const isFull = contacts >= 0.9 * fewest && contacts <= 1.1 * most;
	return {
		...{ case: name, steps, contacts: contacts.toFixed(0), iterations: iterations.toFixed(2) },
		theirIterations: String(theirs?.iterations ?? large?.iterations ?? ""),
		...{ retries: seen.reduce((sum, row) => sum + row.retries, 0), failed, theirFailed: String(theirs?.failed ?? "") },
		...{ cpuSeconds: cpuSeconds.toFixed(1), theirSeconds: theirs ? (theirs.seconds * share).toFixed(1) : "" },
		...{ detect, setup, solve, rest },
		energy: (last.kinetic + last.potential + last.strain).toFixed(1),
		penetration: Math.max(...seen.map((row) => row.largestPenetration)).toExponential(1),
		held: isWhole ? (isFew && isQuick && isFull ? "yes" : "NO") : "",
	};
}

export const drum: Bench = {
	name: "drum",
	what: "the rotating drum of Koziara 2017 beside the report's own program; [--steps N] [--case WORDS] [--set NAME=VALUE ...], which records nothing",
	run(args) {
		const { values } = parseArgs({
			args: [...args],
			options: {
				steps: { type: "string", default: String(STEPS) },
				case: { type: "string", default: "" },
				set: { type: "string", multiple: true, default: [] },
			},
		});
		const steps = Number(values.steps);
		const set = Object.fromEntries(values.set.map((pair) => pair.split("=", 2)));
		const exact = drumCases.filter(({ name }) => name === values.case);
		const chosen = exact.length > 0 ? exact : drumCases.filter(({ name }) => name.includes(values.case));
		const rows: DrumRow[] = [];
		for (const each of chosen) {
			const { large, solver } = each;
			const own = { ...each, solver: { ...solver, set: { ...solver.set, ...set } } };
			const row = runDrum(own, Math.min(steps, large?.steps ?? steps), large?.bodies);
			if (rows.length === 0) console.log(Object.keys(row).join("  "));
			rows.push(row);
			console.log(Object.values(row).join("  "));
		}
		if (values.set.length === 0) console.log(mergeCsv(steps === STEPS ? "drum" : "drum-short", ["case"], rows));
		return rows.some(({ held }) => held === "NO") ? 1 : undefined;
	},
};
