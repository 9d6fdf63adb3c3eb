/** Real launchers on real hosts (testing/cluster.ts): the hash of one rank from each, one line for what is not there, and nobody left behind. */

import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, linesOf, runCli, testFolder } from "../testing/run-cli.js";
import { runHere } from "../testing/run-here.js";
import { isThorough } from "../testing/thorough.js";
import { Cluster, LAUNCHER_KINDS, type LauncherKind, noLauncher } from "./testing/cluster.js";
import { noHosts, noMpirun } from "./testing/lacking.js";
import { launchPods } from "./testing/pods.js";
import { until } from "./testing/wait.js";

const lack = noHosts();
const folder = emptyFolder();
const problem = join(folder, "problem.hdf5");
const line = ["solve", problem, "--json", "--max-iterations", "40"];

describe.skipIf(lack !== undefined)(`launchers (skipped where there are no hosts: ${lack ?? "not here"})`, () => {
	let cluster: Cluster;
	let hash: string;
	beforeAll(async () => {
		await runHere(["generate", "planks", "--contacts", "300", "--output", problem]);
		hash = JSON.parse((await runHere([...line, "--ranks", "1"])).out).hash;
		cluster = new Cluster(2);
	});
	afterAll(async () => {
		await cluster?.close();
		rmSync(folder, { recursive: true, force: true });
	});

	it.for(LAUNCHER_KINDS.map((way): [LauncherKind] => [way]))(
		"%s: the same hash on two nodes",
		async ([way], context) => {
			const reason = noLauncher(way);
			if (reason !== undefined) context.skip(`needs ${way}: ${reason}`);
			const launched = await cluster.launch(way, line, { nodes: 2, ranksPerNode: 2 });
			const { code, out, err } = await launched.ended;
			expect([code, JSON.parse(out || "{}").hash], err).toEqual([1, hash]);
			expect(launched.log().map(({ event }) => event)).toContain("ready");
			await until("nobody is left", () => cluster.leftovers().length === 0);
		},
	);

	const watched = isThorough ? LAUNCHER_KINDS : LAUNCHER_KINDS.filter((way) => way === "ssh" || way === "openmpi");
	it.for(watched.map((way): [LauncherKind] => [way]))(
		"%s: the key stands in no argument, and but for mpirun in no environment",
		async ([way], context) => {
			const reason = noLauncher(way);
			if (reason !== undefined) context.skip(`needs ${way}: ${reason}`);
			const endless = [
				"solve",
				problem,
				"--method",
				"gauss-seidel",
				"--tolerance",
				"1e-300",
				"--max-iterations",
				"1e9",
			];
			const launched = await cluster.launch(way, endless, { nodes: 2, ranksPerNode: 1 });
			await until("it is at work", () => launched.log().some(({ event }) => event === "ready"));
			const pids = cluster.network.hosts.flatMap((host) => host.pids());
			const keys = pids.flatMap((pid) => /STICKSLIP_KEY=[0-9a-f]{64}/.exec(textOf(pid, "environ")) ?? []);
			const digits = pids.flatMap((pid) => /\b[0-9a-f]{64}\b/.exec(textOf(pid, "cmdline")) ?? []);
			expect(pids.length, "processes").toBeGreaterThan(3);
			expect([keys.length > 0, digits]).toEqual([way === "openmpi" || way === "mpich", []]);
			launched.signal("SIGINT");
			expect((await launched.ended).code).toBe(75);
			await until("nobody is left", () => cluster.leftovers().length === 0);
		},
	);

	it("pods of Kubernetes, known late: the same hash on two nodes", async () => {
		const late = { named: [1, 0.5], started: [0.5, 0] };
		const launched = await launchPods(cluster, line, { nodes: 2, ranksPerNode: 2, ...late });
		const { code, out, err } = await launched.ended;
		expect([code, JSON.parse(out || "{}").hash], err).toEqual([1, hash]);
		expect((await launched.job.pod(1)?.ended)?.code).toBe(0);
		await until("nobody is left", () => cluster.leftovers().length === 0);
	});

	it("pods that simulate leave their run file in the volume, and a second job resumes to the same hash", {
		timeout: 90_000,
	}, async () => {
		const scene = join(folder, "drum.json");
		await runHere(["simulate", "drum", "--bodies", "60", "--until", "1", "--write-scene", scene]);
		const words = ["simulate", scene, "--json", "--output", "drum.h5"];
		const own = testFolder();
		const plain = await runHere([...words.slice(0, -1), join(own, "drum.h5"), "--ranks", "1"]);
		expect(plain.code, plain.err).toBe(0);
		const launched = await launchPods(cluster, words, { nodes: 2, ranksPerNode: 1 });
		const steps = () => progressOf(launched.folder())?.simulation?.step ?? 0;
		await until("it has made some steps", () => steps() > 20, { seconds: 40, every: 0.05 });
		launched.signal("SIGTERM");
		expect((await launched.ended).code).toBe(75);
		const { code, out, err } = await launched.again().ended;
		expect([code, JSON.parse(out || "{}").hash], err).toEqual([0, JSON.parse(plain.out).hash]);
		const volume = join(launched.runs, "..");
		const counted = (place: string) => runHere(["info", join(place, "drum.h5"), "--json"]);
		const [here, there] = await Promise.all([counted(own), counted(volume)]);
		expect(JSON.parse(there.out).steps).toEqual(JSON.parse(here.out).steps);
		await until("nobody is left", () => cluster.leftovers().length === 0);
	});

	it.for([
		["ssh", ["ssh", "--host", "n1,nowhere"], /nowhere/],
		["ssh", ["ssh", "--host", "n1,refused"], /refused.*(key|denied)/i],
		["ssh", ["ssh", "--host", "n1,bare"], /bare.*node/i],
		["slurm", ["slurm", "--partition=nobody", "--nodes=1"], /partition/],
		["slurm", ["slurm", "--nodes=7"], /node/],
	] as const)("%s: one line for %j", async ([way, words, told], context) => {
		const reason = noLauncher(way);
		if (reason !== undefined) context.skip(`needs ${way}: ${reason}`);
		await (way === "ssh" ? cluster.sshd() : cluster.slurm());
		const running = await cluster.type(["launch", ...words, "--runs", cluster.runsFolder(), "--", ...line], {});
		const { code, out, err } = await running.ended;
		expect([code, out, linesOf(err)]).toEqual([2, "", [expect.stringMatching(told)]]);
		await until("nobody is left", () => cluster.leftovers().length === 0);
	});
});

/** The progress that a run has recorded so far. */
function progressOf(run: string | undefined): { readonly simulation?: { readonly step: number } } | undefined {
	try {
		return JSON.parse(readFileSync(join(run ?? "", "progress.json"), "utf8"));
	} catch {
		return undefined;
	}
}

/** What the system reports about a process that still exists. */
function textOf(pid: number, file: "environ" | "cmdline"): string {
	try {
		return readFileSync(`/proc/${pid}/${file}`, "latin1");
	} catch {
		return "";
	}
}

it("Open MPI over TCP: threads that called it end without harm (they ended in a library that was unloaded)", async (context) => {
	const reason = noMpirun("openmpi");
	if (reason !== undefined) context.skip(`needs Open MPI: ${reason}`);
	const file = join(testFolder(), "planks.hdf5");
	await runHere(["generate", "planks", "--contacts", "1000", "--output", file]);
	const ranks = ["--ranks", "8", "--processes", "4", "--transport", "threads+mpi"];
	const env = { OMPI_MCA_btl: "tcp,self", STICKSLIP_MPI: "openmpi" };
	const { code, err } = await runCli(["solve", file, ...ranks, "--tolerance", "1e-8", "--max-iterations", "60"], {
		env,
	});
	// On few cores a warning says that ranks share them.
	expect([code, err.replace(/^stickslip: 8 ranks share .*\n/, "")]).toEqual([1, ""]);
});
