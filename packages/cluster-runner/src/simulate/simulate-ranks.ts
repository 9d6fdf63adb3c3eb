/** A simulation as a task of ranks. */
import { hostname } from "node:os";
import { dealState, type Scene } from "@stickslip/mechanics";
import type { Checkpointer } from "../checkpoints/checkpointer.js";
import { type SimulationView, TimeLeft } from "../output/simulation-progress.js";
import { isSimulateResult, type SimulateResult, type SimulateTask, simulateProgressOf } from "../programs/simulate.js";
import { refusalIn } from "../protocol/refusal.js";
import type { Choice } from "../ranks/choose.js";
import type { Ranks } from "../ranks/ranks.js";
import { RunEvents } from "../ranks/run-events.js";
import { startRanks } from "../ranks/start-ranks.js";
import type { Log } from "../records/log.js";

/** Upper bounds for the bytes of a result, and of the state per body with its contacts. */
const RESULT_BYTES_MAX = 2 ** 24;
const STATE_BYTES_MIN = 2 ** 28;
const STATE_BYTES_PER_BODY = 2 ** 14;

interface Surroundings {
	readonly scene: Scene;
	readonly signal: AbortSignal;
	readonly checkpointer: Checkpointer | undefined;
	readonly log: Log | undefined;
	readonly onProgress: (view: SimulationView) => void;
}

/** The results of all ranks. Nothing that was started outlives the promise. */
export async function simulateOnRanks(
	task: SimulateTask,
	choice: Choice,
	{ scene, signal, checkpointer, log, onProgress }: Surroundings,
): Promise<SimulateResult[]> {
	const { ranks, transport, processes } = choice;
	const events = new RunEvents({ ranks, checkpointer, log });
	const facts = { ranks, ...(transport !== undefined && { transport, processes }), bodies: scene.total };
	events.write("run", "info", "started", { ...facts, host: hostname(), pid: process.pid });
	const started = performance.now();
	const left = new TimeLeft();
	let running: Ranks | undefined;
	try {
		running = await startRanks("simulate", { ...choice, log });
		const results = await running.run<SimulateResult>({
			part: (rank) => {
				const from = checkpointer?.from;
				return { part: task, buffers: [], ...(from && { from: dealState(from, rank, ranks) }) };
			},
			isResult: (value, rank): value is SimulateResult => isSimulateResult(value) && value.rank === rank,
			resultBytesMax: RESULT_BYTES_MAX,
			stateBytesMax: STATE_BYTES_MIN + STATE_BYTES_PER_BODY * scene.total,
			signal,
			onProgress: (numbers) => {
				const now = simulateProgressOf(numbers);
				const seconds = (performance.now() - started) / 1000;
				onProgress({ scene: scene.name, ...now, seconds, left: left.of(now.step, now.steps, seconds) });
			},
			events,
		});
		const { steps, ending, totals } = results[0]!;
		const status = ending === "done" ? "solved" : ending === "failed" ? "stalled" : "cancelled";
		await events.ended({ report: { status, iterations: steps, products: totals.products, reason: ending } });
		return results;
	} catch (error) {
		events.failed(error);
		// A checkpoint whose parts are all written is completed before the run fails.
		await checkpointer?.settle();
		throw refusalIn(error);
	} finally {
		await running?.close();
	}
}
