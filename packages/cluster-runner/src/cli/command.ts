/** A command: its options and help as plain data, and its function. */
import type { Arguments } from "./arguments.js";

export interface OptionSpec {
	/** Without the dashes. */
	readonly name: string;
	/** Its one-letter form, after one dash. */
	readonly short?: string;
	/** The name of the value in help; an option without one is a switch. */
	readonly value?: string;
	readonly what: string;
	/** It may be given several times; every other option only once. */
	readonly repeatable?: true;
	/** A valid value, for the error message about an invalid one. */
	readonly example?: string;
}

export interface Command {
	readonly name: string;
	/** What follows the name. */
	readonly usage: string;
	/** One line for the list of commands. */
	readonly what: string;
	readonly options: readonly OptionSpec[];
	/** Takes another command after `--`; unknown options are passed on. */
	readonly isFront?: true;
	/** Paragraphs and examples after the options; printed as they are. */
	readonly notes: string;
	/** Returns the exit code; throws InputError for bad use. */
	run(args: Arguments, terminal: Terminal): Promise<ExitCode>;
}

/** 0 solved, 1 not solved, 2 usage error or bad input, 3 a rank failed, 75 stopped on request with a checkpoint. */
export type ExitCode = 0 | 1 | 2 | 3 | 75;

/** The two streams. */
export interface Terminal {
	/** Results, a line each. */
	out(line: string): void;
	/** Messages, a line each. */
	err(line: string): void;
	/** True when the reader of standard output has closed it. */
	readonly closed: boolean;
	/** Shows a line that the next one replaces, where standard error is a terminal; an empty one clears it. */
	passing(line: string): void;
	/** Whether passing lines are shown. */
	readonly interactive: boolean;
	/** Columns of the terminal for messages. */
	readonly columns: number;
}

/** The worst of the exit codes of many files. 75 comes first: the run can be resumed, whatever happened to other files. */
export function worst(codes: readonly ExitCode[]): ExitCode {
	const order: readonly ExitCode[] = [75, 3, 2, 1];
	return order.find((code) => codes.includes(code)) ?? 0;
}
