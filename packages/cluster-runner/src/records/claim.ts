/**
 * One supervisor per run, one service per folder: each puts a claim of its own into the folder and looks for others, so of two at once at least one sees
 * the other. A claim is renewed while its process lives; a claim of another host that is no longer renewed does not count. A process whose claim was
 * removed has been taken for dead, and ends.
 */
import { randomInt, randomUUID } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { InputError } from "@stickslip/core";
import { codeOf, codeOrText } from "../base/errors.js";
import { beganOf, isAlive } from "../base/proc.js";
import { CLAIM_PREFIX } from "./files.js";

const RENEW_MS = 2000;
/** A process on another host is only known by changes of its claim: clocks may differ. */
const WATCH_MS = 12_000;
const LOOK_MS = 500;
/** Two at the same moment see each other: then both withdraw, and try again after different delays. */
const TRIES = 3;
const STEP_BACK_MS = 400;

export interface Claim {
	/** Called once, where another process has taken the folder over. */
	onLost: () => void;
	release(): void;
}

interface Other {
	readonly name: string;
	readonly host: string;
	readonly pid: number;
	readonly text: string;
}

/** The name of a claimed folder, and the remedy if another process has it. */
export interface ClaimWords {
	readonly place: string;
	readonly holder: string;
	readonly remedy: string;
}

const RUN: ClaimWords = { place: "run", holder: "supervisor", remedy: "stop it first: stickslip stop" };

/** Throws an InputError if another process has the folder. */
export async function claim(folder: string, words: ClaimWords = RUN): Promise<Claim> {
	for (let left = TRIES - 1; ; left -= 1) {
		const own = new OwnClaim(folder, words);
		const other = await livingOther(folder, own.name);
		if (other === undefined) return own;
		own.release();
		// An earlier claim stays; only a claim that has just been made as well may be withdrawn.
		if (left === 0) {
			const where = other.host === hostname() ? `process ${other.pid}` : `process ${other.pid} on ${other.host}`;
			throw new InputError(folder, words.place, `already has a ${words.holder} (${where})`, words.remedy);
		}
		await pause(randomInt(STEP_BACK_MS));
	}
}

class OwnClaim implements Claim {
	readonly name = `${CLAIM_PREFIX}${randomUUID()}`;
	onLost: () => void = () => {};
	readonly #file: string;
	readonly #timer: NodeJS.Timeout;
	#renewals = 0;

	constructor(folder: string, { place }: ClaimWords) {
		this.#file = join(folder, this.name);
		try {
			this.#write("wx");
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
		remove(this.#file);
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
		const claimed = { renewals, host: hostname(), pid: process.pid, began: beganOf(process.pid) ?? "" };
		writeFileSync(this.#file, JSON.stringify(claimed), { flag, mode: 0o600 });
	}
}

async function livingOther(folder: string, own: string): Promise<Other | undefined> {
	const watched: Other[] = [];
	for (const other of othersIn(folder, own)) {
		const lives = other.host === hostname() ? isAliveHere(other) : undefined;
		if (lives === true) return other;
		if (lives === false) remove(join(folder, other.name));
		else watched.push(other);
	}
	for (const end = performance.now() + WATCH_MS; watched.length > 0 && performance.now() < end; ) {
		await pause(LOOK_MS);
		const now = othersIn(folder, own);
		const changed = watched.find(({ name, text }) => now.some((each) => each.name === name && each.text !== text));
		if (changed) return changed;
		// Released meanwhile.
		if (watched.every(({ name }) => now.every((each) => each.name !== name))) return undefined;
	}
	for (const { name } of watched) remove(join(folder, name));
	return undefined;
}

function othersIn(folder: string, own: string): Other[] {
	const names = readdirSync(folder).filter((name) => name.startsWith(CLAIM_PREFIX) && name !== own);
	return names.flatMap((name) => {
		const text = read(join(folder, name));
		if (text === undefined) return [];
		const [, host = ""] = /"host":"([^"]*)"/.exec(text) ?? [];
		const [, pid = "0"] = /"pid":(\d+)/.exec(text) ?? [];
		return [{ name, host, pid: Number(pid), text }];
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
