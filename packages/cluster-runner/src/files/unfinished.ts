/**
 * Files and folders that exist only for a while: they are removed when this process ends, also by a signal or a crash. What a killed process leaves behind
 * is removed by the next process that uses the same place. The name contains the machine, the process, its start time, and random digits. A file of a live
 * process, of another machine or container, or of another user is left alone.
 */
import { createHash, randomBytes } from "node:crypto";
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { constants, hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { beganOf, isThere, systemLink, systemText } from "../base/proc.js";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Characters of the wanted name that are in the temporary one, so that it is not too long for a file system. */
const NAME_LENGTH_MAX = 40;

/** The machine, and the container on it: process ids mean something there only. */
export const machine = createHash("sha256")
	.update([hostname(), systemText("/etc/machine-id") ?? "", systemLink("/proc/self/ns/pid") ?? ""].join("\n"))
	.digest("hex")
	.slice(0, 8);
const owner = `${machine}-${process.pid}-${beganOf(process.pid) ?? 0}`;

const unfinished = new Set<string>();

/** A unique hidden name beside the wanted one, because a rename does not cross file systems. */
export function temporaryName(target: string): string {
	return join(dirname(target), `${prefixOf(target)}${owner}-${randomBytes(8).toString("hex")}.part`);
}

/** The same for a folder in that of temporary files, to be completed by `mkdtemp`. */
export function temporaryFolderPrefix(name: string): string {
	return `${name}-${owner}-`;
}

function prefixOf(target: string): string {
	return `.${[...basename(target)].slice(0, NAME_LENGTH_MAX).join("")}.`;
}

/** Marks a file for removal when the process ends. */
export function track(path: string): void {
	if (unfinished.size === 0) process.on("exit", removeAll);
	unfinished.add(path);
}

/** It has its final name, or is removed. */
export function untrack(path: string): void {
	unfinished.delete(path);
	if (unfinished.size === 0) process.off("exit", removeAll);
}

function removeAll(): void {
	for (const path of unfinished) {
		try {
			rmSync(path, { recursive: true, force: true });
		} catch {
			// Then the next process removes it.
		}
	}
}

let listening = 0;

/** Signals end the process by an orderly exit, so that nothing stays; if there is another handler, that one decides. */
export async function removingOnSignals<Result>(work: () => Promise<Result>): Promise<Result> {
	listening += 1;
	if (listening === 1) for (const signal of signals) process.on(signal, leave);
	try {
		return await work();
	} finally {
		// A signal that has arrived is delivered in the next turn of the event loop, and would be lost.
		for (let round = 0; round < 2; round += 1) await new Promise(setImmediate);
		listening -= 1;
		if (listening === 0) for (const signal of signals) process.off(signal, leave);
	}
}

function leave(signal: NodeJS.Signals): void {
	if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
}

const seen = new Set<string>();

/** Removes leftovers of ended processes for this file, once for each file and process. */
export function removeStale(target: string): void {
	if (seen.has(target)) return;
	seen.add(target);
	removeStaleIn(dirname(target), prefixOf(target), ".part");
}

export function removeStaleFolders(folder: string, name: string): void {
	removeStaleIn(folder, `${name}-`, "");
}

function removeStaleIn(folder: string, prefix: string, suffix: string): void {
	try {
		for (const name of readdirSync(folder)) {
			if (!name.startsWith(prefix) || !name.endsWith(suffix)) continue;
			const path = join(folder, name);
			if (isStale(name.slice(prefix.length, name.length - suffix.length)) && isOwn(path)) {
				rmSync(path, { recursive: true, force: true });
			}
		}
	} catch {
		// A folder that cannot be read cannot be cleaned either.
	}
}

function isStale(rest: string): boolean {
	const [, on, pid, began] = /^([0-9a-f]{8})-(\d{1,10})-(\d{1,20})-[0-9A-Za-z]{6,16}$/.exec(rest) ?? [];
	if (on !== machine) return false;
	const now = beganOf(Number(pid));
	return now === undefined || began === "0" ? !isThere(Number(pid)) : now !== began;
}

function isOwn(path: string): boolean {
	const there = lstatSync(path);
	return (there.isFile() || there.isDirectory()) && there.uid === process.geteuid?.();
}
