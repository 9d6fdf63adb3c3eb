/**
 * Runs on a host that lacks the program, handed to its Node.js as text: takes an archive of `npm pack` from standard input to a folder under the
 * home folder. The folder appears whole or not at all, also where two launches bring it at once. Knows Node.js only.
 */
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
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

/** Files only, and nothing outside of the folder. */
function unpack(archive: Buffer, folder: string): void {
	for (const { name, type, mode, bytes } of entriesOf(gunzipSync(archive))) {
		const inside = name.replace(/^package\//, "");
		if (type !== "0" && type !== "") continue;
		if (inside.startsWith("/") || inside.split("/").includes("..")) throw new Error(`${name} leads out of the archive`);
		const file = join(folder, inside);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, bytes, { mode: mode & 0o755 });
	}
}

const folder = process.argv[1] ?? "";
const temporary = join(dirname(folder), `.${process.pid}-${Date.now()}.part`);
const parts: Buffer[] = [];
for await (const part of process.stdin) parts.push(part as Buffer);
try {
	mkdirSync(temporary, { recursive: true });
	unpack(Buffer.concat(parts), temporary);
	try {
		renameSync(temporary, folder);
	} catch (error) {
		// Somebody else was as quick, with the same content.
		const { code } = error as NodeJS.ErrnoException;
		if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
	}
	process.stdout.write("unpacked\n");
} finally {
	rmSync(temporary, { recursive: true, force: true });
}
