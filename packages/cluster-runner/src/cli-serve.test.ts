import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect } from "@stickslip/client";
import { generate, solve } from "@stickslip/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { noProc } from "../testing/processes.js";
import { linesOf, testFolder } from "../testing/run-cli.js";
import { runHere } from "../testing/run-here.js";
import { descendants, stillThere } from "./processes/descendants.js";
import { until } from "./testing/index.js";

const program = fileURLToPath(new URL("../bin/stickslip.mjs", import.meta.url));
const anyPort = ["--listen", "tcp://127.0.0.1:0", "--websocket", "127.0.0.1:0"];
const problem = generate("planks", { contacts: 60, seed: 4 });

/** A service in a process of its own, when it is up; ended with the test. */
async function up(folder: string, ...words: readonly string[]) {
	const child = spawn(process.execPath, [program, "serve", "--json", "--keys", folder, ...anyPort, ...words]);
	onTestFinished(() => {
		child.kill("SIGKILL");
	});
	const said = { err: "", out: "" };
	child.stdout.on("data", (text) => {
		said.out += String(text);
	});
	child.stderr.on("data", (text) => {
		said.err += String(text);
	});
	const ended = once(child, "exit").then(([code, signal]) => ({ code, signal }));
	await until("the service is up", () => said.out.includes("\n") || child.exitCode !== null);
	return {
		child,
		said,
		ended,
		...(JSON.parse(said.out) as { zeromq: string; websocket: string; clients: Record<string, string> }),
	};
}

const metricsOf = async (websocket: string) => (await fetch(`${websocket.replace("ws", "http")}/metrics`)).text();
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe("stickslip serve", () => {
	it("makes keys and connection files that only the user can read, says where, and solves over both transports", async () => {
		const folder = join(testFolder(), "service");
		const { clients, said, child, ended } = await up(folder, "--client", "ann", "--client", "bob", "--ranks", "1");
		expect(
			readdirSync(folder)
				.filter((name) => name.endsWith(".json"))
				.sort(),
		).toEqual(["client-ann.json", "client-bob.json", "service.json"]);
		expect([folder, ...Object.values(clients)].map(modeOf)).toEqual(["700", "600", "600"]);
		for (const transport of ["zeromq", "websocket"] as const) {
			const client = await connect(clients.ann!, { transport });
			expect(client.name).toBe("ann");
			expect((await client.solve(problem)).report.hash).toBe(solve(problem).report.hash);
			await client.close();
		}
		child.kill("SIGTERM");
		expect(await ended).toEqual({ code: 0, signal: null });
		expect(linesOf(said.err).map((line) => line.replaceAll(/\d{4,}|\/\S*\/(?=client|socket)/g, ""))).toEqual([
			"stickslip: serving on tcp://127.0.0.1: and ws://127.0.0.1: and ipc:socket with 1 rank",
			"stickslip: client ann: client-ann.json",
			"stickslip: client bob: client-bob.json",
			"stickslip: answering what has begun; a second signal ends at once",
		]);
		expect(readdirSync(folder)).toHaveLength(3);
	});

	it("keeps keys and tokens when it is started again", async () => {
		const folder = testFolder();
		const first = await up(folder);
		const before = JSON.parse(readFileSync(first.clients.default!, "utf8"));
		first.child.kill("SIGINT");
		await first.ended;
		const again = await up(folder);
		const now = JSON.parse(readFileSync(again.clients.default!, "utf8"));
		expect({ ...now, zeromq: "", websocket: "" }).toEqual({ ...before, zeromq: "", websocket: "" });
		expect([now.zeromq, now.websocket]).toEqual([again.zeromq, again.websocket]);
	});

	it("refuses a folder that another service has, and a port in use, in one line with exit code 2", async () => {
		const folder = testFolder();
		const { zeromq, websocket, child } = await up(folder);
		const second = await runHere(["serve", "--keys", folder, ...anyPort]);
		expect([second.code, linesOf(second.err)]).toEqual([
			2,
			[
				`stickslip: ${folder}: folder: already has a service (process ${child.pid}); end it, or name another folder with --keys`,
			],
		]);
		const other = testFolder();
		for (const words of [
			["--listen", zeromq, "--websocket", "none"],
			["--listen", "tcp://127.0.0.1:0", "--websocket", websocket.replace("ws://", "")],
		]) {
			const { code, err } = await runHere(["serve", "--keys", other, ...words]);
			expect([code, err]).toEqual([
				2,
				expect.stringMatching(/^stickslip: network: 127\.0\.0\.1:\d+: the port is in use; .*\n$/),
			]);
		}
	});

	it("lets in clients that are added while it is up, and not those whose file is removed", async () => {
		const folder = testFolder();
		const { clients } = await up(folder);
		const added = await runHere(["serve", "--keys", folder, "--add-client", "carol"]);
		expect([added.code, added.err]).toEqual([0, ""]);
		const [file = ""] = linesOf(added.out);
		const carol = await connect(file);
		expect(carol.name).toBe("carol");
		await carol.close();
		const details = JSON.parse(readFileSync(clients.default!, "utf8"));
		const connected = await connect(clients.default!);
		rmSync(clients.default!);
		await expect(connected.solve(problem, { maxIterations: 1e9, tolerance: 1e-300 })).rejects.toMatchObject({
			code: "unauthorized",
		});
		await connected.close();
		for (const transport of ["zeromq", "websocket"] as const) {
			await expect(connect(details, { transport, timeout: 2 })).rejects.toMatchObject({
				code: expect.stringMatching(/unauthorized|unreachable/),
			});
		}
	});

	it("adds clients before it is started, where it is said where it will be", async () => {
		const folder = testFolder();
		const words = ["serve", "--keys", folder, "--add-client", "ann"];
		expect(await runHere(words)).toMatchObject({ code: 2, err: expect.stringContaining("start the service first") });
		const { out } = await runHere([
			...words,
			"--listen",
			"tcp://0.0.0.0:9000",
			"--advertise",
			"solver",
			"--websocket",
			"none",
		]);
		expect(JSON.parse(readFileSync(out.trim(), "utf8"))).toMatchObject({ name: "ann", zeromq: "tcp://solver:9000" });
	});

	it("refuses a line that makes no sense in one line with exit code 2", async () => {
		for (const words of [["problem.hdf5"], [...anyPort, "--tls-cert", "missing", "--tls-key", "missing"]]) {
			const { code, err, out } = await runHere(["serve", "--keys", testFolder(), ...words]);
			expect([code, out, linesOf(err).length]).toEqual([2, "", 1]);
		}
	});

	it.skipIf(noProc !== undefined)(
		`starts ranks again that were killed, and repeats their requests (needs processes: ${noProc ?? "seen"})`,
		async () => {
			const { child, clients, said, websocket } = await up(testFolder(), "--ranks", "2", "--transport", "zeromq");
			const client = await connect(clients.default!);
			const hard = generate("planks", { contacts: 3000, seed: 1 });
			const options = { tolerance: 1e-300, maxIterations: 300 };
			const answers = [1, 2, 3, 4].map(() => client.solve(hard, options));
			await until("it is at work", async () => (await metricsOf(websocket)).includes("service_requests_running{} 4"));
			const ranks = descendants(child.pid!);
			process.kill(ranks.at(-1)!.pid, "SIGKILL");
			const { hash } = solve(hard, options).report;
			expect((await Promise.all(answers)).map(({ report }) => report.hash)).toEqual([hash, hash, hash, hash]);
			expect(await metricsOf(websocket)).toContain("service_rank_losses_total{} 1\n");
			expect(said.err).toContain("the ranks were lost (rank ");
			await client.close();
			child.kill("SIGTERM");
			await until(
				"all processes have ended",
				() => ranks.every((rank) => !stillThere(rank)) && child.exitCode !== null,
			);
		},
	);

	it("ends at once with a second signal", async () => {
		const { child, ended, clients, said, websocket } = await up(testFolder());
		const client = await connect(clients.default!);
		const hard = generate("planks", { contacts: 5000, seed: 1 });
		const answer = client.solve(hard, { tolerance: 1e-14 }).catch(() => {});
		await until("it is at work", async () => (await metricsOf(websocket)).includes("service_requests_running{} 1"));
		child.kill("SIGTERM");
		await until("the first is heard", () => said.err.includes("answering what has begun"));
		child.kill("SIGTERM");
		expect((await ended).code).toBe(130);
		await client.close();
		await answer;
	});
});
