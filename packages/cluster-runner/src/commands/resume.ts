/** `stickslip resume`: continues a run from its last checkpoint, with any number of ranks, at the same place or elsewhere. */
import { basename, dirname } from "node:path";
import { isJoined, TRANSPORTS } from "../base/transports.js";
import type { Arguments } from "../cli/arguments.js";
import type { Command, ExitCode, OptionSpec, Terminal } from "../cli/command.js";
import { runNote } from "../cli/common-options.js";
import { reportRun } from "../launch/begin.js";
import { reportEnd } from "../launch/here.js";
import { launchRequest, namesPlacement } from "../launch/launch-request.js";
import type { Launching } from "../launch/plan.js";
import { type Supervision, supervise } from "../launch/supervise.js";
import { launcherNamed, launchers } from "../launchers/launchers.js";
import { currentStatus } from "../launchers/slurm/current-status.js";
import { inside } from "../launchers/slurm/inside.js";
import { launchedWhere, RESTARTS_MAX, readLaunchOptions } from "../placement/launch-options.js";
import { placementIn } from "../placement/placement.js";
import { launchSpecs } from "../placement/specs.js";
import { choose } from "../ranks/choose.js";
import { claim } from "../records/claim.js";
import { readRun } from "../records/facts.js";
import { findRun } from "../records/find.js";
import { withdrawStop } from "../records/stop.js";
import { type ExecutionOptions, ranksIn } from "../requests/solve-request.js";
import { readRequest, writeRequest } from "../requests/stored.js";
import { type Run, runsFolder } from "../runs/folder.js";
import { provesUnsolved } from "../runs/kept.js";
import { readRunStatus } from "../runs/run-status.js";

/** Decided when the run was made, useless here, or with another meaning. */
const excluded = new Set(["dry-run", "checkpoint", "no-capsule", "inside"]);

const specs: readonly OptionSpec[] = [
	{
		name: "where",
		value: "WHERE",
		what: `where to continue: ${Object.keys(launchers).join(", ")} (default: as before)`,
	},
	{ name: "ranks", value: "N", what: "without a launcher: number of ranks, or auto (default: as before)" },
	{ name: "transport", value: "NAME", what: `without a launcher: ${TRANSPORTS.join(", ")} (default: as before)` },
	{
		name: "processes",
		value: "P",
		what: `without a launcher: number of processes for ${TRANSPORTS.filter(isJoined).join(" and ")} (default: as before, or 2 with --transport)`,
	},
	...launchSpecs(launchers).filter(({ name }) => !excluded.has(name)),
	{ name: "inside", what: "for batch scripts and services: supervise the run in this process" },
];

export const resume: Command = {
	name: "resume",
	usage: "[RUN] [options]",
	what: "continues a run from its last checkpoint, with any number of ranks",
	options: specs,
	notes: `
${runNote}
The problem and the options of the solve are those of the run. Where and how it runs may differ:
the options are those of \`stickslip launch\`, or --ranks, --transport and --processes for a run of
\`stickslip solve --checkpoint\`; their defaults are the values of the run, also where those followed
from the machine. A launched run names its placement, and the reason if it is another one: inside an
allocation of Slurm, for example, a run has the size of the allocation. The answer is that of an
uninterrupted run, bit for bit, for any number of nodes and ranks.

A run that has not ended is refused, and so is one that Slurm has queued again. A run that is solved
(exit code 0) or has ended unsolved (1) is not started again.

Examples: stickslip resume last
          stickslip resume last --ranks 4 --transport threads+zeromq
          stickslip resume 20261118-145703-pile-kqzt --where local --nodes 1 --ranks-per-node 2
`,
	run: (args, terminal) => resumed(args, terminal),
};

async function resumed(args: Arguments, terminal: Terminal): Promise<ExitCode> {
	const [name, extra] = args.operands;
	if (extra !== undefined) args.refuse(extra, "unknown argument", "name one run");
	const folder = findRun(runsFolder(args.text("runs")), name);
	const run = { id: basename(folder), folder };
	const { where, line } = readRun(folder);
	const launched = launchedWhere(folder);
	const isHere = launched === undefined && where === "here" && !namesPlacement(args);
	const isInside = args.flag("inside");
	if (!isInside) {
		const over = await ended(args, run, terminal);
		if (over !== undefined) return over;
	}
	const stored = readRequest(folder);
	const { how: asked } = stored;
	const how = resumedHow(args, asked, isHere);
	if (!isInside) {
		// Refused before anything of the run is changed; the supervisor claims it again.
		(await claim(folder)).release();
		withdrawStop(folder);
	}
	const command = { ...stored, how };
	if (how !== asked) writeRequest(folder, command);
	if (isInside) return await inside(folder, supervision(args));
	if (isHere) {
		reportRun(run, dirname(folder), terminal);
		const code = await supervise(folder, supervision(args));
		reportEnd(code, run, terminal);
		return code;
	}
	const place = where === "here" || where === "node" ? "local" : where;
	const before = readLaunchOptions(folder, launchers) ?? { where: place, options: {} };
	const placement = placementIn(folder);
	const request = launchRequest(args, launchers, { run, launched: { line, ...command }, before, placement });
	const launching: Launching = await launchers[request.where].load();
	return await launching.start({ ...request, runs: dirname(folder) }, terminal);
}

/** As before, except for what is given; a number of processes is tied to its transport. */
function resumedHow(args: Arguments, before: ExecutionOptions, isHere: boolean): ExecutionOptions {
	const now = ranksIn(args);
	const [name] = Object.keys(now);
	if (name === undefined) return before;
	if (!isHere) args.refuse(`--${name}`, "is for a run without a launcher", "use --nodes and --ranks-per-node");
	const { processes: _processes, ...others } = before;
	const how = { ...(now.transport === undefined ? before : others), ...now };
	choose(0, how);
	return how;
}

/** The exit code where there is nothing to resume. */
async function ended(args: Arguments, { id, folder }: Run, terminal: Terminal): Promise<ExitCode | undefined> {
	const { state, ...runStatus } = readRunStatus(folder);
	const { status } = await currentStatus({ folder, state, runStatus });
	if (status === "running" || status === "waiting") {
		const queued = state.attempt === 0 ? "has not started yet" : "is queued again, and continues by itself";
		const problem = status === "running" ? "is still running" : queued;
		return args.refuse(id, problem, `stickslip status ${id} shows it, stickslip stop ${id} stops it`);
	}
	if (status !== "solved" && status !== "unsolved") return undefined;
	const isElsewhere = launcherNamed(launchedWhere(folder) ?? "")?.hasReportsElsewhere ?? false;
	if (status === "unsolved" && !isElsewhere && !provesUnsolved(folder)) return undefined;
	const why = status === "solved" ? "is solved" : "has ended unsolved, its report says why";
	terminal.err(`stickslip: run ${id} ${why}; there is nothing to resume`);
	return status === "solved" ? 0 : 1;
}

function supervision(args: Arguments): Supervision {
	const restarts = args.integer("restarts", 0, RESTARTS_MAX, 3);
	const metrics = args.text("metrics");
	return { ...(restarts !== undefined && { restarts }), ...(metrics !== undefined && { metrics }) };
}
