/** A disk of a few megabytes, to be filled to its last byte while something writes there. */
import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Bed } from "./bed.js";

const CHUNK_BYTES = 4096;

export interface SmallDisk {
	readonly folder: string;
	/** Takes all that is left. */
	fill(): void;
	/** Gives it back. */
	free(): void;
}

let disks = 0;

/** In memory, and removed with the bed. */
export function openSmallDisk(bed: Bed, bytes: number): SmallDisk {
	disks += 1;
	const folder = join(bed.folder, `disk-${disks}`);
	mkdirSync(folder);
	execFileSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", folder]);
	bed.undo(() => execFileSync("umount", ["--lazy", folder]));
	const filler = join(folder, ".filler");
	return {
		folder,
		fill: () => {
			const file = openSync(filler, "a");
			try {
				for (const chunk = Buffer.alloc(CHUNK_BYTES); ; ) writeSync(file, chunk);
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
			} finally {
				closeSync(file);
			}
		},
		free: () => rmSync(filler, { force: true }),
	};
}
