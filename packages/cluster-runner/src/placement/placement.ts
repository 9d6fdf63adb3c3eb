/** The placement of a run: its hosts and slots, and how its processes are started. `stickslip launch` decides it, and every solve of the run reads it from gang.json. */
import { readFileSync } from "node:fs";
import { InputError } from "@stickslip/core";
import { anyNumber, type Check, integer, list, oneOf, optional, record, text } from "../base/schema.js";
import { WIRES, type Wire } from "../base/transports.js";
import { RANKS_MAX } from "../protocol/messages.js";
import { codeOf } from "../records/check.js";

export interface Placement {
	/** `node`: every node is started by others (`stickslip node`). */
	readonly where: "local" | "ssh" | "slurm" | "mpirun" | "node";
	/** One process each. */
	readonly nodes: number;
	/** Threads of each process. */
	readonly ranksPerNode: number;
	/** How nodes communicate. */
	readonly between: Wire;
	/** ssh: one per node, as ssh takes them; mpirun: host names. */
	readonly hosts?: readonly string[];
	/** ssh: the folder of the installed package on the hosts. */
	readonly program?: string;
	/** ssh: Node.js on the hosts. */
	readonly node?: string;
	/** The value of --listen: an address, a network (10.0.0.0/8), or the name of an interface. */
	readonly listen?: string;
	/** Further arguments for ssh, srun or mpirun. */
	readonly pass?: readonly string[];
	readonly mpi?: "openmpi" | "mpich";
	/** slurm: srun --mpi=... */
	readonly srunMpi?: string;
	/** How long to wait for nodes to start. */
	readonly waitSeconds: number;
}

/** The default of waitSeconds: on one machine, and elsewhere. */
export const WAIT_SECONDS = { local: 30, remote: 60, node: 300 } as const;
/** A day. */
export const WAIT_SECONDS_MAX = 86_400;
const WORD_MAX = 4096;

/** The checks of the fields, by name. */
const checks: Readonly<Record<keyof Placement, Check<unknown>>> = {
	where: oneOf(["local", "ssh", "slurm", "mpirun", "node"]),
	nodes: integer(1, RANKS_MAX),
	ranksPerNode: integer(1, RANKS_MAX),
	between: oneOf(WIRES),
	hosts: optional(list(text(WORD_MAX), RANKS_MAX)),
	program: optional(text(WORD_MAX)),
	node: optional(text(WORD_MAX)),
	listen: optional(text(WORD_MAX)),
	pass: optional(list(text(WORD_MAX), WORD_MAX)),
	mpi: optional(oneOf(["openmpi", "mpich"])),
	srunMpi: optional(text(WORD_MAX)),
	waitSeconds: (value): value is number => anyNumber(value) && value > 0 && value <= WAIT_SECONDS_MAX,
};
const isPlacement = record(checks) as Check<Placement>;

/** Reads and checks gang.json. */
export function readPlacement(file: string): Placement {
	let value: unknown;
	try {
		value = JSON.parse(readFileSync(file, "utf8"));
	} catch (error) {
		// The message of JSON.parse quotes the file.
		const problem = error instanceof SyntaxError ? "is not JSON" : `cannot be read (${codeOf(error) ?? String(error)})`;
		throw new InputError(file, "placement", problem, "launch the run again");
	}
	return checkPlacement(value, file);
}

/** Throws an InputError that names what is wrong. */
export function checkPlacement(value: unknown, source: string): Placement {
	const refuse = (place: string, problem: string): never => {
		throw new InputError(source, place, problem, "launch the run again");
	};
	if (!isPlacement(value)) return refuse(wrongField(value), "is not what stickslip launch writes");
	const { where, nodes, ranksPerNode, hosts } = value;
	if (nodes * ranksPerNode > RANKS_MAX) {
		refuse("nodes", `${nodes} nodes of ${ranksPerNode} ranks are more than ${RANKS_MAX} ranks`);
	}
	if (where === "ssh" && hosts?.length !== nodes) refuse("hosts", `${hosts?.length ?? 0} hosts for ${nodes} nodes`);
	return value;
}

function wrongField(value: unknown): string {
	if (!isObject(value)) return "placement";
	const unknown = Object.keys(value).find((name) => !Object.hasOwn(checks, name));
	const wrong = Object.entries(checks).find(([name, check]) => !check(value[name]));
	return unknown ?? wrong?.[0] ?? "placement";
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === "object" && value !== null && !Array.isArray(value);
