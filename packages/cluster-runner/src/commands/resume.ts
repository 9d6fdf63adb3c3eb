/** `stickslip resume`: continues a run from its last checkpoint, with any number of ranks, at the same place or elsewhere. */
import { basename, dirname } from "node:path";
import type { Command, ExitCode, OptionSpec, Terminal } from "../cli/command.js";
import type { Given } from "../cli/given.js";
import { reportRun } from "../launch/begin.js";
import { claim } from "../launch/claim.js";
import { reportEnd } from "../launch/here.js";
import { launchRequest, RESTARTS_MAX } from "../launch/launch-request.js";
import { type Supervision, supervise } from "../launch/supervise.js";
import { launchers } from "../launchers/launchers.js";
import { inside } from "../launchers/slurm/inside.js";
import { givenForResume, readLaunchRecord } from "../placement/launch-record.js";
import { launchSpecs, WHERES } from "../placement/specs.js";
import { type RunFacts, readRun } from "../records/facts.js";
import { findRun } from "../records/find.js";
import { withdrawStop } from "../records/stop.js";
import { type Run, runsFolder } from "../runs/folder.js";
import { provesUnsolved } from "../runs/kept.js";
import { readRunStatus } from "../runs/run-status.js";

/** Decided when the run was made, of no use here, or of another meaning. */
const excluded = new Set(["dry-run", "checkpoint", "no-capsule", "inside"]);

const specs: readonly OptionSpec[] = [
	{ name: "where", value: "WHERE", what: `where to continue: ${WHERES.join(", ")} (default: as before)` },
	...launchSpecs.filter(({ name }) => !excluded.has(name)),
	{ name: "inside", what: "for batch scripts and services: supervise the run in this process" },
];

export const resume: Command = {
	name: "resume",
	usage: "[RUN] [options]",
	what: "continues a run from its last checkpoint, with any number of ranks",
	options: specs,
	notes: `
RUN is an id, the beginning of one, its last letters, the path of a run's folder, or last (default).
Options are those of \`stickslip launch\`; their defaults are the values of the run. The answer is
that of an uninterrupted run, bit for bit, for any number of nodes and ranks.

A run that has not ended is refused. A run that is solved (exit code 0) or has ended unsolved (1) is
not started again.

Examples: stickslip resume last
          stickslip resume 20261118-145703-pile-kqzt --where local --nodes 1 --ranks-per-node 2
`,
	run: (given, terminal) => resumed(given, terminal),
};

async function resumed(given: Given, terminal: Terminal): Promise<ExitCode> {
	const [name, extra] = given.operands;
	if (extra !== undefined) given.refuse(extra, "is not expected", "name one run");
	const folder = findRun(runsFolder(given.text("runs")), name);
	const run = { id: basename(folder), folder };
	const facts = readRun(folder);
	if (given.flag("inside")) return await inside(folder, supervision(given));
	const over = ended(given, run, terminal);
	if (over !== undefined) return over;
	// Refused before anything of the run is changed; the supervisor claims it again.
	(await claim(folder)).release();
	withdrawStop(folder);
	return await goOn(given, run, facts, terminal);
}

/** The exit code where there is nothing to resume. */
function ended(given: Given, { id, folder }: Run, terminal: Terminal): ExitCode | undefined {
	const { status } = readRunStatus(folder);
	if (status === "running" || status === "waiting") {
		const problem = status === "running" ? "is still running" : "has not started yet";
		return given.refuse(id, problem, `stickslip status ${id} shows it, stickslip stop ${id} stops it`);
	}
	if (status !== "solved" && status !== "unsolved") return undefined;
	// Reports of pods are in their volume.
	const isElsewhere = readLaunchRecord(folder)?.where === "kubernetes";
	if (status === "unsolved" && !isElsewhere && !provesUnsolved(folder)) return undefined;
	const why = status === "solved" ? "is solved" : "has ended unsolved, its report says why";
	terminal.err(`stickslip: run ${id} ${why}; there is nothing to resume`);
	return status === "solved" ? 0 : 1;
}

async function goOn(given: Given, run: Run, { where, line }: RunFacts, terminal: Terminal): Promise<ExitCode> {
	const record = readLaunchRecord(run.folder);
	const other = ["where", "nodes", "ranks-per-node"].some((name) => given.text(name) !== undefined);
	if (record === undefined && where === "here" && !other) {
		reportRun(run, dirname(run.folder), terminal);
		const code = await supervise(run.folder, supervision(given));
		reportEnd(code, run, terminal);
		return code;
	}
	const before = record ?? { where: where === "here" || where === "node" ? "local" : where, options: {}, unknown: [] };
	const request = launchRequest(givenForResume(before, given, line), run);
	return await launchers[request.where].start({ ...request, runs: dirname(run.folder) }, terminal);
}

function supervision(given: Given): Supervision {
	const restarts = given.integer("restarts", 0, RESTARTS_MAX, 3);
	const metrics = given.text("metrics");
	return { ...(restarts !== undefined && { restarts }), ...(metrics !== undefined && { metrics }) };
}
