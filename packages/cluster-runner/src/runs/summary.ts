/** A summary of a run: the same facts as lines for people and as one object for programs. */
import { errorOf } from "@stickslip/core";
import { age, bytes, count, counted, duration, exact, oneLine, small, three } from "../base/format.js";
import { pairs } from "../output/table.js";
import { progressFileText } from "../records/progress.js";
import { hasEnded, isResumable } from "./run-status.js";
import type { View } from "./view.js";

/** The operator of a simulation's report, whose iterations are steps. */
export const STEPS_OPERATOR = "a simulation: iterations are steps";

/** Status for people: a command that solves nothing itself is done. */
export function shownStatus({ facts, runStatus: { status } }: View): string {
	const [command = ""] = facts.line;
	return status === "solved" && command !== "solve" ? "done" : status;
}

export interface Latest {
	readonly problem: string;
	readonly error?: number;
	/** Number of iterations or steps so far, with their name. */
	readonly done?: string;
}

/** Of the problem that a run works on, or worked on last. */
export function latest({ facts, progress: now, reports: all }: View): Latest {
	const last = all.at(-1);
	if (now !== undefined && (last === undefined || now.input > last.input)) {
		const { problem, simulation } = now;
		if (simulation !== undefined) return { problem, done: counted(simulation.step, "step") };
		return { problem, error: now.error, done: counted(now.iterations, "iteration") };
	}
	if (last === undefined) return { problem: facts.name };
	const { report } = last;
	const { problem, iterations, operator } = report;
	if (operator === STEPS_OPERATOR) return { problem, done: counted(iterations, "step") };
	return { problem, error: errorOf(report), done: counted(iterations, "iteration") };
}

export function viewAsJson(view: View): object {
	const { folder, facts, state, runStatus, progress, reports, checkpoint, placement, service } = view;
	return {
		id: facts.id,
		status: runStatus.status,
		...(runStatus.why !== "" && { why: runStatus.why }),
		where: facts.where,
		line: facts.line,
		folder,
		...{ created: facts.created, updated: state.updated, host: state.host, pid: state.pid },
		attempt: state.attempt,
		restarts: Math.max(0, state.attempt - 1),
		...(state.exitCode !== undefined && { exitCode: state.exitCode }),
		...(hasEnded(runStatus.status) && state.reason !== undefined && { reason: state.reason }),
		...(state.job && { job: state.job }),
		...(placement && {
			nodes: placement.nodes,
			ranks: placement.nodes * placement.ranksPerNode,
			...(placement.hosts && { hosts: placement.hosts }),
		}),
		...(service && { service }),
		...(progress && { progress }),
		...(checkpoint && { checkpoint }),
		reports: reports.map(({ input, report: { history: _, perRank: _ranks, ...report } }) => ({ input, ...report })),
		machine: facts.machine,
		version: facts.version,
		node: facts.node,
	};
}

/** Some lines about one run. */
export function viewAsText(view: View): string[] {
	const { folder, facts, state, runStatus, placement } = view;
	const since = (moment: string) => age((Date.now() - Date.parse(moment)) / 1000);
	return [
		oneLine(`${facts.id}: ${shownStatus(view)}${runStatus.why === "" ? "" : `, ${runStatus.why}`}`),
		...pairs([
			["command", `stickslip ${facts.line.join(" ")}`],
			["where", where(view)],
			[
				"ranks",
				placement === undefined
					? ""
					: `${placement.nodes * placement.ranksPerNode} on ${counted(placement.nodes, "node")}`,
			],
			["hosts", placement?.hosts?.join(", ") ?? ""],
			...service(view),
			["began", `${since(facts.created)} ago`],
			["restarts", restarts(view)],
			["exit code", state.exitCode === undefined ? "" : String(state.exitCode)],
			["reason", hasEnded(runStatus.status) ? oneLine(state.reason ?? "") : ""],
			["progress", progress(view)],
			["checkpoint", checkpoint(view)],
			...reports(view),
			["folder", folder],
			["resume", isResumable(runStatus.status) ? `stickslip resume ${facts.id}` : ""],
		]),
	];
}

function where({ facts, state, runStatus }: View): string {
	const verb = hasEnded(runStatus.status) ? "ran" : "runs";
	const at = state.host === "" ? "" : `, ${verb} on ${state.host} (process ${state.pid})`;
	if (state.job === undefined) return `${facts.where}${runStatus.status === "waiting" ? "" : at}`;
	return `${facts.where}, job ${state.job.id}${runStatus.status === "waiting" ? " in the queue" : at}`;
}

/** Addresses and connection files, one line each. */
function service({ service: facts }: View): [string, string][] {
	const { addresses = {}, clients = {} } = facts ?? {};
	return [
		...Object.values(addresses).map((address, index): [string, string] => [index === 0 ? "address" : "", address]),
		...Object.entries(clients).map(([name, file]): [string, string] => ["client", oneLine(`${name}: ${file}`)]),
	];
}

/** The limit of restarts may be given again when a run is resumed. */
function restarts({ facts, state }: View): string {
	const times = Math.max(0, state.attempt - 1);
	if (times === 0) return "";
	return times <= facts.restarts ? `${times} of ${facts.restarts}` : String(times);
}

function progress({ progress: now, reports: all }: View): string {
	// A finished problem has a report, which says more.
	if (now === undefined || all.some(({ input }) => input === now.input)) return "";
	if (now.simulation !== undefined)
		return `${progressFileText(now, Number.POSITIVE_INFINITY)}, ${duration(now.seconds)}`;
	const rate = now.rate === undefined ? "" : `, ${three(now.rate)} it/s`;
	const of = now.inputs > 1 ? `problem ${now.input + 1} of ${now.inputs}, ` : "";
	const error = `${now.measure} ${now.exact ? "" : "~"}${small(now.error)} (tolerance ${exact(now.tolerance)})`;
	return `${of}${now.problem}: iteration ${count(now.iterations)}, ${error}${rate}, ${duration(now.seconds)}`;
}

function checkpoint({ checkpoint: last, facts, runStatus, progress: now, service }: View): string {
	if (last !== undefined) {
		return `of ${now?.simulation === undefined ? "iteration" : "step"} ${count(last.iteration)}, ${age(last.age)} old, ${bytes(last.bytes)}`;
	}
	if (hasEnded(runStatus.status)) return "";
	if (facts.checkpoint === undefined || service !== undefined) return "";
	return facts.checkpoint === 0 ? "none yet; on request only" : `none yet; every ${facts.checkpoint} s`;
}

/** The last ones: a line may have thousands. */
const REPORTS_SHOWN = 10;

function reports({ reports: all }: View): [string, string][] {
	const solved = all.filter(({ report }) => report.status === "solved").length;
	const lines = all.slice(-REPORTS_SHOWN).map(({ report }) => {
		const { problem, status, measure, iterations, seconds, operator } = report;
		if (operator === STEPS_OPERATOR)
			return `${oneLine(problem)}: ${status === "solved" ? "done" : status}, ${counted(iterations, "step")}, ${duration(seconds)}`;
		return `${oneLine(problem)}: ${status}, ${measure} ${small(errorOf(report))}, ${counted(iterations, "iteration")}, ${duration(seconds)}`;
	});
	const left = all.length - lines.length;
	const first = all.length > 1 ? [`${solved} of ${all.length} finished are solved`] : [];
	const more = left > 0 ? [`${left} more before these (--json has all)`] : [];
	return [...first, ...more, ...lines].map((line, index) => [index === 0 ? "reports" : "", line]);
}
