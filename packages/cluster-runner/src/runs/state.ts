/**
 * The state of a run. Its process renews it while it works; the owner of the run (its supervisor, or a `solve` without one) writes how it ended. A state
 * that says "running" only counts while it is renewed: run-status.ts.
 */
import { statSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { type Checked, integer, matching, oneOf, optional, record, text } from "@stickslip/core/schema";
import { beganOf } from "../base/proc.js";
import { withoutUndefined } from "../base/without-undefined.js";
import type { ExitCode } from "../cli/command.js";
import { fieldsOf, isBlank, moment, readRenewed, replaceJson, replaceJsonLater } from "../records/check.js";
import { FILES } from "../records/files.js";
import { stopRequest } from "../records/stop.js";
import { provesUnsolved } from "./kept.js";

/**
 * waiting: not begun, for a scheduler or for its members. stopped: on request, with a checkpoint. cancelled: on request, without. unsolved: the report says
 * why. refused: bad use or bad input. failed: a rank or a host was lost, and no restarts are left. lost: it is not known how it ended.
 */
export const STATUSES = [
	...(["waiting", "running", "stopped", "cancelled"] as const),
	...(["solved", "unsolved", "refused", "failed", "lost"] as const),
] as const;
export type StatusName = (typeof STATUSES)[number];

/** It becomes an argument of a scheduler's command, where it must not be taken for an option. */
const word = matching(/^\w[\w./-]{0,9999}$/, "the name of a job");

/** Its id in the scheduler; the namespace is that of Kubernetes. */
const isJob = record({ scheduler: oneOf(["slurm", "kubernetes"]), id: word, namespace: optional(word) });
export type SchedulerJob = Checked<typeof isJob>;

const line = text(10_000);
const isState = record({
	status: oneOf(STATUSES),
	/** Of the process that renews it. */
	host: line,
	pid: integer(0),
	/** When that process started, as the system counts: its id may have been reused. */
	began: optional(line),
	/** ISO 8601. */
	updated: moment,
	/** 1 for the first time that the line was started, 0 before it. */
	attempt: integer(0),
	exitCode: optional(integer(0)),
	/** Why it failed or was refused, in one line. */
	reason: optional(line),
	job: optional(isJob),
});
export type State = Checked<typeof isState>;

/** A state stays so short that it can be overwritten in place on a full disk. */
const REASON_LENGTH_MAX = 1000;

export function now(): string {
	return new Date().toISOString();
}

type StateChange = Pick<State, "status" | "attempt" | "exitCode" | "reason" | "job">;

/** The state with this process as its writer. */
export function stateOf({ status, attempt, exitCode, reason, job }: StateChange): State {
	return {
		...{ status, host: hostname(), pid: process.pid, updated: now(), attempt },
		...withoutUndefined({ began: beganOf(process.pid), exitCode, reason: reason?.slice(0, REASON_LENGTH_MAX), job }),
	};
}

/**
 * Changes some of a run's state, in the name of this process. An exit code only counts for the status it was written with. If it cannot be written, the run
 * continues all the same: a state that is not renewed does not count.
 */
export function changeState(folder: string, changes: Partial<StateChange>): void {
	const { attempt, job } = stateBefore(folder);
	const status = changes.status ?? "running";
	const state = stateOf({ attempt, ...(job && { job }), ...changes, status });
	const file = join(folder, FILES.state);
	try {
		replaceJson(file, state, status !== "running");
	} catch {
		overwrite(file, JSON.stringify(state));
	}
}

/** A full disk has no room for a new file, but the existing one can be overwritten. It is so short that this is one write. */
function overwrite(file: string, text: string): void {
	try {
		const { size } = statSync(file);
		writeFileSync(file, text.padEnd(size), { flag: "r+" });
	} catch {
		// Then it stays as it was.
	}
}

/** Renews the state of a run at work without blocking on a slow file system: callers wait for one renewal before the next. */
export async function renewState(folder: string): Promise<void> {
	const file = join(folder, FILES.state);
	const text = await readFile(file, "utf8").catch(() => "");
	const { attempt, job }: Pick<State, "attempt" | "job"> = isBlank(text)
		? { attempt: 0 }
		: fieldsOf(file, text).take(isState);
	await replaceJsonLater(file, stateOf({ status: "running", attempt, ...(job && { job }) }));
}

/**
 * Writes that a run has ended with this exit code. Without a report, 1 does not mean unsolved: the run was stopped without a checkpoint, or it has failed.
 * Without `reason`, the reason that was recorded stays.
 */
export function endState(
	folder: string,
	exitCode: number,
	isProven = exitCode !== 1 || provesUnsolved(folder),
	reason?: string,
): void {
	const request = stopRequest(folder);
	const before = stateBefore(folder);
	const isCancelled = request?.isNow === true || before.status === "cancelled";
	if (exitCode === 1 && (isCancelled || (request !== undefined && !isProven))) {
		changeState(folder, { status: "cancelled", exitCode });
		return;
	}
	const code = isProven ? exitCode : 3;
	const why = code === 3 || code === 2 ? (reason ?? before.reason) : undefined;
	changeState(folder, { status: statusOf(code), exitCode: code, ...(why !== undefined && { reason: why }) });
}

/** The status of a run that ended with this code. */
export function statusOf(exitCode: ExitCode | number): StatusName {
	if (exitCode === 0) return "solved";
	if (exitCode === 1) return "unsolved";
	if (exitCode === 2) return "refused";
	return exitCode === 75 ? "stopped" : "failed";
}

const unknown: State = { status: "waiting", host: "", pid: 0, updated: new Date(0).toISOString(), attempt: 0 };

/** A run without a state counts as not begun. */
export function readState(folder: string): State {
	const fields = readRenewed(join(folder, FILES.state));
	return fields === undefined ? unknown : fields.take(isState);
}

/** For the next write: a damaged state counts as missing, and does not prevent the run from ending. */
function stateBefore(folder: string): State {
	try {
		return readState(folder);
	} catch {
		return unknown;
	}
}
