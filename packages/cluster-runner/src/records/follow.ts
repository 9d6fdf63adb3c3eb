/**
 * Reads the log of a run: all files merged by time, and what is added to them later. Lines of one file stay in their order, even if a clock was set back.
 * Lines that are not log entries are left out and counted.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { type Checked, firstWrong, oneOf, record, text } from "@stickslip/core/schema";
import { codeOf, jsonIn, unreadable } from "../base/errors.js";
import { namesIn } from "../base/folders.js";
import { isRecord, moment } from "./check.js";
import { FILES } from "./files.js";
import { LOG_LEVELS, type LogFields, type LogLevel, type LogSource } from "./log.js";

export interface LogLine {
	readonly time: string;
	readonly source: LogSource;
	readonly level: LogLevel;
	readonly event: string;
	readonly facts: LogFields;
}

/** Larger than any log file becomes; anything beyond was not written by this program. */
const BYTES_MAX = 2 ** 26;
const NEWLINE = 10;

/** One file, as far as it has been read. */
interface ReadPosition {
	/** Another file may take its name when it is full. */
	inode: number;
	offset: number;
}

export class LogReader {
	readonly #folder: string;
	readonly #only: LogSource | undefined;
	readonly #positions = new Map<string, ReadPosition>();
	/** The latest time in each file so far. */
	readonly #latest = new Map<string, number>();
	#damaged = 0;

	/** `only` leaves out all others. */
	constructor(runFolder: string, only?: LogSource) {
		this.#folder = join(runFolder, FILES.logs);
		this.#only = only;
	}

	/** Lines that were not log entries. */
	get damaged(): number {
		return this.#damaged;
	}

	/** The sources that have files. */
	sources(): LogSource[] {
		return [...new Set(this.#files().map(({ source }) => source))];
	}

	/** What is new since the last call, by time. */
	read(): LogLine[] {
		const files = this.#files().filter(({ source }) => this.#only === undefined || source === this.#only);
		const lines = files.flatMap(({ name, older, source }) => {
			return this.#news(name, older, source).map((line) => ({ line, moment: this.#momentOf(name, line) }));
		});
		return lines.sort((one, other) => one.moment - other.moment).map(({ line }) => line);
	}

	/** Never before that of the line above it. */
	#momentOf(name: string, { time }: LogLine): number {
		const moment = Math.max(Date.parse(time), this.#latest.get(name) ?? -Infinity);
		this.#latest.set(name, moment);
		return moment;
	}

	/** Each file with the older one whose name it took. */
	#files(): { readonly name: string; readonly older: string; readonly source: LogSource }[] {
		const names = namesIn(this.#folder);
		return names.sort().flatMap((name) => {
			const [, stem, rank] = /^(run|rank-(\d{4,6}))\.jsonl$/.exec(name) ?? [];
			if (stem === undefined) return [];
			return [{ name, older: `${stem}.1.jsonl`, source: rank === undefined ? "run" : Number(rank) }];
		});
	}

	#news(name: string, older: string, source: LogSource): LogLine[] {
		const position = this.#positions.get(name);
		// The file read so far may be the older one by now; at first all of it is new.
		const before = readFrom(join(this.#folder, older), position?.offset ?? 0, position?.inode);
		const path = join(this.#folder, name);
		const same = before === undefined && position ? readFrom(path, position.offset, position.inode) : undefined;
		const current = same ?? readFrom(path, 0);
		const last = current ?? before;
		if (last) this.#positions.set(name, { inode: last.inode, offset: last.offset });
		const texts = [...(before?.lines ?? []), ...(current?.lines ?? [])];
		return texts.flatMap((text) => {
			const line = logLine(text, source);
			if (line === undefined) this.#damaged += 1;
			return line === undefined ? [] : [line];
		});
	}
}

interface Part extends ReadPosition {
	readonly lines: readonly string[];
}

/** The whole lines from an offset on; undefined if the file is missing, or is another one. */
function readFrom(path: string, offset: number, inode?: number): Part | undefined {
	let file: number;
	try {
		// A named pipe is not waited for.
		file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
	} catch (error) {
		if (codeOf(error) === "ENOENT") return undefined;
		throw unreadable(path, error, "ask its owner for the permission");
	}
	try {
		const there = fstatSync(file);
		if (!there.isFile() || (inode !== undefined && there.ino !== inode) || there.size < offset) return undefined;
		const bytes = Buffer.alloc(Math.min(there.size - offset, BYTES_MAX));
		const got = bytes.subarray(0, readSync(file, bytes, 0, bytes.length, offset));
		const end = got.lastIndexOf(NEWLINE) + 1;
		const text = got.toString("utf8", 0, end);
		return { inode: there.ino, offset: offset + end, lines: text.split("\n").filter((line) => line.trim() !== "") };
	} finally {
		closeSync(file);
	}
}

const isLine = record({ time: moment, level: oneOf(LOG_LEVELS), event: text(Number.MAX_SAFE_INTEGER) });

/** Undefined for a line that is not a log entry. */
function logLine(line: string, source: LogSource): LogLine | undefined {
	const value = jsonIn(line);
	if (!isRecord(value) || firstWrong(value, isLine, true) !== undefined) return undefined;
	const { time, level, event, ...rest } = value as Checked<typeof isLine>;
	const plain = Object.entries<unknown>(rest).filter((entry): entry is [string, LogFields[string]] => {
		return ["string", "number", "boolean"].includes(typeof entry[1]);
	});
	return { time, source, level, event, facts: Object.fromEntries(plain) };
}
