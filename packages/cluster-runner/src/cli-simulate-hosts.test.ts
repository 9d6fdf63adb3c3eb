/** Simulations on hosts that do not all have the folder of an output: refused before anything is changed; without an output they need no shared disk. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linesOf } from "../testing/run-cli.js";
import { runHere } from "../testing/run-here.js";
import { openRun } from "./files/run-files.js";
import { Cluster } from "./testing/cluster.js";
import { noSshd } from "./testing/lacking.js";
import { until } from "./testing/wait.js";

const lack = noSshd();
const SCENE = ["simulate", "stack", "--steps", "6"];

describe.skipIf(lack !== undefined)(
	`hosts without a shared disk (skipped where there are none: ${lack ?? "not here"})`,
	() => {
		let cluster: Cluster;
		let hash: string;
		beforeAll(async () => {
			hash = JSON.parse((await runHere([...SCENE, "--json"])).out).hash;
			cluster = new Cluster(2);
			await cluster.sshd();
		});
		afterAll(() => cluster?.close());

		/** A folder that these hosts see as an empty one of their own. */
		function foreign(name: string, hosts: readonly number[]): string {
			const folder = join(cluster.bed.folder, name);
			mkdirSync(folder);
			for (const host of hosts) {
				const [pid] = cluster.nodes[host]!.pids();
				execFileSync("nsenter", ["-t", String(pid), "-m", "mount", "-t", "tmpfs", "tmpfs", folder]);
			}
			return folder;
		}

		async function launch(line: readonly string[], runs?: string) {
			const launched = await cluster.launch("ssh", [...SCENE, "--json", ...line], { nodes: 2, ranksPerNode: 1 }, runs);
			const ended = await launched.ended;
			await until("nobody is left", () => cluster.leftovers().length === 0);
			return ended;
		}

		it.each([
			["--output", "a.h5", [1]],
			["--output", "a.h5", [0]],
			["--csv", "a.csv", [0, 1]],
			["--dump-problems", "problems", [0]],
			["--capsule", "", [0]],
		] as const)(
			"are refused for %s %s if hosts %s have another folder",
			async (option, name, hosts) => {
				const folder = foreign(`${option}-${hosts.join()}`, hosts);
				const path = join(folder, name);
				const words = option === "--dump-problems" ? [option, "every", "--dump-folder", path] : [option, path];
				const { code, err } = await launch(words);
				const told = linesOf(err).filter((line) => !line.startsWith("stickslip: run "));
				expect([code, told]).toEqual([2, [expect.stringContaining(`simulate: ${option}: ${folder} `)]]);
				expect(readdirSync(folder).filter((each) => !each.startsWith("."))).toEqual([]);
			},
			60_000,
		);

		it("simulate where only the table is wanted and rank 0 has its folder", async () => {
			const folder = foreign("table", [1]);
			const { code, out, err } = await launch(["--csv", join(folder, "a.csv")]);
			expect([code, JSON.parse(out || "{}").hash], err).toEqual([0, hash]);
			expect(readdirSync(folder)).toEqual(["a.csv"]);
		});

		it("simulate without outputs, and the folder of the run need not be shared", async () => {
			const runs = foreign("runs-elsewhere", [0, 1]);
			const { code, out, err } = await launch([], runs);
			expect([code, JSON.parse(out || "{}").hash], err).toEqual([0, hash]);
		});

		it("write a run with a shared disk", async () => {
			const path = join(cluster.bed.folder, "shared.h5");
			const { code, err } = await launch(["--output", path]);
			expect(code, err).toBe(0);
			const run = await openRun(path);
			expect([run.steps, run.parts.length]).toEqual([[0, 1, 2, 3, 4, 5, 6], 2]);
			run.close();
		});
	},
);
