/**
 * The log of a run: one JSON object per line, in one file for the run and one for each rank. Files are appended to, so that the supervisor and the
 * process of the line may both write. A file that is full makes room by becoming the older one of two: a run of weeks cannot fill the disk.
 *
 * Lines are written one after another in the background: a slow or hanging file system does not keep the process from its ranks. Lines that are pending
 * when the process exits are written then.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { appendFile, mkdir, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../base/errors.js";
import { FILES } from "./files.js";

export type LogFields = Readonly<Record<string, string | number | boolean>>;
export const LOG_LEVELS = ["info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
/** The run as a whole, or one of its ranks. */
export type LogSource = "run" | number;

/** Where events of a run go. Writing never throws: a log that cannot be written is no reason to lose the run. */
export interface Log {
	write(source: LogSource, level: LogLevel, event: string, facts?: LogFields): void;
}

/** Of each file; the older one is as large at the most. */
const BYTES_MAX = 2 ** 21;
/** Longer lines are cut: such a reason says nothing more. */
const TEXT_MAX = 2000;

/** Lines that may wait for the file system; further ones are lost. */
const WAITING_MAX = 10_000;
/** At the exit of the process a write that has taken so long already is not waited for. */
const STUCK_MS = 500;

interface Line {
	readonly file: string;
	readonly text: string;
}

/** The log in a run's folder. */
export class RunLog implements Log {
	readonly #folder: string;
	readonly #bytesMax: number;
	/** Bytes of each file as known here; other processes may have appended. */
	readonly #sizes = new Map<string, number>();
	readonly #waiting: Line[] = [];
	/** What is being written, since when, and its end. */
	#atWork: { readonly line: Line; readonly since: number } | undefined;
	#work: Promise<void> | undefined;
	/** Lines that could not be written, e.g. on a full disk. */
	#lost = 0;

	constructor(runFolder: string, bytesMax = BYTES_MAX) {
		this.#folder = join(runFolder, FILES.logs);
		this.#bytesMax = bytesMax;
	}

	get lost(): number {
		return this.#lost;
	}

	write(source: LogSource, level: LogLevel, event: string, facts: LogFields = {}): void {
		if (this.#waiting.length >= WAITING_MAX) {
			this.#lost += 1;
			return;
		}
		this.#waiting.push({ file: join(this.#folder, logName(source)), text: lineOf(level, event, facts) });
		this.#work ??= this.#writeAll();
		writing(this);
	}

	/** Resolves when all is written, or lost. */
	async flush(): Promise<void> {
		await this.#work;
	}

	/** The process exits: pending lines are written now, unless the file system hangs. */
	writeAtExit(): void {
		const under = this.#atWork;
		if (under !== undefined && performance.now() - under.since > STUCK_MS) return;
		if (under !== undefined && !hasText(under.line)) this.#waiting.unshift(under.line);
		for (const { file, text } of this.#waiting.splice(0)) {
			try {
				appendFileSync(file, text);
			} catch {
				// It is lost, like any line that cannot be written.
			}
		}
	}

	async #writeAll(): Promise<void> {
		// Lines of the same turn are written together.
		await undefined;
		for (let line = this.#next(); line !== undefined; line = this.#next()) {
			this.#atWork = { line, since: performance.now() };
			try {
				await this.#append(line);
			} catch {
				this.#lost += line.text.split("\n").length - 1;
			}
		}
		this.#atWork = undefined;
		this.#work = undefined;
		unwritten.delete(this);
	}

	/** Lines of one file that follow each other are written at once. */
	#next(): Line | undefined {
		const file = this.#waiting[0]?.file;
		if (file === undefined) return undefined;
		let text = "";
		for (let [first] = this.#waiting; first?.file === file; [first] = this.#waiting) {
			if (text !== "" && text.length + first.text.length > this.#bytesMax / 2) break;
			text += first.text;
			this.#waiting.shift();
		}
		return { file, text };
	}

	async #append({ file, text }: Line): Promise<void> {
		if (await this.#isFull(file, text.length)) {
			await rename(file, older(file));
			const name = older(file).slice(this.#folder.length + 1);
			await appendFile(file, lineOf("info", "rotated", { older: name, bytesMax: this.#bytesMax }));
		}
		await this.#appendTo(file, text);
		this.#sizes.set(file, (this.#sizes.get(file) ?? 0) + text.length);
	}

	async #appendTo(file: string, text: string): Promise<void> {
		try {
			await appendFile(file, text);
		} catch (error) {
			if (codeOf(error) !== "ENOENT") throw error;
			// Without its parents: a run that was removed stays removed.
			await mkdir(this.#folder);
			await appendFile(file, text);
		}
	}

	/** Looks at the file itself only where it may be full. */
	async #isFull(file: string, more: number): Promise<boolean> {
		const known = this.#sizes.get(file);
		if (known !== undefined && known + more <= this.#bytesMax) return false;
		const size = await stat(file).then(
			(found) => found.size,
			() => 0,
		);
		this.#sizes.set(file, size);
		if (size === 0 || size + more <= this.#bytesMax) return false;
		this.#sizes.set(file, 0);
		return true;
	}
}

/** Whether the pending write was completed. */
function hasText({ file, text }: Line): boolean {
	try {
		return readFileSync(file, "utf8").includes(text);
	} catch {
		return false;
	}
}

const unwritten = new Set<RunLog>();
let isListening = false;

function writing(log: RunLog): void {
	unwritten.add(log);
	if (isListening) return;
	isListening = true;
	process.on("exit", () => {
		for (const each of unwritten) each.writeAtExit();
	});
}

/** run.jsonl, rank-0003.jsonl; the older one of two is run.1.jsonl. */
function logName(source: LogSource): string {
	return `${source === "run" ? "run" : `rank-${String(source).padStart(4, "0")}`}.jsonl`;
}

function older(file: string): string {
	return file.replace(/\.jsonl$/, ".1.jsonl");
}

function lineOf(level: LogLevel, event: string, facts: LogFields): string {
	const short = Object.entries(facts).map(([name, value]) => {
		return [name, typeof value === "string" && value.length > TEXT_MAX ? `${value.slice(0, TEXT_MAX)}...` : value];
	});
	return `${JSON.stringify({ time: new Date().toISOString(), level, event, ...Object.fromEntries(short) })}\n`;
}
