/** What a command is: its options and help as plain data, and what it does. */
import type { Given } from "./line/given.js";

export interface OptionSpec {
	/** Without the dashes. */
	readonly name: string;
	/** One letter that stands for it, after one dash. */
	readonly short?: string;
	/** What stands for the value in help; without it the option is a switch. */
	readonly value?: string;
	readonly what: string;
	/** Given more than once it adds up; every other option may be given once. */
	readonly repeatable?: true;
	/** A value that makes sense, for the remedy where another was no number. */
	readonly example?: string;
}

export interface Command {
	readonly name: string;
	/** What follows the name. */
	readonly usage: string;
	/** One line for the list of commands. */
	readonly what: string;
	readonly options: readonly OptionSpec[];
	/** Stands in front of another line, after `--`; options that it does not know are for others. */
	readonly isFront?: true;
	/** Paragraphs and examples after the options; printed as they are. */
	readonly notes: string;
	/** Returns the exit code; throws InputError for bad use. */
	run(given: Given, terminal: Terminal): Promise<ExitCode>;
}

/** 0 solved, 1 not solved, 2 bad use or bad input, 3 a rank failed, 75 stopped on request with a checkpoint to go on from. */
export type ExitCode = 0 | 1 | 2 | 3 | 75;

/** The two streams. */
export interface Terminal {
	/** Results, a line each. */
	out(line: string): void;
	/** Messages, a line each. */
	err(line: string): void;
	/** True when nobody reads results any more: the pipe behind standard output is closed. */
	readonly closed: boolean;
	/** Shows a line that the next one replaces, where standard error is a terminal; an empty one clears it. */
	passing(line: string): void;
	/** Whether passing lines are shown. */
	readonly interactive: boolean;
	/** Columns of the terminal for messages. */
	readonly columns: number;
}

/** The worst of the exit codes of many files. What can be gone on with is not over, whatever happened to files before. */
export function worst(codes: readonly ExitCode[]): ExitCode {
	const order: readonly ExitCode[] = [75, 3, 2, 1];
	return order.find((code) => codes.includes(code)) ?? 0;
}
