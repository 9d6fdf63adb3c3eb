/** `launch mpirun`: one process on each host by Open MPI's or MPICH's mpirun, with threads as its ranks; hosts talk over MPI. */
import { cores, findMpi, findMpirun, type MpiKind } from "@stickslip/comm";
import { counted } from "../output/format.js";
import type { Asked } from "./asked.js";
import { type Gang, WAIT_SECONDS } from "./gang.js";
import { describeHere, exampleOf, superviseHere } from "./here.js";
import { requireMemory } from "./local.js";
import type { Launcher } from "./plan.js";
import { commandLine } from "./quote.js";
import { look } from "./ssh/hosts.js";
import { checkMemory } from "./ssh/ssh.js";
import { mpirunWords } from "./starters/mpirun.js";
import { environmentOf } from "./starters/program.js";

const KINDS = ["openmpi", "mpich"] as const;

export const mpirun: Launcher = {
	describe(asked, run) {
		const gang = mpirunGang(asked);
		const variables = Object.keys({ ...environmentOf(exampleOf(gang), gang), STICKSLIP_PROCESS: "" });
		const words = mpirunWords(gang, gang.mpi ?? "openmpi", gang.nodes, variables);
		return describeHere(asked, gang, run, [commandLine(["mpirun", ...words])]);
	},
	async start(asked, terminal) {
		const gang = mpirunGang(asked);
		requireLauncher(asked, gang.mpi);
		if (gang.hosts === undefined) requireMemory(asked);
		else if (asked.memory !== undefined) {
			const found = await look(gang.hosts, { pass: [], node: "node" }, { folder: "." }, terminal.err);
			for (const each of found) checkMemory(asked, each);
		}
		return await superviseHere(asked, gang, terminal);
	},
};

export function mpirunGang(asked: Asked, coresHere = cores().length): Gang {
	const { hosts, listen, wait, pass, own } = asked;
	const mpi = KINDS.find((kind) => kind === own.mpi);
	if (own.mpi !== undefined && mpi === undefined) {
		asked.refuse("--mpi", `there is no "${own.mpi}"`, `choose among ${KINDS.join(", ")}`);
	}
	const nodes = asked.nodes ?? hosts?.length ?? 1;
	if (hosts !== undefined && nodes > hosts.length) {
		asked.refuse(
			"--nodes",
			`${nodes} nodes are more than the ${counted(hosts.length, "host")}`,
			"name more hosts, or ask for fewer nodes",
		);
	}
	const used = hosts?.slice(0, nodes);
	const numeric = used?.find(({ name }) => name.includes(":"));
	if (numeric !== undefined) {
		asked.refuse("--host", `mpirun takes ${numeric.name} for a name and a number of slots`, "name the host otherwise");
	}
	const slots = Math.min(...(used ?? []).flatMap((host) => host.slots ?? []));
	const free = used === undefined ? Math.max(1, Math.floor(coresHere / nodes)) : 1;
	const ranksPerNode = asked.ranksPerNode ?? (Number.isFinite(slots) ? slots : free);
	const full = used?.find((host) => host.slots !== undefined && host.slots < ranksPerNode);
	if (full !== undefined) {
		const problem = `${ranksPerNode} are more ranks than the ${counted(full.slots ?? 0, "slot")} of ${full.name}`;
		asked.refuse("--ranks-per-node", problem, "ask for fewer, or change its slots in the file of hosts");
	}
	return {
		where: "mpirun",
		nodes,
		ranksPerNode,
		between: "mpi",
		...(used !== undefined && { hosts: used.map(({ name }) => name) }),
		...(listen !== undefined && { listen }),
		...(pass.length > 0 && { pass }),
		...(mpi !== undefined && { mpi }),
		waitSeconds: wait ?? (used === undefined ? WAIT_SECONDS.local : WAIT_SECONDS.remote),
	};
}

/** Told before a run is made: nothing of it could be started. */
function requireLauncher(asked: Asked, mpi: MpiKind | undefined): void {
	const kind = mpi ?? findMpi()?.kind;
	if (kind !== undefined && findMpirun(kind) !== undefined) return;
	const what = kind === undefined ? "no MPI is installed here" : `no mpirun of ${kind} is on the path`;
	asked.refuse("mpirun", what, `apt install ${kind === "mpich" ? "mpich" : "openmpi-bin"}, or load the site's module`);
}
