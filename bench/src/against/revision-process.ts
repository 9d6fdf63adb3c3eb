/** A process that measures one case with one revision. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { RevisionMessage } from "./revision-child.js";

const file = fileURLToPath(new URL("../../dist/against/revision-child.js", import.meta.url));
const END_MS = 5000;

export class RevisionProcess {
	private constructor(
		readonly child: ChildProcess,
		readonly hash: string | undefined,
	) {}

	/** Throws an error where the revision cannot do what the case asks of it. */
	static async start(root: string, name: string, size: number): Promise<RevisionProcess> {
		const child = fork(file, [root, name, String(size)], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
		const { error, hash } = await answer(child);
		if (error !== undefined) throw new Error(error);
		return new RevisionProcess(child, hash);
	}

	async sample(): Promise<number> {
		this.child.send("sample");
		const { error, value } = await answer(this.child);
		if (error !== undefined || value === undefined) throw new Error(error ?? "no number came back");
		return value;
	}

	async end(): Promise<void> {
		if (this.child.exitCode !== null || this.child.signalCode !== null) return;
		const ended = once(this.child, "exit");
		if (this.child.connected) this.child.send("end");
		const timer = setTimeout(() => this.child.kill("SIGKILL"), END_MS);
		await ended;
		clearTimeout(timer);
	}
}

/** Its next message, or the reason why there is none. */
async function answer(child: ChildProcess): Promise<RevisionMessage> {
	const stop = new AbortController();
	const { signal } = stop;
	try {
		return await Promise.race([
			once(child, "message", { signal }).then(([message]) => message as RevisionMessage),
			once(child, "exit", { signal }).then(([code]) => ({ error: `its process ended with ${code}` })),
		]);
	} finally {
		stop.abort();
	}
}
