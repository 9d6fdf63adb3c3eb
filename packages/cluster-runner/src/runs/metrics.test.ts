import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseExposition } from "../../testing/exposition.js";
import { report } from "../../testing/report.js";
import { testFolder } from "../../testing/run-cli.js";
import { createRun } from "./folder.js";
import { METRICS_TYPE, metricsText } from "./metrics.js";
import { addReport } from "./reports.js";
import { metricsAddress, serveMetrics } from "./serve-metrics.js";
import { changeState } from "./state.js";
import { viewOf } from "./view.js";

const hostile = 'a "b"\\c\nd\re{}=,#.hdf5';

/** A run at work on its second problem. */
function atWork(): string {
	const line = ["solve", "one.hdf5", "two.hdf5"];
	const { folder } = createRun(testFolder(), { line, where: "local", restarts: 3, checkpoint: 9, capsule: false });
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
		expect((await fetch(server.url)).status).toBe(500);
		server.close();
		await expect(fetch(server.url)).rejects.toThrow();
	});

	it("tell in one line of a port that is taken", async () => {
		const other = createServer();
		onTestFinished(() => void other.close());
		await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
		const address = other.address();
		const port = typeof address === "object" && address !== null ? address.port : 0;
		await expect(serveMetrics("", { host: "127.0.0.1", port })).rejects.toThrow(
			`--metrics: 127.0.0.1:${port}: is in use by another program; choose another one`,
		);
	});
});
