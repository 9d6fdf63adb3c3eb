import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseExposition } from "../../testing/exposition.js";
import { report } from "../../testing/report.js";
import { testFolder } from "../../testing/run-cli.js";
import { solveLine } from "../../testing/solve-line.js";
import { METRICS_TYPE } from "../output/exposition.js";
import { addReport } from "../records/reports.js";
import { until } from "../testing/wait.js";
import { createRun } from "./folder.js";
import { metricsText } from "./metrics.js";
import { serveMetricsInThread } from "./metrics-in-thread.js";
import { metricsAddress, serveMetrics } from "./serve-metrics.js";
import { changeState } from "./state.js";
import { viewOf } from "./view.js";

const hostile = 'a "b"\\c\nd\re{}=,#.hdf5';

/** A run at work on its second problem. */
function atWork(): string {
	const line = solveLine("solve", "one.hdf5", "two.hdf5");
	const { folder } = createRun(testFolder(), { ...line, where: "local", restarts: 3, checkpoint: 9, capsule: false });
	changeState(folder, { status: "running", attempt: 3 });
	addReport(folder, { input: 0, report: { ...report, problem: hostile } });
	const progress = {
		...{ problem: hostile, measure: "energy", tolerance: 1e-6, first: 1, best: 1e-3, iterations: 120, products: 130 },
		...{ error: null, exact: false, seconds: 4.5, method: "pqn", input: 1, inputs: 2, contacts: 7 },
		updated: new Date().toISOString(),
	};
	writeFileSync(join(folder, "progress.json"), JSON.stringify(progress));
	return folder;
}

describe("metrics", () => {
	it("follow the exposition format, whatever names are in them", () => {
		const view = viewOf(atWork());
		const samples = parseExposition(metricsText([view]));
		const of = (name: string) => samples.filter((sample) => sample.name === `stickslip_${name}`);
		expect(of("iterations_total")).toMatchObject([
			{ type: "counter", labels: { run: view.facts.id, problem: hostile.replace("\r", " ") }, value: 120 },
		]);
		expect(of("error")[0]?.value).toBeNaN();
		expect(of("run_restarts_total")).toMatchObject([{ value: 2 }]);
		expect(of("report_solved")).toMatchObject([{ labels: { input: "0" }, value: 1 }]);
		expect(of("run_status").filter(({ value }) => value === 1)).toMatchObject([{ labels: { status: "running" } }]);
	});

	it("of many runs keep each metric in one block", () => {
		const text = metricsText([viewOf(atWork()), viewOf(atWork())]);
		expect(new Set(parseExposition(text).map(({ labels }) => labels.run)).size).toBe(2);
		expect(text.match(/# TYPE stickslip_error gauge/g)).toHaveLength(1);
	});

	it.each([
		["9400", { host: "127.0.0.1", port: 9400 }],
		[":9400", { host: "127.0.0.1", port: 9400 }],
		["0.0.0.0:1", { host: "0.0.0.0", port: 1 }],
		["[::1]:80", { host: "::1", port: 80 }],
		["node-7.cluster:9400", { host: "node-7.cluster", port: 9400 }],
	])("are served at %s", (text, address) => {
		expect(metricsAddress(text, "launch")).toEqual(address);
	});

	it.each(["", "host", "host:", "host:99999", "[x]:1", "::1:80", "http://a:1", "a b:1"])(
		"are not served at %j",
		(text) => {
			expect(() => metricsAddress(text, "launch")).toThrow("is not of the form HOST:PORT; write e.g.");
		},
	);

	it("are served while the run is at work, on this machine only", async () => {
		const folder = atWork();
		const server = await serveMetrics(folder, metricsAddress("0", "launch"));
		onTestFinished(() => server.close());
		expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
		const answer = await fetch(server.url);
		expect([answer.status, answer.headers.get("content-type")]).toEqual([200, METRICS_TYPE]);
		expect(parseExposition(await answer.text()).length).toBeGreaterThan(15);
		expect((await fetch(new URL("/", server.url))).status).toBe(404);
		expect((await fetch(server.url, { method: "POST" })).status).toBe(405);
		writeFileSync(join(folder, "state.json"), "{");
		// A result is reused for a second, for any number of clients.
		expect((await fetch(server.url)).status).toBe(200);
		const isReadAnew = async () => (await fetch(server.url)).status === 500;
		await until("the folder is read anew", isReadAnew);
		server.close();
		await expect(fetch(server.url)).rejects.toThrow();
	});

	it("come from a thread of their own: whoever serves them may be busy, or asked by hundreds who say nothing", async () => {
		const server = await serveMetricsInThread(atWork(), metricsAddress("0", "launch"));
		onTestFinished(() => server.close());
		const { hostname, port } = new URL(server.url);
		const silent = Array.from({ length: 300 }, () => connect(Number(port), hostname).on("error", () => {}));
		onTestFinished(() => {
			for (const each of silent) each.destroy();
		});
		// All but some are refused at once, and those after a while. The system may have queued one that the server never sees.
		const gone = () => silent.filter(({ destroyed }) => destroyed).length;
		await until("the silent ones are gone", () => gone() >= 0.95 * silent.length);
		const ask = `console.log((await (await fetch("${server.url}")).text()).includes("stickslip_run_info"))`;
		// This thread waits for the answer, so it cannot give it.
		const asked = spawnSync(process.execPath, ["--input-type=module", "--eval", ask], {
			encoding: "utf8",
			timeout: 240_000,
		});
		expect(asked.stdout).toBe("true\n");
	});

	it("are served on an address of IPv6", async () => {
		const server = await serveMetrics(atWork(), metricsAddress("[::1]:0", "launch"));
		onTestFinished(() => server.close());
		expect(server.url).toMatch(/^http:\/\/\[::1\]:\d+\/metrics$/);
		expect((await fetch(server.url)).status).toBe(200);
	});

	it("tell in one line of a port that is taken", async () => {
		const other = createServer();
		onTestFinished(() => void other.close());
		await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
		const address = other.address();
		const port = typeof address === "object" && address !== null ? address.port : 0;
		for (const serve of [serveMetrics, serveMetricsInThread]) {
			const refused = serve("", { host: "127.0.0.1", port });
			const told = `--metrics: 127.0.0.1:${port}: is in use by another program; choose another one`;
			await expect(refused).rejects.toThrow(told);
		}
	});
});
