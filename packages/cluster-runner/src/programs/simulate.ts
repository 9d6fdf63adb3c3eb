/**
 * The program of a simulation: all ranks make the scene of its description, have the bodies of their regions, and go from step to step together. What is
 * asked for meanwhile they agree on between two steps.
 */
import { type Communicator, PROGRESS_NUMBERS_MAX, type RankContext, REQUEST } from "@stickslip/core/parallel";
import { anyObject, flag, integer, oneOf, optional, record } from "@stickslip/core/schema";
import {
	buildScene,
	type DomainOptions,
	type SceneDescription,
	Simulation,
	StepFailure,
	type StepStatistics,
} from "@stickslip/mechanics";
import type { Program } from "./program.js";

export interface SimulateTask {
	readonly scene: SceneDescription;
	/** Where the run ends, counted from the beginning of the simulation. */
	readonly steps: number;
	readonly onFailure?: "stop" | "continue" | undefined;
	/** Whether the state of the end is handed out, so that the run can be made longer. */
	readonly savesEnd?: boolean | undefined;
	readonly domain?: DomainOptions | undefined;
}

/** How it ended: `done`, `failed` by a step that no remedy helped, or as a request says. */
const ENDINGS = ["done", "failed", "suspended", "cancelled", "time-limit"] as const;

export interface SimulateResult {
	readonly rank: number;
	readonly ending: (typeof ENDINGS)[number];
	/** Steps done. */
	readonly steps: number;
	readonly failedSteps: number;
	/** Of the state of all bodies at the end. */
	readonly hash: string;
	/** Bodies that the rank owns at the end, bodies that came to it from others, and how often regions were cut. */
	readonly bodies: number;
	readonly arrivals: number;
	readonly recuts: number;
	readonly last?: StepStatistics | undefined;
}

const program: Program<SimulateTask, SimulateResult> = {
	name: "simulate",
	isPart: record({
		scene: anyObject,
		steps: integer(0, 2 ** 40),
		savesEnd: optional(flag),
		onFailure: optional(oneOf(["stop", "continue"] as const)),
		domain: optional(record({ recutsAlways: optional(flag), epoch: optional(integer(1, 2 ** 30)) })),
	}) as unknown as Program<SimulateTask, SimulateResult>["isPart"],
	*run(part, context) {
		const { communicator, from } = context;
		const { onFailure, domain } = part;
		const options = { communicator, ...(onFailure && { onFailure }), ...(domain && { domain }) };
		const simulation = new Simulation(buildScene(part.scene), options);
		if (from) simulation.resume(from);
		context.ready();
		const { ending, last } = yield* stepOn(simulation, part, context);
		if (part.savesEnd) context.save(simulation.state());
		return {
			rank: communicator.rank,
			ending,
			steps: simulation.steps,
			failedSteps: simulation.failedSteps,
			hash: simulation.hash(),
			bodies: simulation.bodies.own,
			arrivals: simulation.domain.arrivals,
			recuts: simulation.domain.recuts,
			...(last && { last }),
		};
	},
};

export default program;

interface Ended {
	readonly ending: SimulateResult["ending"];
	readonly last: StepStatistics | undefined;
}

/** Collective. */
function* stepOn(simulation: Simulation, { steps }: SimulateTask, context: RankContext): Generator<void, Ended, void> {
	let last: StepStatistics | undefined;
	for (;;) {
		const asked = agreedRequest(context);
		if (asked === REQUEST.save || asked === REQUEST.suspend) context.save(simulation.state());
		if (asked > REQUEST.save) return { ending: endingOf(asked), last };
		if (simulation.steps >= steps) return { ending: "done", last };
		try {
			last = yield* simulation.step();
		} catch (error) {
			if (!(error instanceof StepFailure)) throw error;
			return { ending: "failed", last };
		}
		if (context.communicator.rank === 0) context.progress(progressNumbers(last, steps));
		yield;
	}
}

/** Collective. Rank 0 alone may ask to save. */
function agreedRequest({ communicator, request }: RankContext): number {
	if (communicator.size === 1) return request;
	const asked = Float64Array.of(request === REQUEST.save && communicator.rank > 0 ? 0 : request);
	reduceLargest(communicator, asked);
	return asked[0]!;
}

function reduceLargest(communicator: Communicator, values: Float64Array): void {
	communicator.reduce(values, (into, from) => {
		into[0] = Math.max(into[0]!, from[0]!);
	});
}

function endingOf(request: number): SimulateResult["ending"] {
	if (request === REQUEST.suspend) return "suspended";
	return request === REQUEST.timeLimit ? "time-limit" : "cancelled";
}

/** What rank 0 tells while it works. */
function progressNumbers(last: StepStatistics, steps: number): number[] {
	const { step, time, bodies, contacts, iterations, failedSteps } = last;
	return [step, steps, time, bodies, contacts, iterations, failedSteps].slice(0, PROGRESS_NUMBERS_MAX);
}
