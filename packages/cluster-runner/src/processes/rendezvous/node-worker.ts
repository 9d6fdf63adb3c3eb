/** The one process that a node runs for a solve: started, replaced, and ended, by force if needed. */
import type { ChildProcess } from "node:child_process";
import { startProcess, streamsOf } from "../../base/start-process.js";
import type { End } from "../children.js";
import { describeExit } from "../exit-diagnosis.js";
import { processProgram } from "../program.js";

const OUTPUT_MAX = 4000;
/** The last output of a process says more than its exit status, and may arrive later. */
const OUTPUT_MS = 400;

export interface WorkerTask {
	readonly id: string;
	readonly hub: string;
	readonly secret: string;
}

export class NodeWorker {
	readonly #node: number;
	readonly #onEnd: (id: string, reason: string) => void;
	#child: ChildProcess | undefined;
	#ended: Promise<void> = Promise.resolve();
	/** The solve that it works for, or empty. */
	running = "";

	/** `onEnd` is called when a process has ended, with an empty reason if it had finished. */
	constructor(node: number, onEnd: (id: string, reason: string) => void) {
		this.#node = node;
		this.#onEnd = onEnd;
		process.on("exit", () => this.#kill("SIGKILL"));
	}

	/** Ends the process that runs, if any. */
	async start(work: WorkerTask): Promise<void> {
		this.running = work.id;
		this.#kill("SIGKILL");
		await this.#ended;
		if (this.running === work.id) this.#spawn(work);
	}

	/** Resolves when no process runs any more: one that does not end by itself within some milliseconds is killed. */
	async end(milliseconds: number): Promise<void> {
		const timer = setTimeout(() => this.#kill("SIGKILL"), milliseconds);
		await this.#ended;
		clearTimeout(timer);
	}

	/** Has its process request an orderly stop of the run. */
	requestStop(): void {
		this.#kill("SIGTERM");
	}

	#kill(signal: NodeJS.Signals): void {
		const child = this.#child;
		if (child !== undefined && child.exitCode === null && child.signalCode === null) child.kill(signal);
	}

	#spawn({ id, hub, secret }: WorkerTask): void {
		const own = { STICKSLIP_HUB: hub, STICKSLIP_HUB_PID: "", STICKSLIP_KEY: secret, STICKSLIP_ORDERLY: "1" };
		const env = { ...process.env, ...own, STICKSLIP_PROCESS: String(this.#node) };
		const stdio = ["ignore", "pipe", "pipe"] as const;
		const child = startProcess(process.execPath, [processProgram], { env, detached: true, stdio: [...stdio] });
		let output = "";
		for (const stream of streamsOf(child)) {
			stream.on("data", (part: Buffer) => {
				output = (output + part.toString()).slice(-OUTPUT_MAX);
			});
		}
		this.#child = child;
		this.#ended = new Promise((resolve) => {
			const onExit = (end: End) => {
				if (this.#child === child) this.#child = undefined;
				if (this.running === id) this.running = "";
				const reason = end.code === 0 ? "" : `was lost (${describeExit(end, output)})`;
				if (end.signal !== null) this.#onEnd(id, reason);
				else setTimeout(() => this.#onEnd(id, reason), OUTPUT_MS);
				resolve();
			};
			child.on("error", (error: NodeJS.ErrnoException) => {
				output = error.message;
				onExit({ code: null, signal: null, error: error.code });
			});
			child.on("exit", (code, signal) => setImmediate(onExit, { code, signal }));
		});
	}
}
