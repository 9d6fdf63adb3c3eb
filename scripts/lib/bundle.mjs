/**
 * The programs that a run starts, each with all of ours that it needs in a few files: a worker thread or a process that reads one file instead of
 * two hundred starts in a third of the time, and a run starts many. Dependencies stay outside. What tsc made is what is bundled.
 */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const built = fileURLToPath(new URL("../../packages/cluster-runner/dist", import.meta.url));
const entries = ["main.js", "supervised.js", "ranks/process.js", "ranks/rank.js", "runs/metrics-thread.js"];

/** As vitest's set-up: tests start what tsc made last. */
export default function bundle() {
	const outdir = join(built, "programs");
	const result = buildSync({
		entryPoints: entries.map((entry) => join(built, entry)),
		outdir,
		entryNames: "[name]",
		chunkNames: "part-[hash]",
		bundle: true,
		splitting: true,
		format: "esm",
		platform: "node",
		target: "node20.19",
		external: ["h5wasm", "koffi", "msgpackr", "piscina", "zeromq"],
		metafile: true,
		logLevel: "warning",
	});
	const written = new Set(Object.keys(result.metafile.outputs).map((path) => path.slice(path.lastIndexOf("/") + 1)));
	for (const name of readdirSync(outdir)) if (!written.has(name)) rmSync(join(outdir, name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) bundle();
