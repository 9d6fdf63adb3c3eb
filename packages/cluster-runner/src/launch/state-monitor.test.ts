import { expect, it } from "vitest";
import { slurmRun } from "../../testing/solve-line.js";
import { changeState, readState, renewState } from "../runs/state.js";
import { StateMonitor } from "./state-monitor.js";

it("a run that stops renewing its state is reported once, and once more when it renews it again", async () => {
	const { folder } = slurmRun();
	const clock = { now: 0 };
	const monitor = new StateMonitor(folder, () => clock.now);
	const look = (seconds: number) => {
		clock.now += 1000 * seconds;
		return monitor.poll(readState(folder));
	};
	// In the queue it may wait for days.
	expect([look(0), look(90_000)]).toEqual([undefined, undefined]);
	changeState(folder, { status: "running", attempt: 1 });
	expect([look(1), look(8), look(5.5)]).toEqual([undefined, undefined, undefined]);
	await new Promise((resolve) => setTimeout(resolve, 5));
	await renewState(folder);
	expect([look(1), look(14), look(1), monitor.seconds, look(60)]).toEqual([
		undefined,
		undefined,
		"silent",
		15,
		undefined,
	]);
	await new Promise((resolve) => setTimeout(resolve, 5));
	await renewState(folder);
	expect([look(1), look(13)]).toEqual(["renewed", undefined]);
	changeState(folder, { status: "stopped", exitCode: 75 });
	expect([look(1), look(60)]).toEqual([undefined, undefined]);
});

it("a file that was renewed after it was last read is not silent", async () => {
	const { folder } = slurmRun();
	changeState(folder, { status: "running", attempt: 1 });
	const old = readState(folder);
	const clock = { now: 0 };
	const monitor = new StateMonitor(folder, () => clock.now);
	monitor.poll(old);
	await new Promise((resolve) => setTimeout(resolve, 5));
	await renewState(folder);
	clock.now = 60_000;
	expect(monitor.poll(old)).toBeUndefined();
});
