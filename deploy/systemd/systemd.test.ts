/** The units as systemd's own tools read them, with the command put where it is on this machine. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { serveSpecs } from "../../packages/cluster-runner/src/service/serve-options.js";

const textOf = (name: string) => readFileSync(fileURLToPath(new URL(name, import.meta.url)), "utf8");
const run = textOf("stickslip-run@.service");
const service = textOf("stickslip.service");
const analyze = (...words: string[]) => spawnSync("systemd-analyze", words, { encoding: "utf8", timeout: 240_000 });
const isMissing = analyze("--version").status !== 0;

/** A unit in a folder of its own, that of a run as the one of this run. */
function written(text: string): string {
	const folder = mkdtempSync(join(tmpdir(), "stickslip-unit-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const local = text.replaceAll("/usr/local/bin/stickslip", process.execPath);
	writeFileSync(join(folder, "stickslip-run@.service"), local);
	const isRun = text.includes("resume %i");
	const file = join(folder, isRun ? "stickslip-run@20260101-000000-pile-kqzt.service" : "stickslip.service");
	writeFileSync(file, local);
	return file;
}

// They are skipped where systemd is not installed.
describe.skipIf(isMissing).each([
	["stickslip-run@", run],
	["stickslip", service],
])("%s (needs systemd)", (_, unit) => {
	const verify = (text: string) => {
		const { status, stdout, stderr } = analyze("verify", "--man=no", written(text));
		return { status, said: stdout + stderr };
	};

	it("is understood whole, and a mistake in it would be told", () => {
		expect(verify(unit)).toEqual({ status: 0, said: "" });
		expect(verify(unit.replace("KillMode=", "KilMode=")).said).toMatch(/KilMode/);
		expect(verify(unit.replace(/TimeoutStopSec=.*/, "TimeoutStopSec=soon")).said).toMatch(/soon/);
	});

	it("leaves a service little that it could do to the machine", () => {
		const { stdout } = analyze("security", "--offline=true", "--no-pager", written(unit));
		const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? [];
		expect(Number(exposure)).toBeLessThan(2.5);
	});
});

it("a run stops with time for a checkpoint, and its unit knows what ends it", () => {
	for (const line of ["SuccessExitStatus=75", "RestartPreventExitStatus=1 2", "Restart=on-failure", "KillMode=mixed"])
		expect(run.split("\n")).toContain(line);
	expect(run).toMatch(/^ExecStart=\S+\/stickslip resume %i$/m);
});

it("the service has time to answer what has begun, and is not started again for bad use", () => {
	for (const line of ["Restart=on-failure", "RestartPreventExitStatus=2", "KillMode=mixed", "KillSignal=SIGTERM"])
		expect(service.split("\n")).toContain(line);
	expect(service).toMatch(/^ExecStart=\S+\/stickslip serve \$OPTIONS$/m);
	const [, seconds] = /^TimeoutStopSec=(\d+)s$/m.exec(service) ?? [];
	const drain = serveSpecs.find(({ name }) => name === "drain")!;
	expect(Number(seconds)).toBeGreaterThan(Number(/default (\d+)/.exec(drain.what)?.[1]));
});
