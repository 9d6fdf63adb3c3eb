/** The processes of a run on the hosts of a cluster, by what they do. */
import { readFileSync } from "node:fs";
import { type Cluster, commandOf, type Host } from "../testing.js";
import type { Scene } from "./kind.js";

/** Of ranks, on whichever host; launchers that have the same words in their command are none. */
export function memberPids(cluster: Cluster): number[] {
	const pids = cluster.network.hosts.flatMap((host) => host.pids());
	return pids.filter((pid) => /^\S*node(js)? (--?\S+ )*\S*(ranks|bundled)\/process\.js/.test(commandOf(pid)));
}

/** The process that its supervisor starts for the run, which is the hub. */
export function linePid({ cluster, runs }: Pick<Scene, "cluster" | "runs">): number | undefined {
	const pids = cluster.network.hosts.flatMap((host) => host.pids());
	return pids.find((pid) => /^\S*node(js)? (--?\S+ )*\S*\/supervised\.js /.test(commandOf(pid)) && isOfRun(pid, runs));
}

/** The process that was typed, and on Slurm also the one that the batch script became. */
export function supervisorPids(host: Host): number[] {
	return host.pids().filter(isLauncher);
}

function isLauncher(pid: number): boolean {
	return /^\S*node(js)? \S+ (launch|resume) /.test(commandOf(pid));
}

function isOfRun(pid: number, runs: string): boolean {
	try {
		return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`STICKSLIP_RUN=${runs}`);
	} catch {
		return false;
	}
}
