/** One rank in the thread of its caller, which yields to the other work of that thread at intervals. */
import { inSlices, type RankContext, RankError, REQUEST, SelfCommunicator } from "@stickslip/core/parallel";
import { reservation } from "../base/address-space.js";
import { prepareMemory } from "../base/solver-memory.js";
import { loadProgram } from "../programs/programs.js";
import { onAbort, type Ranks, type Task } from "./ranks.js";

export class CallerThread implements Ranks {
	readonly ranks = 1;
	readonly #program: string;
	readonly #communicator = new SelfCommunicator();

	constructor(program: string) {
		this.#program = program;
		prepareMemory(reservation(0, 1));
	}

	get failure(): RankError | undefined {
		return undefined;
	}

	async run<Result>(task: Task<Result>): Promise<Result[]> {
		const program = await loadProgram(this.#program);
		const { events, onProgress } = task;
		task.prepare?.();
		const { part, from } = task.part(0);
		let stop = 0;
		let isSaving = false;
		const unwatch = onAbort(task, (code) => {
			stop = code;
		});
		const context: RankContext = {
			communicator: this.#communicator,
			from,
			get request() {
				if (stop !== 0) return stop;
				isSaving ||= events.isSaveDue;
				return isSaving ? REQUEST.save : 0;
			},
			ready: () => events.ready(0),
			progress: (numbers) => onProgress?.(numbers),
			log: (level, event, facts) => events.write(0, level, event, facts),
			save: (state) => {
				isSaving = false;
				void events.save(0, state);
			},
		};
		try {
			await program.prepare?.(part);
			const result = await inSlices(program.run(part, context));
			if (!task.isResult(result, 0)) throw new RankError(0, "returned no valid result");
			return [result];
		} finally {
			unwatch();
		}
	}

	async close(): Promise<void> {
		this.#communicator.close();
	}
}
