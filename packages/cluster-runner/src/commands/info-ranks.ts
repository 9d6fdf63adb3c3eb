/** `stickslip info --ranks N`: how N ranks would share a problem, in numbers and as a picture. */
import { InputError, type Problem } from "@stickslip/core";
import { prepare } from "@stickslip/core/parallel";
import {
	cutShares,
	describeShares,
	PARTITION_METHODS,
	type PartitionMethod,
	type PartitionReport,
	pictureOfShares,
	reportLines,
} from "@stickslip/partition";
import type { Arguments } from "../cli/arguments.js";
import type { OptionSpec } from "../cli/command.js";
import { writeWhole } from "../files/write.js";
import { checkFile, tryFile } from "../output/targets.js";
import { RANKS_MAX } from "../protocol/messages.js";

export const partOptions: readonly OptionSpec[] = [
	{ name: "ranks", value: "N", what: "show how N ranks would share the problem" },
	{ name: "picture", value: "FILE.svg", what: "draw the partition: the contacts by rank, and which ranks communicate" },
	{
		name: "partition",
		value: "METHOD",
		what: `${PARTITION_METHODS.join(", ")} (default auto, which is what solve uses)`,
	},
];

export interface PartRequest {
	readonly ranks: number;
	readonly method: PartitionMethod;
	readonly picture: string | undefined;
}

export function partRequest(args: Arguments): PartRequest | undefined {
	const ranks = args.integer("ranks", 2, RANKS_MAX, 8);
	const method = args.choice("partition", PARTITION_METHODS) ?? "auto";
	const picture = args.text("picture");
	if (ranks !== undefined) {
		if (picture === undefined) return { ranks, method, picture };
		if (args.operands.length > 1)
			args.refuse("--picture", "is one file, but there are several problems", "draw one at a time");
		tryFile("info", "--picture", checkFile("info", "--picture", picture, args.operands));
		return { ranks, method, picture };
	}
	for (const name of ["picture", "partition"]) {
		if (args.text(name) !== undefined) args.refuse(`--${name}`, "needs --ranks", "add --ranks N");
	}
	return undefined;
}

/** Cuts the problem as a solve would, and draws it where that was asked for. */
export function partOf(problem: Problem | undefined, name: string, request: PartRequest): PartitionReport {
	if (problem === undefined)
		throw new InputError(name, "--ranks", "no file contains a problem that can be solved", "leave it out");
	const { ranks, method, picture } = request;
	const shares = cutShares(prepare(problem, { method: "pqn-diagonal" }), ranks, { method });
	if (picture !== undefined) writeWhole(picture, pictureOfShares(shares, problem), { followsLinks: true });
	return describeShares(shares);
}

export function partAsJson(part: PartitionReport | undefined): { partition?: PartitionReport } {
	return part === undefined ? {} : { partition: part };
}

export function partAsText(part: PartitionReport | undefined): string[] {
	return part === undefined ? [] : ["", ...reportLines(part).map((line) => `  ${line}`)];
}
