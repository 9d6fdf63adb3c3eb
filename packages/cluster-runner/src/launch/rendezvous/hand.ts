/** The one process that a node runs for a solve: started, replaced, ended for certain. */
import type { ChildProcess } from "node:child_process";
import type { End } from "../../ranks/children.js";
import { ended } from "../../ranks/verdict.js";
import { startProcess, streamsOf } from "../../start-process.js";
import { program } from "../starters/program.js";

const SAID_MAX = 4000;
/** What a process said last counts more than how it ended, and may come later. */
const LAST_WORDS_MS = 400;

export interface Work {
	readonly id: string;
	readonly hub: string;
	readonly secret: string;
}

export class Hand {
	readonly #node: number;
	readonly #told: (id: string, reason: string) => void;
	#child: ChildProcess | undefined;
	#gone: Promise<void> = Promise.resolve();
	/** The solve that it works for, or empty. */
	running = "";

	/** `told` is called when a process has ended: with an empty reason where it had no more to do. */
	constructor(node: number, told: (id: string, reason: string) => void) {
		this.#node = node;
		this.#told = told;
		process.on("exit", () => this.#kill("SIGKILL"));
	}

	/** What it did before is over. */
	async start(work: Work): Promise<void> {
		this.running = work.id;
		this.#kill("SIGKILL");
		await this.#gone;
		if (this.running === work.id) this.#spawn(work);
	}

	/** Resolves when nothing runs any more: what does not end by itself within some milliseconds is killed. */
	async end(milliseconds: number): Promise<void> {
		const timer = setTimeout(() => this.#kill("SIGKILL"), milliseconds);
		await this.#gone;
		clearTimeout(timer);
	}

	/** Lets its process ask the run to end in good order. */
	ask(): void {
		this.#kill("SIGTERM");
	}

	#kill(signal: NodeJS.Signals): void {
		const child = this.#child;
		if (child !== undefined && child.exitCode === null && child.signalCode === null) child.kill(signal);
	}

	#spawn({ id, hub, secret }: Work): void {
		const own = { STICKSLIP_HUB: hub, STICKSLIP_HUB_PID: "", STICKSLIP_KEY: secret, STICKSLIP_ORDERLY: "1" };
		const env = { ...process.env, ...own, STICKSLIP_PROCESS: String(this.#node) };
		const stdio = ["ignore", "pipe", "pipe"] as const;
		const child = startProcess(process.execPath, [program], { env, detached: true, stdio: [...stdio] });
		let said = "";
		for (const stream of streamsOf(child)) {
			stream.on("data", (part: Buffer) => {
				said = (said + part.toString()).slice(-SAID_MAX);
			});
		}
		this.#child = child;
		this.#gone = new Promise((resolve) => {
			const gone = (end: End) => {
				if (this.#child === child) this.#child = undefined;
				if (this.running === id) this.running = "";
				const reason = end.code === 0 ? "" : `was lost (${ended(end, said)})`;
				if (end.signal !== null) this.#told(id, reason);
				else setTimeout(() => this.#told(id, reason), LAST_WORDS_MS);
				resolve();
			};
			child.on("error", (error: NodeJS.ErrnoException) => {
				said = error.message;
				gone({ code: null, signal: null, error: error.code });
			});
			child.on("exit", (code, signal) => setImmediate(gone, { code, signal }));
		});
	}
}
