/** The thread that serves the metrics of a run at work: its program, started by metrics-in-thread.ts. */
import { parentPort, workerData } from "node:worker_threads";
import { InputError } from "@stickslip/core";
import type { FromThread, MetricsTask } from "./metrics-in-thread.js";
import { serveMetrics } from "./serve-metrics.js";

const { folder, address }: MetricsTask = workerData;
const send = (message: FromThread) => parentPort?.postMessage(message);

try {
	send({ url: (await serveMetrics(folder, address)).url });
} catch (error) {
	if (!(error instanceof InputError)) throw error;
	const { source, place, problem, remedy } = error;
	send({ refusal: [source, place, problem, remedy] });
}
