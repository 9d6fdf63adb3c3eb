/**
 * The states in which scenes are when their steps begin to be measured: made once, on all cores, since they are the same on any number of ranks. They are kept in the
 * folder of the study, and one that was not finished is gone on with, since thousands of steps may take longer than what is measured.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "@stickslip/core";
import type { RunState } from "@stickslip/core/parallel";
import { buildScene, type SceneDescription } from "@stickslip/mechanics";
import { type Checkpointer, openCheckpointer } from "../checkpoints/checkpointer.js";
import { type Identity, simulationIdentity } from "../checkpoints/identity.js";
import type { SimulationView } from "../output/simulation-progress.js";
import { choose } from "../ranks/choose.js";
import type { Log } from "../records/log.js";
import { simulateOnRanks } from "../simulate/simulate-ranks.js";

const FOLDER = "starts";
/** Seconds between two checkpoints of a start that is being made. */
const INTERVAL = 20;
const CONTACTS_PER_BODY = 3;
const DIGEST_LENGTH = 16;

export interface StartStatesOptions {
	/** Of the study. */
	readonly folder: string;
	readonly signal: AbortSignal;
	readonly log: Log | undefined;
	readonly onProgress: (view: SimulationView) => void;
}

export class StartStates {
	readonly #options: StartStatesOptions;

	constructor(options: StartStatesOptions) {
		this.#options = options;
	}

	/** Undefined if it was stopped before it was there; the next call goes on. */
	async stateAfter(steps: number, description: SceneDescription): Promise<RunState | undefined> {
		const identity = simulationIdentity(description);
		const folder = join(this.#options.folder, FOLDER, `${identity.problem.slice(0, DIGEST_LENGTH)}-${steps}`);
		const found = await this.#from(folder, identity, async (checkpointer) => {
			if (checkpointer.from?.iteration !== steps) await this.#make(steps, description, checkpointer);
		});
		if (found?.iteration === steps) return found;
		const made = await this.#from(folder, identity);
		if (made?.iteration === steps) return made;
		if (this.#options.signal.aborted) return undefined;
		throw new InputError(folder, "start", `the state after ${steps} steps could not be kept`, "free some space");
	}

	async #make(steps: number, description: SceneDescription, checkpointer: Checkpointer): Promise<void> {
		const { signal, log, onProgress } = this.#options;
		const scene = buildScene(description);
		const task = { scene: description, steps, savesEnd: true, onFailure: "continue" } as const;
		const choice = choose(CONTACTS_PER_BODY * scene.total, {});
		await simulateOnRanks(task, choice, { scene, signal, checkpointer, log, onProgress });
	}

	/** The newest state that is kept there, after the work with its checkpointer. One of another version is made anew. */
	async #from(
		folder: string,
		identity: Identity,
		work?: (checkpointer: Checkpointer) => Promise<void>,
	): Promise<RunState | undefined> {
		const { log } = this.#options;
		const open = () => openCheckpointer({ folder, interval: INTERVAL, identity, log });
		const checkpointer = await open().catch((error: unknown) => {
			if (!(error instanceof InputError)) throw error;
			rmSync(folder, { recursive: true, force: true });
			return open();
		});
		try {
			const { from } = checkpointer;
			await work?.(checkpointer);
			return from;
		} finally {
			await checkpointer.close();
		}
	}
}
