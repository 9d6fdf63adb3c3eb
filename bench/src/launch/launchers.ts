/** The same lines behind every launcher, on 1, 2 and 4 nodes: one hash each. */

import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";
import { Cluster, LAUNCHER_KINDS, launchPods, noHosts, noLauncher } from "../testing.js";
import { answerOf, readySeconds, type Subject, subjectIn } from "./subject.js";

const RANKS_PER_NODE = 2;
/** Kubernetes is played: its pods' commands and environment as processes on hosts. */
const LAUNCHERS = [...LAUNCHER_KINDS, "kubernetes"] as const;
type LauncherName = (typeof LAUNCHERS)[number];

/** What a line begins with and what it turns to: few sweeps are enough, and several anchors come in them. */
const METHODS: readonly (readonly [string, readonly string[]])[] = [
	["auto", []],
	["proximal-gauss-seidel", ["--method", "proximal-gauss-seidel", "--set", "patience=4", "--set", "sweeps=6"]],
];

export interface LauncherRow {
	readonly method: string;
	readonly launcher: string;
	readonly nodes: number;
	readonly ranks: number;
	readonly hash: string;
	readonly same: string;
	readonly readySeconds: string;
	readonly seconds: string;
}

export const launchers: Bench = {
	name: "launchers",
	what: "one hash from every launcher on 1, 2 and 4 nodes: local, ssh, slurm, mpirun (Open MPI and MPICH), pods",
	async run(args) {
		const wanted = LAUNCHERS.filter((name) => args.length === 0 || args.includes(name));
		if (wanted.length < args.length) {
			console.log(`npm run bench -- launchers [${LAUNCHERS.join("] [")}]`);
			return 2;
		}
		const cluster = new Cluster(4);
		try {
			const rows: LauncherRow[] = [];
			const there = wanted.filter(isThere);
			const subjects = METHODS.map(([method, words]) => {
				const options = ["--max-iterations", "60", ...words];
				return { method, subject: subjectIn(cluster.bed.folder, "planks", 2000, options) };
			});
			// Pods come last: hosts have other names afterwards.
			for (const way of there) {
				for (const { method, subject } of subjects) {
					for (const nodes of [1, 2, 4]) rows.push({ method, ...(await launchOn(cluster, way, nodes, subject)) });
				}
			}
			const left = cluster.leftovers();
			for (const each of left) console.log(`LEFT BEHIND: ${each}`);
			if (args.length === 0)
				console.log(
					`recorded in ${recordCsv(
						"launchers",
						rows.map((row) => ({ ...row })),
					)}`,
				);
			return rows.every(({ same }) => same === "yes") && left.length === 0 ? 0 : 1;
		} finally {
			await cluster.close();
		}
	},
};

function isThere(way: LauncherName): boolean {
	const lack = way === "kubernetes" ? noHosts() : noLauncher(way);
	if (lack !== undefined) console.log(`skipped: ${way}: ${lack}`);
	return lack === undefined;
}

export async function launchOn(
	cluster: Cluster,
	way: LauncherName,
	nodes: number,
	{ line, answer }: Subject,
): Promise<Omit<LauncherRow, "method">> {
	const options = { nodes, ranksPerNode: RANKS_PER_NODE };
	const isPods = way === "kubernetes";
	const launched = await (isPods ? launchPods(cluster, line, options) : cluster.launch(way, line, options));
	const ended = await launched.ended;
	const { hash, status, code } = answerOf(ended);
	const ready = readySeconds(launched)?.toFixed(2) ?? "";
	const isSame = hash === answer.hash && code === answer.code;
	const seconds = ((Date.now() - launched.begun) / 1000).toFixed(2);
	const facts = `ready in ${ready || "?"} s, over in ${seconds} s`;
	const short = hash.slice(0, 16) || status;
	console.log(`${way.padEnd(12)}${nodes} nodes  ${short}  ${isSame ? "the same" : "DIFFERENT"}  ${facts}`);
	if (!isSame) console.log(ended.err);
	return {
		launcher: way,
		nodes,
		ranks: nodes * RANKS_PER_NODE,
		hash: short,
		same: isSame ? "yes" : "NO",
		readySeconds: ready,
		seconds,
	};
}
