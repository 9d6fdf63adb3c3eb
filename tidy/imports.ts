/** Who imports whom: the direction of dependencies, no Node in core, no dead files. */
import { builtinModules } from "node:module";
import { posix } from "node:path";
import { type Finding, isScript, isTest, lineAt, parts, type TextFile } from "./tree.js";

export interface Import {
	readonly specifier: string;
	readonly line: number;
}

const importForms: readonly RegExp[] = [
	/\b(?:import|export)\b[^;"'`()]*?\bfrom\s*["']([^"']+)["']/g,
	/\bimport\s*["']([^"']+)["']/g,
	/\b(?:import|require)\s*\(\s*["'`]([^"'`]+)["'`]/g,
	/\bnew\s+URL\s*\(\s*["'`]([^"'`]+)["'`]\s*,\s*import\.meta\.url/g,
];

export function importsOf(file: TextFile): Import[] {
	const { code } = parts(file);
	const found: Import[] = [];
	for (const form of importForms) {
		for (const match of code.matchAll(form)) {
			found.push({ specifier: match[1] ?? "", line: lineAt(code, match.index + match[0].length) });
		}
	}
	return found;
}

/** What each package may import of the others; tests obey it as well. Folders that are not here are under no rule. */
const mayKnow: Readonly<Record<string, readonly string[]>> = {
	"packages/core": [],
	"packages/partition": ["core"],
	"packages/comm": ["core"],
	"packages/mechanics": ["core", "partition"],
	"packages/client": ["core"],
	"packages/browser": ["core", "partition", "comm"],
	"packages/cluster-runner": ["core", "partition", "comm", "mechanics", "client"],
	bench: ["core", "partition", "comm", "mechanics", "client", "browser", "cluster-runner"],
};

const scope = "@stickslip/";

/** The only doors to what packages do not ship: parts of clusters and pages of a browser for tests, which benches use too. */
const unshipped: Readonly<Record<string, string>> = {
	"bench/src/testing.ts": "../../packages/cluster-runner/dist/testing/index.js",
	"bench/src/browser/pages.ts": "../../../packages/browser/dist/testing/index.js",
};

export function wrongDirection(files: readonly TextFile[]): Finding[] {
	const findings: Finding[] = [];
	for (const file of files) {
		const home = Object.keys(mayKnow).find((folder) => file.path.startsWith(`${folder}/`));
		if (home === undefined) {
			if (file.path.startsWith("packages/"))
				findings.push({ path: file.path, line: 0, message: "a package without a rule" });
			continue;
		}
		const allowed = mayKnow[home] ?? [];
		const refuse = (line: number, what: string) =>
			findings.push({ path: file.path, line, message: `${home} must not know ${what}` });
		if (file.path === `${home}/package.json`) {
			for (const name of declared(file).filter((name) => name.startsWith(scope))) {
				if (!allowed.includes(name.slice(scope.length))) refuse(0, name);
			}
		}
		if (!isScript(file.path)) continue;
		for (const { specifier, line } of importsOf(file)) {
			if (unshipped[file.path] === specifier) continue;
			const outside = /^\..*\.\w+$/.test(specifier) && !resolved(file.path, specifier).startsWith(`${home}/`);
			const other = specifier.startsWith(scope) ? specifier.slice(scope.length).split("/")[0] : undefined;
			const own = home === `packages/${other}`;
			if (outside || (other !== undefined && !own && !allowed.includes(other))) refuse(line, specifier);
		}
	}
	return findings;
}

/** core runs in a browser too: its sources (tests aside) import no module of Node. */
export function nodeInCore(files: readonly TextFile[]): Finding[] {
	return files
		.filter(({ path }) => path.startsWith("packages/core/") && isScript(path) && !isTest(path))
		.flatMap((file) =>
			importsOf(file)
				.filter(({ specifier }) => specifier.startsWith("node:") || builtinModules.includes(specifier))
				.map(({ specifier, line }) => ({ path: file.path, line, message: `core imports ${specifier}` })),
		);
}

/** Names of all dependencies in a package.json. */
function declared(file: TextFile): string[] {
	const manifest: Record<string, unknown> = JSON.parse(file.text);
	const fields = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];
	return fields.flatMap((field) => Object.keys(manifest[field] ?? {}));
}

/** Each dependency has a line in docs/dependencies.md that begins with its name, and each line there a dependency. */
export function undocumented(files: readonly TextFile[]): Finding[] {
	const page = files.find((file) => file.path === "docs/dependencies.md");
	const documented = [...(page?.text ?? "").matchAll(/^[-|*]\s*`([^`]+)`\W+\w.{10,}/gm)].map((match) => match[1] ?? "");
	const manifests = files.filter((file) => /(^|\/)package\.json$/.test(file.path));
	const used = manifests.flatMap((file) =>
		declared(file)
			.filter((name) => !name.startsWith(scope))
			.map((name) => ({ name, path: file.path })),
	);
	const missing = used
		.filter(({ name }) => !documented.includes(name))
		.map(({ name, path }) => ({ path, line: 0, message: `${name} has no line in docs/dependencies.md` }));
	const stale = documented
		.filter((name) => !used.some((one) => one.name === name))
		.map((name) => ({ path: "docs/dependencies.md", line: 0, message: `nobody depends on ${name}` }));
	return [...missing, ...stale];
}

/** A relative specifier as a path from the repo's root, still with the ending it was written with. */
export function resolved(from: string, specifier: string): string {
	return posix.normalize(posix.join(posix.dirname(from), specifier));
}
