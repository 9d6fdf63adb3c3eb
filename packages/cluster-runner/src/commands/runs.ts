/** `stickslip runs`: lists all runs. */
import { join } from "node:path";
import { InputError } from "@stickslip/core";
import { age, oneLine, small } from "../base/format.js";
import type { Command } from "../cli/command.js";
import { runsOption } from "../cli/common-options.js";
import { currentStatuses } from "../launchers/slurm/current-status.js";
import { type Column, head, row } from "../output/table.js";
import { listRuns } from "../records/find.js";
import { runsFolder } from "../runs/folder.js";
import { latest, shownStatus, viewAsJson } from "../runs/summary.js";
import { type View, viewOf } from "../runs/view.js";

export const runs: Command = {
	name: "runs",
	usage: "[--json]",
	what: "lists all runs",
	options: [runsOption, { name: "json", what: "print one JSON object per run, one per line" }],
	notes: `
Statuses: waiting (for a scheduler, also in its queue again, or for nodes), running, stopped (on
request, with a checkpoint), cancelled (on request, without a checkpoint), solved (done, if it is a
simulation or a study), unsolved (the report says why), refused (usage error or bad input), failed
(a rank or a host was lost), lost (its process ended without recording how, or does not respond).
\`stickslip resume RUN\` continues a run that is stopped, cancelled, failed or lost.
`,
	async run(args, terminal) {
		if (args.operands.length > 0) {
			args.refuse(args.operands[0] ?? "", "unknown argument", "use stickslip status RUN for one run");
		}
		const folder = runsFolder(args.text("runs"));
		const found: View[] = [];
		const ids = listRuns(folder);
		for (const id of ids) {
			try {
				found.push(viewOf(join(folder, id)));
			} catch (error) {
				if (!(error instanceof InputError)) throw error;
				terminal.err(`stickslip: ${oneLine(error.message)}`);
			}
		}
		const statuses = await currentStatuses(found);
		const views = found.map((view, index) => ({ ...view, runStatus: statuses[index]! }));
		if (args.flag("json")) for (const view of views) terminal.out(JSON.stringify(viewAsJson(view)));
		else if (views.length > 0) for (const line of table(views)) terminal.out(line);
		if (ids.length === 0 && !args.flag("json")) terminal.err(`stickslip: there are no runs in ${folder}`);
		return 0;
	},
};

function table(views: readonly View[]): string[] {
	const cells = views.map(cellsOf);
	const width = (index: number, least: number) => Math.max(least, ...cells.map((cell) => cell[index]?.length ?? 0));
	const columns: readonly Column[] = [
		{ title: "run", width: width(0, 3), align: "left" },
		{ title: "where", width: width(1, 5), align: "left" },
		{ title: "status", width: width(2, 6), align: "left" },
		{ title: "problem", width: width(3, 7), align: "left" },
		{ title: "error", width: 8, align: "right" },
		{ title: "progress", width: width(5, 8), align: "right" },
		{ title: "age", width: width(6, 3), align: "right" },
	];
	return [...head(columns), ...cells.map((cell) => row(columns, cell))];
}

function cellsOf(view: View): string[] {
	const { facts } = view;
	const { problem, error, done } = latest(view);
	return [
		facts.id,
		facts.where,
		shownStatus(view),
		oneLine(problem),
		error === undefined ? "" : small(error),
		done ?? "",
		age((Date.now() - Date.parse(facts.created)) / 1000),
	];
}
