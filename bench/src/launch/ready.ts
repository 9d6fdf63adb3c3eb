/** From the launch until all ranks iterate: 8 and 64 ranks on four hosts. */

import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";
import { Cluster, type LauncherKind, noLauncher } from "../testing.js";
import { readySeconds, subjectIn } from "./subject.js";

const NODES = 4;
const goals: readonly { readonly ranks: number; readonly secondsMax: number }[] = [
	{ ranks: 8, secondsMax: 2 },
	{ ranks: 64, secondsMax: 10 },
];
const ways: readonly LauncherKind[] = ["ssh", "slurm", "openmpi", "mpich", "local"];
const ROUNDS = 5;

export const ready: Bench = {
	name: "ready",
	what: "seconds from the launch until all ranks iterate: 8 and 64 on four hosts (rounds)",
	async run([rounds = String(ROUNDS)]) {
		if (!(Number(rounds) >= 1)) {
			console.log("npm run bench -- ready [ROUNDS]");
			return 2;
		}
		const rows: Record<string, string | number>[] = [];
		const cluster = new Cluster(NODES);
		let isHeld = true;
		try {
			const { line } = subjectIn(cluster.bed.folder, "spheres", 5000, ["--max-iterations", "5"]);
			for (const way of ways) {
				const lack = noLauncher(way);
				if (lack !== undefined) {
					console.log(`skipped: ${way}: ${lack}`);
					continue;
				}
				// The first launch brings the program to hosts that do not have it yet.
				await secondsOf(cluster, way, NODES, line);
				for (const { ranks, secondsMax } of goals) {
					const times: number[] = [];
					for (let round = 0; round < Number(rounds); round += 1)
						times.push(await secondsOf(cluster, way, ranks, line));
					const [least, most] = [Math.min(...times), Math.max(...times)];
					const kept = least < secondsMax;
					isHeld &&= kept;
					const told = `${least.toFixed(2)} to ${most.toFixed(2)} s until ready`;
					console.log(
						`${way}, ${ranks} ranks on ${NODES} hosts: ${told}, of ${secondsMax}: ${kept ? "held" : "MISSED"}`,
					);
					rows.push({ launcher: way, ranks, hosts: NODES, least: least.toFixed(3), most: most.toFixed(3), secondsMax });
				}
			}
		} finally {
			await cluster.close();
		}
		if (rounds === String(ROUNDS)) console.log(`recorded in ${recordCsv("ready", rows)}`);
		return isHeld ? 0 : 1;
	},
};

/** Infinite where the run never got there. */
export async function secondsOf(
	cluster: Cluster,
	way: LauncherKind,
	ranks: number,
	line: readonly string[],
): Promise<number> {
	const launched = await cluster.launch(way, line, { nodes: NODES, ranksPerNode: ranks / NODES });
	const { err } = await launched.ended;
	const seconds = readySeconds(launched);
	if (seconds === undefined) console.log(`${way}, ${ranks} ranks were never ready: ${err.trim()}`);
	return seconds ?? Number.POSITIVE_INFINITY;
}
