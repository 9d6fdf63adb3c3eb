/**
 * Standard output and standard error of this process: a closed pipe is detected and is not an error, the progress line never mixes with
 * other lines, and no write blocks.
 */
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import { OutputError } from "../base/last-resort.js";
import type { Terminal } from "./command.js";

/** Errors of a pipe whose reader is gone, and of a closed terminal. */
const GONE: readonly string[] = ["EPIPE", "EIO", "ENXIO"];

/** Node.js ends with a failed assertion where it cannot give back a terminal as it was; one that was closed meanwhile needs no restoring. */
function leaveClosedTerminals(): void {
	const terminals = [0, 1, 2].filter((stream) => isatty(stream));
	process.on("exit", () => {
		for (const stream of terminals) {
			if (isatty(stream)) continue;
			try {
				closeSync(stream);
			} catch {
				// It is closed already.
			}
		}
	});
}

/** A terminal that accepts no output (Ctrl-S, a hanging ssh connection) would block this process until its ranks give it up. */
function writerWithoutWaiting(stream: typeof process.stderr): (text: string) => void {
	let file: number;
	try {
		// Opened anew: making it non-blocking must not affect other processes that share it.
		file = openSync(`/dev/fd/${stream.fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
	} catch {
		return (text) => void stream.write(text);
	}
	return (text) => {
		try {
			writeSync(file, text);
		} catch {
			// The next one may be shown.
		}
	};
}

export function processTerminal(): Terminal {
	leaveClosedTerminals();
	const { stdout, stderr } = process;
	let closed = false;
	let shown = false;
	stdout.on("error", (error: NodeJS.ErrnoException) => {
		if (error.code === undefined || !GONE.includes(error.code)) throw new OutputError(error.code ?? error.message);
		closed = true;
	});
	// If standard error is closed, messages are dropped.
	stderr.on("error", () => {});
	const interactive = stderr.isTTY === true && process.env.TERM !== "dumb";
	const showPassing = interactive ? writerWithoutWaiting(stderr) : () => {};
	const clear = () => {
		if (shown) showPassing("\r\x1b[K");
		shown = false;
	};
	return {
		interactive,
		get closed() {
			return closed;
		},
		get columns() {
			return stderr.columns || 80;
		},
		out(line) {
			clear();
			if (!closed) stdout.write(`${line}\n`);
		},
		err(line) {
			clear();
			stderr.write(`${line}\n`);
		},
		passing(line) {
			if (!interactive) return;
			clear();
			if (line === "") return;
			showPassing(line.slice(0, (stderr.columns || 80) - 1));
			shown = true;
		},
	};
}
