/** Hosts that have addresses of IPv6 alone: over ssh, as pods, and started by hand; the same bits as on one rank. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyFolder } from "../testing/run-cli.js";
import { runHere } from "../testing/run-here.js";
import { Cluster, stickslip } from "./testing/cluster.js";
import { noHosts, noSshd } from "./testing/lacking.js";
import { launchPods } from "./testing/pods.js";
import { until } from "./testing/wait.js";

const lack = noHosts();
const folder = emptyFolder();
const problem = join(folder, "problem.hdf5");
const line = ["solve", problem, "--json", "--max-iterations", "40"];

describe.skipIf(lack !== undefined)(`IPv6 (skipped where there are no hosts: ${lack ?? "not here"})`, () => {
	let cluster: Cluster;
	let hash: string;
	beforeAll(async () => {
		await runHere(["generate", "planks", "--contacts", "300", "--output", problem]);
		hash = JSON.parse((await runHere([...line, "--ranks", "1"])).out).hash;
		cluster = new Cluster(2, undefined, 6);
	});
	afterAll(async () => {
		await cluster?.close();
		rmSync(folder, { recursive: true, force: true });
	});
	const nobodyIsLeft = () => until("nobody is left", () => cluster.leftovers().length === 0);

	it("ssh, with hosts by name and by address", async (context) => {
		const reason = noSshd();
		if (reason !== undefined) context.skip(`needs ssh: ${reason}`);
		await cluster.sshd();
		const [one, two] = cluster.nodes;
		const hosts = ["--host", `${one!.name},[${two!.address}]`, "--ranks-per-node", "2", "--runs", cluster.runsFolder()];
		const running = await cluster.type(["launch", "ssh", ...hosts, "--", ...line]);
		const { code, out, err } = await running.ended;
		expect([code, JSON.parse(out || "{}").hash], err).toEqual([1, hash]);
		await nobodyIsLeft();
	});

	it("pods, which find the first by its name", async () => {
		const launched = await launchPods(cluster, line, { nodes: 2, ranksPerNode: 2 });
		const { code, out, err } = await launched.ended;
		expect([code, JSON.parse(out || "{}").hash], err).toEqual([1, hash]);
		await nobodyIsLeft();
	});

	it("nodes that are started by hand, one of which listens on all its addresses", async () => {
		const rendezvous = `[${cluster.nodes[0]!.address}]:7200`;
		const runs = cluster.runsFolder();
		const common = { STICKSLIP_NODES: "2", STICKSLIP_RENDEZVOUS: rendezvous, STICKSLIP_KEY: "5b".repeat(32) };
		const nodes = cluster.nodes.map((host, node) => {
			const env = { ...common, STICKSLIP_NODE: String(node), STICKSLIP_RUN: join(runs, "one") };
			const words = ["node", "--ranks-per-node", "2", "--listen", node === 0 ? "::" : "fd00::/8", "--wait", "20"];
			return stickslip(host, [...words, "--", ...line], { env });
		});
		const [first, second] = await Promise.all(nodes.map(({ ended }) => ended));
		expect([first!.code, JSON.parse(first!.out || "{}").hash], `${first!.err}${second!.err}`).toEqual([1, hash]);
		await nobodyIsLeft();
	});
});
