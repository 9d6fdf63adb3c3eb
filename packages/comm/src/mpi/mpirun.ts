/** The launcher that belongs to a library, and how it has to be called: as root, with more ranks than cores, bound or not. */
import { spawnSync } from "node:child_process";
import { cores } from "../base/pin.js";
import { type Environment, type MpiKind, withoutLauncher } from "./launched.js";

export interface Mpirun {
	readonly kind: MpiKind;
	readonly command: string;
}

const commands: Readonly<Record<MpiKind, readonly string[]>> = {
	openmpi: ["mpirun.openmpi", "mpirun", "mpiexec"],
	mpich: ["mpirun.mpich", "mpiexec.hydra", "mpirun", "mpiexec"],
};
/** How each tells its version. */
const marks: Readonly<Record<MpiKind, RegExp>> = { openmpi: /open ?mpi|prrte/i, mpich: /hydra|mpich/i };
const VERSION_MS_MAX = 10_000;

/** Undefined where no launcher of this kind is on the path. */
export function findMpirun(kind: MpiKind): Mpirun | undefined {
	for (const command of commands[kind]) {
		const { status, stdout, stderr } = spawnSync(command, ["--version"], {
			encoding: "utf8",
			timeout: VERSION_MS_MAX,
			env: withoutLauncher(process.env),
		});
		if (status === 0 && marks[kind].test(`${stdout}${stderr}`)) return { kind, command };
	}
	return undefined;
}

export interface MpirunCall {
	readonly command: string;
	readonly args: string[];
	readonly env: Record<string, string>;
}

/**
 * Ranks on this machine, each on a core of its own if there are enough: two spinning ranks on one core stall each other. End it with SIGTERM, which the
 * launcher passes on to its ranks.
 */
export function mpirunCall(
	{ kind, command }: Mpirun,
	ranks: number,
	program: readonly string[],
	env: Environment = process.env,
): MpirunCall {
	const binding = ranks <= cores().length ? "core" : "none";
	const options = kind === "openmpi" ? ["--oversubscribe", "--bind-to", binding] : ["-bind-to", binding];
	// Open MPI refuses root unless two variables allow it; in a container there is often no other user.
	const root = process.getuid?.() === 0 ? { OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" } : {};
	return { command, args: ["-n", String(ranks), ...options, ...program], env: { ...withoutLauncher(env), ...root } };
}
