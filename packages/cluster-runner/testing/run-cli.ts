/** Runs the built command line as its users do: a process of its own, with a limit of time, and ended by its id when that is over. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const program = fileURLToPath(new URL("../bin/stickslip.mjs", import.meta.url));

/** The longest time until a signal: a process of a busy machine takes seconds to start. */
const INTERRUPT_MS_MAX = 60_000;

export interface Ended {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly out: string;
	readonly err: string;
}

export interface HowToRun {
	readonly cwd?: string;
	readonly input?: Uint8Array;
	/** Options of Node.js, before the program. */
	readonly node?: readonly string[];
	/** Called with the process when it has started. */
	readonly started?: (child: ChildProcess) => void;
	readonly seconds?: number;
	/** Added to this process's environment. */
	readonly env?: Readonly<Record<string, string>>;
}

export function runCli(words: readonly string[], how: HowToRun = {}): Promise<Ended> {
	return runNode([...(how.node ?? []), program, ...words], how);
}

/** A solve interrupted while it works. A signal that comes before it listens ends it, and then the next one waits longer. */
export async function interrupted(words: readonly string[], how: HowToRun = {}): Promise<Ended> {
	for (let wait = 1000; ; wait *= 2) {
		const ended = await runCli(words, { ...how, started: (child) => setTimeout(() => child.kill("SIGINT"), wait) });
		if (ended.signal !== "SIGINT" || wait > INTERRUPT_MS_MAX) return ended;
	}
}

/** The same from a line of a shell, which begins the program by `"$@"`: with a file behind its output, or limits. */
export function runShell(line: string, words: readonly string[], how: HowToRun = {}): Promise<Ended> {
	return runProgram("sh", ["-c", line, "sh", process.execPath, program, ...words], how);
}

export function runNode(words: readonly string[], how: HowToRun = {}): Promise<Ended> {
	return runProgram(process.execPath, words, how);
}

function runProgram(command: string, words: readonly string[], how: HowToRun): Promise<Ended> {
	return new Promise((resolve, reject) => {
		const child = spawn(command, words, {
			cwd: how.cwd,
			stdio: "pipe",
			env: { ...process.env, ...how.env },
		});
		const limit = setTimeout(() => child.kill("SIGKILL"), 1000 * (how.seconds ?? 240));
		const [out, err]: [Buffer[], Buffer[]] = [[], []];
		child.stdout.on("data", (part: Buffer) => out.push(part));
		child.stderr.on("data", (part: Buffer) => err.push(part));
		// A program that needs no input may be gone before it is written.
		child.stdin.on("error", () => {});
		child.stdin.end(how.input);
		child.on("error", reject);
		child.on("close", (code, signal) => {
			clearTimeout(limit);
			resolve({ code, signal, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() });
		});
		how.started?.(child);
	});
}

/** A new folder of one test, gone after it. */
export function testFolder(): string {
	const folder = emptyFolder();
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** A new folder of a whole file of tests, which removes it itself. */
export function emptyFolder(): string {
	return mkdtempSync(join(tmpdir(), "stickslip-cli-"));
}

/** The lines of a text that ends with its last line. */
export function linesOf(text: string): string[] {
	return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
