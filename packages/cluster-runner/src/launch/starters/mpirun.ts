/** By Open MPI's or MPICH's mpirun, which numbers the processes: on this machine, or one on each of the hosts that are named. */
import { findMpirun, type MpiKind, type MpiLibrary, mpirunCall } from "@stickslip/comm";
import { InputError } from "@stickslip/core";
import type { Child, End } from "../../ranks/children.js";
import { verdict as mpirunVerdict, type Verdict } from "../../ranks/verdict.js";
import type { Gang } from "../gang.js";
import { LOOPBACK } from "../rendezvous/addresses.js";
import type { Call, Way } from "./call.js";
import { doorToward } from "./door.js";
import { environmentOf, program, programOf } from "./program.js";
import { CLOSED, sshCommand, sshOptions } from "./ssh.js";
import type { Meeting } from "./starter.js";
import { sshTrouble, unreached } from "./trouble.js";

/** The ssh by which Open MPI reached a host outlives mpirun, and would wait for ever for one that does not answer. MPICH lets nobody add this. */
const SSH_WORDS = sshOptions([...CLOSED, "ServerAliveInterval=2", "ServerAliveCountMax=3"]).join(" ");
/** The same on the other side: Open MPI's daemon there ends when mpirun does not answer any more. */
const KEEPALIVE = { time: "2", intvl: "1", probes: "4" };

const SSH_SAID =
	/ssh: (Could not resolve hostname|connect to host)|: Permission denied \(|Host key verification failed/;

/** On this machine, without a word of anybody. */
export function mpirunHere(library: MpiLibrary): Way {
	return {
		hostOf: undefined,
		door: () => Promise.resolve({ at: { bind: LOOPBACK, told: LOOPBACK } }),
		calls: (meeting) => [callHere(library, meeting)],
		verdict,
	};
}

export function mpirun(gang: Gang, library: MpiLibrary | undefined): Way {
	const { hosts } = gang;
	if (hosts === undefined && library !== undefined && gang.pass === undefined) return mpirunHere(library);
	const kind = library?.kind ?? gang.mpi ?? "openmpi";
	return {
		hostOf: (process) => hosts?.[process] ?? `host ${process}`,
		door: () => doorToward(hosts ?? [], gang.listen),
		calls: (meeting) => [callOf(gang, kind, library, meeting)],
		verdict: (child, end, pids) => lostHost(child.said, hosts ?? []) ?? verdict(child, end, pids),
		// Open MPI's ends by itself; MPICH's goes on to wait for a host that its ssh could not reach.
		lossIn: (said, pids) => (kind === "mpich" && SSH_SAID.test(said) ? hindrance(said, pids) : undefined),
	};
}

function commandOf(kind: MpiKind, source: string): string {
	const launcher = findMpirun(kind);
	if (launcher !== undefined) return launcher.command;
	const problem = `there is no mpirun of ${kind} on the path`;
	throw new InputError(source, "mpirun", problem, "install it, load the site's module, or use the transport zeromq");
}

function callHere(library: MpiLibrary, meeting: Meeting): Call {
	const command = commandOf(library.kind, "transport mpi");
	const { processes, perProcess } = meeting;
	const words = [process.execPath, program];
	const call = mpirunCall({ kind: library.kind, command }, processes, words, ownHost(process.env));
	// A process of several threads is not to be kept on one core.
	const args = perProcess > 1 ? call.args.map((word) => (word === "core" ? "none" : word)) : call.args;
	const own = { ...environmentOf(meeting, {}), STICKSLIP_HUB_PID: String(process.pid) };
	const env = { ...call.env, ...own, STICKSLIP_PROCESS: "", STICKSLIP_MPI: library.path };
	return { process: undefined, command: call.command, args, env };
}

/** Of hosts each takes one process, whose threads choose their cores themselves. */
function callOf(gang: Gang, kind: MpiKind, library: MpiLibrary | undefined, meeting: Meeting): Call {
	const { processes } = meeting;
	const command = commandOf(kind, "launch mpirun");
	const base = mpirunCall({ kind, command }, processes, [], process.env).env;
	const own: Record<string, string> = { ...environmentOf(meeting, gang), STICKSLIP_PROCESS: "" };
	if (library !== undefined) own.STICKSLIP_MPI = library.path;
	const args = mpirunWords(gang, kind, processes, Object.keys(own));
	return { process: undefined, command, args, env: { ...base, ...own } };
}

/** What follows mpirun; `variables` are to reach all hosts. */
export function mpirunWords(gang: Gang, kind: MpiKind, processes: number, variables: readonly string[]): string[] {
	const { hosts, pass = [] } = gang;
	const places = kind === "openmpi" ? openMpiWords(hosts, variables) : mpichWords(hosts);
	return ["-n", String(processes), ...places, ...pass, ...programOf(gang)];
}

/** Open MPI passes on the variables that it is told to, by name. */
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

function verdict(child: Child, end: End, pids: readonly (number | undefined)[]): Verdict {
	return hindrance(child.said, pids) ?? mpirunVerdict(child, end, pids);
}

/** Why nothing can begin. */
function hindrance(said: string, pids: readonly (number | undefined)[]): Verdict | undefined {
	const isBegun = pids.some((pid) => pid !== undefined);
	const error = isBegun ? undefined : mpirunTrouble(said);
	return error && { process: -1, reason: error.message, error };
}

/**
 * "Remote daemon: [[27346,0],2] on node n2", as Open MPI says; "Connection to 10.0.0.2 closed by remote host.", as the ssh of MPICH does, which names
 * the address that it found for the host.
 */
export function lostHost(said: string, hosts: readonly string[]): Verdict | undefined {
	const daemon = /Remote daemon:[^\n]* on node (\S+)/.exec(said)?.[1];
	const connection = /Connection to (\S+) closed by remote host|Timeout, server (\S+) not responding/.exec(said);
	const host = daemon ?? connection?.[1] ?? connection?.[2];
	if (host === undefined) return undefined;
	const process = hosts.findIndex(
		(each) => each === host || each.startsWith(`${host}.`) || host.startsWith(`${each}.`),
	);
	const how = "(mpirun cannot reach its host any more)";
	return process < 0 ? { process, reason: `host ${host} was lost ${how}` } : { process, reason: `was lost ${how}` };
}

/** An InputError where somebody has to change something before it can work. */
export function mpirunTrouble(said: string): InputError | undefined {
	if (/not enough slots|more processes than .* slots|All nodes which are allocated .* are already filled/i.test(said)) {
		const remedy = "use fewer ranks, or name more hosts";
		return new InputError("mpirun", "slots", "there are fewer slots than ranks", remedy);
	}
	const host = /Could not resolve hostname (\S+?):|ssh: connect to host (\S+)|(?:\S+@)?(\S+?): Permission denied/.exec(
		said,
	);
	const name = host?.slice(1).find((each) => each !== undefined) ?? "a host";
	const trouble = sshTrouble(name, said);
	const why = unreached(said);
	if (trouble || why === undefined) return trouble;
	return new InputError("ssh", name, `it cannot be reached (${why})`, "check that it is up and runs sshd");
}

/** A scheduler's variables would make the launcher start its processes on other hosts, and the hub is on this one. */
function ownHost(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(SLURM|PBS|LSB)_/.test(name)));
}
