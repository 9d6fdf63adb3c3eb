/**
 * From a fresh clone to something that runs: installs, builds the kernels, compiles. Needs only Node and npm, and does
 * again only what has changed. Everything that npm runs at the root starts here.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const stamps = join(root, "node_modules", ".cache", "stickslip");
const oldestNode = [20, 19];

/** A step that did not work; the message says which and what to do. Shown without a stack. */
export class StepError extends Error {}

/** Runs a program in the repo's root with this terminal, and returns its exit code. */
export function run(command, args, { env = {} } = {}) {
	// npx is a .cmd file on Windows, which only a shell starts.
	const shell = process.platform === "win32" && command === "npx";
	const result = spawnSync(command, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env }, shell });
	if (result.error) throw new StepError(`${command} did not start: ${result.error.message}`);
	return result.status ?? 1;
}

/** Runs a program out of node_modules: `package/path/to/file`, by Node itself and so without a shell. */
export function runTool(file, args, options) {
	return run(process.execPath, [join(root, "node_modules", ...file.split("/")), ...args], options);
}

/** Type-checks and compiles what has changed; `project` is a tsconfig in the root. */
export function compile(project) {
	return runTool("typescript/bin/tsc", ["-b", project, "--pretty", String(process.stderr.isTTY === true)]);
}

/** Installs and builds where needed. Throws a StepError that names the step. */
export function setup() {
	checkNode();
	install();
	buildKernels();
	removeStale();
	if (compile("tsconfig.json") !== 0) throw new StepError("the build failed: tsc reports the errors above");
	if (run(process.execPath, ["scripts/lib/bundle.mjs"]) !== 0) throw new StepError("the build failed: see above");
}

/** Runs a main function of a script; the exit code is what it returns, 1 after an error. */
export function main(body) {
	try {
		process.exitCode = body(process.argv.slice(2)) ?? 0;
	} catch (error) {
		if (!(error instanceof StepError)) throw error;
		console.error(`stickslip: ${error.message}`);
		process.exitCode = 1;
	}
}

function checkNode() {
	const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
	if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
	throw new StepError(
		`Node ${oldestNode.join(".")} or later is needed and this is ${process.versions.node}; update Node`,
	);
}

/** What tsc made of sources that have been moved or removed: it would be tested, packed and bundled still. */
function removeStale() {
	for (const name of readdirSync(join(root, "packages"))) {
		const [dist, src] = ["dist", "src"].map((folder) => join(root, "packages", name, folder));
		if (!existsSync(dist)) continue;
		for (const path of readdirSync(dist, { recursive: true })) {
			const source = /^(?!bundled\b)(.*?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(path)?.[1];
			if (source !== undefined && !existsSync(join(src, `${source}.ts`))) rmSync(join(dist, path));
		}
	}
}

function install() {
	const manifests = ["package.json", "pnpm-workspace.yaml", "pnpm-lock.yaml", "bench/package.json"];
	for (const name of readdirSync(join(root, "packages"))) manifests.push(`packages/${name}/package.json`);
	once("install", manifests, "node_modules/.modules.yaml", () => {
		const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
		console.error("stickslip: installing the dependencies");
		const code = run("npx", ["-y", packageManager, "install", "--frozen-lockfile"]);
		if (code === 0) return;
		throw new StepError(
			`installing failed (npx ${packageManager} install, exit code ${code}); it needs the npm registry, and after a ` +
				`change of a package.json a new lockfile: npx ${packageManager} install --no-frozen-lockfile`,
		);
	});
}

function buildKernels() {
	const script = "scripts/build-kernels.mjs";
	if (!existsSync(join(root, script))) return;
	const sources = [script, "pnpm-lock.yaml", ...filesUnder("packages/core/assembly")];
	once("kernels", sources, "packages/core/src/kernels/generated", () => {
		console.error("stickslip: building the kernels");
		if (run(process.execPath, [script]) !== 0) throw new StepError(`${script} failed`);
	});
}

/** Does the work unless it was done for the same contents of `inputs` and `output` is still there. */
function once(name, inputs, output, work) {
	const hash = createHash("sha256").update(process.versions.modules);
	for (const input of inputs)
		if (existsSync(join(root, input))) hash.update(input).update(readFileSync(join(root, input)));
	const wanted = hash.digest("hex");
	const stamp = join(stamps, name);
	const done = existsSync(stamp) ? readFileSync(stamp, "utf8") : "";
	if (done === wanted && existsSync(join(root, output))) return;
	work();
	mkdirSync(stamps, { recursive: true });
	writeFileSync(stamp, wanted);
}

function filesUnder(folder) {
	const found = [];
	for (const name of readdirSync(join(root, folder)).sort()) {
		const path = `${folder}/${name}`;
		if (statSync(join(root, path)).isDirectory()) found.push(...filesUnder(path));
		else found.push(path);
	}
	return found;
}
