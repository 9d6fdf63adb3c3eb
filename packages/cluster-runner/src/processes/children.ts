/**
 * Child processes that start the processes of a run: spawned, watched, and ended, by force if needed. Each runs in a session of its own, so that Ctrl-C on
 * the terminal reaches the hub only, which stops them all.
 */

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { startProcess, streamsOf } from "../base/start-process.js";
import { type Descendant, descendants, stillThere } from "./descendants.js";
import type { SpawnSpec } from "./spawn-spec.js";

/** The end of a child's output is kept: MPICH's launcher reports a lost rank on standard output, Open MPI's on standard error. */
const OUTPUT_MAX = 4000;
/** A launcher prints for all processes that it started. */
const LAUNCHER_OUTPUT_MAX = 65_536;
/** How long the remaining output of a command is read after it ended; enough for a busy machine. */
const READ_MS = 250;
/** How long a launcher may take to pass SIGTERM on to its ranks. */
const LAUNCHER_MS = 1500;

export interface Child {
	/** The process number, or undefined for the launcher of all. */
	readonly process: number | undefined;
	readonly child: ChildProcess;
	/** The end of what it said. */
	output: string;
}

/** How a child ended. */
export interface End {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	/** The system's error code if it could not be started: ENOENT. */
	readonly error?: string | undefined;
}

export interface ChildEvents {
	ended(child: Child, end: End): void;
	/** It said something more. */
	output(child: Child): void;
}

export class Children {
	readonly #all: Child[] = [];
	readonly #open = new Set<Child>();
	/** Processes of this machine that are no children of this one. */
	readonly #others: () => readonly number[];
	#allEnded: () => void = () => {};
	/** Processes that launchers had started on this machine when they were asked to end. */
	readonly #started: Descendant[] = [];

	constructor(others: () => readonly number[]) {
		this.#others = others;
		process.on("exit", this.#leave);
	}

	start(specs: readonly SpawnSpec[], events: ChildEvents): void {
		for (const spec of specs) this.#spawn(spec, events);
	}

	/** Resolves when all have ended: by themselves within some milliseconds, or else by force. */
	async end(milliseconds: number, launcherMs = LAUNCHER_MS): Promise<void> {
		if (this.#open.size > 0) {
			const all = new Promise<void>((resolve) => {
				this.#allEnded = resolve;
			});
			const timers = [
				setTimeout(() => this.#terminateLaunchers(), milliseconds),
				setTimeout(this.kill, milliseconds + (this.#all.some(isLauncher) ? launcherMs : 0)),
			];
			await all;
			for (const timer of timers) clearTimeout(timer);
		}
		this.#sweep();
		process.off("exit", this.#leave);
	}

	/** At once. */
	readonly kill = (): void => {
		if (this.#open.size === 0) return;
		// While a launcher lives the process ids of its ranks are valid; afterwards they may be reused.
		const launched = [...this.#open].some(isLauncher) ? this.#others() : [];
		for (const pid of launched) killed(pid);
		this.#note();
		for (const { child } of this.#open) if (child.pid !== undefined) killed(-child.pid);
		this.#sweep();
	};

	/** This process ends now: a launcher that is asked takes its ranks, its folder and its shared memory with it; killed, it leaves them. */
	readonly #leave = (): void => {
		if ([...this.#open].some(isLauncher)) this.#terminateLaunchers();
		else this.kill();
	};

	/** One process at once; its id is needed where the launcher started it, on this machine. */
	killOne(number: number, pid: number | undefined): void {
		for (const { process, child } of this.#open) {
			if (process === number && child.pid !== undefined) killed(-child.pid);
			else if (process === undefined && pid !== undefined) killed(pid);
		}
	}

	/** A launcher may leave processes behind by which it reached other hosts: MPICH's ssh waits for a host that does not answer. */
	#note(): void {
		for (const { process: number, child } of this.#open) {
			if (number === undefined && child.pid !== undefined) this.#started.push(...descendants(child.pid));
		}
	}

	#sweep(): void {
		for (const each of this.#started.splice(0)) if (stillThere(each)) killed(each.pid);
	}

	#terminateLaunchers(): void {
		this.#note();
		for (const each of this.#open) if (isLauncher(each)) each.child.kill("SIGTERM");
	}

	#spawn({ process: number, command, args, env, input }: SpawnSpec, events: ChildEvents): void {
		const stdio = [input ? "pipe" : "ignore", "pipe", "pipe"] as const;
		const child = startProcess(command, args, { env, detached: true, stdio: [...stdio] });
		const each: Child = { process: number, child, output: "" };
		this.#all.push(each);
		this.#open.add(each);
		// A command that ends before it has read its input reports it by its exit.
		child.stdin?.on("error", () => {});
		let toWrite = input;
		const write = () => {
			const text = toWrite?.(each.output);
			if (text === undefined) return;
			toWrite = undefined;
			child.stdin?.write(text);
		};
		write();
		const streams = streamsOf(child);
		for (const stream of streams) {
			stream.on("data", (part: Buffer) => {
				each.output = (each.output + part.toString()).slice(isLauncher(each) ? -LAUNCHER_OUTPUT_MAX : -OUTPUT_MAX);
				write();
				events.output(each);
			});
		}
		const onExit = (end: End) => {
			if (!this.#open.delete(each)) return;
			for (const stream of streams) stream.destroy();
			child.stdin?.destroy();
			events.ended(each, end);
			if (this.#open.size === 0) this.#allEnded();
		};
		child.on("error", (error: NodeJS.ErrnoException) => {
			each.output = error.message;
			onExit({ code: null, signal: null, error: error.code });
		});
		// Not "close": a grandchild may hold the pipe open for ever. What it already contains is read.
		child.on("exit", (code, signal) => {
			void read(streams).then(() => onExit({ code, signal }));
		});
	}
}

/** Resolves when streams have ended, or after a while. */
async function read(streams: readonly Readable[]): Promise<void> {
	const ends = streams.map((stream) => (stream.readableEnded ? undefined : once(stream, "close").catch(() => {})));
	await Promise.race([Promise.all(ends), pause(READ_MS, undefined, { ref: false })]);
}

function isLauncher({ process: number }: Child): boolean {
	return number === undefined;
}

function killed(pid: number): void {
	try {
		process.kill(pid, "SIGKILL");
	} catch {
		// It is gone already.
	}
}
