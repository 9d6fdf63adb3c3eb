/** What a killed process leaves of a file it was writing: nothing, or what the next one removes. */
import type { ChildProcess } from "node:child_process";
import { readdirSync, statSync, watch } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Ended, runCli, testFolder } from "../testing/run-cli.js";

/** Large enough that it is not written before somebody sees that it is being written. */
const words = ["generate", "spheres", "--contacts", "40000", "--output", "pile.hdf5"];

const unfinished = (folder: string) => readdirSync(folder).filter((name) => name.endsWith(".part"));

/** Runs the line in a folder, and calls `seen` once, as soon as something is written to an unfinished file that was not there before. */
async function whileWriting(
	cwd: string,
	seen: (child: ChildProcess, name: string) => void | Promise<void>,
): Promise<Ended> {
	const before = unfinished(cwd);
	let watched: Promise<void> | undefined;
	let child: ChildProcess | undefined;
	const look = () => {
		const name = unfinished(cwd).find((each) => !before.includes(each));
		if (name === undefined || watched !== undefined || child === undefined) return;
		if ((statSync(join(cwd, name), { throwIfNoEntry: false })?.size ?? 0) === 0) return;
		watched = Promise.resolve(seen(child, name));
	};
	const watcher = watch(cwd, look);
	try {
		const ended = await runCli(words, {
			cwd,
			started: (started) => {
				child = started;
			},
		});
		expect(watched).toBeDefined();
		await watched;
		return ended;
	} finally {
		watcher.close();
	}
}

describe("an unfinished file", () => {
	it.each([
		["SIGINT", 130],
		["SIGTERM", 143],
		["SIGHUP", 129],
	] as const)("goes with the process that is ended by %s", async (signal, expected) => {
		const cwd = testFolder();
		const { code, err } = await whileWriting(cwd, (child) => void child.kill(signal));
		expect([code, err]).toEqual([expected, ""]);
		expect(readdirSync(cwd)).toEqual([]);
	});

	it("of a killed process is removed by the next that writes there, of a live one not, also where that is stopped", async () => {
		const cwd = testFolder();
		const killed = await whileWriting(cwd, (child) => void child.kill("SIGKILL"));
		expect([killed.signal, unfinished(cwd).length]).toEqual(["SIGKILL", 1]);
		const [left] = unfinished(cwd);
		let other: Ended | undefined;
		const stopped = await whileWriting(cwd, async (child, own) => {
			child.kill("SIGSTOP");
			try {
				expect(own).not.toBe(left);
				other = await runCli(words, { cwd });
				expect(unfinished(cwd)).toEqual([own]);
			} finally {
				child.kill("SIGCONT");
			}
		});
		expect([stopped.code, other?.code]).toEqual([0, 0]);
		expect(readdirSync(cwd)).toEqual(["pile.hdf5"]);
		expect(statSync(join(cwd, "pile.hdf5")).size).toBeGreaterThan(1e7);
	});
});
