/** A run whose ports strangers have found: it keeps within its limits of memory and continues; sockets inside a machine are out of reach. */
import type { ChildProcess } from "node:child_process";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { portsOf, residentMemory } from "../testing/listening.js";
import { marked, noProc, rankProcesses, soon } from "../testing/processes.js";
import { emptyFolder, linesOf, runCli, testFolder } from "../testing/run-cli.js";
import { runHere } from "../testing/run-here.js";
import { sendStrangers } from "./testing/strangers.js";
import { pause, until } from "./testing/wait.js";

const folder = emptyFolder();
const file = join(folder, "planks.hdf5");
/** Minutes of work. */
const endless = ["--method", "pqn-diagonal", "--tolerance", "1e-300", "--max-iterations", "1000000000"];
const STRANGERS = 28;
const STRANGE_SECONDS = 4;
const MEMORY_MAX = 64;

beforeAll(() => runHere(["generate", "planks", "--contacts", "300", "--output", file]));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let runs = 0;

async function started(env: Record<string, string>) {
	runs += 1;
	const mark = `STICKSLIP_TEST_STRANGE=${process.pid}.${runs}.`;
	let hub: ChildProcess | undefined;
	const words = ["solve", file, ...endless, "--ranks", "2", "--transport", "zeromq", "--json"];
	const ended = runCli(words, {
		env: { STICKSLIP_TEST_STRANGE: mark.split("=")[1] ?? "", ...env },
		started: (child) => {
			hub = child;
		},
	});
	onTestFinished(() => {
		for (const { pid } of marked(mark)) process.kill(pid, "SIGKILL");
	});
	expect(await soon(() => rankProcesses(mark).length === 2), "the processes start").toBe(true);
	return { ended, hub: hub!, pids: [hub!.pid!, ...rankProcesses(mark)] };
}

describe.skipIf(noProc !== undefined)(`strangers at the ports of a run (needs processes: ${noProc ?? "seen"}),`, () => {
	it("cost it less than 64 MiB, and it goes on", async () => {
		// Hub and ranks listen on the loopback, as they do where there is no folder for their sockets.
		const { ended, hub, pids } = await started({ STICKSLIP_CURVE: "always" });
		const areOpen = () => pids.every((pid) => portsOf(pid).length >= 1);
		expect(await soon(areOpen), "all listen").toBe(true);
		await pause(1);
		const before = pids.map(residentMemory);
		const growth = pids.map(() => 0);
		const crowds = pids.flatMap(portsOf).map((port) => sendStrangers({ port, count: STRANGERS, bytesMax: 3e8 }));
		onTestFinished(() => crowds.forEach((each) => void each.stop()));
		const timer = setInterval(() => {
			for (const [at, pid] of pids.entries()) growth[at] = Math.max(growth[at]!, residentMemory(pid) - before[at]!);
		}, 50);
		await pause(STRANGE_SECONDS);
		for (const crowd of crowds) {
			await until("all have connected", () => crowd.connected >= STRANGERS);
			// Those who only wait are sent away too, as the others are at once.
			await until("all are sent away", () => crowd.sentAway >= STRANGERS);
			crowd.stop();
		}
		clearInterval(timer);
		console.log(`strangers: ${growth.map((each) => each.toFixed(1)).join(", ")} MiB more in the hub and its ranks`);
		expect(Math.max(...growth)).toBeLessThan(MEMORY_MAX);
		hub.kill("SIGINT");
		const { code, out } = await ended;
		expect([code, JSON.parse(linesOf(out)[0] ?? "{}")]).toMatchObject([1, { status: "cancelled", ranks: 2 }]);
	});
});

describe("sockets of a hub and ranks on one machine", () => {
	it("are in a folder of their user's alone, which is gone afterwards", async (context) => {
		if (noProc !== undefined) context.skip(`needs processes: ${noProc}`);
		for (const how of ["SIGINT", "SIGKILL"] as const) {
			const temporary = testFolder();
			const { ended, hub, pids } = await started({ TMPDIR: temporary, XDG_RUNTIME_DIR: "" });
			const sockets = () => readdirSync(temporary).flatMap((name) => readdirSync(join(temporary, name)));
			expect(await soon(() => sockets().length === 3), "all listen").toBe(true);
			const [made = ""] = readdirSync(temporary);
			expect(statSync(join(temporary, made)).mode & 0o777).toBe(0o700);
			expect(pids.map((pid) => portsOf(pid).length)).toEqual([0, 0, 0]);
			hub.kill(how);
			await ended;
			await soon(() => readdirSync(temporary).length === 0);
			expect(readdirSync(temporary), how).toEqual([]);
		}
	});
});
