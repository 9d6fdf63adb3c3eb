/** What a run is, written once when it is made: its line, where it runs, and on which machine with which versions. */
import { arch, availableParallelism, cpus, hostname, platform, release, totalmem } from "node:os";
import { join } from "node:path";
import { InputError, version } from "@stickslip/core";
import {
	atLeast,
	type Check,
	type Checked,
	called,
	flag,
	integer,
	list,
	matching,
	optional,
	record,
	text,
} from "@stickslip/core/schema";
import { moment, readFields } from "./check.js";
import { FILES } from "./files.js";
import { requireOwnRun } from "./own.js";

const RUN_FORMAT = 2;

/** The name of any launcher. */
export const launcherName: Check<string> = matching(/^[a-z]{1,32}$/, "the name of a launcher");

const name = text(10_000);

const isMachine = record({ host: name, system: name, processor: name, cores: integer(0), memory: atLeast(0) });
export type MachineFacts = Checked<typeof isMachine>;

const areFacts = record({
	format: integer(1),
	id: name,
	/** The name of the problem, or the nearest to one: for display. */
	name,
	/** The words after `stickslip`, for display: what they ask for is in request.json. */
	line: called("a list of texts", list(text(Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)),
	/** The launcher; "here" is a `solve` that keeps its own run, "node" one that others start on each node. */
	where: launcherName,
	created: moment,
	/** Of Stickslip, and of Node.js. */
	version: name,
	node: name,
	/** Where the line's files are relative to. */
	folder: name,
	machine: isMachine,
	/** How often it may be started again after a loss. */
	restarts: integer(0),
	/** Seconds between checkpoints; 0 for none but on request, absent for none at all. */
	checkpoint: optional(atLeast(0)),
	/** Whether a failure is gathered into a capsule. */
	capsule: flag,
});
export type RunFacts = Checked<typeof areFacts>;

export function machineFacts(): MachineFacts {
	return {
		host: hostname(),
		system: `${platform()} ${release()} ${arch()}`,
		processor: cpus()[0]?.model ?? "unknown",
		cores: availableParallelism(),
		memory: totalmem(),
	};
}

export const versions = { format: RUN_FORMAT, version, node: process.versions.node } as const;

export function readRun(folder: string): RunFacts {
	requireOwnRun(folder);
	const file = join(folder, FILES.run);
	const fields = readFields(file);
	if (fields === undefined) throw new InputError(folder, FILES.run, "is missing", "name the folder of a run");
	fields.requireFormat(RUN_FORMAT);
	return fields.take(areFacts);
}
