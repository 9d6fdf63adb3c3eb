/** A rank that is killed takes all others along within 5 s, at any moment, and nothing stays behind. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Random } from "@stickslip/core";
import { afterAll, describe, expect, it } from "vitest";
import { bundle } from "../testing/bundle.js";
import { installed, startMpi } from "../testing/mpi-start.js";
import { isThorough } from "../testing/thorough.js";

const RANKS = 3;
const program = bundle(new URL("../testing/mpi-victim.ts", import.meta.url));
afterAll(() => program.remove());

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function until(isDone: () => boolean, milliseconds: number): Promise<boolean> {
	for (const end = performance.now() + milliseconds; performance.now() < end; await pause(20)) {
		if (isDone()) return true;
	}
	return isDone();
}

/** A zombie process is not alive. */
function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		const stat = `/proc/${pid}/stat`;
		return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, "utf8"));
	} catch {
		return false;
	}
}

/** Files of shared memory that a process has mapped; each library keeps some while it runs. */
function sharedMemory(pid: number): string[] {
	const maps = `/proc/${pid}/maps`;
	if (!existsSync(maps)) return [];
	return [...readFileSync(maps, "utf8").matchAll(/ (\/dev\/shm\/\S+)$/gm)].map(([, path = ""]) => path);
}

describe.each(["openmpi", "mpich"] as const)("mpi (%s)", (kind) => {
	const mpirun = installed(kind);

	it.for(isThorough ? [1, 2, 3] : [1])("a rank is killed, seed %i", async (seed, context) => {
		if ("absent" in mpirun) return context.skip(`needs ${kind}: ${mpirun.absent}`);
		const random = new Random(seed, 9);
		const folder = mkdtempSync(join(tmpdir(), "stickslip-kill-"));
		const started = startMpi(mpirun, RANKS, [program.file, folder]);
		try {
			const files = Array.from({ length: RANKS }, (_, rank) => join(folder, `pid-${rank}`));
			const written = () => files.every((file) => existsSync(file) && readFileSync(file, "utf8") !== "");
			expect(await until(written, 45_000), "all ranks talk").toBe(true);
			const pids = files.map((file) => Number(readFileSync(file, "utf8")));
			const memory = pids.flatMap(sharedMemory);
			await pause(300 * random.uniform());
			process.kill(pids[random.below(RANKS)] ?? 0, "SIGKILL");
			expect(await until(() => !pids.some(isAlive), 5000), "all ranks are gone").toBe(true);
			const { code } = await started.ended;
			expect(code, "mpirun tells of it").not.toBe(0);
			expect(
				memory.filter((path) => existsSync(path)),
				"nothing stays",
			).toEqual([]);
		} finally {
			await started.end();
			rmSync(folder, { recursive: true, force: true });
		}
	});
});
