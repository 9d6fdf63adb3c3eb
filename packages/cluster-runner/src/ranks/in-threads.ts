/** All ranks as threads of this process. */
import { Control, cores } from "@stickslip/comm";
import type { Outcome } from "@stickslip/core/parallel";
import { startCrew } from "./crew.js";
import { type Job, onAbort } from "./job.js";
import { progressReader } from "./progress.js";

const PROGRESS_MS = 50;

export async function inThreads({ choice, source, options, patience, signal, onProgress }: Job): Promise<Outcome[]> {
	const { ranks } = choice;
	const control = Control.create();
	const available = cores();
	const crew = startCrew({
		ranks,
		firstRank: 0,
		threads: ranks,
		share: (rank) => source.cut(rank),
		options,
		link: { kind: "threads" },
		ranksHere: ranks,
		cores: ranks <= available.length ? available : [],
		patienceSeconds: patience,
		control,
	});
	const unwatch = onAbort(signal, (code) => control.requestStop(code));
	const read = progressReader(control);
	const timer = setInterval(() => {
		const now = read();
		if (now) onProgress?.(now);
	}, PROGRESS_MS);
	try {
		return await crew.outcomes;
	} finally {
		clearInterval(timer);
		unwatch();
	}
}
