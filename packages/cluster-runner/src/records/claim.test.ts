/** Only one process may supervise a run, and claims of ended processes do not count. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claim } from "./claim.js";

let folder = "";
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "stickslip-claim-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const claimed = (host: string, pid: number, began = "") =>
	writeFileSync(join(folder, "supervisor-other"), JSON.stringify({ renewals: "0", host, pid, began }));

describe("the claim of a supervisor", () => {
	it("refuses a second one in one line, and leaves nothing when it is released", async () => {
		const first = await claim(folder);
		await expect(claim(folder)).rejects.toThrow(
			`already has a supervisor (process ${process.pid}); stop it first: stickslip stop`,
		);
		first.release();
		expect(readdirSync(folder)).toEqual([]);
		(await claim(folder)).release();
	});

	it("is one supervisor's at the most, of many that come at once", async () => {
		const all = await Promise.allSettled(Array.from({ length: 8 }, () => claim(folder)));
		const held = all.filter(({ status }) => status === "fulfilled");
		expect(held.length).toBeLessThanOrEqual(1);
		for (const each of all) if (each.status === "fulfilled") each.value.release();
		expect(readdirSync(folder)).toEqual([]);
	});

	it("of a process that is gone, or of another one with its number, counts for nothing", async () => {
		const child = spawn(process.execPath, ["-e", "0"]);
		await once(child, "exit");
		claimed(hostname(), child.pid ?? 0);
		(await claim(folder)).release();
		claimed(hostname(), process.pid, "1");
		(await claim(folder)).release();
		expect(readdirSync(folder)).toEqual([]);
	});

	it("of another host counts while it is renewed", async () => {
		claimed("elsewhere", 1);
		let renewals = 0;
		const timer = setInterval(() => {
			renewals += 1;
			claimed("elsewhere", 1, String(renewals));
		}, 100);
		try {
			await expect(claim(folder)).rejects.toThrow("process 1 on elsewhere");
		} finally {
			clearInterval(timer);
		}
	});

	it("of another host counts for nothing where it is of the same run: a run has one supervisor", async () => {
		const mine = { place: "x", problem: "x", remedy: "x", prefix: "supervisor-" };
		const other = { renewals: "0", host: "elsewhere", machine: "0", pid: 1, began: "", run: "/runs/one" };
		const file = join(folder, "supervisor-other");
		writeFileSync(file, JSON.stringify(other));
		const own = await claim(folder, { ...mine, run: "/runs/one" });
		expect(readdirSync(folder)).toEqual([own.file.slice(folder.length + 1)]);
		own.release();
	});

	it("of a container with this host's name is not that of a process here", async () => {
		const there = { host: hostname(), machine: "another", pid: 2 ** 22 + 1, began: "1", run: "" };
		const file = join(folder, "supervisor-other");
		let renewals = 0;
		const renew = () => {
			renewals += 1;
			writeFileSync(file, JSON.stringify({ renewals: String(renewals), ...there }));
		};
		renew();
		const timer = setInterval(renew, 100);
		try {
			await expect(claim(folder)).rejects.toMatchObject({ place: "run" });
		} finally {
			clearInterval(timer);
		}
	});

	it("to another thing in the folder does not matter", async () => {
		const of = (prefix: string) => ({ place: prefix, problem: "is written", remedy: "wait", prefix });
		const [one, other] = [await claim(folder, of(".a-claim-")), await claim(folder, of(".b-claim-"))];
		await expect(claim(folder, of(".a-claim-"))).rejects.toMatchObject({ source: folder, place: ".a-claim-" });
		one.release();
		(await claim(folder, of(".a-claim-"))).release();
		other.release();
		expect(readdirSync(folder)).toEqual([]);
	});

	it("tells a supervisor that was taken for dead", async () => {
		const own = await claim(folder);
		const lost = new Promise<void>((resolve) => {
			own.onLost = resolve;
		});
		for (const name of readdirSync(folder)) rmSync(join(folder, name));
		await lost;
		own.release();
	});
});
