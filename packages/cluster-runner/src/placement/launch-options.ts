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
import { launcherName } from "../records/facts.js";
import { FILES } from "../records/files.js";
import { isHost } from "./hosts.js";
import { waitSeconds } from "./placement.js";
import { type LauncherSpecs, launcherOptions, launchSpecs } from "./specs.js";

export const RESTARTS_MAX = 1000;

const WORD_MAX = 4096;
const word = called("a word", text(WORD_MAX));
const amount = called("a number from 0", atLeast(0));

const fields = {
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
};
const areCommonOptions = record(fields);

/** Those that were given. */
export interface LaunchOptions extends Checked<typeof areCommonOptions> {
	/** The name of the launcher. */
	readonly where: string;
	/** Options that only their launcher knows the meaning of. */
	readonly options: Readonly<Record<string, string | undefined>>;
}

function areOptionsOf(launchers: LauncherSpecs) {
	const own = launcherOptions(launchers).map((name) => [name, optional(word)] as const);
	const options = record(Object.fromEntries(own));
	return record({ where: oneOf(Object.keys(launchers)), ...fields, options });
}

export function writeLaunchOptions(folder: string, options: LaunchOptions): void {
	replaceJson(join(folder, FILES.launch), options, true);
}

/** Undefined for a run without a launcher. */
export function readLaunchOptions(folder: string, launchers: LauncherSpecs): LaunchOptions | undefined {
	return readFields(join(folder, FILES.launch))?.all(areOptionsOf(launchers)) as LaunchOptions | undefined;
}

/** Where a run was launched last; undefined without a launcher. */
export function launchedWhere(folder: string): string | undefined {
	return readFields(join(folder, FILES.launch))?.take(record({ where: launcherName })).where;
}

/** As before, except for what is given. Options that the new launcher does not take are left out, and so are arguments for another tool. */
export function resumedOptions(before: LaunchOptions, given: LaunchOptions, launchers: LauncherSpecs): LaunchOptions {
	const { where } = given;
	const specs = launchSpecs(launchers);
	const takes = (name: string) => specs.some(({ name: known, of }) => known === name && of?.includes(where));
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
