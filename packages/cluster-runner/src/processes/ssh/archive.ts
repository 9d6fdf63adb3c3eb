/** The program as one archive that a host with nothing but Node.js can run: made once by `npm pack`, with all that it needs bundled. */
import { createHash } from "node:crypto";
import {
	copyFileSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { InputError, version } from "@stickslip/core";
import { packageFolder } from "../../base/own.js";
import { withTemporaryFolder } from "../../files/temporary.js";
import { writeWhole } from "../../files/write.js";
import { runTool, toolError } from "../tool.js";
import { type ProgramFile, programDigest, programFiles } from "./closure.js";

const PACK_MS_MAX = 300_000;
const ARCHIVE = ".tgz";
const DIGEST = ".sha256";
/** Archives that were used within this many days are kept, and at least this many. */
const KEPT_DAYS = 30;
const KEPT_LEAST = 3;
/** An archive that this made. */
const isProgram = /^\d+\.\d+\.\d+\S*-[0-9a-f]{16}\.tgz$/;

/** The folder of programs, on every host below the home folder. */
export const CACHE = ".cache/stickslip";

export interface Program {
	/** Names version, system and content. */
	readonly name: string;
	readonly files: readonly ProgramFile[];
}

export function thisProgram(): Program {
	const files = programFiles(packageFolder);
	return { name: `${version}-${process.platform}-${process.arch}-${programDigest(files)}`, files };
}

export interface Archive {
	readonly bytes: Uint8Array;
	readonly digest: string;
}

/** The archive, created if it does not exist yet, or has changed since it was created. */
export async function archiveOf(program: Program, cache = join(homedir(), CACHE)): Promise<Archive> {
	const place = join(cache, program.name);
	const cached = cachedAt(place);
	if (cached !== undefined) return cached;
	const bytes = await pack(program);
	const digest = sha256(bytes);
	mkdirSync(cache, { recursive: true, mode: 0o700 });
	writeWhole(`${place}${ARCHIVE}`, bytes);
	// Last: without it the archive counts for nothing.
	writeWhole(`${place}${DIGEST}`, `${digest}\n`);
	removeOld(cache);
	return { bytes, digest };
}

/** Reading it renews its time, which tells which archives are in use. */
function cachedAt(place: string): Archive | undefined {
	try {
		const bytes = readFileSync(`${place}${ARCHIVE}`);
		const digest = sha256(bytes);
		if (readFileSync(`${place}${DIGEST}`, "utf8").trim() !== digest) return undefined;
		utimesSync(`${place}${ARCHIVE}`, new Date(), new Date());
		return { bytes, digest };
	} catch {
		return undefined;
	}
}

/** Archives of former versions but the newest, and those that were used lately; hosts do the same with their copies (unpack.ts). */
function removeOld(cache: string): void {
	const before = Date.now() - KEPT_DAYS * 86_400_000;
	const archives = readdirSync(cache)
		.filter((name) => isProgram.test(name))
		.map((name) => ({ path: join(cache, name), used: statSync(join(cache, name)).mtimeMs }))
		.sort((one, other) => other.used - one.used);
	for (const { path, used } of archives.slice(KEPT_LEAST)) {
		if (used >= before) continue;
		rmSync(path, { force: true });
		rmSync(path.slice(0, -ARCHIVE.length) + DIGEST, { force: true });
	}
}

function sha256(bytes: Uint8Array): string {
	return createHash("sha256").update(bytes).digest("hex");
}

async function pack({ name, files }: Program): Promise<Uint8Array> {
	return await withTemporaryFolder(async (staging) => {
		stage(staging, name, files);
		const words = ["pack", "--silent", "--ignore-scripts", "--offline", "--prefix", staging, staging];
		const answer = await runTool("npm", words, { milliseconds: PACK_MS_MAX, cwd: staging });
		const archive = readdirSync(staging).find((file) => file.endsWith(ARCHIVE));
		if (answer.code === 0 && archive !== undefined) return readFileSync(join(staging, archive));
		const problem = answer.isMissing ? "npm, which packs the program, is not on the path" : toolError(answer);
		const remedy = "install npm here, or install the program there and give its folder with --program";
		throw new InputError("launch ssh", "npm pack", problem, remedy);
	});
}

/** A package of all packages. */
function stage(folder: string, name: string, files: readonly ProgramFile[]): void {
	for (const { from, to } of files) {
		const target = join(folder, to);
		mkdirSync(dirname(target), { recursive: true });
		copyFileSync(from, target);
	}
	const bundled = [...new Set(files.map(({ to }) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(to)?.[1] ?? ""))];
	const manifest = {
		name: "stickslip-bundle",
		version,
		description: name,
		dependencies: Object.fromEntries(bundled.map((each) => [each, "*"])),
		bundleDependencies: bundled,
	};
	writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, undefined, "\t"));
}
