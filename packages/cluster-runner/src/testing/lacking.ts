/** Why a testbed cannot be made on this machine: the reason of a test that is skipped. */
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

/** Programs of the system stand where a user's path need not lead. */
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
