/** Cores that this process can keep busy: those that it may run on, or fewer where a container has a quota of processor time. */
import { cores } from "@stickslip/comm";
import { systemText } from "../base/proc.js";

export function usableCores(): number {
	return Math.min(cores().length, coresOfQuota(systemText) ?? Number.POSITIVE_INFINITY);
}

/** The least quota of the control groups of this process, as a number of cores; undefined without one. `read` gives the text of a file of the system. */
export function coresOfQuota(read: (path: string) => string | undefined): number | undefined {
	const quotas = (read("/proc/self/cgroup") ?? "").split("\n").flatMap((line) => {
		const [, controllers = "none", path = ""] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
		if (controllers === "") return upward(path).flatMap((group) => quotaIn(read(`/sys/fs/cgroup${group}/cpu.max`)));
		if (!controllers.split(",").includes("cpu")) return [];
		return upward(path).flatMap((group) => {
			const place = `/sys/fs/cgroup/${controllers}${group}`;
			return quotaIn(`${read(`${place}/cpu.cfs_quota_us`)} ${read(`${place}/cpu.cfs_period_us`)}`);
		});
	});
	return quotas.length === 0 ? undefined : Math.min(...quotas);
}

/** "150000 100000": microseconds of processor time in so many microseconds; "max" and -1 are no quota. */
function quotaIn(text: string | undefined): number[] {
	const [, quota, period] = /^(\d+)\s+(\d+)\s*$/.exec(text ?? "") ?? [];
	return Number(quota) > 0 && Number(period) > 0 ? [Number(quota) / Number(period)] : [];
}

/** "/a/b": itself and all groups around it, "/a" and "". */
function upward(path: string): string[] {
	const names = path.split("/").filter((name) => name !== "");
	return ["", ...names].map((_, around) =>
		names
			.slice(0, names.length - around)
			.map((name) => `/${name}`)
			.join(""),
	);
}
