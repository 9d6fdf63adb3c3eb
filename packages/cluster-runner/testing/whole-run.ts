/** A run's folder with every kind of file, and a function that reads all of it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { launchers } from "../src/launchers/launchers.js";
import { readLaunchOptions } from "../src/placement/launch-options.js";
import { placementIn } from "../src/placement/placement.js";
import { LogReader } from "../src/records/follow.js";
import { RunLog } from "../src/records/log.js";
import { addReport } from "../src/records/reports.js";
import { stopRequest } from "../src/records/stop.js";
import { readRequest } from "../src/requests/stored.js";
import { createRun } from "../src/runs/folder.js";
import { metricsText } from "../src/runs/metrics.js";
import { changeState } from "../src/runs/state.js";
import { viewAsJson, viewAsText } from "../src/runs/summary.js";
import { viewOf } from "../src/runs/view.js";
import { report } from "./report.js";
import { solveLine } from "./solve-line.js";

export const RUN_FILES = [
	"run.json",
	"request.json",
	"state.json",
	"progress.json",
	"report.jsonl",
	"placement.json",
	"launch.json",
	"logs/run.jsonl",
	"stop",
] as const;

/** Makes it in a folder of runs, and returns its own. */
export async function wholeRun(runs: string): Promise<string> {
	const line = solveLine(
		..."solve pile.hdf5 --tolerance 1e-8 --set m=2 --partition rcb --checkpoint 30 --json".split(" "),
	);
	const { folder } = createRun(runs, { ...line, where: "slurm", restarts: 1, checkpoint: 30, capsule: true });
	changeState(folder, { status: "running", attempt: 2, job: { scheduler: "slurm", id: "77" } });
	const progress = {
		...{ problem: "pile.hdf5", measure: "energy", tolerance: 1e-6, first: 1, best: 1e-3, iterations: 12, products: 13 },
		...{
			error: 1e-3,
			exact: true,
			seconds: 1,
			method: "pqn",
			rate: 10,
			decades: 0.5,
			input: 1,
			inputs: 2,
			contacts: 7,
		},
		updated: new Date().toISOString(),
	};
	const placement = { where: "slurm", nodes: 2, ranksPerNode: 2, between: "zeromq", waitSeconds: 60 };
	writeFileSync(join(folder, "progress.json"), JSON.stringify(progress, undefined, "\t"));
	writeFileSync(join(folder, "placement.json"), JSON.stringify(placement, undefined, "\t"));
	const launch = { where: "slurm", nodes: 2, options: { partition: "work" }, pass: ["--exclusive"] };
	writeFileSync(join(folder, "launch.json"), JSON.stringify(launch, undefined, "\t"));
	writeFileSync(join(folder, "stop"), JSON.stringify({ time: progress.updated, now: false }));
	addReport(folder, { input: 0, report });
	const log = new RunLog(folder);
	log.write("run", "info", "ready", { ranks: 4, seconds: 0.5 });
	await log.flush();
	return folder;
}

/** Any error but an InputError is a bug of a reader; so is a control character in output. */
export function readWholeRun(folder: string): void {
	const view = viewOf(folder);
	const texts = [metricsText([view]), viewAsText(view).join("\n"), JSON.stringify(viewAsJson(view))];
	for (const record of texts) if (record.includes("\u001b")) throw new Error(`a control character is shown: ${record}`);
	stopRequest(folder);
	placementIn(folder);
	readLaunchOptions(folder, launchers);
	readRequest(folder);
	for (const { event } of new LogReader(folder).read()) {
		if (typeof event !== "string") throw new Error("an event without a name");
	}
}
