/**
 * The programs that a run starts, each with all of ours that it needs in a few files: a worker thread or a process that reads one file instead of
 * two hundred starts in a third of the time, and a run starts many. Dependencies stay outside. What tsc made is what is bundled,
 * and of that the package only keeps what its own interface imports: the rest is named in dist/.npmignore.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { bundleBrowser } from "./bundle-browser.mjs";
import { entriesOf, moduleOf, programs, reach } from "./reach.mjs";

const packageFolder = (name) => fileURLToPath(new URL(`../../packages/${name}`, import.meta.url));
const root = packageFolder("cluster-runner");

/** As vitest's set-up: tests start what tsc made last. */
export default function bundle() {
	// scripts/repeat.mjs bundles once: a run must not rewrite the programs that the tests of another one start.
	if (process.env.STICKSLIP_BUNDLED === "1") return;
	bundlePrograms();
	bundleBrowser();
	for (const each of [root, packageFolder("browser")]) keepOutUnreached(each);
}

function bundlePrograms() {
	const outdir = join(root, "dist", "bundled");
	const result = buildSync({
		entryPoints: programs.map(({ compiled }) => join(root, compiled)),
		outdir,
		entryNames: "[name]",
		chunkNames: "part-[hash]",
		bundle: true,
		splitting: true,
		format: "esm",
		platform: "node",
		target: "node20.19",
		external: ["h5wasm", "koffi", "msgpackr", "piscina", "ws", "zeromq"],
		metafile: true,
		logLevel: "warning",
	});
	const written = new Set(Object.keys(result.metafile.outputs).map((path) => path.slice(path.lastIndexOf("/") + 1)));
	for (const name of readdirSync(outdir)) if (!written.has(name)) rmSync(join(outdir, name));
}

/** npm leaves out what a file of this name names, in a folder below that of the package. */
function keepOutUnreached(folder) {
	const read = (file) => readFileSync(join(folder, file), "utf8");
	const names = readdirSync(join(folder, "dist"), { recursive: true, withFileTypes: true });
	const inside = ({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll("\\", "/");
	const files = names.filter((each) => each.isFile()).map(inside);
	const { modules } = reach(entriesOf(JSON.parse(read("package.json"))), files, read);
	const unreached = files.filter((file) => file.startsWith("dist/") && !modules.has(moduleOf(file)));
	writeFileSync(join(folder, "dist", ".npmignore"), unreached.map((file) => `${file.slice("dist".length)}\n`).join(""));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) bundle();
