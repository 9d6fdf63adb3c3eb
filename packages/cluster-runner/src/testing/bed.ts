/**
 * What a test starts and creates on the machine, so that it can all be undone: processes by their id and start time, a folder, and functions to call.
 * Closed in reverse order; also when this process ends by itself, and by the next bed if it was killed: each bed keeps a list of its processes in its
 * folder, whose name identifies its owner.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { appendFileSync, closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { beganOf } from "../base/proc.js";

const PREFIX = "stickslip-bed-";
/** How much of a process's output is kept: its end. */
const SAID_MAX = 2 ** 22;

export interface Ended {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly out: string;
	readonly err: string;
}

export interface HowToStart {
	readonly cwd?: string;
	/** Added to this process's environment; undefined takes a name out. */
	readonly env?: Readonly<Record<string, string | undefined>>;
	/** Written to its standard input, which is closed then; `open` leaves it open. Default: nothing. */
	readonly input?: string | "open";
	/** A file or device that standard output is appended to; it is not kept here then. */
	readonly stdout?: string;
	/** Killed when it takes longer. Default: no limit, for what runs until the bed is closed. */
	readonly seconds?: number;
}

/** A process of a bed, in a process group of its own. */
export interface Running {
	readonly child: ChildProcess;
	readonly pid: number;
	readonly ended: Promise<Ended>;
	/** So far, the end of it. */
	out(): string;
	err(): string;
	/** To its whole group; nothing where it has ended. */
	signal(name: NodeJS.Signals): void;
}

export class Bed {
	readonly folder: string;
	readonly #undo: (() => void)[] = [];
	readonly #running = new Set<Running>();

	constructor() {
		sweep();
		this.folder = mkdtempSync(join(tmpdir(), `${PREFIX}${ownMark()}-`));
		process.on("exit", this.#undoAll);
	}

	/** A unique word that identifies the owner of the bed. */
	get name(): string {
		return basename(this.folder);
	}

	/** Called when the bed is closed or this process ends; must not be asynchronous. */
	undo(work: () => void): void {
		this.#undo.push(work);
	}

	start(command: string, args: readonly string[], how: HowToStart = {}): Running {
		const env: NodeJS.ProcessEnv = { ...process.env, ...how.env };
		const stdin = how.input === undefined ? "ignore" : "pipe";
		const stdout = how.stdout === undefined ? "pipe" : openSync(how.stdout, "a");
		const child = spawn(command, args, { cwd: how.cwd, env, detached: true, stdio: [stdin, stdout, "pipe"] });
		if (stdout !== "pipe") closeSync(stdout);
		const { pid } = child;
		if (pid !== undefined) appendFileSync(join(this.folder, "pids"), `${pid} ${startOf(pid)}\n`);
		const output = { out: "", err: "" };
		for (const stream of ["out", "err"] as const) {
			child[`std${stream}`]?.setEncoding("utf8").on("data", (part: string) => {
				output[stream] = (output[stream] + part).slice(-SAID_MAX);
			});
		}
		// It may be gone before it has read.
		child.stdin?.on("error", () => {});
		if (how.input !== undefined && how.input !== "open") child.stdin?.end(how.input);
		const limit =
			how.seconds === undefined ? undefined : setTimeout(() => running.signal("SIGKILL"), 1000 * how.seconds);
		const ended = new Promise<Ended>((resolve, reject) => {
			child.on("error", reject);
			child.on("close", (code, signal) => resolve({ code, signal, ...output }));
		}).finally(() => {
			clearTimeout(limit);
			this.#running.delete(running);
		});
		// Errors go to callers that await it; a background process may fail unseen.
		ended.catch(() => {});
		const running: Running = {
			child,
			pid: pid ?? -1,
			ended,
			out: () => output.out,
			err: () => output.err,
			signal: (name) => {
				if (pid !== undefined && this.#running.has(running)) signalTo(-pid, name);
			},
		};
		this.#running.add(running);
		return running;
	}

	/** Runs to its end; throws where that is not exit code 0. */
	async run(command: string, args: readonly string[], how: HowToStart = {}): Promise<string> {
		const { code, signal, out, err } = await this.start(command, args, { seconds: 60, ...how }).ended;
		if (code === 0) return out;
		throw new Error(`${command} ${args.join(" ")}: ${signal ?? `exit code ${code}`}: ${(err || out).trim()}`);
	}

	/** Undoes everything. */
	async close(): Promise<void> {
		const open = [...this.#running];
		for (const { signal } of open) signal("SIGKILL");
		await Promise.allSettled(open.map(({ ended }) => ended));
		process.off("exit", this.#undoAll);
		this.#undoAll();
	}

	readonly #undoAll = (): void => {
		for (const { signal } of this.#running) signal("SIGKILL");
		for (const work of this.#undo.splice(0).reverse()) {
			try {
				work();
			} catch (error) {
				console.error(`left behind by a test: ${error instanceof Error ? error.message : String(error)}`);
			}
		}
		rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
	};
}

/** The id and the start of a process tell it from a later one with the same id. */
function ownMark(): string {
	return `${process.pid}-${startOf(process.pid)}`;
}

/** Whether a name with a mark belongs to a process that has ended. */
export function isOrphan(name: string): boolean {
	const found = /(\d+)-(\d+)/.exec(name);
	return found !== null && startOf(Number(found[1])) !== found[2];
}

/** Removes leftovers of beds whose processes have ended. */
function sweep(): void {
	for (const name of readdirSync(tmpdir())) {
		if (!name.startsWith(PREFIX) || !isOrphan(name)) continue;
		const folder = join(tmpdir(), name);
		for (const line of readLines(join(folder, "pids"))) {
			const [pid = "", start = ""] = line.split(" ");
			if (start !== "" && startOf(Number(pid)) === start) signalTo(-Number(pid), "SIGKILL");
		}
		for (const place of mountedIn(folder)) spawnSync("umount", ["--lazy", place]);
		try {
			rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
		} catch {
			// What cannot be removed now is left for the next sweep; this test does not fail for it.
		}
	}
}

/** Small disks of a bed. */
function mountedIn(folder: string): string[] {
	const places = readLines("/proc/self/mounts").map((line) => line.split(" ")[1] ?? "");
	return places.filter((place) => place.startsWith(`${folder}/`));
}

/** When a process began, in ticks since the machine did; empty for one that has ended. */
function startOf(pid: number): string {
	return beganOf(pid) ?? "";
}

export function signalTo(pid: number, name: NodeJS.Signals): void {
	try {
		process.kill(pid, name);
	} catch {
		// It is gone already.
	}
}

function readLines(path: string): string[] {
	try {
		return readFileSync(path, "utf8")
			.split("\n")
			.filter((line) => line !== "");
	} catch {
		return [];
	}
}
