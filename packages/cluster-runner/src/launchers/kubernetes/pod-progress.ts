/**
 * The progress of a run in pods while it is followed: copied from the folder of pod 0 into the one here, so that the progress line is
 * drawn and `status` shows it as for a local run. If it cannot be fetched, the run goes on all the same.
 */
import { basename, join } from "node:path";
import { runTool } from "../../processes/tool.js";
import { fieldsOf, replaceJsonLater } from "../../records/check.js";
import { FILES } from "../../records/files.js";
import { progressIn } from "../../records/progress.js";
import { hasEnded } from "../../runs/run-status.js";
import { readState, renewState } from "../../runs/state.js";
import { CONTAINER, RUNS } from "./manifest.js";

const INTERVAL_MS = 1000;
const PATIENCE_MS = 5000;

/** Arguments of every call: the namespace, the context, ... */
export interface Kubectl {
	readonly pass: readonly string[];
}

export class PodProgress {
	readonly #kubectl: Kubectl;
	readonly #folder: string;
	#fetchedAt = -Infinity;
	#pending: Promise<void> | undefined;
	#isFinished = false;

	constructor(kubectl: Kubectl, folder: string) {
		this.#kubectl = kubectl;
		this.#folder = folder;
	}

	/** Fetches from the running pod, once a second and one request at a time. */
	pump(pod: string | undefined): void {
		if (pod === undefined || this.#isFinished || this.#pending !== undefined) return;
		if (performance.now() - this.#fetchedAt < INTERVAL_MS) return;
		this.#fetchedAt = performance.now();
		this.#pending = this.#fetch(pod)
			.catch(() => {})
			.finally(() => {
				this.#pending = undefined;
			});
	}

	/** Nothing is written from here on. */
	async finish(): Promise<void> {
		this.#isFinished = true;
		await this.#pending;
	}

	async #fetch(pod: string): Promise<void> {
		const file = `${RUNS}/${basename(this.#folder)}/${FILES.progress}`;
		// If the pod has injected containers, kubectl would not choose the right one by default.
		const words = ["exec", pod, `--container=${CONTAINER}`, ...this.#kubectl.pass, "--", "cat", file];
		const { code, out } = await runTool("kubectl", words, { milliseconds: PATIENCE_MS });
		if (code !== 0 || this.#isFinished) return;
		const fields = fieldsOf(file, out);
		progressIn(fields);
		await replaceJsonLater(join(this.#folder, FILES.progress), fields.values);
		if (!hasEnded(readState(this.#folder).status)) await renewState(this.#folder);
	}
}
