/**
 * The processes of a run as the system sees them: started with the hub's address and the key in their environment, watched, and ended
 * for certain. Each stands in a session of its own, so that Ctrl-C on the terminal reaches the hub alone, who asks them all.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { findMpirun, type MpiLibrary, mpirunCall } from "@stickslip/comm";
import { InputError } from "@stickslip/core";

const program = fileURLToPath(new URL("../../dist/ranks/process.js", import.meta.url));

/** Of what a child says the end is kept: MPICH's launcher tells of a lost rank on standard output, Open MPI's on standard error. */
const SAID_MAX = 4000;
/** A launcher passes SIGTERM on to its ranks; it has so long. */
const LAUNCHER_MS = 1500;

export interface Child {
	/** The process number, or undefined for the launcher of all. */
	readonly process: number | undefined;
	readonly child: ChildProcess;
	/** The end of what it said. */
	said: string;
}

/** How a child ended. */
export interface End {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
}

export interface Environment {
	readonly STICKSLIP_HUB: string;
	readonly STICKSLIP_HUB_PID: string;
	readonly STICKSLIP_KEY: string;
}

export type Ended = (child: Child, end: End) => void;

export class Children {
	readonly #all: Child[] = [];
	readonly #open = new Set<Child>();
	/** Ranks that are no children of this process. */
	readonly #others: () => readonly number[];
	#allEnded: () => void = () => {};

	constructor(others: () => readonly number[]) {
		this.#others = others;
		process.on("exit", this.#leave);
	}

	/** One process of Node.js after another. */
	start(count: number, environment: Environment, ended: Ended): void {
		for (let number = 0; number < count; number += 1) {
			const env = { ...process.env, ...environment, STICKSLIP_PROCESS: String(number) };
			this.#spawn(number, process.execPath, [program], env, ended);
		}
	}

	/** All of them by the library's launcher, which gives them their numbers. */
	launch(count: number, library: MpiLibrary, isJoined: boolean, environment: Environment, ended: Ended): void {
		const launcher = findMpirun(library.kind);
		if (launcher === undefined) {
			const problem = `the library ${library.path} is there, and no mpirun of ${library.kind} on the path`;
			throw new InputError("transport mpi", "mpirun", problem, "install it, or use the transport zeromq");
		}
		const call = mpirunCall(launcher, count, [process.execPath, program], ownHost(process.env));
		// A process of several threads is not to be kept on one core.
		const args = isJoined ? call.args.map((word) => (word === "core" ? "none" : word)) : call.args;
		const env = { ...call.env, ...environment, STICKSLIP_PROCESS: "", STICKSLIP_MPI: library.path };
		this.#spawn(undefined, call.command, args, env, ended);
	}

	/** Resolves when all have ended: by themselves within some milliseconds, or else by force. */
	async end(milliseconds: number): Promise<void> {
		if (this.#open.size > 0) {
			const all = new Promise<void>((resolve) => {
				this.#allEnded = resolve;
			});
			const timers = [
				setTimeout(() => this.#terminateLaunchers(), milliseconds),
				setTimeout(this.kill, milliseconds + (this.#all.some(isLauncher) ? LAUNCHER_MS : 0)),
			];
			await all;
			for (const timer of timers) clearTimeout(timer);
		}
		process.off("exit", this.#leave);
	}

	/** At once. */
	readonly kill = (): void => {
		if (this.#open.size === 0) return;
		// While a launcher lives its ranks have their numbers; afterwards somebody else may.
		const launched = [...this.#open].some(isLauncher) ? this.#others() : [];
		for (const pid of launched) killed(pid);
		for (const { child } of this.#open) if (child.pid !== undefined) killed(-child.pid);
	};

	/** This process ends now: a launcher that is asked takes its ranks, its folder and its shared memory with it; killed, it leaves them. */
	readonly #leave = (): void => {
		if ([...this.#open].some(isLauncher)) this.#terminateLaunchers();
		else this.kill();
	};

	/** One process at once; its id is needed where the launcher started it. */
	killOne(number: number, pid: number | undefined): void {
		for (const { process, child } of this.#open) {
			if (process === number && child.pid !== undefined) killed(-child.pid);
			else if (process === undefined && pid !== undefined) killed(pid);
		}
	}

	#terminateLaunchers(): void {
		for (const each of this.#open) if (isLauncher(each)) each.child.kill("SIGTERM");
	}

	#spawn(
		number: number | undefined,
		command: string,
		args: readonly string[],
		env: NodeJS.ProcessEnv,
		ended: Ended,
	): void {
		const child = spawn(command, args, { env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
		const each: Child = { process: number, child, said: "" };
		this.#all.push(each);
		this.#open.add(each);
		const streams = [child.stdout, child.stderr];
		for (const stream of streams) {
			stream.on("data", (part: Buffer) => {
				each.said = (each.said + part.toString()).slice(-SAID_MAX);
			});
		}
		const gone = (end: End) => {
			if (!this.#open.delete(each)) return;
			for (const stream of streams) stream.destroy();
			ended(each, end);
			if (this.#open.size === 0) this.#allEnded();
		};
		child.on("error", (error) => {
			each.said = error.message;
			gone({ code: null, signal: null });
		});
		// Not "close": a grandchild may hold the pipe.
		child.on("exit", (code, signal) => setImmediate(gone, { code, signal }));
	}
}

function isLauncher({ process: number }: Child): boolean {
	return number === undefined;
}

/** A scheduler's variables would make the launcher start its processes on other hosts, and the hub is on this one. */
function ownHost(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(SLURM|PBS|LSB)_/.test(name)));
}

function killed(pid: number): void {
	try {
		process.kill(pid, "SIGKILL");
	} catch {
		// It is gone already.
	}
}
