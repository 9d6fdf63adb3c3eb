/** Why a testbed cannot be made on this machine: the reason of a test that is skipped. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The packages of Debian that have the programs. */
const packages: Readonly<Record<string, string>> = {
	ip: "iproute2",
	nsenter: "util-linux",
	slurmctld: "slurm-wlm",
	munged: "munge",
	sshd: "openssh-server",
	ssh: "openssh-client",
	"mpirun.openmpi": "openmpi-bin",
	"mpirun.mpich": "mpich",
};

/** System programs are in folders that may not be on a user's path. */
const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/sbin", "/usr/bin"];

export function findProgram(name: string): string | undefined {
	return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function lackingPrograms(...names: readonly string[]): string | undefined {
	if (process.platform !== "linux" || process.getuid?.() !== 0) return "only root of a Linux machine may do this";
	const missing = names.filter((name) => findProgram(name) === undefined);
	return missing.length === 0 ? undefined : `apt install ${missing.map((name) => packages[name] ?? name).join(" ")}`;
}

export const noHosts = (): string | undefined => lackingPrograms("ip", "nsenter");
export const noSlurm = (): string | undefined => lackingPrograms("slurmctld", "munged");
export const noSshd = (): string | undefined => noHosts() ?? lackingPrograms("sshd", "ssh");
export const noMpirun = (kind: "openmpi" | "mpich"): string | undefined => lackingPrograms(`mpirun.${kind}`);
export const noRelay = (): string | undefined =>
	noHosts() ?? (existsSync("/dev/net/tun") ? undefined : "there is no /dev/net/tun");

/** The Python on the path may not be the system's, which has the system's packages. */
const pythons = ["python3", "/usr/bin/python3"];
/** Not all can be loaded by a name like that of their package. */
const pythonPackages: Readonly<Record<string, string>> = {
	"siconos.numerics": "python3-siconos",
	"paraview.simple": "paraview python3-paraview",
};

/** A Python that has these modules. */
export function findPython(...modules: readonly string[]): string | undefined {
	const program = modules.map((name) => `import ${name}`).join("\n");
	return pythons.find((python) => spawnSync(python, ["-c", program]).status === 0);
}

export function noPython(...modules: readonly string[]): string | undefined {
	if (findPython(...modules) !== undefined) return undefined;
	return `apt install ${modules.map((name) => pythonPackages[name] ?? `python3-${name}`).join(" ")}`;
}
