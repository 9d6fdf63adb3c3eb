/** A launch that a signal ends before its line begins leaves nothing: neither a run's folder nor a process. */
import { spawn } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { soon } from "../../testing/processes.js";
import { testFolder } from "../../testing/run-cli.js";
import { isAlive } from "../base/proc.js";

const program = fileURLToPath(new URL("../../bin/stickslip.mjs", import.meta.url));

/** With a standard input that stays open. */
function begun(words: readonly string[], more: Readonly<Record<string, string>> = {}) {
	const folder = testFolder();
	const runs = join(folder, "runs");
	const env = { ...process.env, STICKSLIP_RUNS: runs, TMPDIR: folder, ...more };
	const child = spawn(process.execPath, [program, ...words], { env, stdio: ["pipe", "ignore", "ignore"] });
	onTestFinished(() => void child.kill("SIGKILL"));
	const ended = new Promise<number | null>((resolve) => child.on("exit", (code) => resolve(code)));
	const left = () => [folder, runs].flatMap((each) => (existsSync(each) ? readdirSync(each) : []));
	return { child, ended, left, runs };
}

for (const signal of ["SIGHUP", "SIGTERM", "SIGINT"] as const) {
	const code = 128 + constants.signals[signal];

	it(`${signal}: a run that still takes in standard input is not there`, async () => {
		const { child, ended, left, runs } = begun(["launch", "local", "--", "solve", "-"]);
		const takesIn = () => existsSync(runs) && readdirSync(runs).some((id) => existsSync(join(runs, id, "stdin.hdf5")));
		expect(await soon(takesIn)).toBe(true);
		child.kill(signal);
		expect([await ended, left()]).toEqual([code, ["runs"]]);
	});

	it(`${signal}: a host that is still asked is not asked any more`, async () => {
		const folder = testFolder();
		const ssh = join(folder, "ssh");
		writeFileSync(ssh, `#!/bin/sh\necho $$ > ${folder}/pid.part; mv ${folder}/pid.part ${folder}/pid\nexec sleep 60\n`);
		chmodSync(ssh, 0o755);
		const { child, ended, left } = begun(["launch", "ssh", "--host", "a", "--", "solve", "x"], { STICKSLIP_SSH: ssh });
		expect(await soon(() => existsSync(join(folder, "pid")))).toBe(true);
		const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
		onTestFinished(() => {
			if (isAlive(pid)) process.kill(pid, "SIGKILL");
		});
		child.kill(signal);
		expect([await ended, left()]).toEqual([code, []]);
		expect(await soon(() => !isAlive(pid))).toBe(true);
	});
}
