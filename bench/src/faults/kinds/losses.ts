/** Victims that are killed at once: a rank's process, the hub, all of a host. */
import { type Host, pause } from "../../testing.js";
import { type Act, type FaultKind, NOBODY, type Victim } from "../kind.js";
import { linePid, memberPids } from "../processes.js";

/** A node that lost its power comes up again. */
const BOOT_SECONDS = 0.3;

export const rank: FaultKind = {
	ways: ["local", "ssh", "openmpi", "mpich", "slurm"],
	open: () => ({ strike: killRank }),
};

export async function killRank({ cluster, random }: Victim): Promise<string> {
	const pids = memberPids(cluster);
	return kill(pids[random.below(Math.max(1, pids.length))]) ? "a rank" : NOBODY;
}

export const hub: FaultKind = {
	ways: ["local", "ssh", "openmpi", "mpich", "slurm"],
	open: () => ({ strike: async (victim) => (kill(linePid(victim)) ? "the hub" : NOBODY) }),
};

export const node: FaultKind = {
	ways: ["ssh", "openmpi", "mpich"],
	open: () => ({
		async strike({ cluster, random }) {
			const host = cluster.nodes[random.below(cluster.nodes.length)]!;
			host.kill();
			await pause(BOOT_SECONDS);
			await cluster.boot(host);
			return host.name;
		},
	}),
};

/** On Slurm the starting process is on a node as well: the first one, whose loss Slurm itself notices late. */
const SILENCE_SECONDS = 20;

export const slurm: FaultKind = { ways: ["slurm"], open: () => new SlurmNode() };

class SlurmNode implements Act {
	readonly namedSeconds = SILENCE_SECONDS;
	readonly isAlwaysNamed = true;
	named = /^stickslip: .*\b(n1|n2|node \d)\b/m;
	/** Whose loss takes the line of the run with it. */
	endsLate = false;

	async strike({ cluster, launched, random }: Victim): Promise<string> {
		const host = cluster.nodes[random.below(cluster.nodes.length)]!;
		this.endsLate = host === cluster.nodes[0];
		host.kill();
		await this.#untilNamed(launched, host);
		await cluster.boot(host);
		return `${host.name}${host === cluster.nodes[0] ? ", the batch node" : ""}`;
	}

	/** It stays down until its loss is reported. */
	async #untilNamed({ err }: Victim["launched"], { name }: Host): Promise<void> {
		const end = performance.now() + 1000 * SILENCE_SECONDS;
		this.named = new RegExp(`^stickslip: .*\\b(${name}|node ${Number(name.slice(1)) - 1})\\b`, "m");
		while (performance.now() < end && !this.named.test(err())) await pause(0.1);
	}
}

function kill(pid: number | undefined): boolean {
	if (pid === undefined) return false;
	process.kill(pid, "SIGKILL");
	return true;
}
