/** The placement of a run: its hosts and slots, and how its processes are started. `stickslip launch` decides it, and every solve of the run reads it from placement.json. */
import { join } from "node:path";
import { anyNumber, type Check, integer, list, oneOf, type Rules, text } from "../base/schema.js";
import { WIRES, type Wire } from "../base/transports.js";
import { RANKS_MAX } from "../protocol/messages.js";
import { readFields } from "../records/check.js";
import { FILES } from "../records/files.js";

const PLACES = ["local", "ssh", "slurm", "mpirun", "node"] as const;

export interface Placement {
	/** `node`: every node is started by others (`stickslip node`). */
	readonly where: (typeof PLACES)[number];
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

const word = text(WORD_MAX);
const hosts = list(word, RANKS_MAX);
const seconds: Check<number> = (value): value is number => anyNumber(value) && value > 0 && value <= WAIT_SECONDS_MAX;
const rules: Rules<keyof Placement> = {
	where: [oneOf(PLACES), `one of ${PLACES.join(", ")}`],
	nodes: [integer(1, RANKS_MAX), `an integer from 1 to ${RANKS_MAX}`],
	ranksPerNode: [integer(1, RANKS_MAX), `an integer from 1 to ${RANKS_MAX}`],
	between: [oneOf(WIRES), `one of ${WIRES.join(", ")}`],
	hosts: [hosts, "a list of hosts"],
	program: [word, "the name of a folder"],
	node: [word, "the name of a program"],
	listen: [word, "an address"],
	pass: [list(word, WORD_MAX), "a list of arguments"],
	mpi: [oneOf(["openmpi", "mpich"]), "openmpi or mpich"],
	srunMpi: [word, "a word"],
	waitSeconds: [seconds, `a number of seconds, at most ${WAIT_SECONDS_MAX}`],
};

/** Reads and checks placement.json in the folder of a run; undefined where no launcher has placed it. */
export function placementIn(folder: string): Placement | undefined {
	const fields = readFields(join(folder, FILES.placement), "launch the run again");
	if (fields === undefined) return undefined;
	fields.require(rules, ["where", "nodes", "ranksPerNode", "between", "waitSeconds"]);
	const placement = fields.values as unknown as Placement;
	const { where, nodes, ranksPerNode, hosts } = placement;
	if (nodes * ranksPerNode > RANKS_MAX) {
		fields.refuse("nodes", `${nodes} nodes of ${ranksPerNode} ranks are more than ${RANKS_MAX} ranks`);
	}
	if (where === "ssh" && hosts?.length !== nodes) {
		fields.refuse("hosts", `${hosts?.length ?? 0} hosts for ${nodes} nodes`);
	}
	return placement;
}
