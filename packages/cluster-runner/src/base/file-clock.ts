/**
 * The current time by the clock of a file system. Ages of files are measured by the clock that stamps them: clocks of two hosts may
 * differ by an hour, and a clock may be changed during a run.
 */
import { randomBytes } from "node:crypto";
import { closeSync, openSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * Milliseconds since 1970, read from a new file in this folder. On a network file system this also makes the host see what others have changed. If no file
 * can be created, this host's own clock is used.
 */
export function fileClock(folder: string): number {
	const probe = join(folder, `.clock-${randomBytes(6).toString("hex")}.part`);
	try {
		closeSync(openSync(probe, "wx", 0o600));
		try {
			return statSync(probe).mtimeMs;
		} finally {
			rmSync(probe, { force: true });
		}
	} catch {
		return Date.now();
	}
}

/** Seconds since a file of this folder was written; undefined where there is none. */
export function ageOf(folder: string, name: string): number | undefined {
	const now = fileClock(folder);
	const there = statSync(join(folder, name), { throwIfNoEntry: false });
	return there && Math.max(0, (now - there.mtimeMs) / 1000);
}
