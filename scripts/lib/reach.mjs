/** What of a built package its users can come to: from its exports, its commands and the programs that it starts, over imports. */
import { builtinModules } from "node:module";
import { basename, posix } from "node:path";

/** The programs that cluster-runner starts by name: each as tsc makes it, and as bundle.mjs makes it of that. */
export const programs = [
	"dist/main.js",
	"dist/supervised.js",
	"dist/ranks/process.js",
	"dist/ranks/rank.js",
	"dist/runs/metrics-thread.js",
].map((compiled) => ({ compiled, built: `dist/bundled/${basename(compiled)}` }));

/** Of code that tsc or esbuild wrote: an import begins its line, or is a call. */
const imports = [
	/^(?:import|export)\b[^;"]*?\bfrom "([^"]+)";/gm,
	/^import "([^"]+)";/gm,
	/\b(?:import|require|createRequire\(import\.meta\.url\))\("([^"]+)"\)/g,
	/\b(?:import\.meta|require)\.resolve\("([^"]+)"\)/g,
	/\bnew URL\("([^"]+)", import\.meta\.url\)/g,
];

/** Where programs and other packages come in. */
export function entriesOf({ name, exports, bin = {} }) {
	const pathsOf = (entry) =>
		Object.values(entry).flatMap((value) => (typeof value === "string" ? value : pathsOf(value)));
	const targets = Object.values(exports).flatMap(pathsOf);
	const started = name === "@stickslip/cluster-runner" ? programs.map(({ built }) => built) : [];
	return [...targets, ...Object.values(bin), ...started].map((path) => posix.normalize(path));
}

/** Modules that entries reach, files that they need and that are not among `files`, and the packages that they import. */
export function reach(entries, files, read) {
	const there = new Set(files);
	const [seen, modules, missing, packages] = [new Set(), new Set(), new Set(), new Set()];
	const open = [...entries];
	for (let file = open.pop(); file !== undefined; file = open.pop()) {
		if (seen.has(file)) continue;
		seen.add(file);
		if (!there.has(file)) {
			missing.add(file);
			continue;
		}
		modules.add(moduleOf(file));
		for (const to of importsIn(read(file))) {
			if (to.startsWith(".")) open.push(typed(file, relativeTo(file, to)));
			else if (!to.startsWith("node:") && !builtinModules.includes(to)) packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(to)[0]);
		}
	}
	return { modules, missing: [...missing], packages };
}

function importsIn(text) {
	const code = text.replaceAll(/^\s*\/\*[\s\S]*?\*\/|^\s*\/\/.*/gm, "");
	return imports.flatMap((form) => [...code.matchAll(form)].map((match) => match[1]));
}

export const relativeTo = (file, to) => posix.join(posix.dirname(file), to);

/** What declarations import are declarations. */
const typed = (from, to) => (from.endsWith(".d.ts") ? to.replace(/\.js$/, ".d.ts") : to);

/** The name that the parts of a module have in common: dist/a/b.js, dist/a/b.d.ts.map, src/a/b.ts. */
export const moduleOf = (file) => file.replace(/(\.d)?\.[mc]?[jt]s(\.map)?$/, "").replace(/^src\//, "dist/");
