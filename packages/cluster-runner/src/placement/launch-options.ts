/** The options that a run was launched with, kept in its folder as values: `resume` uses them again, except for those that it is given itself. */
import { join } from "node:path";
import {
	atLeast,
	type Checked,
	called,
	flag,
	integer,
	list,
	oneOf,
	optional,
	record,
	text,
} from "@stickslip/core/schema";
import { RANKS_MAX } from "../protocol/messages.js";
import { readFields, replaceJson } from "../records/check.js";
import { FILES } from "../records/files.js";
import { isHost } from "./hosts.js";
import { waitSeconds } from "./placement.js";
import { launchSpecs, WHERES, type Where } from "./specs.js";

/** Options that only their launcher knows the meaning of. */
export const LAUNCHER_OPTIONS = [
	"remote-node",
	"program",
	"mpi",
	"partition",
	"account",
	"image",
	"namespace",
	"claim",
] as const;
export type LauncherOption = (typeof LAUNCHER_OPTIONS)[number];

export const RESTARTS_MAX = 1000;

const WORD_MAX = 4096;
const word = called("a word", text(WORD_MAX));
const amount = called("a number from 0", atLeast(0));

const options = record(
	Object.fromEntries(LAUNCHER_OPTIONS.map((name) => [name, optional(word)])) as Record<
		LauncherOption,
		ReturnType<typeof optional<string>>
	>,
);

const areOptions = record({
	where: oneOf(WHERES),
	nodes: optional(integer(1, RANKS_MAX)),
	ranksPerNode: optional(integer(1, RANKS_MAX)),
	seconds: optional(amount),
	/** Bytes of each node. */
	memory: optional(amount),
	restarts: optional(integer(0, RESTARTS_MAX)),
	/** Seconds. */
	checkpoint: optional(amount),
	capsule: optional(flag),
	listen: optional(word),
	wait: optional(waitSeconds("from 0")),
	metrics: optional(word),
	/** Words for ssh, sbatch, kubectl or mpirun, in order. */
	pass: optional(called("a list of words", list(word, WORD_MAX))),
	hosts: optional(called("a list of hosts", list(isHost, RANKS_MAX))),
	jobset: optional(flag),
	options,
});
/** Those that were given. */
export type LaunchOptions = Checked<typeof areOptions>;

export function writeLaunchOptions(folder: string, options: LaunchOptions): void {
	replaceJson(join(folder, FILES.launch), options, true);
}

/** Undefined for a run without a launcher. */
export function readLaunchOptions(folder: string): LaunchOptions | undefined {
	return readFields(join(folder, FILES.launch))?.all(areOptions);
}

/** Where a run was launched last; undefined without a launcher. */
export function launchedWhere(folder: string): Where | undefined {
	return readFields(join(folder, FILES.launch))?.take(record({ where: areOptions.shape.where })).where;
}

/** As before, but for what is given. What another launcher does not take is left out, and words for its tool mean nothing to another. */
export function resumedOptions(before: LaunchOptions, given: LaunchOptions): LaunchOptions {
	const { where } = given;
	const takes = (name: string) => launchSpecs.some(({ name: known, of }) => known === name && of?.includes(where));
	const { nodes, hosts, pass, jobset, ...others } = before;
	return {
		...others,
		// The number of nodes follows from the hosts where these are given again.
		...(nodes !== undefined && given.hosts === undefined && { nodes }),
		...(hosts !== undefined && takes("host") && { hosts }),
		...(pass !== undefined && where === before.where && { pass }),
		...(jobset !== undefined && takes("jobset") && { jobset }),
		...given,
		options: {
			...Object.fromEntries(Object.entries(before.options).filter(([name]) => takes(name))),
			...given.options,
		},
	};
}
