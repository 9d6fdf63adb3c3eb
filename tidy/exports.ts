/** Exports that no other file imports: what is a file's own is not to be offered to others. */
import { candidates, entryPoints } from "./dead.js";
import { importsOf, resolved } from "./imports.js";
import { type Finding, isScript, isTest, lineAt, parts, type TextFile } from "./tree.js";

/** Types are left out: one that a signature names is offered with it. */
const exported = /^export (?:async )?(?:const|let|function\*?|(?:abstract )?class) (\w+)/gm;

/**
 * What packages offer to others is not looked at, nor are files that stand for another of the same exports: by the folder they are in that of the
 * others (`twins`).
 */
export function needlessExports(
	files: readonly TextFile[],
	generated: Readonly<Record<string, string>> = {},
	entries: readonly string[] = [],
	twins: Readonly<Record<string, string>> = {},
): Finding[] {
	const known = new Set(files.map(({ path }) => path));
	const isTwin = (path: string) =>
		Object.entries(twins).some(([own, of]) => path.startsWith(own) && known.has(path.replace(own, of)));
	const scripts = files.filter(({ path }) => isScript(path));
	const offered = new Set([...entryPoints(files), ...entries]);
	const importers = new Map<string, Set<TextFile>>();
	for (const file of scripts) {
		for (const { specifier } of importsOf(file)) {
			for (const path of candidates(resolved(file.path, specifier), generated)) {
				importers.set(path, (importers.get(path) ?? new Set()).add(file));
			}
		}
	}
	const words = new Map(scripts.map((file) => [file, new Set(parts(file).code.match(/\w+/g))]));
	return scripts
		.filter(({ path }) => !offered.has(path) && !isTest(path) && !isTwin(path))
		.flatMap((file) => {
			const { code } = parts(file);
			const others = [...(importers.get(file.path) ?? [])].filter((other) => other !== file);
			if (others.some((other) => /^export \* from/m.test(parts(other).code))) return [];
			return [...code.matchAll(exported)]
				.filter(([, name = ""]) => !others.some((other) => words.get(other)?.has(name)))
				.map(({ index, 1: name }) => {
					return { path: file.path, line: lineAt(code, index), message: `nothing imports ${name}` };
				});
		});
}
