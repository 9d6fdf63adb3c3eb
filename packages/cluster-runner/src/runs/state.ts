/**
 * How a run stands. The process of the line renews it while it works; whoever owns the run (its supervisor, or a `solve` without one) writes how it
 * ended. A state that says "running" is believed only while it is renewed: run-status.ts.
 */
import { statSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { onlyGiven } from "../base/only-given.js";
import { beganOf } from "../base/running.js";
import type { ExitCode } from "../cli/command.js";
import { type Fields, fieldsOf, isBlank, readRenewed, replaceJson, replaceJsonLater } from "../records/check.js";
import { FILES } from "../records/files.js";
import { stopRequest } from "../records/stop.js";
import { provesUnsolved } from "./kept.js";

/**
 * waiting: not begun, for a scheduler or for its members. stopped: on request, with a checkpoint. cancelled: on request, without. unsolved: the
 * report says why. refused: bad use or bad input. failed: a rank or a host was lost, and no restarts are left. lost: nobody says how it ended.
 */
export const STATUSES = [
	...(["waiting", "running", "stopped", "cancelled"] as const),
	...(["solved", "unsolved", "refused", "failed", "lost"] as const),
] as const;
export type StatusName = (typeof STATUSES)[number];

/** What a scheduler calls it. */
export interface SchedulerJob {
	readonly scheduler: "slurm" | "kubernetes";
	readonly id: string;
	/** Of Kubernetes. */
	readonly namespace?: string;
}

export interface State {
	readonly status: StatusName;
	/** Of the process that renews it. */
	readonly host: string;
	readonly pid: number;
	/** When that process began, as the system counts: a number may be another process's by now. */
	readonly began?: string;
	/** ISO 8601. */
	readonly updated: string;
	/** 1 for the first time that the line was started, 0 before it. */
	readonly attempt: number;
	readonly exitCode?: number;
	/** Why it failed or was refused, in one line. */
	readonly reason?: string;
	readonly job?: SchedulerJob;
}

/** A state stays so short that on a full disk it is written into the room that it has. */
const REASON_LENGTH_MAX = 1000;

export function now(): string {
	return new Date().toISOString();
}

type StateChange = Pick<State, "status" | "attempt" | "exitCode" | "reason" | "job">;

/** A state that this process vouches for from now on. */
export function stateOf({ status, attempt, exitCode, reason, job }: StateChange): State {
	return {
		...{ status, host: hostname(), pid: process.pid, updated: now(), attempt },
		...onlyGiven({ began: beganOf(process.pid), exitCode, reason: reason?.slice(0, REASON_LENGTH_MAX), job }),
	};
}

/**
 * Changes some of a run's state, in the name of this process. An exit code counts for the status that it came with only. Where it cannot be written the
 * run goes on all the same: a state that is not renewed is not believed.
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

/** On a full disk there is no room for a new file, but for other bytes in the one that is there. It is so short that they are written at once. */
function overwrite(file: string, text: string): void {
	try {
		const { size } = statSync(file);
		writeFileSync(file, text.padEnd(size), { flag: "r+" });
	} catch {
		// Then it stays as it was.
	}
}

/** Renews the state of a run at work, without waiting for a file system that is slow: whoever calls waits for one renewal before the next. */
export async function renewState(folder: string): Promise<void> {
	const file = join(folder, FILES.state);
	const text = await readFile(file, "utf8").catch(() => "");
	const { attempt, job }: Pick<State, "attempt" | "job"> = isBlank(text)
		? { attempt: 0 }
		: stateIn(fieldsOf(file, text));
	await replaceJsonLater(file, stateOf({ status: "running", attempt, ...(job && { job }) }));
}

/**
 * Writes that a run has ended with this exit code. 1 without a report that says so is no end: the run was asked to stop, and has no checkpoint of
 * it, or it has failed. Why it failed is what whoever failed has said, where `reason` is not given.
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

/** What a run is that ended with this code. */
export function statusOf(exitCode: ExitCode | number): StatusName {
	if (exitCode === 0) return "solved";
	if (exitCode === 1) return "unsolved";
	if (exitCode === 2) return "refused";
	return exitCode === 75 ? "stopped" : "failed";
}

const unknown: State = { status: "waiting", host: "", pid: 0, updated: new Date(0).toISOString(), attempt: 0 };

/** A run whose state is missing has not begun as far as anybody knows. */
export function readState(folder: string): State {
	const fields = readRenewed(join(folder, FILES.state));
	return fields === undefined ? unknown : stateIn(fields);
}

/** For the next write: a damaged state counts as missing, and does not prevent the run from ending. */
function stateBefore(folder: string): State {
	try {
		return readState(folder);
	} catch {
		return unknown;
	}
}

function stateIn(fields: Fields): State {
	return {
		status: fields.choice("status", STATUSES),
		host: fields.text("host"),
		pid: fields.integer("pid"),
		updated: fields.moment("updated"),
		attempt: fields.integer("attempt"),
		...onlyGiven({
			began: fields.optional("began", (name) => fields.text(name)),
			exitCode: fields.optional("exitCode", (name) => fields.integer(name)),
			reason: fields.optional("reason", (name) => fields.text(name)),
			job: fields.optional("job", (name) => jobIn(fields.fields(name))),
		}),
	};
}

function jobIn(fields: Fields): SchedulerJob {
	const namespace = fields.optional("namespace", (name) => word(fields, name));
	return {
		scheduler: fields.choice("scheduler", ["slurm", "kubernetes"]),
		id: word(fields, "id"),
		...(namespace !== undefined && { namespace }),
	};
}

/** It becomes an argument of a scheduler's command, and must not be an option there. */
function word(fields: Fields, name: string): string {
	const text = fields.text(name);
	return /^\w[\w./-]*$/.test(text) ? text : fields.refuse(name, "is not the name of a job");
}
