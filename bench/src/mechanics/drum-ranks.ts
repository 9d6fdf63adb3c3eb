/** Ranks of the bench of large drums: threads that stay warm, and simulate on all of them or on the first alone. */
import { once } from "node:events";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { Control, runWorkers, shareThreads } from "@stickslip/comm";
import { gatherStates, type RunState } from "@stickslip/core/parallel";
import type { SceneDescription } from "@stickslip/mechanics";
import type { DrumCommand, DrumRankTask, RankStep, Side } from "./drum-rank.js";

/** As ranks of `stickslip simulate` have. */
const YOUNG_MEGABYTES = 64;

export class DrumRanks {
	readonly #control = Control.create();
	readonly #ports: readonly MessagePort[];
	readonly #ended: Promise<unknown>;

	constructor(ranks: number) {
		const channels = Array.from({ length: ranks }, () => new MessageChannel());
		this.#ports = channels.map(({ port1 }) => port1);
		const shared = shareThreads(ranks);
		this.#ended = runWorkers<undefined>({
			ranks,
			youngMegabytesMax: YOUNG_MEGABYTES,
			control: this.#control,
			file: new URL("../../dist/mechanics/drum-rank.js", import.meta.url).href,
			transfer: (rank) => [channels[rank]!.port2],
			task: (rank): DrumRankTask => {
				return { rank, ranks, shared, control: this.#control.buffer, port: channels[rank]!.port2 };
			},
		});
		this.#ended.catch(() => undefined);
	}

	/** The simulation of a scene from its beginning or a state, instead of the one before. */
	async open(side: Side, description: SceneDescription, state?: RunState): Promise<void> {
		await this.#ask({ kind: "open", side, description, state });
	}

	/** So many steps: what each rank tells of each of them. */
	step(side: Side, steps: number): Promise<RankStep[][]> {
		return this.#ask({ kind: "step", side, steps });
	}

	async state(side: Side): Promise<RunState> {
		return gatherStates(await this.#ask<RunState>({ kind: "state", side }));
	}

	async hash(side: Side): Promise<string> {
		return (await this.#ask<string>({ kind: "hash", side }))[0]!;
	}

	async end(): Promise<void> {
		for (const port of this.#ports) port.close();
		await this.#ended;
	}

	/** Answers by rank. */
	#ask<Answer>(command: DrumCommand): Promise<Answer[]> {
		const ports = command.side === "all" ? this.#ports : this.#ports.slice(0, 1);
		return Promise.all(ports.map((port) => this.#answerOf<Answer>(port, command)));
	}

	async #answerOf<Answer>(port: MessagePort, command: DrumCommand): Promise<Answer> {
		const controller = new AbortController();
		try {
			const answered = once(port, "message", { signal: controller.signal });
			port.postMessage(command);
			const lost = this.#ended.then(() => {
				throw new Error("a rank has left");
			});
			const [{ answer }] = (await Promise.race([answered, lost])) as [{ answer: Answer }];
			return answer;
		} finally {
			controller.abort();
		}
	}
}
