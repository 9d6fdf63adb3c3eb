/** Solves the problem of a capsule again on this machine, with its options or those of the command line, and prints messages before and after. */
import type { Report, SolveOptions } from "@stickslip/core";
import type { Replay } from "./read.js";

/** Options of the command line win. Options of a method are dropped if another method is named. */
export function replayOptions<Options extends SolveOptions>(replay: Replay, line: Options): Options {
	const { set, ...recorded } = replay.options;
	const sameMethod = line.method === undefined || line.method === (recorded.method ?? "auto");
	return { ...recorded, ...line, set: { ...(sameMethod && set), ...line.set } };
}

export function replayLine(input: string, { status, reason }: Replay): string {
	return `repeating ${input}, which ended with status ${status}: ${reason}`;
}

/** Undefined if there is nothing to compare: no answer, or one of the two was ended by a time limit or on request. */
export function comparison({ status, hash }: Replay, report: Report): string | undefined {
	const free: readonly string[] = ["time-limit", "cancelled", "failed"];
	if (hash === undefined || free.includes(status) || free.includes(report.status)) return undefined;
	if (hash === report.hash) return "the answer is the same as in the capsule, bit for bit";
	return "the answer differs from that in the capsule: other options, or another version of the program";
}
