/** A scene simulated on ranks, for programs that embed the solver: from its beginning or a state, to a step, without files. */
import { gatherStates, type RunState } from "@stickslip/core/parallel";
import { buildScene, type DomainOptions, dealState, type SceneDescription } from "@stickslip/mechanics";
import type { SimulateResult, SimulateTask } from "../programs/simulate.js";
import { refusalIn } from "../protocol/refusal.js";
import { choose, type RankOptions } from "../ranks/choose.js";
import type { Ranks } from "../ranks/ranks.js";
import { RunEvents } from "../ranks/run-events.js";
import { startRanks } from "../ranks/start-ranks.js";

export interface SimulateOptions
	extends Pick<RankOptions, "ranks" | "transport" | "processes" | "patience" | "placement" | "log"> {
	/** The last step, counted from the beginning; the scene's own end where absent. */
	readonly steps?: number;
	/** The state to continue from: of another run of the scene, on any number of ranks. */
	readonly from?: RunState;
	/** Whether the state of the end is wanted. */
	readonly keepsState?: boolean;
	readonly onFailure?: SimulateTask["onFailure"];
	readonly domain?: DomainOptions;
	/** Steps before this one are left out of the effort. Default 0. */
	readonly effortFrom?: number;
	/** Ends the simulation between two steps. */
	readonly signal?: AbortSignal;
}

export interface SimulatedScene extends Omit<SimulateResult, "rank" | "bodies" | "arrivals" | "effort"> {
	readonly ranks: readonly Pick<SimulateResult, "bodies" | "arrivals" | "effort">[];
	readonly state?: RunState;
}

const RESULT_BYTES_MAX = 2 ** 24;
const STATE_BYTES_MAX = 2 ** 34;
/** Contacts per body, by which the number of ranks is chosen where it is not given. */
const CONTACTS_PER_BODY = 3;

/** The same on any number of ranks, bit for bit. Throws an InputError for a scene or an option that makes no sense, and a RankError where a rank is lost. */
export async function simulateScene(
	description: SceneDescription,
	options: SimulateOptions = {},
): Promise<SimulatedScene> {
	const { from, keepsState = false, onFailure, domain, steps, effortFrom, signal, log, ...how } = options;
	const scene = buildScene(description);
	const choice = choose(CONTACTS_PER_BODY * scene.total, how);
	const { ranks } = choice;
	const events = new StatesOfRanks({ ranks });
	const part: SimulateTask = {
		scene: description,
		steps: steps ?? scene.steps,
		savesEnd: keepsState,
		...(onFailure && { onFailure }),
		...(domain && { domain }),
		...(effortFrom !== undefined && { effortFrom }),
	};
	let running: Ranks | undefined;
	try {
		running = await startRanks("simulate", { ...choice, patience: how.patience, log });
		const results = await running.run<SimulateResult>({
			part: (rank) => ({ part, buffers: [], ...(from && { from: dealState(from, rank, ranks) }) }),
			isResult: (value, rank): value is SimulateResult => (value as SimulateResult).rank === rank,
			resultBytesMax: RESULT_BYTES_MAX,
			stateBytesMax: STATE_BYTES_MAX,
			signal,
			events,
		});
		const { rank: _rank, bodies: _bodies, arrivals: _arrivals, effort: _effort, ...common } = results[0]!;
		const own = results.map(({ bodies, arrivals, effort }) => ({ bodies, arrivals, effort }));
		return { ...common, ranks: own, ...(keepsState && { state: events.whole() }) };
	} catch (error) {
		throw refusalIn(error);
	} finally {
		await running?.close();
	}
}

/** Keeps the states of ranks instead of writing them. */
class StatesOfRanks extends RunEvents {
	readonly #states: RunState[] = [];

	override async save(rank: number, state: RunState): Promise<void> {
		this.#states[rank] = state;
	}

	whole(): RunState {
		return gatherStates(this.#states);
	}
}
