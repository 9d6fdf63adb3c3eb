/** How a simulation ended: for people, as one object for programs, and as the report that a run keeps of it. */
import { DEFAULT_TOLERANCES, type Report, version } from "@stickslip/core";
import { efficiencyOf } from "@stickslip/core/parallel";
import { type Extreme, type Mistake, pathOfBody, type Scene } from "@stickslip/mechanics";
import { count, counted, duration, oneLine, three } from "../base/format.js";
import { pairs } from "../output/table.js";
import type { SimulateResult } from "../programs/simulate.js";
import type { Choice } from "../ranks/choose.js";
import { STEPS_OPERATOR } from "../runs/summary.js";

export interface EndedSimulation {
	readonly scene: Scene;
	/** By rank. */
	readonly results: readonly SimulateResult[];
	/** Warnings of the scene and of the run. */
	readonly warnings: readonly Mistake[];
	readonly choice: Choice;
	/** Of this process. */
	readonly seconds: number;
}

/** Ending in words, without its place. */
const REASONS: Readonly<Record<SimulateResult["ending"], string>> = {
	done: "the last step was reached",
	failed: "no remedy solved a step",
	suspended: "stopped on request, with a checkpoint",
	cancelled: "stopped on request",
	"time-limit": "the time limit was reached",
};

/** Steps and, where the simulation did not reach its end, why. */
function progressOf({ scene, results }: EndedSimulation): string {
	const [{ ending, reason, steps }] = results as [SimulateResult];
	if (ending === "done") return `${counted(steps, "step")} done`;
	return `${count(steps)} of ${counted(scene.steps, "step")} done: ${reason ?? REASONS[ending]}`;
}

/** What `--json` prints. */
export function simulationAsJson({ scene, results, warnings, choice, seconds }: EndedSimulation): object {
	const [first] = results as [SimulateResult];
	const { ending, steps, failedSteps, hash, totals, last } = first;
	const { status: _status, seconds: _seconds, step: _step, ...rest } = last ?? {};
	return {
		scene: scene.name,
		status: ending,
		reason: first.reason ?? REASONS[ending],
		steps,
		time: steps * scene.step,
		failedSteps,
		done: totals,
		seconds,
		ranks: choice.ranks,
		transport: choice.transport ?? "none",
		hash,
		...(last && { last: rest }),
		largestOverlap: extremeAsJson(first.extremes.overlap, scene),
		largestSpeed: extremeAsJson(first.extremes.speed, scene),
		warnings,
		perRank: results.map(({ rank, bodies, arrivals, effort }) => ({ rank, bodies, arrivals, ...effort })),
		efficiency: efficiencyOf(results.map(({ effort }) => effort)),
		version,
	};
}

/** Null where there is none: nothing overlapped, or nothing moved. */
function extremeAsJson(extreme: Extreme | undefined, { description }: Scene): object | null {
	if (extreme === undefined) return null;
	const { value, time, bodies } = extreme;
	return { value, time, ids: bodies, bodies: bodies.map((id) => pathOfBody(description, id)) };
}

function extremeText(extreme: Extreme | undefined, unit: string, { description }: Scene): string {
	if (extreme === undefined) return `0 ${unit}`;
	const bodies = extreme.bodies.map((id) => pathOfBody(description, id)).join(" and ");
	return `${three(extreme.value)} ${unit} at ${three(extreme.time)} s: ${bodies}`;
}

export function simulationSummary(ended: EndedSimulation, written: readonly string[]): string[] {
	const head = oneLine(`${ended.scene.name}: ${progressOf(ended)}`);
	return [head, ...pairs([...simulationFacts(ended), ["written", written.join(", ")]])];
}

/** Names and values, for people. */
export function simulationFacts({ scene, results, choice, seconds }: EndedSimulation): [string, string][] {
	const [{ steps, failedSteps, hash, totals, last, extremes }] = results as [SimulateResult];
	const each = totals.steps > 0 ? ` (${duration(seconds / totals.steps)} per step)` : "";
	const work = totals.steps > 0 ? `${counted(totals.iterations, "iteration")} in ${counted(totals.steps, "step")}` : "";
	const ranks = choice.ranks > 1 ? `, ${choice.ranks} ranks over ${choice.transport}` : "";
	const { parallel, loadBalance, serialisation, transfer } = efficiencyOf(results.map(({ effort }) => effort));
	const shares = `load balance ${percent(loadBalance)}, serialisation ${percent(serialisation)}, transfer ${percent(transfer)}`;
	return [
		["steps", `${count(steps)} of ${count(scene.steps)}, to ${three(steps * scene.step)} s`],
		["bodies", last === undefined ? "" : bodiesText(last.bodies, scene)],
		["contacts", last === undefined ? "" : `${count(last.contacts)} in the last step`],
		["work", work],
		["failed steps", count(failedSteps)],
		["energy", last === undefined ? "" : `kinetic ${three(last.kinetic)} J, potential ${three(last.potential)} J`],
		["largest overlap", extremeText(extremes.overlap, "m", scene)],
		["largest speed", extremeText(extremes.speed, "m/s", scene)],
		["time", `${duration(seconds)}${each}${ranks}`],
		["efficiency", choice.ranks > 1 ? `${percent(parallel)} = ${shares}` : ""],
		["hash of state", hash],
	];
}

function percent(share: number): string {
	return `${(100 * share).toFixed(0)} %`;
}

/** With those that later events add. */
function bodiesText(bodies: number, { total, bodies: first }: Scene): string {
	const missing = total - first.obstacles - bodies;
	return missing > 0 ? `${count(bodies)}, ${count(missing)} more come later` : count(bodies);
}

/** For the run's folder: the same fields as for a solve, with steps instead of iterations. */
export function reportOf({ scene, results, choice, seconds }: EndedSimulation): Report {
	const [first] = results as [SimulateResult];
	const { ending, steps, failedSteps, hash, totals, last } = first;
	const { measure = "energy", tolerance = DEFAULT_TOLERANCES[measure], method = "auto" } = scene.solver;
	const status = ending === "done" ? "solved" : ending === "failed" ? "stalled" : "cancelled";
	const { error = 0, contacts = 0 } = last ?? {};
	return {
		...{ problem: scene.name, contacts, method, status, reason: first.reason ?? REASONS[ending] },
		remedies: failedSteps > 0 ? [counted(failedSteps, "failed step")] : [],
		...{ iterations: steps, products: totals.products, measure, tolerance },
		...{ energy: Number.NaN, natural: Number.NaN, merit: Number.NaN, [measure]: error },
		...{ seconds, secondsFirst: seconds, ranks: choice.ranks, transport: choice.transport ?? "none" },
		...{
			operator: STEPS_OPERATOR,
			exchanges: first.effort.exchanges,
			reductions: first.effort.reductions,
			perRank: [],
		},
		efficiency: efficiencyOf(results.map(({ effort }) => effort)),
		...{ hash, version },
	};
}
