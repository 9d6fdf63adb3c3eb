/** Processes that are there, stopped, and gone. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { platform } from "node:os";
import { expect, it } from "vitest";
import { HeartbeatMonitor } from "../protocol/heartbeat-monitor.js";
import { isRunning } from "./proc.js";

/** A process that does nothing until it is killed by its id. */
function sleeper() {
	return spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"], { stdio: "ignore" });
}

it.skipIf(platform() !== "linux")(
	"a stopped process is not running, nor is one that has ended (needs Linux)",
	async () => {
		const child = sleeper();
		const pid = child.pid!;
		try {
			expect([isRunning(process.pid), isRunning(pid)]).toEqual([true, true]);
			child.kill("SIGSTOP");
			for (let look = 0; look < 10_000 && isRunning(pid); look += 1) await new Promise((done) => setTimeout(done, 10));
			expect(isRunning(pid)).toBe(false);
		} finally {
			child.kill("SIGKILL");
		}
		await once(child, "exit");
		expect(isRunning(pid)).toBe(false);
	},
);

it("a silent process that is running is given half a minute, another one three seconds", () => {
	const lost = (pid: number | undefined): number => {
		const heartbeats = new HeartbeatMonitor(0, pid);
		for (let now = 500; now < 60_000; now += 500) if (heartbeats.isLost(now)) return now;
		return Number.POSITIVE_INFINITY;
	};
	expect([lost(undefined), lost(process.pid)]).toEqual([3500, 30_500]);
});
