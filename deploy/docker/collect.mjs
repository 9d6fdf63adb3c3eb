/**
 * `node collect.mjs FOLDER`: the built command with all that it loads, in a folder that does not exist yet, and nothing else: no sources and maps, no
 * prebuilt files of other systems, no second copies for browsers. Ends by asking the result to check itself.
 */
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [folder] = process.argv.slice(2);
if (folder === undefined || existsSync(folder)) {
	console.error("collect.mjs: name a folder that does not exist yet");
	process.exit(2);
}

const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
// Copies of our packages, not links to them; all others as the lockfile has them.
const packages = ["--filter", "@stickslip/cluster-runner", "--config.inject-workspace-packages=true"];
execFileSync("npx", ["-y", packageManager, ...packages, "deploy", "--prod", folder], { cwd: root, stdio: "inherit" });

const store = join(folder, "node_modules", ".pnpm");
const left = ["src", "pnpm-lock.yaml", "pnpm-workspace.yaml"].map((name) => join(folder, name));
for (const path of [...left, ...readdirSync(store).flatMap(spareParts)]) {
	rmSync(path, { recursive: true, force: true });
}
removeByName(folder, /\.(map|d\.ts|d\.mts|d\.cts|tsbuildinfo)$/);
execFileSync(process.execPath, [join(folder, "bin", "stickslip.mjs"), "doctor"], { stdio: "inherit" });

/** What a package brings and this program does not load here. */
function spareParts(entry) {
	const of = (name, ...parts) => join(store, entry, "node_modules", name, ...parts);
	if (entry.startsWith("@stickslip+")) return [of(entry.split("@file")[0].replace("+", "/"), "src")];
	if (entry.startsWith("h5wasm@")) return [of("h5wasm", "dist", "esm"), of("h5wasm", "dist", "iife")];
	if (!entry.startsWith("zeromq@")) return [];
	const build = of("zeromq", "build");
	const [systems, mine] = [readdirSync(build, { withFileTypes: true }), join(build, process.platform)];
	return [
		...systems
			.filter((each) => each.isDirectory() && each.name !== process.platform)
			.map(({ name }) => join(build, name)),
		...readdirSync(mine)
			.filter((name) => name !== process.arch)
			.map((name) => join(mine, name)),
	];
}

function removeByName(path, pattern) {
	for (const name of readdirSync(path)) {
		const inside = join(path, name);
		const there = lstatSync(inside);
		if (there.isDirectory()) removeByName(inside, pattern);
		else if (there.isFile() && pattern.test(name)) rmSync(inside);
	}
}
