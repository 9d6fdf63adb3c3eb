/** Standard output and error of this process: a closed pipe is noticed and not an accident, and a passing line never mixes with others. */
import { closeSync } from "node:fs";
import { isatty } from "node:tty";
import type { Terminal } from "./command.js";
import { OutputError } from "./last-resort.js";

/** What a pipe whose reader has gone answers, and a terminal that was closed. */
const GONE: readonly string[] = ["EPIPE", "EIO", "ENXIO"];

/** Node.js ends with a failed assertion where it cannot give back a terminal as it was; one that was closed meanwhile is nobody's. */
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

export function processTerminal(): Terminal {
	leaveClosedTerminals();
	const { stdout, stderr } = process;
	let closed = false;
	let shown = false;
	stdout.on("error", (error: NodeJS.ErrnoException) => {
		if (error.code === undefined || !GONE.includes(error.code)) throw new OutputError(error.code ?? error.message);
		closed = true;
	});
	// Messages are of no use where nobody reads them, and no reason to fail either.
	stderr.on("error", () => {});
	const interactive = stderr.isTTY === true && process.env.TERM !== "dumb";
	const clear = () => {
		if (shown) stderr.write("\r\x1b[K");
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
			stderr.write(line.slice(0, (stderr.columns || 80) - 1));
			shown = true;
		},
	};
}
