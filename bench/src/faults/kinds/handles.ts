/** A process of the run may open no more files, for some time or to its end; in some rounds a rank is lost meanwhile. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { pause } from "../../testing.js";
import { type FaultKind, NOBODY, type Victim } from "../kind.js";
import { linePid, memberPids, supervisorPids } from "../processes.js";
import { killRank } from "./losses.js";

const WHO = ["the hub", "the supervisor", "a rank's process"] as const;
const SECONDS = [0.5, 3] as const;

export const handles: FaultKind = {
	ways: ["local", "ssh", "openmpi", "mpich", "slurm"],
	open: () => ({
		isLasting: true,
		named: /^stickslip: .*(\b(lost|failed|gone|ended|killed)\b|EMFILE|handles|open files)/m,
		async strike(victim) {
			const { random } = victim;
			const who = WHO[random.below(WHO.length)]!;
			const pids = pidsOf(who, victim);
			const pid = pids[random.below(Math.max(1, pids.length))];
			const isForEver = random.below(4) === 0;
			const more = random.below(3);
			const seconds = random.between(...SECONDS);
			const isLost = random.below(2) === 0;
			if (pid === undefined) return NOBODY;
			const restore = limitHandles(pid, more);
			if (restore === undefined) return NOBODY;
			const lost = isLost ? `, and ${await killRank(victim)} is lost` : "";
			if (!isForEver) {
				await pause(seconds);
				restore();
			}
			return `${who}: ${more} handles left ${isForEver ? "for ever" : `for ${seconds.toFixed(1)} s`}${lost}`;
		},
	}),
};

function pidsOf(who: (typeof WHO)[number], victim: Victim): number[] {
	if (who === "the supervisor") return supervisorPids(victim.cluster.front);
	if (who === "a rank's process") return memberPids(victim.cluster);
	const line = linePid(victim);
	return line === undefined ? [] : [line];
}

/** Limits a process to this many more handles; returns a function that restores its limit. Undefined if the process is gone. */
function limitHandles(pid: number, more: number): (() => void) | undefined {
	try {
		const open = readdirSync(`/proc/${pid}/fd`).length;
		const limits = readFileSync(`/proc/${pid}/limits`, "utf8");
		const [, soft = "", hard = ""] = /^Max open files\s+(\d+)\s+(\d+)/m.exec(limits) ?? [];
		setLimit(pid, String(open + more), hard);
		return () => {
			try {
				setLimit(pid, soft, hard);
			} catch {
				// It has ended meanwhile.
			}
		};
	} catch {
		return undefined;
	}
}

function setLimit(pid: number, soft: string, hard: string): void {
	execFileSync("prlimit", ["--pid", String(pid), `--nofile=${soft}:${hard}`], { stdio: "ignore" });
}
