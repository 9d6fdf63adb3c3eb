/**
 * What reactions of the last step are worth as a start: iterations of `auto` on problems of steps, from zero, from the start whatever it is, and by two rules of when to drop
 * it: where its energy error is above that of zero, and where it is above a half as well (`worseStart: "drop"`). Counts, which any machine repeats.
 */
import { type Problem, type Report, type SolveOptions, solve } from "@stickslip/core";
import { makeScene, Simulation, type SimulationSetup } from "@stickslip/mechanics";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";
import { runSteps } from "./simulate.js";

interface StartsCase {
	readonly name: string;
	readonly scene: () => SimulationSetup;
	/** Steps from the first that counts on, of which every so many-th does. */
	readonly from: number;
	readonly to: number;
	readonly every: number;
	readonly tolerances: readonly number[];
}

const drum = (bodies: number, kind = "rigid") => makeScene("drum", { bodies, kind });

const startsCases: readonly StartsCase[] = [
	{ name: "drum of 100", scene: () => drum(100), from: 0, to: 3600, every: 20, tolerances: [1e-4, 1e-3] },
	{
		...{ name: "drum of 100 pseudo-rigid", scene: () => drum(100, "pseudo-rigid"), from: 0, to: 1500, every: 20 },
		tolerances: [1e-4, 1e-3],
	},
	{ name: "drum of 1000", scene: () => drum(1000), from: 700, to: 724, every: 3, tolerances: [1e-4, 1e-3] },
	{
		...{ name: "200 spheres", scene: () => makeScene("spheres", { bodies: 200 }), from: 0, to: 300, every: 6 },
		tolerances: [1e-3],
	},
	{ name: "pile", scene: () => makeScene("pile"), from: 0, to: 300, every: 6, tolerances: [1e-3] },
	{
		...{ name: "hopper of 200", scene: () => makeScene("hopper", { bodies: 200 }), from: 0, to: 300, every: 6 },
		tolerances: [1e-3],
	},
];

/** Smaller problems are solved in a call of a kernel, whatever their start is. */
const CONTACTS_MIN = 33;

export interface Warm {
	readonly problem: Problem;
	readonly start: Float64Array;
}

export function warmProblems({ scene, from, to, every }: Omit<StartsCase, "name" | "tolerances">): Warm[] {
	const found: Warm[] = [];
	const setup = scene();
	const simulation = new Simulation(
		{ ...setup, solver: { tolerance: 1e-4 } },
		{
			onFailure: "continue",
			onSolve: ({ failures, step, whole }) => {
				if (failures > 0 || step < from || step % every !== 0) return;
				const { problem, start } = whole()!;
				if (start === undefined || problem.contacts < CONTACTS_MIN) return;
				// Their arrays are used again by the next step.
				found.push({ problem: structuredClone({ ...problem }), start: start.slice() });
			},
		},
	);
	runSteps(simulation, to);
	return found;
}

export type StartsRow = Readonly<Record<string, string | number>>;

export function startsRow(name: string, tolerance: number, problems: readonly Warm[]): StartsRow {
	const sums = { zero: 0, always: 0, worseThanZero: 0, half: 0, better: 0 };
	let dropped = 0;
	const squares = { change: 0, found: 0 };
	for (const { problem, start } of problems) {
		const of = (options: SolveOptions): Report => solve(problem, { tolerance, ...options }).report;
		const errorAt = (options: SolveOptions) => of({ ...options, maxIterations: 0 }).energy;
		const [zero, always, half] = [of({}), of({ start }), of({ start, worseStart: "drop" })].map(
			({ iterations }) => iterations,
		) as [number, number, number];
		const isWorse = !(errorAt({ start }) <= errorAt({}));
		dropped += isWorse ? 1 : 0;
		sums.zero += zero;
		sums.always += always;
		sums.worseThanZero += isWorse ? zero : always;
		sums.half += half;
		sums.better += Math.min(zero, always);
		const { reaction } = solve(problem, { tolerance, start });
		squares.found += sumOfSquares(reaction);
		squares.change += sumOfSquares(reaction.map((value, k) => value - start[k]!));
	}
	const mean = (sum: number) => Number((sum / problems.length).toPrecision(3));
	const contacts = problems.reduce((sum, { problem }) => sum + problem.contacts, 0);
	const means = Object.fromEntries(Object.entries(sums).map(([rule, sum]) => [rule, mean(sum)]));
	const change = Number(Math.sqrt(squares.change / squares.found).toPrecision(3));
	const facts = { steps: name, tolerance, problems: problems.length, contacts: mean(contacts), change };
	return { ...facts, ...means, worse: dropped };
}

function sumOfSquares(values: Float64Array): number {
	return values.reduce((sum, value) => sum + value * value, 0);
}

function print(row: StartsRow): void {
	const { steps, tolerance, problems, contacts, worse, change, ...means } = row;
	const each = Object.entries(means).map(([rule, mean]) => `${rule} ${mean}`);
	console.log(
		`${steps} to ${tolerance}, ${problems} problems of ${contacts} contacts, starts off by ${change}, ${worse} worse than zero: ${each.join(", ")}`,
	);
}

export const starts: Bench = {
	name: "starts",
	what: "iterations from the reactions of the last step and from zero, by when a start is dropped   [WORDS of a case]",
	run(args) {
		const words = args.join(" ");
		const rows: StartsRow[] = [];
		for (const each of startsCases.filter(({ name }) => name.includes(words))) {
			const problems = warmProblems(each);
			for (const tolerance of each.tolerances) {
				const row = startsRow(each.name, tolerance, problems);
				rows.push(row);
				print(row);
			}
		}
		if (words === "") console.log(`recorded in ${recordCsv("starts", rows)}`);
		return undefined;
	},
};
