/** `stickslip status`: the status of one run, once or until it ends. */
import { setTimeout as pause } from "node:timers/promises";
import type { Arguments } from "../cli/arguments.js";
import type { Command, Terminal } from "../cli/command.js";
import { runNote, runsOption } from "../cli/common-options.js";
import { currentStatus } from "../launchers/slurm/current-status.js";
import { findRun } from "../records/find.js";
import { progressFileText } from "../records/progress.js";
import { runsFolder } from "../runs/folder.js";
import { metricsText } from "../runs/metrics.js";
import { hasEnded } from "../runs/run-status.js";
import { viewAsJson, viewAsText } from "../runs/summary.js";
import { type View, viewOf } from "../runs/view.js";

const WATCH_MS = 500;

export const status: Command = {
	name: "status",
	usage: "[RUN] [--json | --metrics] [--watch]",
	what: "shows the status of a run: progress, checkpoint, restarts, reports",
	options: [
		{ name: "json", what: "print one JSON object" },
		{ name: "metrics", what: "print metrics in the text format of Prometheus" },
		{ name: "watch", what: "show progress until the run ends, then the result" },
		runsOption,
	],
	notes: `
${runNote}

Examples: stickslip status --watch
          stickslip status 20261118-1457 --json
          stickslip status last --metrics > /var/lib/node_exporter/stickslip.prom
`,
	async run(args, terminal) {
		const folder = runOf(args);
		if (args.flag("json") && args.flag("metrics"))
			args.refuse("--metrics", "cannot be combined with --json", "give one of them");
		const view = args.flag("watch") ? await watched(folder, terminal) : await currentView(folder);
		if (args.flag("json")) terminal.out(JSON.stringify(viewAsJson(view)));
		else if (args.flag("metrics")) terminal.out(metricsText([view]).trimEnd());
		else for (const line of withBar(view, terminal)) terminal.out(line);
		return 0;
	},
};

/** The folder of the run that a line names. */
export function runOf(args: Arguments): string {
	const [name, extra] = args.operands;
	if (extra !== undefined) args.refuse(extra, "unknown argument", "name one run, or none for the last");
	return findRun(runsFolder(args.text("runs")), name);
}

async function currentView(folder: string): Promise<View> {
	const view = viewOf(folder);
	return { ...view, runStatus: await currentStatus(view) };
}

/** While a run is at work, its progress line comes first. */
function withBar(view: View, { columns }: Terminal): string[] {
	const [first = "", ...rest] = viewAsText(view);
	if (view.progress === undefined || view.runStatus.status !== "running") return [first, ...rest];
	return [first, `  ${progressFileText(view.progress, columns - 3)}`, ...rest];
}

async function watched(folder: string, terminal: Terminal): Promise<View> {
	for (;;) {
		const found = viewOf(folder);
		// A request to Slurm is needed only where the folder says that the run has ended.
		const view = hasEnded(found.runStatus.status) ? await currentView(folder) : found;
		if (hasEnded(view.runStatus.status) || terminal.closed) {
			terminal.passing("");
			return view;
		}
		const waiting = `${view.facts.id}: ${view.runStatus.status}`;
		terminal.passing(view.progress ? progressFileText(view.progress, terminal.columns - 1) : waiting);
		await pause(WATCH_MS);
	}
}
