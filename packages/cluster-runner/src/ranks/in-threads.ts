/** All ranks as threads of this process. */
import { hostname } from "node:os";
import { Control, cores } from "@stickslip/comm";
import type { Outcome } from "@stickslip/core/parallel";
import { describeFailure } from "../base/last-resort.js";
import { progressReader } from "../protocol/progress.js";
import { type Job, onAbort } from "./job.js";
import { startLocalRanks } from "./local-ranks.js";

const PROGRESS_MS = 50;

export async function inThreads(job: Job): Promise<Outcome[]> {
	const { choice, source, options, patience, onProgress, events } = job;
	const { ranks } = choice;
	source.partition();
	const control = Control.create();
	const available = cores();
	const localRanks = startLocalRanks({
		ranks,
		firstRank: 0,
		threads: ranks,
		share: (rank) => {
			const cut = source.cut(rank);
			events.write(rank, "info", "started", { host: hostname(), pid: process.pid, contacts: cut.share.ownContacts });
			return cut;
		},
		options,
		link: { kind: "threads" },
		ranksHere: ranks,
		cores: ranks <= available.length ? available : [],
		patienceSeconds: patience,
		control,
		watch: events,
	});
	const unwatch = onAbort(job, (code) => control.requestStop(code));
	const read = progressReader(control);
	const look = () => {
		const now = read();
		if (now) onProgress?.(now);
		if (events.isSaveDue) control.requestSave();
	};
	const timer = setInterval(() => {
		try {
			look();
		} catch (error) {
			control.abort(-1, `the process that started the run failed: ${describeFailure(error)}`);
		}
	}, PROGRESS_MS);
	try {
		return await localRanks.outcomes;
	} finally {
		clearInterval(timer);
		unwatch();
	}
}
