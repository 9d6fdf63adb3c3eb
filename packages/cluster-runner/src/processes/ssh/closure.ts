/** A package with all that it needs to run, as it is installed here: by npm, or in the workspace. */
import { createHash } from "node:crypto";
import { type Dirent, existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";

/** A file of the program: where it is here, and where it will be below the program's folder. */
export interface ProgramFile {
	readonly from: string;
	readonly to: string;
}

interface Manifest {
	readonly name: string;
	readonly dependencies?: Readonly<Record<string, string>>;
	readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** All files, in an order that does not depend on the machine. */
export function programFiles(root: string): ProgramFile[] {
	const placed = new Map<string, string>();
	place(realpathSync(root), "node_modules", placed);
	const files = [...placed].flatMap(([to, from]) =>
		filesOf(from).map((name) => ({ from: join(from, name), to: `${to}/${name}` })),
	);
	return files.sort((one, other) => (one.to < other.to ? -1 : 1));
}

/** Beside the others, or inside the package that needs it if another version has its place. */
function place(from: string, modules: string, placed: Map<string, string>): void {
	const { name, dependencies = {}, optionalDependencies = {} } = manifestOf(from);
	const top = `node_modules/${name}`;
	const to = placed.get(top) === undefined || placed.get(top) === from ? top : `${modules}/${name}`;
	if (placed.has(to)) return;
	placed.set(to, from);
	for (const needed of Object.keys({ ...dependencies, ...optionalDependencies }).sort()) {
		const found = resolved(from, needed);
		if (found !== undefined) place(found, `${to}/node_modules`, placed);
		else if (!(needed in optionalDependencies)) throw new Error(`${name} needs ${needed}, which is not installed`);
	}
}

/** As Node.js looks for it. */
function resolved(from: string, name: string): string | undefined {
	for (let at = from; ; at = dirname(at)) {
		const candidate = join(at, "node_modules", name);
		if (existsSync(join(candidate, "package.json"))) return realpathSync(candidate);
		if (dirname(at) === at) return undefined;
	}
}

function manifestOf(folder: string): Manifest {
	return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

/** What a package of this repository needs to run; its sources and tests stay here. */
const ours = new Set(["package.json", "LICENSE", "README.md", "dist", "bin"]);
const needless = /\.(map|d\.[cm]?ts|tsbuildinfo)$/;

function filesOf(folder: string): string[] {
	const isOurs = manifestOf(folder).name.startsWith("@stickslip/");
	const walk = (inside: string): string[] =>
		readdirSync(join(folder, inside), { withFileTypes: true }).flatMap((entry) => {
			const name = inside === "" ? entry.name : `${inside}/${entry.name}`;
			if (!isNeeded(name, entry, isOurs)) return [];
			return entry.isDirectory() ? walk(name) : [name];
		});
	return walk("");
}

function isNeeded(name: string, entry: Dirent, isOurs: boolean): boolean {
	if (entry.name === "node_modules" || entry.name.startsWith(".")) return false;
	if (isOurs && (name === "dist/testing" || (!name.includes("/") && !ours.has(name)))) return false;
	if (!entry.isDirectory()) return entry.isFile() && !needless.test(name);
	// zeromq brings its library for every system; koffi was installed for this one only.
	const [, platform, arch] = /^build\/(\w+)(?:\/(\w+))?$/.exec(name) ?? [];
	const isOther = platform !== undefined && /^(darwin|linux|win32)$/.test(platform) && platform !== process.platform;
	return !isOther && (arch === undefined || !/^(x64|arm64|ia32)$/.test(arch) || arch === process.arch);
}

/** The same for the same content, wherever it is installed. */
export function programDigest(files: readonly ProgramFile[]): string {
	const hash = createHash("sha256");
	for (const { from, to } of files) {
		const bytes = readFileSync(from);
		hash.update(`${to.split(sep).join("/")}\0${bytes.length}\0`).update(bytes);
	}
	return hash.digest("hex").slice(0, 16);
}
