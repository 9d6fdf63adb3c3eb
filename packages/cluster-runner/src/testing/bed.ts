/**
 * What a test starts and makes on the machine, so that it can all be taken back: processes by their id and start time, a folder, and works
 * to undo. Closed in reverse order; undone as well when this process ends by itself, and by the next bed where it was killed: each bed keeps
 * a list of its processes in its folder, whose name says who made it.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { appendFileSync, closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { beganOf } from "../base/proc.js";

const PREFIX = "stickslip-bed-";
/** Of what a process says the end is kept. */
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
	/** A file or device that standard output goes to, added at its end; what is said there is not kept here. */
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

	/** A word that no other bed of this machine has, and that tells whose it is. */
	get name(): string {
		return basename(this.folder);
	}

	/** Called when the bed is closed or this process ends: nothing that waits. */
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
		// Whoever is interested awaits it; a process of the background may fail unseen.
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

	/** Takes all back. */
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

/** Whether a name with a mark in it belongs to somebody who is no more. */
export function isOrphan(name: string): boolean {
	const found = /(\d+)-(\d+)/.exec(name);
	return found !== null && startOf(Number(found[1])) !== found[2];
}

/** What beds of processes that are no more have left. */
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
			// What cannot be removed now is for the next sweep, and no reason for this test to fail.
		}
	}
}

/** Small disks of a bed. */
function mountedIn(folder: string): string[] {
	const places = readLines("/proc/self/mounts").map((line) => line.split(" ")[1] ?? "");
	return places.filter((place) => place.startsWith(`${folder}/`));
}

/** When a process began, in ticks since the machine did; empty for one that is no more. */
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
