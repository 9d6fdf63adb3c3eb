/**
 * Runs on a host that lacks the program, or has a damaged copy of it, passed to its Node.js as text: takes an archive of `npm pack` from standard input,
 * compares it with its digest, and puts it into a folder under the home folder. The folder appears whole or not at all, also if two launches copy it at
 * once; a mark is written last. Copies that have not been used for long are removed. Knows Node.js only.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";

const BLOCK_BYTES = 512;

interface Entry {
	readonly name: string;
	readonly type: string;
	readonly mode: number;
	readonly bytes: Buffer;
}

/** The entries of a tar file as npm writes it: ustar with the longer names in records of their own. */
function* entriesOf(tar: Buffer): Generator<Entry> {
	let longName: string | undefined;
	for (let at = 0; at + BLOCK_BYTES <= tar.length; ) {
		const text = (from: number, length: number) => {
			return tar.toString("utf8", at + from, at + from + length).replace(/\0.*/s, "");
		};
		const [own, prefix] = [text(0, 100), text(345, 155)];
		if (own === "") return;
		const size = Number.parseInt(text(124, 12), 8);
		const bytes = tar.subarray(at + BLOCK_BYTES, at + BLOCK_BYTES + size);
		if (bytes.length !== size) throw new Error("the archive is cut short");
		const type = text(156, 1);
		if (type === "x") longName = /\d+ path=(.*)\n/.exec(bytes.toString())?.[1];
		else if (type !== "g") {
			const name = longName ?? (prefix === "" ? own : `${prefix}/${own}`);
			yield { name, type, mode: Number.parseInt(text(100, 8), 8), bytes };
			longName = undefined;
		}
		at += BLOCK_BYTES * (1 + Math.ceil(size / BLOCK_BYTES));
	}
	// An archive that is whole ends with an empty block.
	throw new Error("the archive is cut short");
}

interface File {
	readonly name: string;
	readonly mode: number;
	readonly bytes: Buffer;
}

/** Files only, and nothing outside of the folder. */
function filesOf(archive: Buffer): File[] {
	const files: File[] = [];
	for (const { name, type, mode, bytes } of entriesOf(gunzipSync(archive))) {
		const inside = name.replace(/^package\//, "");
		if (type !== "0" && type !== "") continue;
		if (inside.startsWith("/") || inside.split("/").includes("..")) throw new Error(`${name} leads out of the archive`);
		files.push({ name: inside, mode: mode & 0o755, bytes });
	}
	return files;
}

/** As question.ts reads it. */
const MARKER = ".complete.json";

function unpack(files: readonly File[], folder: string): void {
	const hash = createHash("sha256");
	for (const { name, mode, bytes } of files) {
		const file = join(folder, name);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, bytes, { mode });
		hash.update(`${name}\0${bytes.length}\0`).update(bytes);
	}
	const marker = { digest: hash.digest("hex"), files: files.map(({ name }) => name) };
	writeFileSync(join(folder, MARKER), JSON.stringify(marker));
}

/** Whether the same copy is there already. */
function isThere(files: readonly File[], folder: string): boolean {
	try {
		statSync(join(folder, MARKER));
		return files.every(({ name, bytes }) => readFileSync(join(folder, name)).equals(bytes));
	} catch {
		return false;
	}
}

const TRIES = 5;

/** A damaged copy is renamed; of two launches at once the second finds the copy of the first. */
function put(files: readonly File[], temporary: string, folder: string): void {
	for (let left = TRIES; ; left -= 1) {
		try {
			renameSync(temporary, folder);
			return;
		} catch (error) {
			const { code } = error as NodeJS.ErrnoException;
			if (left === 0 || (code !== "ENOTEMPTY" && code !== "EEXIST")) throw error;
		}
		if (isThere(files, folder)) return;
		const aside = `${temporary}.${left}.part`;
		try {
			renameSync(folder, aside);
		} catch {
			// Another process has just done the same.
		}
		rmSync(aside, { recursive: true, force: true });
	}
}

/** Copies that were used within this many days are kept, and at least this many; a process that uses a copy touches its marker at least once a day. */
const KEPT_DAYS = 30;
const KEPT_LEAST = 3;
const DAY_MS = 86_400_000;

function removeOld(cache: string, own: string): void {
	const used = (name: string) => {
		const folder = join(cache, name);
		return (statSync(join(folder, MARKER), { throwIfNoEntry: false }) ?? statSync(folder)).mtimeMs;
	};
	const names = readdirSync(cache);
	const copies = names.filter((name) => /^\d+\.\d+\.\d+\S*-[0-9a-f]{16}$/.test(name) && name !== own);
	const old = copies.map((name) => ({ name, used: used(name) })).sort((one, other) => other.used - one.used);
	for (const { name, used } of old.slice(KEPT_LEAST - 1)) {
		if (Date.now() - used < KEPT_DAYS * DAY_MS) continue;
		// Renamed first, so that an incomplete copy is never used.
		const aside = join(cache, `.${name}.${process.pid}.part`);
		renameSync(join(cache, name), aside);
		rmSync(aside, { recursive: true, force: true });
	}
	// Leftovers of killed processes.
	for (const name of names.filter((each) => /^\..*\.part$/.test(each))) {
		if (Date.now() - statSync(join(cache, name)).mtimeMs > DAY_MS) rmSync(join(cache, name), { recursive: true });
	}
}

const [, folder = "", digest = ""] = process.argv;
const cache = dirname(folder);
const temporary = join(cache, `.${process.pid}-${Date.now()}.part`);
const parts: Buffer[] = [];
for await (const part of process.stdin) parts.push(part as Buffer);
try {
	const archive = Buffer.concat(parts);
	if (createHash("sha256").update(archive).digest("hex") !== digest) throw new Error("the archive arrived damaged");
	const files = filesOf(archive);
	mkdirSync(temporary, { recursive: true, mode: 0o700 });
	unpack(files, temporary);
	put(files, temporary, folder);
	try {
		removeOld(cache, basename(folder));
	} catch {
		// Another process removes them as well; the program is installed.
	}
	process.stdout.write("unpacked\n");
} finally {
	rmSync(temporary, { recursive: true, force: true });
}
