/**
 * How a run really stands. A state that says "running" is one process's word: where that process is gone, or has not renewed it for long, the run is
 * lost, whatever the file says.
 */
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { beganOf } from "../ranks/running.js";
import { codeOf } from "./check.js";
import { ageOf } from "./file-clock.js";
import { FILES } from "./files.js";
import { type RunStatus, readState, type State } from "./state.js";

/** How often a run at work renews its state. */
export const HEARTBEAT_MS = 2000;
/** A run on another host that is silent for so long is lost: fifteen heartbeats, and a file system that is late. */
export const SILENCE_SECONDS = 30;

export interface Standing {
	readonly status: RunStatus;
	/** Why it is not what its state says; empty where it is. */
	readonly why: string;
}

/** What is asked of the system; tests answer instead. */
export interface Witness {
	readonly host: string;
	/** Seconds since the state was renewed. */
	ageOf(state: State): number;
	isAlive(pid: number): boolean;
	beganOf(pid: number): string | undefined;
}

const system: Witness = {
	host: hostname(),
	ageOf: ({ updated }) => (Date.now() - Date.parse(updated)) / 1000,
	isAlive,
	beganOf,
};

/** By the clock of the file system, whatever the clocks of the hosts say. */
function witnessIn(folder: string): Witness {
	return { ...system, ageOf: (state) => ageOf(folder, FILES.state) ?? system.ageOf(state) };
}

/** Whether there is a process with this id on this host that has not ended. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return !isZombie(pid);
	} catch (error) {
		return codeOf(error) === "EPERM";
	}
}

/** It has ended, and its parent has not asked yet how. */
function isZombie(pid: number): boolean {
	try {
		return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
	} catch {
		return false;
	}
}

export function standingOf(state: State, witness: Witness = system): Standing {
	if (state.status === "waiting" && state.job !== undefined) return { status: "waiting", why: "" };
	if (state.status !== "running" && state.status !== "waiting") return { status: state.status, why: "" };
	const why = doubtOf(state, witness);
	// Of pods only one who follows them knows whether they are at work; without him the job is still Kubernetes'.
	if (why !== "" && state.job?.scheduler === "kubernetes") return { status: "waiting", why: "" };
	return why === "" ? { status: state.status, why } : { status: "lost", why };
}

/** The same of a run's folder. A process may write how it ended and be gone after its state was read: what it wrote last counts. */
export function standingIn(folder: string, witness: Witness = witnessIn(folder)): Standing & { readonly state: State } {
	for (let state = readState(folder); ; ) {
		const standing = standingOf(state, witness);
		const again = standing.status === "lost" ? readState(folder) : state;
		if (again.status === state.status && again.updated === state.updated) return { ...standing, state };
		state = again;
	}
}

function doubtOf(state: State, witness: Witness): string {
	const { host, pid, began } = state;
	if (host === witness.host) {
		const isOther = began !== undefined && witness.isAlive(pid) && witness.beganOf(pid) !== began;
		if (!witness.isAlive(pid) || isOther) return `its process ${pid} is gone`;
		// A process of this host that is there has the run, however long it has been stopped or kept by a file system; no clock is asked.
		return "";
	}
	if (host === "") return "nothing tells how it stands";
	const age = witness.ageOf(state);
	return age > SILENCE_SECONDS ? `nothing was heard of it for ${Math.round(age)} s` : "";
}

/** Whether it may still change by itself. */
export function isOver(status: RunStatus): boolean {
	return status !== "waiting" && status !== "running";
}

/** Whether `stickslip resume` has something to go on with. */
export function isResumable(status: RunStatus): boolean {
	return isOver(status) && status !== "solved" && status !== "unsolved";
}
