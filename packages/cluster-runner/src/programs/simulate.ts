/**
 * The program of a simulation: all ranks make the scene of its description, have the bodies of their regions, and go from step to step together. Between
 * two steps they agree on requests.
 */
import {
	type Communicator,
	PROGRESS_NUMBERS_MAX,
	type RankContext,
	REQUEST,
	TimedCollectives,
} from "@stickslip/core/parallel";
import {
	anyNumber,
	anyObject,
	type Check,
	called,
	flag,
	integer,
	list,
	oneOf,
	optional,
	record,
	text,
} from "@stickslip/core/schema";
import {
	type AppendModule,
	buildScene,
	type DomainOptions,
	type Mistake,
	type RunExtremes,
	runWarnings,
	type Scene,
	type SceneDescription,
	SceneWatch,
	Simulation,
	type SolveAttempt,
	StepFailure,
	type StepStatistics,
} from "@stickslip/mechanics";
import { loadAppender } from "../files/run-files.js";
import { problemKeepers } from "./problem-dump.js";
import type { Program } from "./program.js";
import { type FilesTask, isFilesTask, SimulationFiles } from "./simulation-files.js";
import { EffortCounter, isStepEffort, type StepEffort } from "./step-effort.js";

export interface SimulateTask {
	readonly scene: SceneDescription;
	/** Where the run ends, counted from the beginning of the simulation. */
	readonly steps: number;
	readonly onFailure?: "stop" | "continue" | undefined;
	/** Whether the final state is returned, so that the run can be extended. */
	readonly savesEnd?: boolean | undefined;
	readonly domain?: DomainOptions | undefined;
	/** Steps before this one are left out of the effort. Default 0. */
	readonly effortFrom?: number | undefined;
	/** What is written meanwhile; nothing if absent. */
	readonly files?: FilesTask | undefined;
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
	/** Largest overlap and speed of all steps, those before a checkpoint as well; the same on all ranks. */
	readonly extremes: RunExtremes;
	/** Steps, iterations and products of this task, without those before a checkpoint. */
	readonly totals: Totals;
	/** What the steps cost this rank. */
	readonly effort: StepEffort;
	/** Why it failed. */
	readonly reason?: string | undefined;
	/** Problems on the way: with own bodies of the rank, and on rank 0 those of the whole run. */
	readonly warnings: readonly Mistake[];
}

const amount = called("a number", anyNumber);

interface Totals {
	steps: number;
	iterations: number;
	products: number;
}

const isExtreme = record({ value: amount, time: amount, bodies: list(integer(0), 2) });

const isPlainResult = record({
	rank: integer(0),
	ending: oneOf(ENDINGS),
	steps: integer(0),
	failedSteps: integer(0),
	hash: text(64),
	bodies: integer(0),
	arrivals: integer(0),
	recuts: integer(0),
	last: optional(anyObject),
	extremes: record({ overlap: optional(isExtreme), speed: optional(isExtreme) }),
	totals: record({ steps: integer(0), iterations: integer(0), products: integer(0) }),
	effort: isStepEffort,
	reason: optional(text(100_000)),
	warnings: list(record({ path: text(1000), problem: text(1000), remedy: text(1000) }), 10),
});
export const isSimulateResult = isPlainResult as Check<unknown> as Check<SimulateResult>;

const FAILURES_LOGGED = 100;

/** The files of this rank, once one is written. */
let appender: AppendModule | undefined;

const program: Program<SimulateTask, SimulateResult> = {
	name: "simulate",
	isPart: record({
		scene: anyObject,
		steps: integer(0, 2 ** 40),
		savesEnd: optional(flag),
		onFailure: optional(oneOf(["stop", "continue"] as const)),
		effortFrom: optional(integer(0, 2 ** 40)),
		files: optional(isFilesTask),
		domain: optional(record({ recutsAlways: optional(flag), epoch: optional(integer(1, 2 ** 30)) })),
	}) as unknown as Program<SimulateTask, SimulateResult>["isPart"],
	async prepare({ files }) {
		const { output, dump, failures } = files ?? {};
		if ((output ?? dump ?? failures) !== undefined) appender = await loadAppender();
	},
	*run(part, context) {
		const { from } = context;
		const communicator = new TimedCollectives(context.communicator);
		const { onFailure, domain, files: task, effortFrom = 0 } = part;
		const notKept = (problem: string) => context.log("warn", "failed solve not kept", { problem });
		const keepers = task && appender ? problemKeepers(task, appender, communicator.rank, notKept) : [];
		const options = {
			communicator,
			...(keepers.length > 0 && {
				onSolve: (attempt: SolveAttempt) => {
					for (const keep of keepers) keep(attempt);
				},
			}),
			...(onFailure && { onFailure }),
			...(domain && { domain }),
		};
		const scene = buildScene(part.scene);
		const simulation = new Simulation(scene, options);
		if (from) simulation.resume(from);
		const files = task && new SimulationFiles(task, part.scene, simulation, appender, from !== undefined);
		context.ready();
		files?.begin();
		const watch = new SceneWatch(scene);
		const effort = new EffortCounter(communicator, effortFrom);
		const { ending, last, totals, reason } = yield* stepOn({ scene, simulation, watch, effort }, part, context, files);
		// A run that is resumed stores the steps that an uninterrupted one stores.
		files?.end(ending !== "suspended");
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
			extremes: simulation.extremes,
			totals,
			effort: effort.total,
			...(reason !== undefined && { reason }),
			warnings: [...watch.found, ...(communicator.rank === 0 ? runWarnings(scene, simulation.extremes) : [])],
		};
	},
};

export default program;

type Ended = Pick<SimulateResult, "ending" | "last" | "totals" | "reason">;

interface Stepping {
	readonly scene: Scene;
	readonly simulation: Simulation;
	readonly watch: SceneWatch;
	readonly effort: EffortCounter;
}

/** Collective. */
function* stepOn(
	{ scene, simulation, watch, effort }: Stepping,
	{ steps }: SimulateTask,
	context: RankContext,
	files: SimulationFiles | undefined,
): Generator<void, Ended, void> {
	let last: StepStatistics | undefined;
	const totals: Totals = { steps: 0, iterations: 0, products: 0 };
	let exceeded = runWarnings(scene, simulation.extremes).length;
	for (;;) {
		const asked = agreedRequest(context);
		if (asked === REQUEST.save || asked === REQUEST.suspend) {
			files?.flush();
			context.save(simulation.state());
		}
		if (asked > REQUEST.save) return { ending: endingOf(asked), last, totals };
		if (simulation.steps >= steps) return { ending: "done", last, totals };
		effort.begin(simulation.steps);
		try {
			last = yield* simulation.step();
		} catch (error) {
			if (!(error instanceof StepFailure)) throw error;
			return { ending: "failed", last, totals, reason: error.message };
		}
		effort.end(last);
		totals.steps += 1;
		totals.iterations += last.iterations;
		totals.products += last.products;
		files?.stepped(last);
		const logged = watch.found.length;
		watch.look(simulation.bodies, simulation.time);
		logWarnings(watch.found.slice(logged), context);
		if (context.communicator.rank === 0) {
			logFailure(last, context);
			// Each kind when it is first seen: the end of the run has the extremes.
			const warnings = runWarnings(scene, simulation.extremes);
			if (warnings.length > exceeded) logWarnings(warnings, context);
			exceeded = warnings.length;
		}
		if (context.communicator.rank === 0) context.progress(progressNumbers(last, steps));
		yield;
	}
}

function logWarnings(warnings: readonly Mistake[], context: RankContext): void {
	for (const { path, problem, remedy } of warnings) context.log("warn", "scene", { path, problem, remedy });
}

/** Only the first ones: there may be thousands. */
function logFailure({ step, status, error, failedSteps }: StepStatistics, context: RankContext): void {
	if (status === "solved" || failedSteps > FAILURES_LOGGED) return;
	context.log("warn", "step not solved", { step, status, error, failedSteps });
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

/** Progress of rank 0. */
function progressNumbers(last: StepStatistics, steps: number): number[] {
	const { step, time, bodies, contacts, iterations, failedSteps } = last;
	return [step, steps, time, bodies, contacts, iterations, failedSteps].slice(0, PROGRESS_NUMBERS_MAX);
}

/** The same by name. */
export function simulateProgressOf(numbers: readonly number[]) {
	const [step = 0, steps = 0, time = 0, bodies = 0, contacts = 0, iterations = 0, failedSteps = 0] = numbers;
	return { step, steps, time, bodies, contacts, iterations, failedSteps };
}
