/** Calls programs of schedulers and returns their output, within a time limit; an error is one line. */
import type { ChildProcess } from "node:child_process";
import { oneLine } from "../base/format.js";
import { startProcess } from "../base/start-process.js";
import { removingOnSignals } from "../files/unfinished.js";

const MILLISECONDS_MAX = 60_000;
const TEXT_MAX = 2 ** 20;

export interface ToolResult {
	readonly code: number | null;
	readonly out: string;
	readonly err: string;
	/** There is no such program. */
	readonly isMissing: boolean;
}

export interface ToolOptions {
	/** For its standard input. */
	readonly input?: string | Uint8Array;
	/** How long it may take. */
	readonly milliseconds?: number;
	readonly cwd?: string;
	/** The terminal's Ctrl-C does not reach it: it is this process that decides. */
	readonly isUnbroken?: boolean;
}

/** They end with this process, also where a signal ends it. */
const open = new Set<ChildProcess>();
const killAll = () => {
	for (const child of open) child.kill("SIGKILL");
};

/** Never throws: a program that is not there, or does not end, is an answer too. */
export async function runTool(
	command: string,
	args: readonly string[],
	options: ToolOptions = {},
): Promise<ToolResult> {
	return await removingOnSignals(() => run(command, args, options));
}

function run(command: string, args: readonly string[], options: ToolOptions): Promise<ToolResult> {
	const { input, milliseconds = MILLISECONDS_MAX, cwd, isUnbroken = false } = options;
	return new Promise((resolve) => {
		const child = startProcess(command, args, { cwd, detached: isUnbroken, stdio: ["pipe", "pipe", "pipe"] });
		if (open.size === 0) process.on("exit", killAll);
		open.add(child);
		const onEnd = () => {
			clearTimeout(limit);
			open.delete(child);
			if (open.size === 0) process.off("exit", killAll);
		};
		let [out, err] = ["", ""];
		let isLate = false;
		child.stdout?.on("data", (part: Buffer) => {
			if (out.length < TEXT_MAX) out += part.toString();
		});
		child.stderr?.on("data", (part: Buffer) => {
			if (err.length < TEXT_MAX) err += part.toString();
		});
		// A program that reads nothing may be gone before it is written.
		child.stdin?.on("error", () => {});
		child.stdin?.end(input);
		const limit = setTimeout(() => {
			isLate = true;
			child.kill("SIGKILL");
		}, milliseconds);
		child.on("error", (error: NodeJS.ErrnoException) => {
			onEnd();
			resolve({ code: null, out, err: error.message, isMissing: error.code === "ENOENT" });
		});
		child.on("close", (code) => {
			onEnd();
			const late = `${command} did not answer within ${milliseconds / 1000} s`;
			resolve({ code, out, err: isLate ? late : err, isMissing: false });
		});
	});
}

/** The error message of a program: its last line, without prefixes. */
export function toolError({ err, out, code }: ToolResult): string {
	const lines = `${out}\n${err}`.split("\n").map((line) => oneLine(line).trim());
	const last = lines.filter((line) => line !== "").at(-1);
	return (
		last?.replace(/^(\w+: )?((error|fatal): )?(allocation failure: )?/i, "") ?? `it ended with code ${code ?? "none"}`
	);
}
