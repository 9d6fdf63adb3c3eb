/** The four lines of the README that lead from the laptop to a cluster, as they stand there, over real SSH servers and a real Slurm. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Cluster, noLauncher, until } from "../packages/cluster-runner/src/testing/index.js";

const readme = readFileSync(fileURLToPath(new URL("../README.md", import.meta.url)), "utf8");
const lines = linesUnder("From laptop to cluster");
const lack = noLauncher("ssh") ?? noLauncher("slurm");

/** The first indented block under a heading, as words behind `npx stickslip`. */
function linesUnder(heading: string): string[][] {
	const [, section = ""] = readme.split(`## ${heading}\n`);
	const [block = ""] = /(?:^ {4}.*\n)+/m.exec(section) ?? [];
	return block
		.trimEnd()
		.split("\n")
		.map((line) => line.trim().split(/\s+/).slice(2));
}

describe.skipIf(lack !== undefined)(
	`the README's lines (skipped without ssh and Slurm: ${lack ?? "both here"})`,
	() => {
		let cluster: Cluster;
		let folder: string;
		beforeAll(async () => {
			cluster = new Cluster(2, 2);
			folder = cluster.runsFolder();
			const words = ["generate", "spheres", "--contacts", "100", "--output", "pile.hdf5"];
			const generated = cluster.type(words, { cwd: folder }).then(({ ended }) => ended);
			await Promise.all([generated, cluster.sshd(), cluster.slurm()]);
		});
		afterAll(() => cluster?.close());

		it("are four, and have one hash", async () => {
			expect(lines.map((words) => words.slice(0, 2))).toEqual([
				["solve", "pile.hdf5"],
				["launch", "local"],
				["launch", "ssh"],
				["launch", "slurm"],
			]);
			const how = { cwd: folder, env: { STICKSLIP_RUNS: cluster.runsFolder() }, seconds: 60 };
			const reports: { status: string; hash: string; ranks: number }[] = [];
			for (const words of lines) {
				const running = await cluster.type([...words, "--json"], how);
				const { code, out, err } = await running.ended;
				expect(code, err).toBe(0);
				reports.push(JSON.parse(out));
			}
			expect(new Set(reports.map(({ status }) => status))).toEqual(new Set(["solved"]));
			expect(new Set(reports.map(({ hash }) => hash)).size).toBe(1);
			for (const { ranks } of reports.slice(1)) expect(ranks).toBeGreaterThan(1);
			await until("nobody is left", () => cluster.leftovers().length === 0);
		});
	},
);
