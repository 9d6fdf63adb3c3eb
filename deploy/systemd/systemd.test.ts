/** The unit as systemd's own tools read it, with the command put where it is on this machine. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";

const unit = readFileSync(fileURLToPath(new URL("stickslip@.service", import.meta.url)), "utf8");
const analyze = (...words: string[]) => spawnSync("systemd-analyze", words, { encoding: "utf8", timeout: 30_000 });
const isMissing = analyze("--version").status !== 0;

/** The unit of one run, in a folder of its own. */
function written(text: string): string {
	const folder = mkdtempSync(join(tmpdir(), "stickslip-unit-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const local = text.replaceAll("/usr/local/bin/stickslip", process.execPath);
	writeFileSync(join(folder, "stickslip@.service"), local);
	const file = join(folder, "stickslip@20260101-000000-pile-kqzt.service");
	writeFileSync(file, local);
	return file;
}

describe.skipIf(isMissing)("the unit (skipped where systemd is not installed)", () => {
	const verify = (text: string) => {
		const { status, stdout, stderr } = analyze("verify", "--man=no", written(text));
		return { status, said: stdout + stderr };
	};

	it("is understood whole, and a mistake in it would be told", () => {
		expect(verify(unit)).toEqual({ status: 0, said: "" });
		expect(verify(unit.replace("KillMode=", "KilMode=")).said).toMatch(/KilMode/);
		expect(verify(unit.replace("TimeoutStopSec=5min", "TimeoutStopSec=soon")).said).toMatch(/soon/);
	});

	it("leaves a service little that it could do to the machine", () => {
		const { stdout } = analyze("security", "--offline=true", "--no-pager", written(unit));
		const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? [];
		expect(Number(exposure)).toBeLessThan(2.5);
	});
});

it("stops with time for a checkpoint, and knows what ends a run", () => {
	for (const line of ["SuccessExitStatus=75", "RestartPreventExitStatus=1 2", "Restart=on-failure", "KillMode=mixed"])
		expect(unit.split("\n")).toContain(line);
	expect(unit).toMatch(/^ExecStart=\S+\/stickslip resume %i$/m);
});
