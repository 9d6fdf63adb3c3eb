/** `stickslip stop`: requests that a run stops with a checkpoint, and waits until it has ended. */
import { setTimeout as pause } from "node:timers/promises";
import type { Command, Terminal } from "../cli/command.js";
import { runNote, runsOption } from "../cli/common-options.js";
import { currentStatus } from "../launchers/slurm/current-status.js";
import { readRun } from "../records/facts.js";
import { askToStop } from "../records/stop.js";
import { hasEnded, isResumable, readRunStatus } from "../runs/run-status.js";
import { cancelJob } from "../runs/scheduler.js";
import { changeState, type StatusName } from "../runs/state.js";
import { hasCheckpoint } from "../runs/view.js";
import { runOf } from "./status.js";

const WAIT_SECONDS = 60;
const LOOK_MS = 200;
const LOST_LOOKS = 10;

export const stop: Command = {
	name: "stop",
	usage: "[RUN] [--now] [--wait SECONDS]",
	what: "stops a run with a checkpoint, from which `resume` continues",
	options: [
		{ name: "now", what: "stop without a checkpoint; work since the last one is lost" },
		{ name: "wait", value: "SECONDS", what: `how long to wait for the run to end (default ${WAIT_SECONDS})` },
		runsOption,
	],
	notes: `
${runNote}
A job that still waits in the queue of its scheduler is removed from it.

Exit codes: 0 the run has ended, 1 it has not ended in time, 2 there was nothing to stop.
`,
	async run(args, terminal) {
		const folder = runOf(args);
		const { id } = readRun(folder);
		const wait = args.seconds("wait", "from 0", WAIT_SECONDS) ?? WAIT_SECONDS;
		const { state, ...runStatus } = readRunStatus(folder);
		const { status } = await currentStatus({ folder, state, runStatus });
		if (hasEnded(status)) {
			args.refuse(id, `is ${status}, so there is nothing to stop`, "stickslip runs lists all runs");
		}
		askToStop(folder, { isNow: args.flag("now") });
		const { job } = state;
		if (job !== undefined && (status === "waiting" || job.scheduler === "kubernetes")) {
			cancelJob(job);
			if (status === "waiting") changeState(folder, { status: hasCheckpoint(folder) ? "stopped" : "cancelled" });
		}
		return report(id, await ended(folder, wait), wait, terminal);
	},
};

async function ended(folder: string, seconds: number): Promise<StatusName> {
	const end = performance.now() + 1000 * seconds;
	// Between the end of the line and the final state written by its supervisor a run looks lost.
	for (let looks = 0; ; ) {
		const { status } = readRunStatus(folder);
		looks = status === "lost" ? looks + 1 : 0;
		if ((hasEnded(status) && (status !== "lost" || looks > LOST_LOOKS)) || performance.now() >= end) return status;
		await pause(LOOK_MS);
	}
}

function report(id: string, status: StatusName, seconds: number, { out, err }: Terminal): 0 | 1 {
	if (hasEnded(status)) {
		out(`${id}: ${status}${isResumable(status) ? `; stickslip resume ${id} continues it` : ""}`);
		return 0;
	}
	if (seconds === 0) {
		out(`${id}: stop requested`);
		return 0;
	}
	err(
		`stickslip: ${id} is still ${status} after ${seconds} s; the stop was requested: stickslip status shows when it has stopped`,
	);
	return 1;
}
