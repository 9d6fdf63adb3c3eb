/**
 * Which hosts of a run are still available after a loss. The answer does not depend on the number of ranks, so a run continues without a lost host;
 * `resume` tries all of them again.
 */
import { join } from "node:path";
import { type Placement, placementIn } from "../placement/placement.js";
import { onHost, type Reach } from "../processes/ssh/hosts.js";
import { runTool } from "../processes/tool.js";
import { replaceJson } from "../records/check.js";
import { FILES } from "../records/files.js";

/** ssh gives up a connection after 10 s itself. */
const REACH_MS_MAX = 15_000;

/** Removes hosts that cannot be reached from the run, and returns them; if all or none can be reached, nothing changes. */
export async function leaveOutHosts(folder: string): Promise<readonly string[]> {
	const placement = placementIn(folder);
	if (placement?.hosts === undefined) return [];
	const { hosts } = placement;
	const unreachableHosts = await unreachable(hosts, placement);
	const left = hosts.filter((host) => !unreachableHosts.includes(host));
	if (unreachableHosts.length === 0 || left.length === 0) return [];
	replaceJson(
		join(folder, FILES.placement),
		{ ...placement, hosts: left, nodes: left.length } satisfies Placement,
		true,
	);
	return unreachableHosts;
}

async function unreachable(
	hosts: readonly string[],
	{ where, pass = [], node = "node" }: Placement,
): Promise<string[]> {
	// Arguments for mpirun are not for ssh.
	const reach: Reach = { pass: where === "ssh" ? pass : [], node };
	const checks = [...new Set(hosts)].map(async (host) => {
		const [command, ...words] = onHost(host, reach, ["-e", "0"]);
		const { code } = await runTool(command, words, { milliseconds: REACH_MS_MAX });
		return code === 0 ? [] : [host];
	});
	return (await Promise.all(checks)).flat();
}
