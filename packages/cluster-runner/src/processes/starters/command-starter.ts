/** A starter that runs commands on this host: one for each node, or one that starts them all. */
import type { ChildProcess } from "node:child_process";
import { startProcess } from "../../base/start-process.js";
import { Children } from "../children.js";
import type { ExitDiagnosis } from "../exit-diagnosis.js";
import type { CommandStarter } from "../spawn-spec.js";
import type { HubContact, ProcessEvents, Starter } from "../starter.js";

/** The last output of a process may be read after its end is seen. */
const OUTPUT_MS = 400;
/** The time limit of a command that kills a process on another host, which may not respond. */
const KILL_MS = 1000;

export class SpawningStarter implements Starter {
	readonly hostOf: CommandStarter["hostOf"];
	readonly #commands: CommandStarter;
	readonly #children: Children;
	#events: ProcessEvents | undefined;
	/** A loss that a launcher has printed is reported once. */
	#isLossReported = false;
	/** From here on the output of processes is ignored. */
	#isEnding = false;
	readonly #kills = new Set<ChildProcess>();

	constructor(commands: CommandStarter) {
		this.#commands = commands;
		this.hostOf = commands.hostOf;
		this.#children = new Children(() => (commands.hostOf === undefined ? (this.#events?.living() ?? []) : []));
	}

	bindAddress(): ReturnType<CommandStarter["bindAddress"]> {
		return this.#commands.bindAddress();
	}

	async start(contact: HubContact, events: ProcessEvents): Promise<void> {
		this.#events = events;
		this.#children.start(this.#commands.spawnSpecs(contact), {
			ended: (child, end) => {
				if (!this.#isEnding && end.code !== 0) events.output(child.output);
				const reportExit = () => report(events, this.#commands.diagnoseExit(child, end, events.pids()));
				// A signal needs no further explanation; otherwise the output of the process may say why it ended.
				if (end.signal !== null && child.process !== undefined) reportExit();
				else setTimeout(reportExit, OUTPUT_MS).unref();
			},
			output: ({ output }) => {
				const loss = this.#isLossReported ? undefined : this.#commands.findLoss?.(output, events.pids());
				if (loss === undefined) return;
				this.#isLossReported = true;
				setTimeout(() => report(events, loss), OUTPUT_MS).unref();
			},
		});
	}

	killOne(process: number, pid: number | undefined): void {
		// The id of a process on another host may belong to another process here.
		this.#children.killOne(process, this.hostOf === undefined ? pid : undefined);
		const killing = pid === undefined ? undefined : this.#commands.killSpec?.(process, pid);
		// A stopped process does not notice that its connection is closed.
		if (killing === undefined) return;
		const child = startProcess(killing.command, killing.args, {
			detached: true,
			stdio: "ignore",
			timeout: KILL_MS,
			killSignal: "SIGKILL",
		});
		this.#kills.add(child);
		const onEnd = () => this.#kills.delete(child);
		child.on("error", onEnd).on("exit", onEnd);
	}

	async end(milliseconds: number, launcherMs?: number): Promise<void> {
		this.#isEnding = true;
		await this.#children.end(milliseconds, launcherMs);
		// No process of a run stays on this host; each command has its own time limit.
		const left = [...this.#kills].map(
			(child) => new Promise((resolve) => child.on("exit", resolve).on("error", resolve)),
		);
		await Promise.all(left);
	}
}

function report(events: ProcessEvents, { process, reason, error }: ExitDiagnosis): void {
	if (error !== undefined || process < 0) events.failed(error ?? reason);
	else events.lost(process, reason);
}
