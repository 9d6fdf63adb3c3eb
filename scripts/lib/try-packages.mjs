/**
 * The packages as strangers get them: packed, installed from their tarballs by npm into an empty folder that no workspace is above,
 * imported, type-checked and run there.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { faultsOf, packedFiles, packInto, readPackages } from "./packages.mjs";
import { StepError } from "./setup.mjs";

const onWindows = process.platform === "win32";
const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
const typesOfNode = fileURLToPath(new URL("../../node_modules/@types", import.meta.url));
/** What npm says where neither its cache nor a registry has a package. */
const unreachable = /\b(ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)\b/;

/** What is wrong with the packages before they are tried, one line each. */
export function faultsOfAll(packages = readPackages()) {
	const versions = Object.fromEntries(packages.map(({ manifest }) => [manifest.name, manifest.version]));
	return packages.flatMap((each) => faultsOf(each, packedFiles(each.path), versions));
}

/** Packs all into a folder, and returns the tarballs. */
export function packAll(folder, packages = readPackages()) {
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	return packages.map(({ path }) => join(folder, packInto(folder, path)));
}

/** Installs tarballs into an empty folder; false where the packages of others cannot be had. */
export function install(folder, tarballs) {
	writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "stranger", private: true, type: "module" }));
	const words = ["install", "--prefer-offline", "--no-audit", "--no-fund", ...tarballs];
	const { status, stderr } = start(folder, onWindows ? "npm.cmd" : "npm", words);
	if (status === 0) return true;
	if (unreachable.test(stderr)) return false;
	throw new StepError(`npm install failed:\n${stderr}`);
}

/** The command that installs all tarballs of a folder for one user, and puts `stickslip` on the PATH of this shell. */
export function installCommand(folder, prefix = '"$HOME/.local"') {
	const install = `npm install --global --prefix ${prefix} "${folder}"/*.tgz`;
	return `${install} && export PATH=${prefix}/bin:"$PATH"`;
}

/** The version that `stickslip` prints in a shell where that command was run; undefined where the packages of others cannot be had, or there is no such shell. */
export function tryInstallCommand(tarballs, folder) {
	if (onWindows) return undefined;
	const quiet = "export npm_config_prefer_offline=true npm_config_audit=false npm_config_fund=false";
	const line = `${quiet}; (${installCommand(tarballs, `"${folder}"`)} && command -v stickslip && stickslip --version)`;
	const { status, stdout, stderr } = start(folder, "sh", ["-c", line]);
	if (status !== 0 && unreachable.test(stderr)) return undefined;
	const [path, version] = stdout.trim().split("\n").slice(-2);
	if (status !== 0 || path !== join(folder, "bin", "stickslip")) {
		throw new StepError(`${line} ended with ${status}:\n${stdout}${stderr}`);
	}
	return version;
}

/** Uses all that the packages offer, and throws at the first thing that does not work; returns what was tried. */
export function tryAll(folder, packages = readPackages()) {
	// What has no types is a file for browsers, and no module.
	const entries = packages.flatMap(({ manifest }) =>
		Object.entries(manifest.exports)
			.filter(([, { types }]) => types !== undefined)
			.map(([name]) => `${manifest.name}${name.slice(1)}`),
	);
	importAll(folder, entries);
	checkTypes(folder, entries);
	const doctor = command(folder, "doctor");
	solveThere(folder);
	return [`imported and type-checked: ${entries.join(", ")}`, "stickslip doctor:", doctor.trimEnd()];
}

function importAll(folder, entries) {
	const lines = entries.map((entry, k) => `import * as entry${k} from ${JSON.stringify(entry)};`);
	const names = entries.map((_, k) => `entry${k}`);
	const check = `for (const entry of [${names}]) if (Object.keys(entry).length === 0) process.exit(1);`;
	writeFileSync(join(folder, "imports.mjs"), [...lines, check].join("\n"));
	must(folder, process.execPath, ["imports.mjs"]);
}

/** With the declarations of all packages checked too: none may need what is not there. */
function checkTypes(folder, entries) {
	const lines = entries.map((entry, k) => `export * as entry${k} from ${JSON.stringify(entry)};`);
	writeFileSync(join(folder, "types.ts"), `${lines.join("\n")}\n`);
	const settings = ["--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2024,dom"];
	const words = [tsc, "--noEmit", ...settings, "--typeRoots", typesOfNode, "--types", "node", "types.ts"];
	must(folder, process.execPath, words);
}

/** By the command, on one rank and several, and by a program: one hash. */
function solveThere(folder) {
	command(folder, "generate", "spheres", "--contacts", "60", "--output", "pile.hdf5");
	const ways = [[], ["--ranks", "2"], ["--ranks", "2", "--transport", "zeromq"]];
	const hashes = ways.map((words) => JSON.parse(command(folder, "solve", "pile.hdf5", "--json", ...words)).hash);
	const program = `
		import { solve } from "@stickslip/core";
		import { readProblem, withFclib } from "@stickslip/core/fclib";
		import { ready } from "h5wasm/node";
		console.log(solve(withFclib(await ready, "pile.hdf5", readProblem)).report.hash);
	`;
	writeFileSync(join(folder, "program.mjs"), program);
	hashes.push(must(folder, process.execPath, ["program.mjs"]).trim());
	if (new Set(hashes).size !== 1) throw new StepError(`one problem has several hashes: ${hashes.join(", ")}`);
}

function command(folder, ...words) {
	return must(folder, onWindows ? "npx.cmd" : "npx", ["--no-install", "stickslip", ...words]);
}

function must(folder, program, words) {
	const { status, stdout, stderr } = start(folder, program, words);
	if (status === 0) return stdout;
	throw new StepError(`${[program, ...words].join(" ")} ended with ${status}:\n${stdout}${stderr}`);
}

/** Without what npm tells the programs that it runs, which is of this workspace. */
function start(cwd, program, words) {
	const inherited = Object.entries(process.env).filter(([name]) => !/^(npm_(?!config_)|INIT_CWD|NODE_PATH)/.test(name));
	const env = Object.fromEntries(inherited);
	const { error, ...ended } = spawnSync(program, words, { cwd, env, encoding: "utf8", shell: onWindows });
	if (error) throw error;
	return ended;
}
