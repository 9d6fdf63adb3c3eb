/** A run on another host, whose clock is an hour off, stands as the file system's own clock says. */
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { slurmRun } from "../../testing/solve-line.js";
import { readRunStatus } from "../runs/run-status.js";

it.each([-1, 1])("a clock that is %i h off makes no run lost", (hours) => {
	const { folder } = slurmRun();
	const file = join(folder, "state.json");
	const updated = new Date(Date.now() + 3_600_000 * hours).toISOString();
	writeFileSync(file, JSON.stringify({ status: "running", host: "far", pid: 5, updated, attempt: 1 }));
	expect(readRunStatus(folder)).toMatchObject({ status: "running", why: "" });
	const before = Date.now() / 1000 - 100;
	utimesSync(file, before, before);
	const why = expect.stringMatching(/^no heartbeat for 1\d\d s$/);
	expect(readRunStatus(folder)).toMatchObject({ status: "lost", why });
	expect(readdirSync(folder).filter((name) => name.startsWith(".clock"))).toEqual([]);
});
