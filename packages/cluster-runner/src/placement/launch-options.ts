/** The options that a run was launched with, kept in its folder as values: `resume` uses them again, except for those that it is given itself. */
import { join } from "node:path";
import { anyNumber, type Check, flag, integer, list, oneOf, type Rules, text } from "../base/schema.js";
import { RANKS_MAX } from "../protocol/messages.js";
import { isRecord, readFields, replaceJson } from "../records/check.js";
import { FILES } from "../records/files.js";
import { type Host, isHost } from "./hosts.js";
import { WAIT_SECONDS_MAX } from "./placement.js";
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

/** Those that were given. */
export interface LaunchOptions {
	readonly where: Where;
	readonly nodes?: number;
	readonly ranksPerNode?: number;
	readonly seconds?: number;
	/** Bytes of each node. */
	readonly memory?: number;
	readonly restarts?: number;
	/** Seconds. */
	readonly checkpoint?: number;
	readonly capsule?: boolean;
	readonly listen?: string;
	readonly wait?: number;
	readonly metrics?: string;
	/** Words for ssh, sbatch, kubectl or mpirun, in order. */
	readonly pass?: readonly string[];
	readonly hosts?: readonly Host[];
	readonly jobset?: boolean;
	readonly options: Readonly<Partial<Record<LauncherOption, string>>>;
}

const WORD_MAX = 4096;
const word = [text(WORD_MAX), "a word"] as const;
const onOff = [flag, "true or false"] as const;
const amount: Check<number> = (value): value is number => anyNumber(value) && value >= 0;
const seconds: Check<number> = (value): value is number => amount(value) && value <= WAIT_SECONDS_MAX;

const rules: Rules<keyof LaunchOptions> = {
	where: [oneOf(WHERES), `one of ${WHERES.join(", ")}`],
	nodes: [integer(1, RANKS_MAX), `an integer from 1 to ${RANKS_MAX}`],
	ranksPerNode: [integer(1, RANKS_MAX), `an integer from 1 to ${RANKS_MAX}`],
	seconds: [amount, "a number from 0"],
	memory: [amount, "a number from 0"],
	restarts: [integer(0, RESTARTS_MAX), `an integer from 0 to ${RESTARTS_MAX}`],
	checkpoint: [amount, "a number from 0"],
	capsule: onOff,
	listen: word,
	wait: [seconds, `a number of seconds, at most ${WAIT_SECONDS_MAX}`],
	metrics: word,
	pass: [list(word[0], WORD_MAX), "a list of words"],
	hosts: [list(isHost, RANKS_MAX), "a list of hosts"],
	jobset: onOff,
	options: [isRecord as Check<unknown>, "an object"],
};
const launcherRules = Object.fromEntries(LAUNCHER_OPTIONS.map((name) => [name, word]));

export function writeLaunchOptions(folder: string, options: LaunchOptions): void {
	replaceJson(join(folder, FILES.launch), options, true);
}

/** Undefined for a run without a launcher. */
export function readLaunchOptions(folder: string): LaunchOptions | undefined {
	const fields = readFields(join(folder, FILES.launch));
	if (fields === undefined) return undefined;
	fields.require(rules, ["where", "options"]);
	fields.fields("options").require(launcherRules);
	return fields.values as unknown as LaunchOptions;
}

/** Where a run was launched last; undefined without a launcher. */
export function launchedWhere(folder: string): Where | undefined {
	return readFields(join(folder, FILES.launch))?.choice("where", WHERES);
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
