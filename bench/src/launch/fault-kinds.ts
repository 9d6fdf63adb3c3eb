/** What may happen to a run, each done to a real one: who is hit, and how it is mended afterwards. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
	type Cluster,
	commandOf,
	type Host,
	type Launched,
	pause,
	type SmallDisk,
	type Way,
} from "@stickslip/cluster-runner/testing";
import type { Random } from "@stickslip/core";

export const KINDS = ["rank", "node", "link", "disk", "term", "hub", "preempt"] as const;
export type Kind = (typeof KINDS)[number];

/** Which launchers have what the kind hits. */
export const waysOf: Readonly<Record<Kind, readonly Way[]>> = {
	rank: ["local", "ssh", "openmpi", "mpich"],
	node: ["ssh", "openmpi", "mpich"],
	link: ["ssh", "openmpi", "mpich"],
	disk: ["local", "ssh"],
	term: ["local", "ssh", "openmpi", "mpich"],
	hub: ["local", "ssh", "openmpi", "mpich"],
	preempt: ["slurm"],
};

const CUT_SECONDS = 3;
const FULL_SECONDS = 1.5;
/** Checkpoints are written twice as often. */
const WRITE_SECONDS = 1;
/** A node that lost its power comes up again. */
const BOOT_SECONDS = 0.3;

export interface Victim {
	readonly cluster: Cluster;
	readonly launched: Launched;
	readonly nodes: readonly Host[];
	readonly disk: SmallDisk;
	readonly random: Random;
}

/** Does it; resolves when it is over for the hosts, with what was hit. */
export async function strike(kind: Kind, victim: Victim): Promise<string> {
	const { cluster, launched, nodes, disk, random } = victim;
	const node = nodes[random.below(nodes.length)]!;
	switch (kind) {
		case "rank": {
			const pids = memberPids(cluster);
			const pid = pids[random.below(Math.max(1, pids.length))];
			if (pid === undefined) return "nobody";
			process.kill(pid, "SIGKILL");
			return "a rank";
		}
		case "node":
			node.kill();
			await pause(BOOT_SECONDS);
			await (await cluster.sshd()).serve(node.name);
			return node.name;
		case "link":
			node.cut();
			await pause(CUT_SECONDS);
			node.restore();
			return node.name;
		case "disk": {
			disk.fill();
			await pause(FULL_SECONDS);
			disk.free();
			const lost = launched.log().filter(({ event }) => event === "checkpoint-lost").length;
			return lost === 0 ? "nobody" : `the disk, ${lost} checkpoints lost`;
		}
		case "term": {
			const isWriting = await duringWrite(launched);
			launched.signal("SIGTERM");
			return `the launcher, ${isWriting ? "while" : "not while"} writing`;
		}
		case "preempt":
			await (await cluster.slurm()).preempt(0);
			return "the job";
		case "hub": {
			const pid = cluster.front.pids().find((each) => / solve /.test(commandOf(each)) && isLine(each, cluster));
			if (pid === undefined) return "nobody";
			process.kill(pid, "SIGKILL");
			return "the hub";
		}
	}
}

/** Waits for the next checkpoint to be in the middle of its writing; false where none came. */
async function duringWrite(launched: Launched): Promise<boolean> {
	const end = performance.now() + 1000 * WRITE_SECONDS;
	for (const checkpoints = join(launched.folder() ?? "", "checkpoints", "0"); performance.now() < end; ) {
		const half = namesIn(checkpoints).find((name) => name.startsWith(".writing-"));
		if (half !== undefined && namesIn(join(checkpoints, half)).some((name) => /^\d+$/.test(name))) return true;
		await pause(0.0005);
	}
	return false;
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		// Gone since it was seen.
		return [];
	}
}

/** Processes of ranks, on whichever host; launchers that have the same words in their command are none. */
function memberPids(cluster: Cluster): number[] {
	const pids = cluster.network.hosts.flatMap((host) => host.pids());
	return pids.filter((pid) => /^\S*node(js)? (--?\S+ )*\S*(ranks|programs)\/process\.js/.test(commandOf(pid)));
}

/** The line itself, and not who launched it with the line among its words. */
function isLine(pid: number, cluster: Cluster): boolean {
	try {
		const environment = readFileSync(`/proc/${pid}/environ`, "latin1");
		return environment.includes(`STICKSLIP_RUN=${cluster.bed.folder}`) && !/ launch | resume /.test(commandOf(pid));
	} catch {
		return false;
	}
}
