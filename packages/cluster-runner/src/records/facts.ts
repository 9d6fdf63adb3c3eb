/** What a run is, written once when it is made: its line, where it runs, and on which machine with which versions. */
import { arch, availableParallelism, cpus, hostname, platform, release, totalmem } from "node:os";
import { join } from "node:path";
import { InputError, version } from "@stickslip/core";
import { type Fields, readFields } from "./check.js";
import { FILES } from "./files.js";
import { requireOwnRun } from "./own.js";

export const RUN_FORMAT = 2;

/** Where a line may run; "here" is a `solve` that keeps its own run, "node" one that others start on each node. */
export const RUN_LOCATIONS = ["here", "local", "ssh", "slurm", "kubernetes", "mpirun", "node"] as const;
export type RunLocation = (typeof RUN_LOCATIONS)[number];

export interface Machine {
	readonly host: string;
	readonly system: string;
	readonly processor: string;
	readonly cores: number;
	readonly memory: number;
}

export interface RunFacts {
	readonly format: number;
	readonly id: string;
	/** The name of the problem, or the nearest to one: for display. */
	readonly name: string;
	/** The words after `stickslip`, for display: what they ask for is in request.json. */
	readonly line: readonly string[];
	readonly where: RunLocation;
	/** ISO 8601, as all times in a run's folder. */
	readonly created: string;
	/** Of Stickslip, and of Node.js. */
	readonly version: string;
	readonly node: string;
	/** Where the line's files are relative to. */
	readonly folder: string;
	readonly machine: Machine;
	/** How often it may be started again after a loss. */
	readonly restarts: number;
	/** Seconds between checkpoints; 0 for none but on request, absent for none at all. */
	readonly checkpoint?: number;
	/** Whether a failure is gathered into a capsule. */
	readonly capsule: boolean;
}

export function machineFacts(): Machine {
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
	return runOf(fields);
}

function runOf(fields: Fields): RunFacts {
	const machine = fields.fields("machine");
	const checkpoint = fields.optional("checkpoint", (name) => fields.real(name, 0));
	return {
		format: fields.integer("format", 1),
		id: fields.text("id"),
		name: fields.text("name"),
		line: fields.texts("line"),
		where: fields.choice("where", RUN_LOCATIONS),
		created: fields.moment("created"),
		version: fields.text("version"),
		node: fields.text("node"),
		folder: fields.text("folder"),
		machine: {
			host: machine.text("host"),
			system: machine.text("system"),
			processor: machine.text("processor"),
			cores: machine.integer("cores"),
			memory: machine.real("memory", 0),
		},
		restarts: fields.integer("restarts"),
		...(checkpoint !== undefined && { checkpoint }),
		capsule: fields.flag("capsule"),
	};
}
