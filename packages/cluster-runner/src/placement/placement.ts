/** The placement of a run: its hosts and slots, and how its processes are started. `stickslip launch` decides it, and every solve of the run reads it from placement.json. */
import { join } from "node:path";
import { anyNumber, type Checked, called, integer, list, oneOf, optional, record, text } from "@stickslip/core/schema";
import { WIRES } from "../base/transports.js";
import { DAY_SECONDS } from "../cli/arguments.js";
import { RANKS_MAX } from "../protocol/messages.js";
import { readFields } from "../records/check.js";
import { launcherName } from "../records/facts.js";
import { FILES } from "../records/files.js";

/** The default of waitSeconds: on one machine, and elsewhere. */
export const WAIT_SECONDS = { local: 30, remote: 60, node: 300 } as const;
const WORD_MAX = 4096;

const word = text(WORD_MAX);
export const waitSeconds = (least: "above 0" | "from 0") =>
	called(
		`a number of seconds, at most ${DAY_SECONDS}`,
		(value): value is number =>
			anyNumber(value) && value <= DAY_SECONDS && (least === "from 0" ? value >= 0 : value > 0),
	);

const isPlacement = record({
	/** The name of the launcher; `node`: every node is started by others (`stickslip node`). */
	where: launcherName,
	/** One process each. */
	nodes: integer(1, RANKS_MAX),
	/** Threads of each process. */
	ranksPerNode: integer(1, RANKS_MAX),
	/** How nodes communicate. */
	between: oneOf(WIRES),
	/** ssh: one per node, as ssh takes them; mpirun: host names. */
	hosts: optional(called("a list of hosts", list(word, RANKS_MAX))),
	/** ssh: the folder of the installed package on the hosts. */
	program: optional(called("the name of a folder", word)),
	/** ssh: Node.js on the hosts. */
	node: optional(called("the name of a program", word)),
	/** The value of --listen: an address, a network (10.0.0.0/8), or the name of an interface. */
	listen: optional(called("an address", word)),
	/** Further arguments for ssh, srun or mpirun. */
	pass: optional(called("a list of arguments", list(word, WORD_MAX))),
	mpi: optional(called("openmpi or mpich", oneOf(["openmpi", "mpich"]))),
	/** slurm: srun --mpi=... */
	srunMpi: optional(called("a word", word)),
	/** How long to wait for nodes to start. */
	waitSeconds: waitSeconds("above 0"),
});
export type Placement = Checked<typeof isPlacement>;

/** Reads and checks placement.json in the folder of a run; undefined where no launcher has placed it. */
export function placementIn(folder: string): Placement | undefined {
	const fields = readFields(join(folder, FILES.placement), "launch the run again");
	if (fields === undefined) return undefined;
	const placement = fields.all(isPlacement);
	const { where, nodes, ranksPerNode, hosts } = placement;
	if (nodes * ranksPerNode > RANKS_MAX) {
		fields.refuse("nodes", `${nodes} nodes of ${ranksPerNode} ranks are more than ${RANKS_MAX} ranks`);
	}
	if (where === "ssh" && hosts?.length !== nodes) {
		fields.refuse("hosts", `${hosts?.length ?? 0} hosts for ${nodes} nodes`);
	}
	return placement;
}

/** The library whose launcher is used, unless the environment names one. Slurm's PMI-2 is MPICH's. */
export function mpiVariables({ mpi, srunMpi }: Partial<Placement> = {}): Record<string, string> {
	const ofSlurm = srunMpi?.startsWith("pmix") ? "openmpi" : "mpich";
	const kind = mpi ?? (srunMpi === undefined ? undefined : ofSlurm);
	return kind === undefined || process.env.STICKSLIP_MPI ? {} : { STICKSLIP_MPI: kind };
}
