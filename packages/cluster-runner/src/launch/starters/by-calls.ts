/** A starter that runs commands on this host: node after node, or one that starts them all. */
import type { ChildProcess } from "node:child_process";
import { Children } from "../../ranks/children.js";
import type { Verdict } from "../../ranks/verdict.js";
import { startProcess } from "../../start-process.js";
import type { Way } from "./call.js";
import type { Events, Meeting, Starter } from "./starter.js";

/** What a process said before it ended may be read after its end is seen. */
const LAST_WORDS_MS = 400;
/** A command that ends a process on another host, which may not answer, has so long. */
const KILLING_MS = 1000;

export class ByCalls implements Starter {
	readonly hostOf: Way["hostOf"];
	readonly #way: Way;
	readonly #children: Children;
	#events: Events | undefined;
	/** Text of a launcher that was told once is not told again. */
	#isLossTold = false;
	/** What processes say from here on is told to nobody. */
	#isEnding = false;
	readonly #killings = new Set<ChildProcess>();

	constructor(way: Way) {
		this.#way = way;
		this.hostOf = way.hostOf;
		this.#children = new Children(() => (way.hostOf === undefined ? (this.#events?.living() ?? []) : []));
	}

	door(): ReturnType<Way["door"]> {
		return this.#way.door();
	}

	async start(meeting: Meeting, events: Events): Promise<void> {
		this.#events = events;
		this.#children.start(this.#way.calls(meeting), {
			ended: (child, end) => {
				if (!this.#isEnding && end.code !== 0) events.said(child.said);
				const tell = () => tellOf(events, this.#way.verdict(child, end, events.pids()));
				// A signal speaks for itself; otherwise the process may have said why it ends, and that counts more.
				if (end.signal !== null && child.process !== undefined) tell();
				else setTimeout(tell, LAST_WORDS_MS).unref();
			},
			said: ({ said }) => {
				const loss = this.#isLossTold ? undefined : this.#way.lossIn?.(said, events.pids());
				if (loss === undefined) return;
				this.#isLossTold = true;
				setTimeout(() => tellOf(events, loss), LAST_WORDS_MS).unref();
			},
		});
	}

	killOne(process: number, pid: number | undefined): void {
		// Another host's process has a number of its own, which is somebody else's here.
		this.#children.killOne(process, this.hostOf === undefined ? pid : undefined);
		const killing = pid === undefined ? undefined : this.#way.killing?.(process, pid);
		// A process that is stopped does not see that its connection is closed.
		if (killing === undefined) return;
		const child = startProcess(killing.command, killing.args, {
			detached: true,
			stdio: "ignore",
			timeout: KILLING_MS,
			killSignal: "SIGKILL",
		});
		this.#killings.add(child);
		const gone = () => this.#killings.delete(child);
		child.on("error", gone).on("exit", gone);
	}

	async end(milliseconds: number, launcherMs?: number): Promise<void> {
		this.#isEnding = true;
		await this.#children.end(milliseconds, launcherMs);
		// Nothing of a run stays on this host; each has a limit of its own.
		const left = [...this.#killings].map(
			(child) => new Promise((resolve) => child.on("exit", resolve).on("error", resolve)),
		);
		await Promise.all(left);
	}
}

function tellOf(events: Events, { process, reason, error }: Verdict): void {
	if (error !== undefined || process < 0) events.failed(error ?? reason);
	else events.lost(process, reason);
}
