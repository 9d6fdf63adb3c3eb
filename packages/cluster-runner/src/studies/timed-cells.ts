/** The cells of a study of scaling or sensitivity: a solve, or whole steps of a scene, by a method on some ranks over a transport. */
import { errorOf, InputError, type Problem } from "@stickslip/core";
import type { RunState } from "@stickslip/core/parallel";
import type { SceneDescription } from "@stickslip/mechanics";
import type { Transport } from "../base/transports.js";
import { choose, type LaunchedPlacement } from "../ranks/choose.js";
import type { Log } from "../records/log.js";
import type { MethodVariant, TimedRequest } from "../requests/study-request.js";
import { simulateScene } from "../solve/simulate-scene.js";
import { solveRanks } from "../solve/solve-ranks.js";
import { LastMade } from "../study/last-made.js";
import type { CellPlan, PlannedCell } from "../study/run-cells.js";
import type { Measured, Values } from "../study/sample.js";
import type { ProblemSource, SceneSource, Source } from "./source.js";
import type { StartStates } from "./start-states.js";

/** One solve is to warm up: code is compiled, and caches are full. */
const SOLVES = 2;
/** Steps to warm up. */
const WARM_STEPS = 5;

export interface TimedSurroundings {
	readonly signal: AbortSignal;
	/** Where so many ranks are placed, where a launcher decides that. Throws an InputError where they have no place. */
	readonly placementFor: ((ranks: number) => LaunchedPlacement) | undefined;
	readonly log: Log | undefined;
	/** Of scenes of which steps are left out. */
	readonly starts: StartStates;
}

/** What the axes of a cell say. */
interface Place {
	readonly ranks: number;
	readonly transport: Transport | undefined;
	readonly variant: MethodVariant;
}

/** One rank needs no transport, so that all transports have one baseline. */
const NO_TRANSPORT = "none";
/** Of ranks that a launcher cannot place. */
const UNPLACED = "unplaced";

export function timedCells(
	request: TimedRequest,
	sources: readonly Source[],
	surroundings: TimedSurroundings,
): CellPlan {
	const { kind, ranks, variants, transports, rounds } = request;
	const { placementFor } = surroundings;
	const waysOf = (count: number) => {
		if (count === 1) return [NO_TRANSPORT];
		return placementFor === undefined ? transports : [transportPlaced(count, placementFor)];
	};
	const maker = new Maker(request, surroundings);
	const groups = sources.flatMap((source) =>
		variants.map((variant) =>
			ranks.flatMap((count) =>
				waysOf(count).map((way): PlannedCell => {
					const transport = placementFor === undefined && way !== NO_TRANSPORT ? (way as Transport) : undefined;
					const times = kind === "weak" ? count : 1;
					const place = { ranks: count, transport, variant };
					return {
						axes: { problem: source.name, method: variant.name, transport: way, ranks: count },
						measure: () => maker.measure(source, times, place),
					};
				}),
			),
		),
	);
	// Cells of one group are compared with each other: those of scaling with their own baseline, those of sensitivity with all of their source.
	if (kind !== "sensitivity") return { groups, rounds };
	return { groups: sources.map((_, k) => groups.slice(k * variants.length, (k + 1) * variants.length).flat()), rounds };
}

/** What a launcher decides on: how its ranks communicate. */
function transportPlaced(ranks: number, placementFor: (ranks: number) => LaunchedPlacement): string {
	try {
		return choose(Number.POSITIVE_INFINITY, { placement: placementFor(ranks) }).transport ?? NO_TRANSPORT;
	} catch (error) {
		if (error instanceof InputError) return UNPLACED;
		throw error;
	}
}

/** Makes what is measured, once for cells that follow each other. */
class Maker {
	readonly #request: TimedRequest;
	readonly #surroundings: TimedSurroundings;
	readonly #problems = new LastMade<Problem>();
	readonly #scenes = new LastMade<SceneStart | undefined>();

	constructor(request: TimedRequest, surroundings: TimedSurroundings) {
		this.#request = request;
		this.#surroundings = surroundings;
	}

	async measure(source: Source, times: number, place: Place): Promise<Measured | undefined> {
		return source.kind === "problem"
			? await this.#solve(source, times, place)
			: await this.#simulate(source, times, place);
	}

	async #solve(source: ProblemSource, times: number, { ranks, transport, variant }: Place) {
		const { measure, tolerance, timeLimit, maxIterations } = this.#request;
		const problem = await this.#problems.get(`${source.name} ${times}`, () => source.make(times));
		if (ranks > problem.contacts) {
			const lack = `${ranks} ranks for ${problem.contacts} contacts: some would have nothing to do`;
			throw new InputError(source.name, "ranks", lack, "use fewer ranks, or a larger problem");
		}
		const { report } = await solveRanks(problem, {
			...this.#ranks(ranks, transport),
			...{ method: variant.method, set: variant.set, measure, tolerance, repeat: SOLVES },
			...(timeLimit !== undefined && { timeLimit }),
			...(maxIterations !== undefined && { maxIterations }),
			signal: this.#surroundings.signal,
		});
		const { status, reason, hash, contacts, seconds, secondsFirst, iterations, products } = report;
		if (status === "cancelled") return undefined;
		const { exchanges, reductions } = report;
		const counts = { contacts, iterations, products, exchanges, reductions };
		const perRank = report.perRank.map(({ rank, phases, ...more }): Values => ({ rank, ...more, ...phases }));
		const values = { seconds, secondsFirst, ...counts, error: errorOf(report), ...sentBy(perRank) };
		return { status, reason, hash, values, perRank };
	}

	async #simulate(source: SceneSource, times: number, place: Place): Promise<Measured | undefined> {
		const { skip, steps } = this.#request;
		const { signal } = this.#surroundings;
		const start = await this.#scenes.get(`${source.name} ${times}`, () => this.#startOf(source, times));
		if (start === undefined) return undefined;
		const description = withSolver(start.description, this.#request, place.variant);
		const from = skip + WARM_STEPS;
		const result = await simulateScene(description, {
			...this.#ranks(place.ranks, place.transport),
			...{ steps: from + steps, effortFrom: from, onFailure: "continue", signal },
			...(start.state && { from: start.state }),
		});
		const { ending, reason = "", hash, ranks, failedSteps } = result;
		if (ending !== "done" && ending !== "failed") return undefined;
		const perRank = ranks.map(({ bodies, effort }, rank): Values => ({ rank, bodies, ...effort }));
		const { effort } = ranks[0]!;
		const done = Math.max(1, effort.steps);
		// Of all ranks the slowest, and of a step the mean; sums of the ranks are those of all steps.
		const seconds = Math.max(...ranks.map((rank) => rank.effort.seconds)) / done;
		const means = ["contacts", "iterations", "products", "exchanges", "reductions"] as const;
		const values = Object.fromEntries(means.map((name) => [name, effort[name] / done]));
		const { retries, retriedSteps, retriedIterations } = effort;
		const retried = { retries, retriedSteps, retriedIterations };
		const status = ending === "done" ? "solved" : "stalled";
		return {
			...{ status, reason, hash, perRank },
			values: { seconds, steps: effort.steps, failedSteps, ...retried, ...values, ...sentBy(perRank) },
		};
	}

	/** With the state after the steps that are left out; undefined if it was stopped while it was made. */
	async #startOf(source: SceneSource, times: number): Promise<SceneStart | undefined> {
		const { skip } = this.#request;
		const description = await source.make(times);
		if (skip === 0) return { description, state: undefined };
		const state = await this.#surroundings.starts.stateAfter(skip, description);
		return state && { description, state };
	}

	#ranks(ranks: number, transport: Transport | undefined) {
		const { placementFor, log } = this.#surroundings;
		if (placementFor !== undefined && ranks > 1) return { placement: placementFor(ranks), log };
		return { ranks, ...(transport !== undefined && { transport }), ...(ranks > 1 && { log }) };
	}
}

interface SceneStart {
	readonly description: SceneDescription;
	readonly state: RunState | undefined;
}

/** Its own solver with the method, measure and limits of the study. */
function withSolver(
	description: SceneDescription,
	{ measure, tolerance, maxIterations }: TimedRequest,
	{ method, set }: MethodVariant,
): SceneDescription {
	const limit = maxIterations === undefined ? {} : { maxIterations };
	return { ...description, solver: { ...description.solver, method, set, measure, tolerance, ...limit } };
}

/** By all ranks together. */
function sentBy(perRank: readonly Values[]): Values {
	const sum = (name: string) => perRank.reduce((total, values) => total + (values[name] ?? 0), 0);
	return { messages: sum("messages"), bytes: sum("bytes") };
}
