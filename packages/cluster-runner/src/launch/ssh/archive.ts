/** The program as one archive that a host with nothing but Node.js can run: made once by `npm pack`, with all that it needs bundled. */
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { InputError, version } from "@stickslip/core";
import { packageFolder } from "../../own.js";
import { ask, complaint } from "../tool.js";
import { digestOf, type ProgramFile, programFiles } from "./closure.js";

const PACK_MS_MAX = 300_000;

/** The folder of programs, on every host below the home folder. */
export const CACHE = ".cache/stickslip";
/** Our package in an unpacked archive. */
export const PACKAGE = "node_modules/@stickslip/cluster-runner";

export interface Program {
	/** Names version, system and content. */
	readonly name: string;
	readonly files: readonly ProgramFile[];
}

export function thisProgram(): Program {
	const files = programFiles(packageFolder);
	return { name: `${version}-${process.platform}-${process.arch}-${digestOf(files)}`, files };
}

/** The archive, made where it is not there yet. */
export async function archiveOf({ name, files }: Program, cache = join(homedir(), CACHE)): Promise<string> {
	const archive = join(cache, `${name}.tgz`);
	if (existsSync(archive)) return archive;
	const staging = mkdtempSync(join(tmpdir(), "stickslip-pack-"));
	try {
		stage(staging, name, files);
		const answer = await ask(
			"npm",
			["pack", "--silent", "--ignore-scripts", "--offline", "--prefix", staging, staging],
			{
				milliseconds: PACK_MS_MAX,
				cwd: staging,
			},
		);
		const packed = readdirSync(staging).find((file) => file.endsWith(".tgz"));
		if (answer.code !== 0 || packed === undefined) {
			const problem = answer.isMissing ? "npm is not on the path, and it packs the program" : complaint(answer);
			const remedy = "install npm here, or the program there and name its folder with --program";
			throw new InputError("launch ssh", "npm pack", problem, remedy);
		}
		mkdirSync(cache, { recursive: true });
		// Beside the wanted file: a rename does not cross file systems.
		const beside = join(cache, `.${name}.${process.pid}.part`);
		copyFileSync(join(staging, packed), beside);
		renameSync(beside, archive);
		return archive;
	} finally {
		rmSync(staging, { recursive: true, force: true });
	}
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
