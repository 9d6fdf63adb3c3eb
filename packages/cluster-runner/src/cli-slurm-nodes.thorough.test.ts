/** Nodes of a real Slurm whose power and cable go at once: the loss is named long before Slurm notices it, and no process is left behind. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, runCli } from "../testing/run-cli.js";
import { Cluster, commandOf, type Launched, noLauncher } from "./testing/cluster.js";
import type { Host } from "./testing/hosts.js";
import { until } from "./testing/wait.js";

const lack = noLauncher("slurm");
const folder = emptyFolder();
const problem = join(folder, "problem.hdf5");
const line = ["solve", problem, "--json", "--method", "pqn-diagonal", "--tolerance", "1e-300"];
const MEMBER = /bundled\/process\.js/;

describe.skipIf(lack !== undefined)(`a node of Slurm that is lost (skipped: ${lack ?? "not here"})`, () => {
	beforeAll(() => runCli(["generate", "planks", "--contacts", "2000", "--output", problem]));
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	/** A run on two nodes with its first checkpoint, and the host of its line. */
	async function begun(
		cluster: Cluster,
		iterations: number,
	): Promise<{ launched: Launched; first: Host; other: Host }> {
		const words = ["--checkpoint", "1"];
		const most = ["--max-iterations", String(iterations)];
		const launched = await cluster.launch("slurm", [...line, ...most], { nodes: 2, ranksPerNode: 1, words });
		const isKept = () => launched.log().some(({ event }) => event === "checkpoint");
		await until("a checkpoint", isKept);
		const state = JSON.parse(readFileSync(join(launched.folder() ?? "", "state.json"), "utf8"));
		const at = (host: Host) => host.pids().some((pid) => MEMBER.test(commandOf(pid)));
		const first = cluster.nodes.find(({ name }) => name === state.host);
		const other = cluster.nodes.find((host) => host !== first && at(host));
		if (first === undefined || other === undefined) throw new Error(`no nodes: ${JSON.stringify(state)}`);
		return { launched, first, other };
	}

	const powerOff = (host: Host) => {
		host.cut();
		host.kill();
	};
	const members = (host: Host) => host.pids().filter((pid) => MEMBER.test(commandOf(pid)));

	it("that is not its first: named by the hub, exit code 3, and resumed to the same hash", async () => {
		const whole = runCli([...line, "--max-iterations", "20000"], { seconds: 200 });
		const cluster = new Cluster(3);
		try {
			const { launched, other } = await begun(cluster, 20_000);
			powerOff(other);
			const named = new RegExp(`was lost( with its process)? on ${other.name}`);
			await until("it is named", () => named.test(launched.err()));
			expect((await launched.ended).code).toBe(3);
			const again = await cluster.type(["resume", launched.folder() ?? ""]);
			const { code, out, err } = await again.ended;
			expect([code, JSON.parse(out || "{}").hash], err).toEqual([1, JSON.parse((await whole).out).hash]);
		} finally {
			await cluster.close();
		}
	});

	it("that is its first: named by the terminal that follows, members end, and Slurm goes on or ends it", async () => {
		const whole = runCli([...line, "--max-iterations", "20000"], { seconds: 200 });
		const cluster = new Cluster(3);
		try {
			const { launched, first, other } = await begun(cluster, 20_000);
			powerOff(first);
			const named = new RegExp(`no heartbeat of job \\d+ of Slurm for \\d+ s: its node ${first.name} may be lost`);
			await until("it is named", () => named.test(launched.err()));
			await until("members end", () => members(other).length === 0);
			const { code, out, err } = await launched.ended;
			if (code === 3) expect(err).toMatch(/Slurm has ended the job/);
			else expect([code, JSON.parse(out || "{}").hash], err).toEqual([1, JSON.parse((await whole).out).hash]);
		} finally {
			await cluster.close();
		}
	});
});
