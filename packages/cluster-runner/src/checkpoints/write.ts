/** Writes one rank's part of a new checkpoint: in the process of the rank if it can access the folder, else in the process of the hub. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { RunState } from "@stickslip/core/parallel";
import { codeOf, messageOf } from "../base/errors.js";
import type { Saved } from "../protocol/messages.js";
import { countsOf, isRunState } from "../protocol/plain-state.js";
import { type CheckpointDirectory, nameOf } from "./folder.js";
import { partName } from "./manifest.js";
import { writePart } from "./part.js";

/** A disk that takes longer counts as unavailable: the checkpoint is lost, and the run does not wait for it. */
const WRITE_MS = 120_000;

/** Rejects with an Error that says why it could not be written. */
export async function writeState(directory: CheckpointDirectory, rank: number, state: RunState): Promise<Saved> {
	const folder = join(directory.folder, nameOf(state.iteration));
	const { iteration } = state;
	// A state that no reader accepts would be missing when it is needed.
	if (!isRunState(state)) throw new Error("the program's state exceeds the limits of a checkpoint");
	return await within(WRITE_MS, async () => {
		// Without its parents: if the run was removed, a single part must not bring its folder back.
		await mkdir(folder, { mode: 0o700 }).catch(unlessThere);
		const seal = await writePart(join(folder, partName(rank)), state);
		return { iteration, counts: countsOf(state), ...seal };
	});
}

/** Another rank may have made it. */
function unlessThere(error: NodeJS.ErrnoException): void {
	if (error.code === "ENOENT") throw new Error("the folder is gone");
	if (error.code !== "EEXIST") throw error;
}

async function within<Value>(milliseconds: number, work: () => Promise<Value>): Promise<Value> {
	let timer: NodeJS.Timeout | undefined;
	const limit = new Promise<never>((_, reject) => {
		const late = () => reject(new Error(`the disk took longer than ${milliseconds / 1000} s`));
		timer = setTimeout(late, milliseconds);
		timer.unref();
	});
	try {
		return await Promise.race([work(), limit]);
	} finally {
		clearTimeout(timer);
	}
}

/** For people. */
export function whyUnwritten(error: unknown): string {
	const code = codeOf(error);
	if (code === "ENOSPC") return "the disk is full";
	if (code === "EDQUOT") return "the quota of disk space is used up";
	if (code === "EROFS") return "the disk cannot be written to";
	return messageOf(error);
}
