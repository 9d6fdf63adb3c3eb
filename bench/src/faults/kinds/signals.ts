/** Requests to stop: by SIGTERM while a checkpoint is written, or by Slurm for a more urgent job. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Launched, pause } from "../../testing.js";
import type { FaultKind } from "../kind.js";

/** Checkpoints are written more often. */
const WRITE_SECONDS = 1;
const STOPPED_CODE = 75;

export const term: FaultKind = {
	ways: ["local", "ssh", "openmpi", "mpich"],
	open: () => ({
		code: STOPPED_CODE,
		isLasting: true,
		named: /^stickslip: stopp(ed|ing)/m,
		async strike({ launched }) {
			const isWriting = await duringWrite(launched);
			launched.signal("SIGTERM");
			return `the launcher, ${isWriting ? "while" : "not while"} writing`;
		},
	}),
};

export const preempt: FaultKind = {
	ways: ["slurm"],
	open: () => ({
		async strike({ cluster }) {
			await (await cluster.slurm()).preempt(0);
			return "the job";
		},
	}),
};

/** Waits for the next checkpoint to be in the middle of its writing; false where none came. */
async function duringWrite(launched: Launched): Promise<boolean> {
	const end = performance.now() + 1000 * WRITE_SECONDS;
	for (const checkpoints = join(launched.folder() ?? "", "checkpoints", "0"); performance.now() < end; ) {
		const half = namesIn(checkpoints).find((name) => name.startsWith(".writing-"));
		if (half !== undefined && namesIn(join(checkpoints, half)).some((name) => /^\d+$/.test(name))) return true;
		await pause(0.0005);
	}
	return false;
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		// Gone since it was seen.
		return [];
	}
}
