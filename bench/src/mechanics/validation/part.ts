/** What every part of the bench is made of: runs that give one number each, kept in the table, and fits to all of them. */
import type { Simulation, StepStatistics } from "@stickslip/mechanics";
import { runSteps } from "../simulate.js";

export type ValidationRow = {
	readonly part: string;
	/** Of one run, or `fit` for what is fitted to all of a part; without commas. */
	readonly run: string;
	readonly quantity: string;
	readonly measured: string;
	readonly target: string;
	/** Empty where there is no target. */
	readonly held: "" | "yes" | "NO";
	readonly steps: number | "";
	/** At the end. */
	readonly contacts: number | "";
	readonly failed: number | "";
	/** Of the whole run. */
	readonly cpuSeconds: string;
};

export interface MeasuredRun {
	readonly measured: number;
	readonly steps: number;
	readonly contacts: number;
	readonly failed: number;
}

/** Where runs come from and their rows go to. */
export interface Table {
	/** What an earlier command measured in that run, to go on after it. */
	known(part: string, run: string): number | undefined;
	add(row: ValidationRow): void;
	/** For whoever waits. */
	say(line: string): void;
}

/** A number that is known, or the outcome of the run. */
export function measureRun(
	table: Table,
	part: string,
	run: string,
	quantity: string,
	measure: () => MeasuredRun,
): number {
	const known = table.known(part, run);
	if (known !== undefined) return known;
	const before = cpuSeconds();
	const { measured, ...facts } = measure();
	const row = { part, run, quantity, measured: String(Number(measured.toPrecision(4))), target: "", held: "" } as const;
	table.add({ ...row, ...facts, cpuSeconds: (cpuSeconds() - before).toFixed(1) });
	return measured;
}

/** What is fitted, with its target where there is one. */
export function addFit(
	table: Table,
	part: string,
	quantity: string,
	measured: string,
	target = "",
	isHeld?: boolean,
): void {
	const held = isHeld === undefined ? "" : isHeld ? "yes" : "NO";
	const fit = { part, run: "fit", quantity, measured, target, held } as const;
	table.add({ ...fit, steps: "", contacts: "", failed: "", cpuSeconds: "" });
}

/** With one standard deviation. */
export function withDeviation(value: number, deviation: number): string {
	return Number.isNaN(deviation) ? value.toFixed(3) : `${value.toFixed(3)} +- ${deviation.toFixed(3)}`;
}

export function cpuSeconds(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1e6;
}

/** Steps until `isOver` says so after one, at most so many. */
export function runUntil(
	simulation: Simulation,
	most: number,
	isOver: (told: StepStatistics) => boolean,
): StepStatistics {
	let last: StepStatistics | undefined;
	for (let step = 0; step < most && !(last && isOver(last)); step += 1) {
		runSteps(simulation, 1, (told) => {
			last = told;
		});
	}
	return last!;
}
