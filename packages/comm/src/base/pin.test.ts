import { readFileSync } from "node:fs";
import { platform } from "node:os";
import { Worker } from "node:worker_threads";
import { afterAll, describe, expect, it } from "vitest";
import { bundle } from "../testing/bundle.js";
import { cores, pin } from "./pin.js";

const program = bundle(new URL("./pin.ts", import.meta.url));
afterAll(() => program.remove());

/** Pins a thread of its own, so that this one stays free; returns what the thread then sees. */
async function pinned(core: number): Promise<{ done: boolean; cores: number[] }> {
	const text = `
		const { parentPort } = require("node:worker_threads");
		import(${JSON.stringify(program.file)}).then(({ pin, cores }) => parentPort.postMessage({ done: pin(${core}), cores: cores() }));
	`;
	const worker = new Worker(text, { eval: true });
	try {
		return await new Promise((resolve, reject) => {
			worker.once("message", resolve);
			worker.once("error", reject);
		});
	} finally {
		await worker.terminate();
	}
}

describe("pinning", () => {
	const mine = cores();

	it("knows the cores of this process", () => {
		expect(mine.length).toBeGreaterThan(0);
		expect([...mine].sort((a, b) => a - b)).toEqual(mine);
		if (platform() !== "linux") return;
		const allowed = /^Cpus_allowed_list:\s*(.*)$/m.exec(readFileSync("/proc/thread-self/status", "utf8"))?.[1] ?? "";
		const listed = allowed.split(",").flatMap((range) => {
			const [from = 0, to = from] = range.split("-").map(Number);
			return Array.from({ length: to - from + 1 }, (_, i) => from + i);
		});
		expect(mine).toEqual(listed);
	});

	it.skipIf(platform() !== "linux")("keeps one thread on its core, and no other (needs Linux)", async () => {
		const last = mine.at(-1) ?? 0;
		expect(await pinned(last)).toEqual({ done: true, cores: [last] });
		expect(cores()).toEqual(mine);
	});

	it("says so where it cannot", async () => {
		for (const core of [-1, 0.5, 1023, 5000]) expect(pin(core), `core ${core}`).toBe(false);
		expect(cores()).toEqual(mine);
	});
});
