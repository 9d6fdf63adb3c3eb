/**
 * The checkpoints of one solve on the disk: parts are written to a directory, which becomes a checkpoint when the manifest is written and it is renamed.
 * The last two are kept: if the newest is damaged, the one before is used.
 */
import { lstat, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { version } from "@stickslip/core";
import type { RunState } from "@stickslip/core/parallel";
import type { Saved } from "../protocol/messages.js";
import { type CheckpointDirectory, keepOnly, nameOf, openCheckpointDirectory, publish } from "./folder.js";
import type { Identity } from "./identity.js";
import { CHECKPOINT_FORMAT, MANIFEST, type Manifest, manifestText, partName, sumOfCounts } from "./manifest.js";
import { writeState } from "./write.js";

const KEPT = 2;

/** A checkpoint that is complete. */
export interface Checkpoint {
	readonly iteration: number;
	readonly folder: string;
	readonly bytes: number;
}

export class Store {
	readonly #folder: string;
	readonly #identity: Identity;
	#directory: CheckpointDirectory | undefined;
	/** Sound ones, the newest first. */
	readonly #kept: Checkpoint[];

	/** `found` is the checkpoint that was resumed. A directory is created when it is needed. */
	constructor(
		folder: string,
		identity: Identity,
		found: Checkpoint | undefined,
		directory: CheckpointDirectory | undefined,
	) {
		this.#folder = folder;
		this.#identity = identity;
		this.#directory = directory;
		this.#kept = found ? [found] : [];
	}

	get last(): Checkpoint | undefined {
		return this.#kept[0];
	}

	get directory(): CheckpointDirectory | undefined {
		return this.#directory;
	}

	async write(rank: number, state: RunState): Promise<Saved> {
		this.#directory ??= await openCheckpointDirectory(this.#folder);
		return await writeState(this.#directory, rank, state);
	}

	/** Makes a checkpoint of the parts of all ranks. Rejects if it cannot; earlier checkpoints stay as they are. */
	async complete(iteration: number, parts: readonly Saved[]): Promise<Checkpoint> {
		const known = this.#kept.find((each) => each.iteration === iteration);
		// The run was resumed from it, and stopped before another iteration.
		if (known) return known;
		if (this.#directory === undefined) throw new Error("nothing was written");
		const written = join(this.#directory.folder, nameOf(iteration));
		await checkSizes(written, parts);
		const manifest = manifestText(this.#manifest(iteration, parts));
		await writeFile(join(written, MANIFEST), manifest, { flag: "wx", mode: 0o600, flush: true });
		const folder = await publish(this.#folder, written, this.#directory.folder, iteration);
		const checkpoint = { iteration, folder, bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0) };
		// Completions need not end in the order in which they began.
		this.#kept.push(checkpoint);
		this.#kept.sort((one, other) => other.iteration - one.iteration);
		this.#kept.splice(KEPT);
		const iterations = this.#kept.map((each) => each.iteration);
		await keepOnly(this.#folder, iterations);
		return checkpoint;
	}

	/** Removes the remains of a checkpoint that was being written, complete or lost. */
	async clear(iteration: number): Promise<void> {
		if (this.#directory) await removed(join(this.#directory.folder, nameOf(iteration)));
	}

	/** Stops writing; what is complete stays. */
	async close(): Promise<void> {
		if (this.#directory) await removed(this.#directory.folder);
	}

	async removeAll(): Promise<void> {
		await keepOnly(this.#folder, []);
	}

	#manifest(iteration: number, saved: readonly Saved[]): Manifest {
		const { program, problem, options } = this.#identity;
		const parts = saved.map(({ counts, bytes, sha256 }) => ({ counts, bytes, sha256 }));
		return {
			stickslip: "checkpoint",
			format: CHECKPOINT_FORMAT,
			version,
			program,
			problem,
			options,
			iteration,
			counts: sumOfCounts(parts),
			parts,
			written: new Date().toISOString(),
		};
	}
}

/** A part that a process reports and this one cannot see would be missing when it is needed. */
async function checkSizes(written: string, parts: readonly Saved[]): Promise<void> {
	for (const [rank, { bytes }] of parts.entries()) {
		const { size } = await lstat(join(written, partName(rank)));
		if (size !== bytes) throw new Error(`${partName(rank)} has ${size} bytes instead of ${bytes}`);
	}
}

async function removed(path: string): Promise<void> {
	await rm(path, { recursive: true, force: true }).catch(() => {});
}
