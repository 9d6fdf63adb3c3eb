/**
 * The log of a run: one JSON object per line, in one file for the run and one for each rank. Files are appended to, so that the supervisor and the
 * process of the line may both write. A file that is full makes room by becoming the older one of two: a run of weeks cannot fill the disk.
 */
import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { FILES } from "./files.js";

export type Facts = Readonly<Record<string, string | number | boolean>>;
export type Level = "info" | "warn" | "error";
/** The run as a whole, or one of its ranks. */
export type Source = "run" | number;

/** Where events of a run go. Writing never throws: a log that cannot be written is no reason to lose the run. */
export interface Log {
	write(source: Source, level: Level, event: string, facts?: Facts): void;
}

/** Of each file; the older one is as large at the most. */
const BYTES_MAX = 2 ** 21;
/** A line beyond this is cut: a reason that long says nothing more. */
const TEXT_MAX = 2000;

/** The log in a run's folder. */
export class RunLog implements Log {
	readonly #folder: string;
	readonly #bytesMax: number;
	/** Bytes of each file as far as they are known here; others may have added to them. */
	readonly #sizes = new Map<string, number>();
	/** Lines that could not be written, e.g. on a full disk. */
	#lost = 0;

	constructor(runFolder: string, bytesMax = BYTES_MAX) {
		this.#folder = join(runFolder, FILES.logs);
		this.#bytesMax = bytesMax;
	}

	get lost(): number {
		return this.#lost;
	}

	write(source: Source, level: Level, event: string, facts: Facts = {}): void {
		const file = join(this.#folder, logName(source));
		try {
			// Without its parents: a run that somebody removed stays removed.
			if (!existsSync(this.#folder)) mkdirSync(this.#folder);
			const line = lineOf(level, event, facts);
			if (this.#isFull(file, line.length)) {
				renameSync(file, older(file));
				appendFileSync(file, lineOf("info", "rotated", { older: logName(source, true), bytesMax: this.#bytesMax }));
			}
			appendFileSync(file, line);
			this.#sizes.set(file, (this.#sizes.get(file) ?? 0) + line.length);
		} catch {
			this.#lost += 1;
		}
	}

	/** Looks at the file itself only where it may be full. */
	#isFull(file: string, more: number): boolean {
		const known = this.#sizes.get(file);
		if (known !== undefined && known + more <= this.#bytesMax) return false;
		const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
		this.#sizes.set(file, size);
		if (size === 0 || size + more <= this.#bytesMax) return false;
		this.#sizes.set(file, 0);
		return true;
	}
}

/** run.jsonl, rank-0003.jsonl; the older one of two is run.1.jsonl. */
function logName(source: Source, isOlder = false): string {
	const name = source === "run" ? "run" : `rank-${String(source).padStart(4, "0")}`;
	return `${name}${isOlder ? ".1" : ""}.jsonl`;
}

function older(file: string): string {
	return file.replace(/\.jsonl$/, ".1.jsonl");
}

function lineOf(level: Level, event: string, facts: Facts): string {
	const short = Object.entries(facts).map(([name, value]) => {
		return [name, typeof value === "string" && value.length > TEXT_MAX ? `${value.slice(0, TEXT_MAX)}...` : value];
	});
	return `${JSON.stringify({ time: new Date().toISOString(), level, event, ...Object.fromEntries(short) })}\n`;
}
