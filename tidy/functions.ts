/**
 * Lengths of functions, as Biome counts them: one rule of it, run alone, so that the exceptions can stand in
 * a table with their reasons. AssemblyScript, which Biome does not read, has its functions at the margin.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root, type TextFile } from "./tree.js";

/** Must be `maxLines` of the rule in biome.jsonc. */
export const functionLimit = 70;

/** A function that is too long; `path` is `file#name`. */
export interface LongFunction {
	readonly path: string;
	readonly lines: number;
}

interface Diagnostic {
	readonly message: string;
	readonly location: { readonly path: string; readonly start: { readonly line: number } };
}

/** Functions above the limit in a folder that has a configuration of Biome. A `describe` of a test is a list, not a function: its parts are counted. */
export function longFunctions(folder: string): LongFunction[] {
	const biome = join(root, "node_modules", "@biomejs", "biome", "bin", "biome");
	const rule = "--only=complexity/noExcessiveLinesPerFunction";
	const options = [rule, "--reporter=json", "--max-diagnostics=none"];
	const answer = execFileSync(process.execPath, [biome, "lint", ...options, "."], {
		cwd: folder,
		encoding: "utf8",
		maxBuffer: 2 ** 26,
		stdio: ["ignore", "pipe", "ignore"],
	});
	const { diagnostics } = JSON.parse(answer) as { diagnostics: readonly Diagnostic[] };
	return diagnostics.flatMap(({ message, location }) => {
		const lines = Number(/\((\d+)\)/.exec(message)?.[1]);
		if (!Number.isFinite(lines)) return [];
		const text = readFileSync(join(folder, location.path), "utf8").split("\n")[location.start.line - 1] ?? "";
		return /\bdescribe\b/.test(text) ? [] : [{ path: `${location.path}#${nameIn(text)}`, lines }];
	});
}

/** The same for AssemblyScript: from `function name` at the margin to the brace at the margin. */
export function longAssembly(files: readonly TextFile[]): LongFunction[] {
	const found: LongFunction[] = [];
	for (const file of files.filter(({ path }) => path.startsWith("packages/core/assembly/"))) {
		const lines = file.text.split("\n");
		for (const [index, line] of lines.entries()) {
			const name = /^(?:export )?function (\w+)/.exec(line)?.[1];
			const length = lines.slice(index).findIndex((other) => other.startsWith("}")) - 1;
			if (name !== undefined && length > functionLimit) found.push({ path: `${file.path}#${name}`, lines: length });
		}
	}
	return found;
}

/** A function's name by the line where it begins: `function f(`, `const f = (`, `f: (`, `f(` of a class. */
function nameIn(line: string): string {
	const named = /\bfunction\*?\s+(\w+)|\b(\w+)\s*[:=]\s*(?:async\b)?\s*\(|\b(?!function\b)(\w+)\s*[(<]/.exec(line);
	return named?.[1] ?? named?.[2] ?? named?.[3] ?? "anonymous";
}
