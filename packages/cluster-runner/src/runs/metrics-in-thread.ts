/** Serves the metrics of a run at work from a thread of its own: clients, and a slow file system, do not block the process that has its ranks. */
import { Worker } from "node:worker_threads";
import { InputError } from "@stickslip/core";
import { programFile } from "../base/own.js";
import type { Address, MetricsServer } from "./serve-metrics.js";

export interface MetricsTask {
	readonly folder: string;
	readonly address: Address;
}

/** Where they are served, or what an InputError is made of. */
export type FromThread =
	| { readonly url: string }
	| { readonly refusal: readonly [source: string, place: string, problem: string, remedy: string] };

const MEGABYTES_MAX = 64;

/** Rejects with an InputError if it cannot listen there. */
export function serveMetricsInThread(folder: string, address: Address): Promise<MetricsServer> {
	const workerData: MetricsTask = { folder, address };
	const resourceLimits = { maxOldGenerationSizeMb: MEGABYTES_MAX };
	const worker = new Worker(programFile("metrics-thread"), { workerData, resourceLimits });
	// A run that has ended does not wait for those who still read.
	worker.unref();
	return new Promise((resolve, reject) => {
		// Later failures change nothing: a run continues without its metrics.
		worker.on("error", reject);
		worker.on("message", (message: FromThread) => {
			if ("url" in message) resolve({ url: message.url, close: () => void worker.terminate() });
			else reject(new InputError(...message.refusal));
		});
	});
}
