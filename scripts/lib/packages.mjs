/**
 * The packages as they are packed: which files each tarball has, and whether `exports`, `bin`, `files` and dependencies agree with
 * them. A module is a .js with its types, maps and source: all of it is packed where any of it is reached, and nothing else.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { entriesOf, moduleOf, reach, relativeTo } from "./reach.mjs";

const folder = fileURLToPath(new URL("../../packages/", import.meta.url));
const npm = process.platform === "win32" ? "npm.cmd" : "npm";
/** Packed whatever else there is. */
const always = ["package.json", "README.md", "LICENSE"];

/** All packages that are packed: their folders and manifests, each behind those that it depends on. */
export function readPackages() {
	const all = readdirSync(folder).map((name) => {
		const path = join(folder, name);
		return { path, manifest: JSON.parse(readFileSync(join(path, "package.json"), "utf8")) };
	});
	const packed = all.filter(({ manifest }) => manifest.private !== true);
	const depth = ({ manifest }) =>
		1 + Math.max(0, ...packed.filter((one) => one.manifest.name in (manifest.dependencies ?? {})).map(depth));
	return packed.sort((one, other) => depth(one) - depth(other));
}

/** As npm lists them without packing or asking anyone. */
export function packedFiles(path) {
	const words = ["pack", "--dry-run", "--json", "--ignore-scripts", "--offline"];
	return listed(execFileSync(npm, words, { cwd: path, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }))
		.files.map((file) => file.path)
		.sort();
}

/** Makes the tarball of a package, and returns its name. */
export function packInto(destination, path) {
	const words = ["pack", "--json", "--ignore-scripts", "--offline", "--pack-destination", destination];
	return listed(execFileSync(npm, words, { cwd: path, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }))
		.filename;
}

/** npm tells of packages as a list, or by their names. */
function listed(answer) {
	return Object.values(JSON.parse(answer))[0];
}

/** What is wrong with a package, one line each; `files` are those of its tarball. */
export function faultsOf({ path, manifest }, files, versions) {
	const read = (file) => readFileSync(join(path, file), "utf8");
	const { modules, missing, packages } = reach(entriesOf(manifest), files, read);
	const faults = missing.map((file) => `${file} is needed and not packed`);
	for (const file of files) {
		if (!always.includes(file) && !modules.has(moduleOf(file))) faults.push(`${file} is packed and nothing reaches it`);
	}
	for (const file of files.filter((each) => each.endsWith(".map"))) {
		const { sources, sourcesContent = [] } = JSON.parse(read(file));
		const lost = sources.filter((to, k) => sourcesContent[k] == null && !files.includes(relativeTo(file, to)));
		faults.push(...lost.map((to) => `${file} points to ${to}, which is not packed`));
	}
	return [...faults, ...dependencyFaults(manifest, packages, versions)].map((fault) => `${manifest.name}: ${fault}`);
}

/** A peer is what others hand in: it need not be imported, and may be. */
function dependencyFaults({ version, dependencies = {}, peerDependencies = {} }, packages, versions) {
	const used = [...packages]
		.filter((name) => !(name in { ...dependencies, ...peerDependencies }))
		.map((name) => `${name} is imported, not declared`);
	const idle = Object.keys(dependencies).filter((name) => !packages.has(name));
	const other = Object.entries(dependencies).filter(([name, wanted]) => name in versions && wanted !== versions[name]);
	const faults = [
		...used,
		...idle.map((name) => `${name} is declared, and nothing imports it`),
		...other.map(([name, wanted]) => `wants ${name} as ${wanted}, which is ${versions[name]}`),
	];
	for (const [name, its] of Object.entries(versions))
		if (its !== version) faults.push(`${version}, and ${name} ${its}`);
	return faults;
}
