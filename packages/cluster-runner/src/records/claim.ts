/**
 * One supervisor per run, one service per folder, one writer per output: each puts a claim of its own into the folder and looks for others, so of two at
 * once at least one sees the other. A claim is renewed while its process lives; a claim of another host that is no longer renewed does not count. A process
 * whose claim was removed has been taken for dead, and ends.
 */
import { randomInt, randomUUID } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { InputError } from "@stickslip/core";
import { codeOf, codeOrText, jsonIn } from "../base/errors.js";
import { beganOf, isAlive } from "../base/proc.js";
import { machine, track, untrack } from "../files/unfinished.js";
import { CLAIM_PREFIX } from "./files.js";

const RENEW_MS = 2000;
/** A process on another host is only known by changes of its claim: clocks may differ. */
const WATCH_MS = 12_000;
const LOOK_MS = 500;
/** Two at the same moment see each other: then both withdraw, and try again after different delays. */
const TRIES = 3;
const STEP_BACK_MS = 400;

export interface Claim {
	/** Path of the claim; the file disappears when another process takes over. */
	readonly file: string;
	/** Called once, where another process has taken the folder over. */
	onLost: () => void;
	release(): void;
}

interface Other {
	readonly name: string;
	readonly host: string;
	readonly pid: number;
	/** Folder of the run that the process belongs to; empty for none. */
	readonly run: string;
	/** True if its process id is one of this machine and container. */
	readonly isHere: boolean;
	readonly text: string;
}

/** Subject of a claim, and the error if another process has claimed it. */
export interface ClaimSubject {
	/** Source of the error (default: the folder). */
	readonly source?: string;
	readonly place: string;
	/** Problem of the error; the name of the other process is appended. */
	readonly problem: string;
	readonly remedy: string;
	/** Prefix of the names of claim files, so that a folder can have claims to several subjects (default: that of supervisors). */
	readonly prefix?: string;
	/** Folder of the run that this process belongs to. A claim of the same run from another host is out of date, since a run has one supervisor. */
	readonly run?: string | undefined;
	/** Called before a wait of some seconds for a claim of another host to be renewed. */
	readonly onWait?: (process: string) => void;
}

const RUN: ClaimSubject = {
	place: "run",
	problem: "already has a supervisor",
	remedy: "stop it first: stickslip stop",
};

/** Throws an InputError if another process has claimed the subject. */
export async function claim(folder: string, subject: ClaimSubject = RUN): Promise<Claim> {
	const { source = folder, place, problem, remedy } = subject;
	for (let left = TRIES - 1; ; left -= 1) {
		const own = new OwnClaim(folder, subject);
		const other = await livingOther(folder, own.name, subject);
		if (other === undefined) return own;
		own.release();
		// An earlier claim stays; only a claim that has just been made as well may be withdrawn.
		if (left === 0) {
			throw new InputError(source, place, `${problem} (${nameOf(other)})`, remedy);
		}
		await pause(randomInt(STEP_BACK_MS));
	}
}

function nameOf({ host, pid, isHere }: Other): string {
	return isHere ? `process ${pid}` : `process ${pid} on ${host}`;
}

class OwnClaim implements Claim {
	readonly name: string;
	readonly file: string;
	onLost: () => void = () => {};
	readonly #run: string;
	readonly #timer: NodeJS.Timeout;
	#renewals = 0;

	constructor(folder: string, { place, prefix = CLAIM_PREFIX, run = "" }: ClaimSubject) {
		this.name = `${prefix}${randomUUID()}`;
		this.file = join(folder, this.name);
		this.#run = run;
		try {
			this.#write("wx");
			track(this.file);
		} catch (error) {
			const code = codeOrText(error);
			throw new InputError(
				folder,
				place,
				`cannot be written to (${code})`,
				"free some space, or ask its owner for permission",
			);
		}
		this.#timer = setInterval(() => this.#renew(), RENEW_MS).unref();
	}

	release(): void {
		clearInterval(this.#timer);
		remove(this.file);
		untrack(this.file);
	}

	#renew(): void {
		this.#renewals += 1;
		try {
			this.#write("r+");
		} catch (error) {
			// A full disk, or one that does not answer for a moment, does not end the claim.
			if (codeOf(error) !== "ENOENT") return;
			clearInterval(this.#timer);
			this.onLost();
		}
	}

	/** Of one length, so that a renewal needs no room on a full disk. */
	#write(flag: "wx" | "r+"): void {
		const renewals = String(this.#renewals).padStart(12, "0");
		const place = { host: hostname(), machine, pid: process.pid, began: beganOf(process.pid) ?? "" };
		const claimed = { renewals, ...place, run: this.#run };
		writeFileSync(this.file, JSON.stringify(claimed), { flag, mode: 0o600 });
	}
}

async function livingOther(
	folder: string,
	own: string,
	{ prefix = CLAIM_PREFIX, run = "", onWait }: ClaimSubject,
): Promise<Other | undefined> {
	const watched: Other[] = [];
	for (const other of othersIn(folder, own, prefix)) {
		const lives = other.isHere ? isAliveHere(other) : undefined;
		if (lives === true) return other;
		const isOfSameRun = run !== "" && other.run === run;
		if (lives === false || isOfSameRun) remove(join(folder, other.name));
		else watched.push(other);
	}
	if (watched[0] !== undefined) onWait?.(nameOf(watched[0]));
	for (const end = performance.now() + WATCH_MS; watched.length > 0 && performance.now() < end; ) {
		await pause(LOOK_MS);
		const now = othersIn(folder, own, prefix);
		const changed = watched.find(({ name, text }) => now.some((each) => each.name === name && each.text !== text));
		if (changed) return changed;
		// Released meanwhile.
		if (watched.every(({ name }) => now.every((each) => each.name !== name))) return undefined;
	}
	for (const { name } of watched) remove(join(folder, name));
	return undefined;
}

function othersIn(folder: string, own: string, prefix: string): Other[] {
	const names = readdirSync(folder).filter((name) => name.startsWith(prefix) && name !== own);
	return names.flatMap((name) => {
		const text = read(join(folder, name));
		if (text === undefined) return [];
		const [, host = ""] = /"host":"([^"]*)"/.exec(text) ?? [];
		const [, on = machine] = /"machine":"([^"]*)"/.exec(text) ?? [];
		const [, pid = "0"] = /"pid":(\d+)/.exec(text) ?? [];
		const { run = "" } = (jsonIn(text) ?? {}) as { readonly run?: unknown };
		const isHere = host === hostname() && on === machine;
		return [{ name, host, pid: Number(pid), run: String(run), isHere, text }];
	});
}

function isAliveHere({ pid, text }: Other): boolean {
	const [, began = ""] = /"began":"(\d*)"/.exec(text) ?? [];
	return pid > 0 && isAlive(pid) && (began === "" || beganOf(pid) === began);
}

function read(file: string): string | undefined {
	try {
		return readFileSync(file, "utf8");
	} catch {
		// Released since it was listed.
		return undefined;
	}
}

function remove(file: string): void {
	try {
		rmSync(file, { force: true });
	} catch {
		// A disk that cannot be written to: a claim that is not renewed does not count.
	}
}
