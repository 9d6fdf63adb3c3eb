/**
 * The folder of a run's checkpoints: one folder each, named by iteration, and the one in which the next is being written. What is written becomes a
 * checkpoint by being renamed, whole. The directory for the next one is marked with a random token, by which another process can tell that it accesses the
 * same directory, and with its owner, so that the leftovers of a lost process can be told from the work of a live one.
 */
import { randomBytes } from "node:crypto";
import { lstat, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { type Checked, integer, record, text } from "@stickslip/core/schema";
import { fileClock } from "../base/file-clock.js";
import { isThere } from "../base/proc.js";

const DIGITS = 12;
const WRITING = ".writing-";
const OWNER = "owner.json";
/** A directory of another host that has not been changed for this long is abandoned. */
const ABANDONED_MS = 15 * 60_000;

const isOwner = record({ token: text(100), host: text(300), pid: integer(1, 2 ** 31) });
type Owner = Checked<typeof isOwner>;

/** The directory in which the parts of the next checkpoint are written, and the token by which a process recognises it. */
export interface CheckpointDirectory {
	readonly folder: string;
	readonly token: string;
}

export function nameOf(iteration: number): string {
	return String(iteration).padStart(DIGITS, "0");
}

/** Iterations of all checkpoint folders, the newest first. Throws if the folder exists but cannot be read. */
export async function iterationsIn(folder: string): Promise<number[]> {
	const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
		if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
		throw error;
	});
	const own = names.filter((name) => /^\d{12,16}$/.test(name) && nameOf(Number(name)) === name);
	return own.map(Number).sort((one, other) => other - one);
}

/** Creates the directory for the next checkpoint. Throws where the folder cannot be written to. */
export async function openCheckpointDirectory(folder: string): Promise<CheckpointDirectory> {
	const token = randomBytes(16).toString("hex");
	const directory = { folder: join(folder, `${WRITING}${token.slice(0, 8)}`), token };
	await mkdir(directory.folder, { recursive: true, mode: 0o700 });
	const owner: Owner = { token, host: hostname(), pid: process.pid };
	await writeFile(join(directory.folder, OWNER), JSON.stringify(owner), { mode: 0o600 });
	return directory;
}

/** Whether this process can access that very directory, and not one of the same name on another host. */
export async function isAccessible({ folder, token }: CheckpointDirectory): Promise<boolean> {
	return (await ownerOf(folder))?.token === token;
}

async function ownerOf(folder: string): Promise<Owner | undefined> {
	try {
		const path = join(folder, OWNER);
		if ((await lstat(path)).size > 1000) return undefined;
		const owner: unknown = JSON.parse(await readFile(path, "utf8"));
		return isOwner(owner) ? owner : undefined;
	} catch {
		return undefined;
	}
}

/** Removes the directories of processes that ended while writing. */
export async function removeLeftovers(folder: string): Promise<void> {
	const names = await readdir(folder).catch(() => []);
	for (const name of names.filter((each) => each.startsWith(WRITING))) {
		const path = join(folder, name);
		if (!(await isAtWork(folder, path))) await rm(path, { recursive: true, force: true }).catch(() => {});
	}
}

async function isAtWork(folder: string, path: string): Promise<boolean> {
	const owner = await ownerOf(path);
	// The caller has not created a directory yet: an equal process id belongs to an earlier container.
	if (owner?.host === hostname()) return owner.pid !== process.pid && isThere(owner.pid);
	const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }));
	return fileClock(folder) - mtimeMs < ABANDONED_MS;
}

/** Makes the content of `from` the checkpoint of this iteration, replacing an existing one. */
export async function publish(folder: string, from: string, directory: string, iteration: number): Promise<string> {
	const to = join(folder, nameOf(iteration));
	await syncFolder(from);
	await rename(to, join(directory, `old-${nameOf(iteration)}-${randomBytes(4).toString("hex")}`)).catch(() => {});
	await rename(from, to);
	await syncFolder(folder);
	return to;
}

/** Removes all checkpoints but these. */
export async function keepOnly(folder: string, iterations: readonly number[]): Promise<void> {
	for (const iteration of await iterationsIn(folder).catch(() => [])) {
		if (iterations.includes(iteration)) continue;
		await rm(join(folder, nameOf(iteration)), { recursive: true, force: true }).catch(() => {});
	}
}

/** A name is on disk once its folder is; not every file system supports syncing a folder. */
async function syncFolder(path: string): Promise<void> {
	const file = await open(path, "r");
	try {
		await file.sync();
	} catch {
		// Then the file system decides how durable it is.
	} finally {
		await file.close();
	}
}
