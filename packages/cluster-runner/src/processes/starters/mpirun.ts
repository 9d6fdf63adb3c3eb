/** By Open MPI's or MPICH's mpirun, which numbers the processes: on this machine, or one on each of the hosts that are named. */
import { findMpirun, type MpiKind, type MpiLibrary, mpirunCall } from "@stickslip/comm";
import { InputError } from "@stickslip/core";
import type { Placement } from "../../placement/placement.js";
import { LOOPBACK } from "../../protocol/listen-address.js";
import type { Child, End } from "../children.js";
import { diagnoseExit as diagnoseMpirunExit, type ExitDiagnosis } from "../exit-diagnosis.js";
import { environmentOf, processProgram, programOf } from "../program.js";
import type { CommandStarter, SpawnSpec } from "../spawn-spec.js";
import type { HubContact } from "../starter.js";
import { bindAddressToward } from "./bind-address.js";
import { CLOSED, sshCommand, sshOptions } from "./ssh.js";
import { sshTrouble, unreached } from "./trouble.js";

/** The ssh by which Open MPI reached a host outlives mpirun, and would wait for ever for one that does not answer. MPICH has no option to add this. */
const SSH_WORDS = sshOptions([...CLOSED, "ServerAliveInterval=2", "ServerAliveCountMax=3"]).join(" ");
/** The same on the other side: Open MPI's daemon there ends when mpirun does not answer any more. */
const KEEPALIVE = { time: "2", intvl: "1", probes: "4" };

const SSH_SAID =
	/ssh: (Could not resolve hostname|connect to host)|: Permission denied \(|Host key verification failed/;

/** On this machine, with default arguments. */
export function mpirunHere(library: MpiLibrary): CommandStarter {
	return {
		hostOf: undefined,
		bindAddress: () => Promise.resolve({ at: { bind: LOOPBACK, advertised: LOOPBACK } }),
		spawnSpecs: (contact) => [specHere(library, contact)],
		diagnoseExit,
	};
}

export function mpirun(placement: Placement, library: MpiLibrary | undefined): CommandStarter {
	const { hosts } = placement;
	if (hosts === undefined && library !== undefined && placement.pass === undefined) return mpirunHere(library);
	const kind = library?.kind ?? placement.mpi ?? "openmpi";
	return {
		hostOf: (process) => hosts?.[process] ?? `host ${process}`,
		bindAddress: () => bindAddressToward(hosts ?? [], placement.listen),
		spawnSpecs: (contact) => [specOf(placement, kind, library, contact)],
		diagnoseExit: (child, end, pids) => lostHost(child.output, hosts ?? []) ?? diagnoseExit(child, end, pids),
		// Open MPI's ends by itself; MPICH's goes on to wait for a host that its ssh could not reach.
		findLoss: (output, pids) => (kind === "mpich" && SSH_SAID.test(output) ? startFailure(output, pids) : undefined),
	};
}

function commandOf(kind: MpiKind, source: string): string {
	const launcher = findMpirun(kind);
	if (launcher !== undefined) return launcher.command;
	const problem = `there is no mpirun of ${kind} on the path`;
	throw new InputError(source, "mpirun", problem, "install it, load the site's module, or use the transport zeromq");
}

function specHere(library: MpiLibrary, contact: HubContact): SpawnSpec {
	const command = commandOf(library.kind, "transport mpi");
	const { processes, perProcess } = contact;
	const words = [process.execPath, processProgram];
	const call = mpirunCall({ kind: library.kind, command }, processes, words, ownHost(process.env));
	// A process of several threads is not to be kept on one core.
	const args = perProcess > 1 ? call.args.map((word) => (word === "core" ? "none" : word)) : call.args;
	const own = { ...environmentOf(contact, {}), STICKSLIP_HUB_PID: String(process.pid) };
	const env = { ...call.env, ...own, STICKSLIP_PROCESS: "", STICKSLIP_MPI: library.path };
	return { process: undefined, command: call.command, args, env };
}

/** Of hosts each takes one process, whose threads choose their cores themselves. */
function specOf(placement: Placement, kind: MpiKind, library: MpiLibrary | undefined, contact: HubContact): SpawnSpec {
	const { processes } = contact;
	const command = commandOf(kind, "launch mpirun");
	const base = mpirunCall({ kind, command }, processes, [], process.env).env;
	const own: Record<string, string> = { ...environmentOf(contact, placement), STICKSLIP_PROCESS: "" };
	if (library !== undefined) own.STICKSLIP_MPI = library.path;
	const args = mpirunWords(placement, kind, processes, Object.keys(own));
	return { process: undefined, command, args, env: { ...base, ...own } };
}

/** What follows mpirun; `variables` are to reach all hosts. */
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

function diagnoseExit(child: Child, end: End, pids: readonly (number | undefined)[]): ExitDiagnosis {
	return startFailure(child.output, pids) ?? diagnoseMpirunExit(child, end, pids);
}

/** Why the processes cannot be started. */
function startFailure(output: string, pids: readonly (number | undefined)[]): ExitDiagnosis | undefined {
	const isBegun = pids.some((pid) => pid !== undefined);
	const error = isBegun ? undefined : mpirunTrouble(output);
	return error && { process: -1, reason: error.message, error };
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

/** An InputError if the user has to change something. */
export function mpirunTrouble(output: string): InputError | undefined {
	if (
		/not enough slots|more processes than .* slots|All nodes which are allocated .* are already filled/i.test(output)
	) {
		const remedy = "use fewer ranks, or name more hosts";
		return new InputError("mpirun", "slots", "there are fewer slots than ranks", remedy);
	}
	const host = /Could not resolve hostname (\S+?):|ssh: connect to host (\S+)|(?:\S+@)?(\S+?): Permission denied/.exec(
		output,
	);
	const name = host?.slice(1).find((each) => each !== undefined) ?? "a host";
	const trouble = sshTrouble(name, output);
	const why = unreached(output);
	if (trouble || why === undefined) return trouble;
	return new InputError("ssh", name, `it cannot be reached (${why})`, "check that it is up and runs sshd");
}

/** A scheduler's variables would make the launcher start its processes on other hosts, and the hub is on this one. */
function ownHost(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(SLURM|PBS|LSB)_/.test(name)));
}
