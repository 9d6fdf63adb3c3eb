/**
 * Writes what was measured to a file under bench/results, with what a reader needs to judge it: the processor, Node's
 * version, the date and the revision. Never a host's name or a path, so that the files can be committed.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { arch, availableParallelism, cpus, platform, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Facts of the machine and the program, as every result file carries them. */
export interface Circumstances {
	readonly date: string;
	/** The commit, with `+` where the tree differs from it; "unknown" outside a repository. */
	readonly revision: string;
	readonly node: string;
	readonly platform: string;
	readonly processor: string;
	readonly cores: number;
	readonly memoryGiB: number;
}

/** Found from dist/, where this file runs, and from src/ alike. */
const results = fileURLToPath(new URL("../results", import.meta.url));

export function circumstances(now = new Date()): Circumstances {
	return {
		date: now.toISOString().slice(0, 10),
		revision: revision(),
		node: process.versions.node,
		platform: `${platform()} ${arch()}`,
		processor: cpus()[0]?.model.trim() ?? "unknown",
		cores: availableParallelism(),
		memoryGiB: Math.round(totalmem() / 2 ** 30),
	};
}

/** A table as name.csv, circumstances first in comment lines; the header is the first row's keys, and all rows have them. Returns the path. */
export function recordCsv(
	name: string,
	rows: readonly Readonly<Record<string, string | number>>[],
	folder = results,
): string {
	const columns = Object.keys(rows[0] ?? {});
	const lines = rows.map((row) => columns.map((column) => cell(row[column])).join(","));
	return write(folder, `${name}.csv`, [...commented(), columns.map(cell).join(","), ...lines, ""].join("\n"));
}

/**
 * The same, into a file that several commands fill: a row takes the place of the one with the same values in its first columns, the key; other
 * rows stay. One after another, also where two do so at a time.
 */
export function mergeCsv(
	name: string,
	key: readonly string[],
	rows: readonly Readonly<Record<string, string | number>>[],
	folder = results,
): string {
	const columns = Object.keys(rows[0] ?? {});
	if (key.some((column, index) => columns[index] !== column))
		throw new Error(`rows do not begin with ${key.join(", ")}`);
	const header = columns.map(cell).join(",");
	mkdirSync(folder, { recursive: true });
	return locked(join(folder, `.${name}.lock`), () => {
		const ofKey = new RegExp(`^(?:(?:"(?:[^"]|"")*"|[^,"]*),){${key.length}}`);
		const keyOf = (line: string) => ofKey.exec(`${line},`)?.[0] ?? line;
		const lines = rows.map((row) => columns.map((each) => cell(row[each])).join(","));
		const own = new Set(lines.map(keyOf));
		const before = rowsIn(join(folder, `${name}.csv`), header).filter((line) => !own.has(keyOf(line)));
		return write(folder, `${name}.csv`, [...commented(), header, ...before, ...lines, ""].join("\n"));
	});
}

/** The rows of name.csv, by the names in its header; no cell has a line break. */
export function readCsv<Column extends string>(name: string, folder = results): Record<Column, string>[] {
	const text = readFileSync(join(folder, `${name}.csv`), "utf8");
	const [header = [], ...rows] = text
		.split("\n")
		.filter((line) => line !== "" && !line.startsWith("#"))
		.map((line) => [...`${line},`.matchAll(/("(?:[^"]|"")*"|[^,]*),/g)].map(([, each = ""]) => unquoted(each)));
	return rows.map(
		(cells) => Object.fromEntries(header.map((column, k) => [column, cells[k] ?? ""])) as Record<Column, string>,
	);
}

function unquoted(text: string): string {
	return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text;
}

/** The rows of a file with this header; none where there is no such file. */
function rowsIn(path: string, header: string): string[] {
	if (!existsSync(path)) return [];
	const lines = readFileSync(path, "utf8").split("\n");
	const at = lines.indexOf(header);
	return at < 0 ? [] : lines.slice(at + 1).filter((line) => line !== "");
}

const LOCK_MS_MAX = 5000;

function locked<Result>(path: string, work: () => Result): Result {
	for (const end = performance.now() + LOCK_MS_MAX; ; ) {
		try {
			mkdirSync(path);
			break;
		} catch {
			// Whoever holds it for so long has died with it.
			if (performance.now() > end) break;
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
		}
	}
	try {
		return work();
	} finally {
		rmSync(path, { recursive: true, force: true });
	}
}

function write(folder: string, file: string, contents: string): string {
	if (!/^[a-z0-9][a-z0-9-]*\.[a-z]+$/.test(file))
		throw new Error(`a result is named in lower case and hyphens, not ${file}`);
	mkdirSync(folder, { recursive: true });
	const path = join(folder, file);
	writeFileSync(path, contents);
	return path;
}

function commented(): string[] {
	return Object.entries(circumstances()).map(([key, value]) => `# ${key}: ${value}`);
}

function cell(value: string | number | undefined): string {
	const text = value === undefined ? "" : String(value);
	return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function revision(): string {
	const git = (...args: string[]) =>
		execFileSync("git", args, {
			cwd: fileURLToPath(new URL("..", import.meta.url)),
			encoding: "utf8",
			stdio: ["ignore", "pipe", "ignore"],
		}).trim();
	try {
		return `${git("rev-parse", "--short", "HEAD")}${git("status", "--porcelain", "--untracked-files=no") === "" ? "" : "+"}`;
	} catch {
		return "unknown";
	}
}
