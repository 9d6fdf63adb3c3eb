/**
 * Writes what was measured to a file under bench/results, with what a reader needs to judge it: the processor, Node's
 * version, the date and the revision. Never a host's name or a path, so that the files can be committed.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
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
