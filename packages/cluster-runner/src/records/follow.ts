/**
 * Reads the log of a run: all files merged by time, and what is added to them later. Lines of one file stay in its order, also where a clock was set back
 * meanwhile. Lines that are no log lines are left out and counted.
 */
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "@stickslip/core";
import { codeOf, isRecord } from "./check.js";
import { FILES } from "./files.js";
import type { Facts, Level, LogSource } from "./log.js";

export interface LogLine {
	readonly time: string;
	readonly source: LogSource;
	readonly level: Level;
	readonly event: string;
	readonly facts: Facts;
}

/** Larger than any log file becomes; what is beyond it was not written by us. */
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

	/** Lines that were none. */
	get damaged(): number {
		return this.#damaged;
	}

	/** The sources that there are files of. */
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

	/** Each file with the older one that it took the name from. */
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
		// What was read so far may be the older file by now; at first all of that is new.
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

/** The whole lines from an offset on; undefined where the file is not there, or not the one that is meant. */
function readFrom(path: string, offset: number, inode?: number): Part | undefined {
	let file: number;
	try {
		// A named pipe is not waited for.
		file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
	} catch (error) {
		if (codeOf(error) === "ENOENT") return undefined;
		throw new InputError(path, "file", `cannot be read (${codeOf(error) ?? String(error)})`, "ask its owner for it");
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

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}

/** Undefined for what is no line of a log. */
function logLine(text: string, source: LogSource): LogLine | undefined {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return undefined;
	}
	if (!isRecord(value)) return undefined;
	const { time, level, event, ...rest } = value;
	if (typeof time !== "string" || !Number.isFinite(Date.parse(time)) || typeof event !== "string") return undefined;
	const known = (["info", "warn", "error"] as const).find((name) => name === level);
	if (known === undefined) return undefined;
	const plain = Object.entries(rest).filter((entry): entry is [string, Facts[string]] => {
		return ["string", "number", "boolean"].includes(typeof entry[1]);
	});
	return { time, source, level: known, event, facts: Object.fromEntries(plain) };
}
