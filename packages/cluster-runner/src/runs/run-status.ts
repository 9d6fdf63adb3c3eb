/**
 * The status of a run. A state file that says "running" was written by one process: if that process has ended, or has not renewed the file for too long,
 * the run is lost.
 */
import { hostname } from "node:os";
import { ageOf } from "../base/file-clock.js";
import { beganOf, isAlive } from "../base/proc.js";
import { FILES } from "../records/files.js";
import { readState, type State, type StatusName } from "./state.js";

/** Milliseconds between two renewals of the state. */
export const HEARTBEAT_MS = 2000;
/** A run on another host whose state has not been renewed for so long is lost: fifteen heartbeats, which allows for a slow file system. */
const SILENCE_SECONDS = 30;

export interface RunStatus {
	readonly status: StatusName;
	/** Why it differs from the state file; empty if it does not. */
	readonly why: string;
}

/** System calls; tests replace them. */
export interface SystemProbe {
	readonly host: string;
	/** Seconds since the state was renewed. */
	ageOf(state: State): number;
	isAlive(pid: number): boolean;
	beganOf(pid: number): string | undefined;
}

const system: SystemProbe = {
	host: hostname(),
	ageOf: ({ updated }) => (Date.now() - Date.parse(updated)) / 1000,
	isAlive,
	beganOf,
};

/** By the clock of the file system, not by those of the hosts. */
function probeIn(folder: string): SystemProbe {
	return { ...system, ageOf: (state) => ageOf(folder, FILES.state) ?? system.ageOf(state) };
}

export function runStatus(state: State, probe: SystemProbe = system): RunStatus {
	if (state.status === "waiting" && state.job !== undefined) return { status: "waiting", why: "" };
	if (state.status !== "running" && state.status !== "waiting") return { status: state.status, why: "" };
	const why = whyLost(state, probe);
	// Only a process that follows pods knows whether they run; without one only Kubernetes knows.
	if (why !== "" && state.job?.scheduler === "kubernetes") return { status: "waiting", why: "" };
	return why === "" ? { status: state.status, why } : { status: "lost", why };
}

/** The same for a run's folder. A process may write its final state and end after the state was read: the last one counts. */
export function readRunStatus(
	folder: string,
	probe: SystemProbe = probeIn(folder),
): RunStatus & { readonly state: State } {
	for (let state = readState(folder); ; ) {
		const found = runStatus(state, probe);
		const again = found.status === "lost" ? readState(folder) : state;
		if (again.status === state.status && again.updated === state.updated) return { ...found, state };
		state = again;
	}
}

function whyLost(state: State, probe: SystemProbe): string {
	const { host, pid, began } = state;
	if (host === probe.host) {
		const isOther = began !== undefined && probe.isAlive(pid) && probe.beganOf(pid) !== began;
		if (!probe.isAlive(pid) || isOther) return `its process ${pid} has ended`;
		// A process of this host that exists owns the run, however long it has been stopped or blocked by a file system; no clock is used.
		return "";
	}
	if (host === "") return "its status is unknown";
	const age = probe.ageOf(state);
	return age > SILENCE_SECONDS ? `no heartbeat for ${Math.round(age)} s` : "";
}

/** Whether the status is final. */
export function hasEnded(status: StatusName): boolean {
	return status !== "waiting" && status !== "running";
}

/** Whether `stickslip resume` can continue the run. */
export function isResumable(status: StatusName): boolean {
	return hasEnded(status) && status !== "solved" && status !== "unsolved";
}
