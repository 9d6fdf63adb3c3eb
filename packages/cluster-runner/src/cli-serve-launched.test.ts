/** A service whose ranks are on several hosts (testing/cluster.ts), and a client on another one. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { generate, solve } from "@stickslip/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testFolder } from "../testing/run-cli.js";
import { isThorough } from "../testing/thorough.js";
import { Cluster, type LauncherKind, noLauncher } from "./testing/cluster.js";
import { noHosts } from "./testing/lacking.js";
import { until } from "./testing/wait.js";

const lack = noHosts();
const PORT = 9440;
/** Where the hub is where the command is typed, and where it is on a node; ssh is another of the first kind. */
const ways: readonly LauncherKind[] = isThorough ? ["local", "ssh", "slurm"] : ["local", "slurm"];
const few = { maxIterations: 3 };
/** More than the ranks of one host are given, so that both solve it together. */
const large = generate("planks", { contacts: 12_000, seed: 1 });
const small = generate("planks", { contacts: 100, seed: 2 });

/** Solves both problems with the service of a connection file, and prints what came back. */
const client = (file: string) => `
	const { connect } = await import(${JSON.stringify(import.meta.resolve("@stickslip/client"))});
	const { generate } = await import(${JSON.stringify(import.meta.resolve("@stickslip/core"))});
	const service = await connect(${JSON.stringify(file)});
	const large = generate("planks", { contacts: 12_000, seed: 1 });
	const small = generate("planks", { contacts: 100, seed: 2 });
	const together = await service.solve(large, ${JSON.stringify(few)});
	const many = await Promise.all(Array.from({ length: 40 }, () => service.solve(small)));
	const hashes = new Set(many.map(({ report }) => report.hash));
	console.log(JSON.stringify({ ranks: together.report.ranks, hashes: [together.report.hash, ...hashes] }));
	await service.close();
`;

describe.skipIf(lack !== undefined)(`serve on hosts (skipped where there are none: ${lack ?? "not here"})`, () => {
	let cluster: Cluster;
	beforeAll(() => {
		cluster = new Cluster(2);
	});
	afterAll(() => cluster?.close());

	it.for(ways.map((way): [LauncherKind] => [way]))(
		"%s: two nodes solve for a client of another host, stop, and are resumed",
		async ([way], context) => {
			const reason = noLauncher(way);
			if (reason !== undefined) context.skip(`needs ${way}: ${reason}`);
			const keys = testFolder();
			const file = join(keys, "client-default.json");
			// Of Slurm the first node has the service.
			const host = way === "slurm" ? cluster.nodes[0]! : cluster.front;
			const words = ["--listen", `tcp://0.0.0.0:${PORT}`, "--advertise", host.address, "--websocket", "none"];
			const launched = await cluster.launch(way, ["serve", "--keys", keys, ...words], { nodes: 2, ranksPerNode: 1 });
			const expected = [solve(large, few).report.hash, solve(small).report.hash];
			const isUp = () => existsSync(file) && launched.err().includes("serving on");
			await until("the service is up", isUp);
			const program = ["--input-type=module", "--eval", client(file)];
			const { out, err } = await cluster.nodes[1]!.start(process.execPath, program, { seconds: 240 }).ended;
			expect(JSON.parse(out || "{}"), err + launched.err()).toEqual({ ranks: 2, hashes: expected });
			launched.signal("SIGINT");
			expect((await launched.ended).code, launched.err()).toBe(75);
			expect(JSON.parse(readFileSync(join(launched.folder()!, "state.json"), "utf8")).status).toBe("stopped");
			await until("nobody is left", () => cluster.leftovers().length === 0);
			if (way !== "local") return;
			const resumed = await cluster.type(["resume", launched.folder()!]);
			await until("it is up again", () => resumed.err().includes("serving on"));
			resumed.signal("SIGTERM");
			expect((await resumed.ended).code).toBe(75);
		},
	);

	// It needs minutes on a busy machine.
	const thorough = isThorough ? it : () => {};
	thorough("ssh: a host is lost, and the others go on", async (context) => {
		const reason = noLauncher("ssh");
		if (reason !== undefined) context.skip(`needs ssh: ${reason}`);
		const keys = testFolder();
		const file = join(keys, "client-default.json");
		const words = ["--listen", `tcp://0.0.0.0:${PORT}`, "--advertise", cluster.front.address, "--websocket", "none"];
		const options = { nodes: 2, ranksPerNode: 1, words: ["--restarts", "2"] };
		const launched = await cluster.launch("ssh", ["serve", "--keys", keys, ...words], options);
		const ups = () => launched.err().split("serving on").length - 1;
		await until("the service is up", () => existsSync(file) && ups() === 1);
		cluster.nodes[1]!.kill();
		await until("it goes on", () => ups() === 2);
		expect(launched.err()).toContain("continuing without n2");
		const program = ["--input-type=module", "--eval", client(file)];
		const { out, err } = await cluster.nodes[0]!.start(process.execPath, program, { seconds: 240 }).ended;
		const expected = [solve(large, few).report.hash, solve(small).report.hash];
		expect(JSON.parse(out || "{}"), err + launched.err()).toEqual({ ranks: 1, hashes: expected });
		launched.signal("SIGINT");
		expect((await launched.ended).code).toBe(75);
	});
});
