/** By Open MPI's or MPICH's mpirun on this machine, which numbers the processes. */
import { findMpirun, type MpiKind, type MpiLibrary, mpirunCall } from "@stickslip/comm";
import { InputError } from "@stickslip/core";
import { LOOPBACK } from "../../protocol/listen-address.js";
import type { Child, End } from "../children.js";
import { diagnoseExit as diagnoseMpirunExit, type ExitDiagnosis } from "../exit-diagnosis.js";
import { environmentOf, processProgram } from "../program.js";
import type { CommandStarter, SpawnSpec } from "../spawn-spec.js";
import { sshTrouble, unreached } from "../ssh/trouble.js";
import type { HubContact } from "../starter.js";

/** On this machine, with default arguments. */
export function mpirunHere(library: MpiLibrary): CommandStarter {
	return {
		hostOf: undefined,
		bindAddress: () => Promise.resolve({ at: { bind: LOOPBACK, advertised: LOOPBACK } }),
		spawnSpecs: (contact) => [specHere(library, contact)],
		diagnoseExit: diagnoseStart,
	};
}

/** The command of this kind of mpirun; `source` is what needs it, for errors. */
export function mpirunCommand(kind: MpiKind, source: string): string {
	const launcher = findMpirun(kind);
	if (launcher !== undefined) return launcher.command;
	const problem = `there is no mpirun of ${kind} on the path`;
	throw new InputError(source, "mpirun", problem, "install it, load the site's module, or use the transport zeromq");
}

function specHere(library: MpiLibrary, contact: HubContact): SpawnSpec {
	const command = mpirunCommand(library.kind, "transport mpi");
	const { processes, perProcess } = contact;
	const words = [process.execPath, processProgram];
	const call = mpirunCall({ kind: library.kind, command }, processes, words, ownHost(process.env));
	// A process of several threads is not to be kept on one core.
	const args = perProcess > 1 ? call.args.map((word) => (word === "core" ? "none" : word)) : call.args;
	const own = { ...environmentOf(contact, {}), STICKSLIP_HUB_PID: String(process.pid) };
	const env = { ...call.env, ...own, STICKSLIP_PROCESS: "", STICKSLIP_MPI: library.path };
	return { process: undefined, command: call.command, args, env };
}

/** As for a host that is lost, and also what kept the processes from starting. */
export function diagnoseStart(child: Child, end: End, pids: readonly (number | undefined)[]): ExitDiagnosis {
	return startFailure(child.output, pids) ?? diagnoseMpirunExit(child, end, pids);
}

/** Why the processes cannot be started. */
export function startFailure(output: string, pids: readonly (number | undefined)[]): ExitDiagnosis | undefined {
	const isBegun = pids.some((pid) => pid !== undefined);
	const error = isBegun ? undefined : mpirunTrouble(output);
	return error && { process: -1, reason: error.message, error };
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
