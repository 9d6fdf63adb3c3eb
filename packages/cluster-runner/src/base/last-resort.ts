/**
 * Handles errors that nothing else handles, e.g. on a full disk: prints one line with the cause and the remedy, records the run as
 * failed, and exits with code 3. Node.js itself would exit with 1, which means that a problem is not solved.
 */
import { writeSync } from "node:fs";
import { InputError } from "@stickslip/core";
import { oneLine } from "./format.js";

/** What has to be done for the work in progress. */
export interface LastResort {
	/** How to continue, for the end of the line; empty if another process says it. */
	readonly remedy: string;
	/** Records the failure where the work is recorded. */
	readonly record: (reason: string) => void;
}

/** Nested tasks, the innermost last. */
const resorts: LastResort[] = [];

/** Registers them until the returned function is called. */
export function onFailure(resort: LastResort): () => void {
	resorts.push(resort);
	return () => {
		const at = resorts.indexOf(resort);
		if (at >= 0) resorts.splice(at, 1);
	};
}

/** Standard output could not be written. */
export class OutputError extends Error {
	override readonly name = "OutputError";

	constructor(readonly code: string) {
		super(`standard output cannot be written (${code})`);
	}
}

const remedies: Readonly<Record<string, string>> = {
	ENOSPC: "free some disk space",
	EDQUOT: "free some of the quota",
	EMFILE: "too many files are open: raise the limit (ulimit -n), or use fewer ranks",
	ENFILE: "too many files are open on this machine",
	EAGAIN: "there are too many processes: raise the limit (ulimit -u), or use fewer ranks",
	ENOMEM: "there is not enough memory for another process: use fewer ranks",
	EIO: "check the device",
	EROFS: "the file system is read-only: write elsewhere",
};

/** What can be done about an error of the system; undefined for one that says enough by itself. */
export function remedyOf(code: string): string | undefined {
	return remedies[code];
}

/** What is wrong and what to do about it, in one line: errors of the system are not bugs of this program. */
export function describeFailure(error: unknown): string {
	if (!(error instanceof Error)) return oneLine(`a bug in stickslip; please report it: ${String(error)}`);
	if (error instanceof InputError) return oneLine(error.message);
	const code = "code" in error ? String(error.code) : "";
	const remedy = remedyOf(code);
	if (remedy !== undefined) return oneLine(`${error.message}: ${remedy}`);
	if (error instanceof OutputError) return error.message;
	return oneLine(`a bug in stickslip; please report it: ${withPlace(error)}`);
}

const FRAMES = 3;

/** The message, and the innermost places that the stack names. */
function withPlace({ name, message, stack = "" }: Error): string {
	const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
	const places = frames.slice(0, FRAMES).map((line) => line.trim());
	return `${name}: ${message}${places.length > 0 ? ` (${places.join(", ")})` : ""}`;
}

let isFailing = false;

function failed(error: unknown): void {
	// A failure while handling a failure only ends the process.
	if (isFailing) process.exit(3);
	isFailing = true;
	const reason = describeFailure(error);
	const remedy = resorts.at(-1)?.remedy ?? "";
	try {
		writeSync(process.stderr.fd, `stickslip: ${reason}${remedy === "" ? "" : `; ${remedy}`}\n`);
	} catch {
		// Standard error is closed.
	}
	for (const { record } of resorts.splice(0).reverse()) record(reason);
	// An orderly exit, which also ends what was started.
	process.exit(3);
}

let isGuarded = false;

/** For the program of this process, once. */
export function guardProcess(): void {
	if (isGuarded) return;
	isGuarded = true;
	process.on("uncaughtException", failed);
}

/** Runs the main work of this process. It is a failure too if nothing is left to wait for before the work has ended. */
export async function untilDone(work: () => Promise<void>): Promise<void> {
	const early = () => failed(new Error("it ended before its work was done"));
	process.on("beforeExit", early);
	await work();
	process.off("beforeExit", early);
}
