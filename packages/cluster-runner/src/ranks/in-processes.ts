/** All ranks in processes of this machine, with this one as their hub: starts them, listens, and leaves nothing behind. */
import { randomBytes } from "node:crypto";
import { cores, type MpiLibrary, requireMpi } from "@stickslip/comm";
import { assert, type Outcome } from "@stickslip/core/parallel";
import { type Child, Children, type End } from "./children.js";
import { digestOf } from "./digest.js";
import { KEY_BYTES } from "./frames.js";
import { Hub } from "./hub.js";
import { type Job, onAbort } from "./job.js";
import { BEAT_MS } from "./messages.js";
import type { MemberTask } from "./plain.js";
import { HubSocket } from "./sockets.js";
import { verdict } from "./verdict.js";

/** How long the processes may take to end by themselves. */
const END_MS = 3500;
/** What a process said before it ended may be read after its end is seen. */
const LAST_WORDS_MS = 400;

export async function inProcesses(job: Job): Promise<Outcome[]> {
	const { choice, startSeconds, signal, onProgress, blocks } = job;
	const { ranks, processes, perProcess, transport } = choice;
	const library = transport?.endsWith("mpi") ? requireMpi() : undefined;
	const key = randomBytes(KEY_BYTES);
	const socket = new HubSocket(key);
	const tasks = new Tasks(job, library);
	const children: Children = new Children(() => hub.pids);
	const hub: Hub = new Hub({
		ranks,
		processes,
		blocks,
		digest: () => tasks.digest,
		task: (process) => tasks.of(process),
		hasEndpoints: library === undefined,
		send: (identity) => socket.sender(identity),
		kill: (process, pid) => children.killOne(process, pid),
		onProgress,
		now: () => performance.now(),
	});
	const timers: NodeJS.Timeout[] = [];
	const unwatch = onAbort(signal, (code) => hub.requestStop(code));
	try {
		const address = await socket.open();
		void socket.listen((identity, message, bytes) => hub.take(identity, message, bytes));
		const environment = {
			STICKSLIP_HUB: address,
			STICKSLIP_HUB_PID: String(process.pid),
			STICKSLIP_KEY: key.toString("hex"),
		};
		const ended = (child: Child, end: End) => judge(hub, child, end);
		if (library) children.launch(processes, library, perProcess > 1, environment, ended);
		else children.start(processes, environment, ended);
		timers.push(setTimeout(() => hub.startOver(startSeconds), 1000 * startSeconds));
		timers.push(setInterval(() => hub.beat(), BEAT_MS));
		const outcomes = await hub.outcomes;
		return hub.dropped > 0 ? outcomes.map((outcome) => withDropped(outcome, hub.dropped)) : outcomes;
	} finally {
		unwatch();
		await children.end(END_MS);
		for (const timer of timers) clearTimeout(timer);
		await socket.close();
	}
}

/** Frames of others, or of ours that came twice, did no harm; that they came is worth a word. */
function withDropped(outcome: Outcome, dropped: number): Outcome {
	const reason = `${outcome.report.reason}; ${dropped} foreign ${dropped === 1 ? "frame was" : "frames were"} dropped`;
	return { ...outcome, report: { ...outcome.report, reason } };
}

/** A signal speaks for itself; otherwise the process may have said why it ends, and that counts more. */
function judge(hub: Hub, child: Child, end: End): void {
	const isSudden = end.signal !== null && child.process !== undefined;
	const tell = () => {
		const { process, reason } = verdict(child, end, hub.pidByProcess);
		if (process < 0) hub.fail(-1, reason);
		else hub.lost(process, reason);
	};
	if (isSudden) tell();
	else setTimeout(tell, LAST_WORDS_MS).unref();
}

/** What each process is told, cut when it is its turn. */
class Tasks {
	readonly #job: Job;
	readonly #library: MpiLibrary | undefined;
	readonly #cores = cores();
	#digest: string | undefined;

	constructor(job: Job, library: MpiLibrary | undefined) {
		this.#job = job;
		this.#library = library;
	}

	get digest(): string {
		assert(this.#digest !== undefined, "nobody answers before a task was cut");
		return this.#digest;
	}

	of(process: number): MemberTask {
		const { choice, source, options, patience } = this.#job;
		const { ranks, perProcess, transport } = choice;
		assert(transport !== undefined && transport !== "threads", "threads are no processes");
		const firstRank = process * perProcess;
		const own = Array.from({ length: perProcess }, (_, thread) => source.cut(firstRank + thread).share);
		this.#digest ??= digestOf(own[0]!, options, transport);
		return {
			digest: this.#digest,
			transport,
			ranks,
			firstRank,
			ranksHere: ranks,
			cores: this.#coresOf(firstRank),
			library: this.#library,
			patience,
			options,
			shares: own as MemberTask["shares"],
		};
	}

	/** A launcher of single ranks pins them itself. */
	#coresOf(firstRank: number): number[] {
		const { ranks, perProcess } = this.#job.choice;
		const isPinned = this.#library !== undefined && perProcess === 1;
		return isPinned || ranks > this.#cores.length ? [] : this.#cores.slice(firstRank, firstRank + perProcess);
	}
}
