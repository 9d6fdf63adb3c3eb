/**
 * A run's folder defines which line is started again, and by which commands its members are: anyone who may write there can run commands as the user who
 * resumes the run. So folders of runs must belong to the user, and nobody else may write to them.
 */
import { readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "@stickslip/core";
import { readSmall } from "./check.js";

/** A group that is trusted with the runs: in pods that of the volume, which may write to all of it (fsGroup). */
export const GROUP_VARIABLE = "STICKSLIP_GROUP";

const GROUP_MAY_WRITE = 0o020;
const OTHERS_MAY_WRITE = 0o002;
const OTHERS_MAY_ENTER = 0o011;
const OTHERS = 0o007;
const ROOT = 0;

/** The users that a folder may belong to; undefined on systems without user ids. */
interface Trust {
	readonly user: number;
	readonly group: number | undefined;
}

/** The folder of all runs, where it is there. */
export function requireOwnRuns(runs: string): void {
	const trust = trustHere();
	const there = look(runs);
	if (trust !== undefined && there !== undefined) refuseForeign(runs, there, trust);
}

/** The folder of one run, with what is in it. */
export function requireOwnRun(folder: string): void {
	const trust = trustHere();
	const there = look(folder);
	if (trust === undefined || !there?.isDirectory()) return;
	refuseForeign(folder, there, trust);
	const isOpen = (there.mode & OTHERS_MAY_ENTER) !== 0;
	for (const name of readdirSync(folder)) {
		const path = join(folder, name);
		const entry = look(path);
		if (entry === undefined) continue;
		// A folder that nobody else can enter contains only files of its owner or root.
		if (isOpen) refuseForeign(path, entry, trust);
		else if (entry.uid !== trust.user && entry.uid !== ROOT) refuseOwner(path, entry);
	}
}

/** The text of a small file with a secret, which other users must not be able to read; `name` is the variable that names it. */
export function readPrivate(file: string, name: string): string {
	const there = look(file);
	if (there !== undefined && process.geteuid !== undefined && (there.mode & OTHERS) !== 0) {
		throw new InputError(
			"environment",
			name,
			`${file} is accessible to other users`,
			`chmod 600 ${file}, and use a new key`,
		);
	}
	const text = readSmall(file);
	if (text !== undefined) return text;
	throw new InputError("environment", name, `there is no ${file}`, "check the name");
}

function trustHere(): Trust | undefined {
	const user = process.geteuid?.();
	const { [GROUP_VARIABLE]: group = "" } = process.env;
	return user === undefined ? undefined : { user, group: /^\d{1,10}$/.test(group) ? Number(group) : undefined };
}

/** Undefined for a file that is gone, and for one that is not accessible: reading it reports that. */
function look(path: string): Stats | undefined {
	try {
		return statSync(path, { throwIfNoEntry: false });
	} catch {
		return undefined;
	}
}

function refuseForeign(path: string, there: Stats, { user, group }: Trust): void {
	const isShared = there.gid === group;
	if (there.uid !== user && !(isShared && there.uid === ROOT)) refuseOwner(path, there);
	const isOpenToAll = (there.mode & OTHERS_MAY_WRITE) !== 0;
	if (!isOpenToAll && (isShared || (there.mode & GROUP_MAY_WRITE) === 0)) return;
	const who = isOpenToAll ? "everybody" : `its group (${there.gid})`;
	const problem = `is writable by ${who}, who could then run commands as you`;
	throw new InputError(
		"runs",
		path,
		problem,
		"if all files in it are yours, run chmod -R go-w on that folder; or use another one",
	);
}

function refuseOwner(path: string, { uid }: Stats): never {
	const problem = `belongs to another user (${uid}), who could run commands as you`;
	throw new InputError("runs", path, problem, "run the command as that user, or use another folder");
}
