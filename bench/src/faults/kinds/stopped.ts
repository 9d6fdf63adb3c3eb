/** The process that started the run is stopped for a while, as when a laptop is closed or a file system does not answer, and then continued. */
import { commandOf, pause } from "../../testing.js";
import { type FaultKind, NOBODY, type Victim } from "../kind.js";
import { linePid, supervisorPids } from "../processes.js";

const STOPPED_SECONDS = 8;
const WHO = ["the hub", "the hub and its supervisor", "all of the first host"] as const;

export const stopped: FaultKind = {
	ways: ["local", "ssh", "openmpi", "mpich"],
	open: () => ({
		namedSeconds: 20,
		async strike(victim) {
			const who = WHO[victim.random.below(WHO.length)]!;
			const pids = pidsOf(who, victim);
			signalAll(pids, "SIGSTOP");
			await pause(STOPPED_SECONDS);
			signalAll(pids, "SIGCONT");
			return pids.length === 0 ? NOBODY : who;
		},
	}),
};

/** In the order in which they are stopped: supervisors first. */
function pidsOf(who: (typeof WHO)[number], victim: Victim): number[] {
	const { front } = victim.cluster;
	const line = linePid(victim);
	if (line === undefined) return [];
	if (who === "the hub") return [line];
	if (who === "the hub and its supervisor") return [...supervisorPids(front), line];
	// Also the ssh and mpirun that hold the others, and with `local` the ranks.
	return front.pids().filter((pid) => !/^\S*(sshd|slurm)/.test(commandOf(pid)));
}

function signalAll(pids: readonly number[], name: NodeJS.Signals): void {
	for (const pid of pids) {
		try {
			process.kill(pid, name);
		} catch {
			// It is gone already.
		}
	}
}
