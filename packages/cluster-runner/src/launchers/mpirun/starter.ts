/** By Open MPI's or MPICH's mpirun: one process on each of the hosts that are named. */
import { type MpiKind, type MpiLibrary, mpirunCall } from "@stickslip/comm";
import type { Placement } from "../../placement/placement.js";
import type { ExitDiagnosis } from "../../processes/exit-diagnosis.js";
import { environmentOf, programOf } from "../../processes/program.js";
import type { CommandStarter, SpawnSpec } from "../../processes/spawn-spec.js";
import { CLOSED, sshCommand, sshOptions } from "../../processes/ssh/ssh-command.js";
import type { HubContact } from "../../processes/starter.js";
import { bindAddressToward } from "../../processes/starters/bind-address.js";
import { diagnoseStart, mpirunCommand, mpirunHere, startFailure } from "../../processes/starters/mpirun.js";

/** The ssh by which Open MPI reached a host outlives mpirun, and would wait for ever for one that does not answer. MPICH has no option to add this. */
const SSH_WORDS = sshOptions([...CLOSED, "ServerAliveInterval=2", "ServerAliveCountMax=3"]).join(" ");
/** The same on the other side: Open MPI's daemon there ends when mpirun does not answer any more. */
const KEEPALIVE = { time: "2", intvl: "1", probes: "4" };

const SSH_SAID =
	/ssh: (Could not resolve hostname|connect to host)|: Permission denied \(|Host key verification failed/;

export function mpirunStarter(placement: Placement, library: MpiLibrary | undefined): CommandStarter {
	const { hosts } = placement;
	if (hosts === undefined && library !== undefined && placement.pass === undefined) return mpirunHere(library);
	const kind = kindOf(placement, library);
	return {
		hostOf: (process) => hosts?.[process] ?? `host ${process}`,
		bindAddress: () => bindAddressToward(hosts ?? [], placement.listen),
		spawnSpecs: (contact) => [mpirunSpec(placement, library, contact, mpirunCommand(kind, "launch mpirun"))],
		diagnoseExit: (child, end, pids) => lostHost(child.output, hosts ?? []) ?? diagnoseStart(child, end, pids),
		// Open MPI's mpirun ends by itself; MPICH's keeps waiting for a host that its ssh could not reach.
		findLoss: (output, pids) => (kind === "mpich" && SSH_SAID.test(output) ? startFailure(output, pids) : undefined),
	};
}

function kindOf({ mpi }: Placement, library: MpiLibrary | undefined): MpiKind {
	return library?.kind ?? mpi ?? "openmpi";
}

/** One process on each host, whose threads choose their cores themselves. */
export function mpirunSpec(
	placement: Placement,
	library: MpiLibrary | undefined,
	contact: HubContact,
	command: string,
): SpawnSpec {
	const { processes } = contact;
	const kind = kindOf(placement, library);
	const base = mpirunCall({ kind, command }, processes, [], process.env).env;
	const own: Record<string, string> = { ...environmentOf(contact, placement), STICKSLIP_PROCESS: "" };
	if (library !== undefined) own.STICKSLIP_MPI = library.path;
	const args = mpirunWords(placement, kind, processes, Object.keys(own));
	return { process: undefined, command, args, env: { ...base, ...own } };
}

/** Arguments of mpirun; `variables` are passed on to all hosts. */
export function mpirunWords(
	placement: Placement,
	kind: MpiKind,
	processes: number,
	variables: readonly string[],
): string[] {
	const { hosts, pass = [] } = placement;
	const places = kind === "openmpi" ? openMpiWords(hosts, variables) : mpichWords(hosts);
	return ["-n", String(processes), ...places, ...pass, ...programOf(placement)];
}

/** Open MPI passes on the variables that are named. */
function openMpiWords(hosts: readonly string[] | undefined, variables: readonly string[]): string[] {
	const shell = process.env.STICKSLIP_SSH;
	return [
		...(hosts === undefined ? [] : ["--host", hosts.map((host) => `${host}:1`).join(",")]),
		...["--map-by", "ppr:1:node", "--bind-to", "none"],
		...(shell === undefined ? [] : ["--mca", "plm_rsh_agent", shell]),
		...(hosts === undefined ? [] : ["--mca", "plm_rsh_args", SSH_WORDS]),
		...Object.entries(KEEPALIVE).flatMap(([name, value]) => ["--mca", `oob_tcp_keepalive_${name}`, value]),
		...variables.flatMap((name) => ["-x", name]),
	];
}

/** MPICH passes on all variables. */
function mpichWords(hosts: readonly string[] | undefined): string[] {
	const [shell, ...words] = sshCommand();
	return [
		...(hosts === undefined ? [] : ["-hosts", hosts.join(",")]),
		...["-ppn", "1", "-bind-to", "none"],
		...(shell === "ssh" || words.length > 0 ? [] : ["-launcher", "ssh", "-launcher-exec", shell]),
	];
}

/**
 * "Remote daemon: [[27346,0],2] on node n2", as Open MPI says; "Connection to 10.0.0.2 closed by remote host.", as the ssh of MPICH does, which names
 * the address that it found for the host.
 */
export function lostHost(output: string, hosts: readonly string[]): ExitDiagnosis | undefined {
	const daemon = /Remote daemon:[^\n]* on node (\S+)/.exec(output)?.[1];
	const connection = /Connection to (\S+) closed by remote host|Timeout, server (\S+) not responding/.exec(output);
	const host = daemon ?? connection?.[1] ?? connection?.[2];
	if (host === undefined) return undefined;
	const process = hosts.findIndex(
		(each) => each === host || each.startsWith(`${host}.`) || host.startsWith(`${each}.`),
	);
	const how = "(mpirun cannot reach its host any more)";
	return process < 0 ? { process, reason: `host ${host} was lost ${how}` } : { process, reason: `was lost ${how}` };
}
