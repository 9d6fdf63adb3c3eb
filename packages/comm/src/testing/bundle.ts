/**
 * Makes one JavaScript file out of a TypeScript entry (and what it imports here), for workers and processes that tests start: Node 20 does not run
 * TypeScript. Packages that npm installs stay outside and are found from the file's place inside this package; core is included, so that a build does not
 * change it during a test.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const folder = fileURLToPath(new URL("../../node_modules/.cache/stickslip", import.meta.url));

export interface Bundle {
	readonly file: string;
	/** Removes it. */
	remove(): void;
}

export function bundle(entry: URL): Bundle {
	mkdirSync(folder, { recursive: true });
	const place = mkdtempSync(join(folder, "test-"));
	const file = join(place, "rank.mjs");
	buildSync({
		entryPoints: [fileURLToPath(entry)],
		outfile: file,
		bundle: true,
		platform: "node",
		target: "node20",
		format: "esm",
		external: ["koffi", "msgpackr", "piscina", "zeromq"],
		sourcemap: "inline",
		logLevel: "error",
	});
	return { file, remove: () => rmSync(place, { recursive: true, force: true }) };
}
