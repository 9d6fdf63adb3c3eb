/** Globs, for shells that do not expand them and for quoted patterns: `*`, `?`, `[abc]` and `**` for any depth of folders. */
import { type Dirent, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * The files of the operands, each once, in order. A name that exists is never a pattern; a pattern that matches nothing stays as
 * it is, and reading it says that it cannot be found.
 */
export function expand(operands: readonly string[]): string[] {
	const files = operands.flatMap((operand) => {
		if (operand === "-" || existsSync(operand) || !/[*?[]/.test(operand)) return [operand];
		const found = matches(operand);
		return found.length > 0 ? found : [operand];
	});
	return [...new Set(files)];
}

/** Files that match a pattern, sorted; hidden ones only where the pattern says the dot. */
function matches(pattern: string): string[] {
	const slashed = process.platform === "win32" ? pattern.replaceAll("\\", "/") : pattern;
	const root = /^([A-Za-z]:)?\//.exec(slashed)?.[0] ?? "";
	const segments = slashed.slice(root.length).split("/");
	return [...new Set(walk(root, segments))].sort();
}

function walk(folder: string, segments: readonly string[]): string[] {
	const [segment, ...rest] = segments;
	if (segment === undefined || segment === "") return [];
	if (segment === "**") {
		const below = entriesOf(folder).filter((entry) => entry.isDirectory() && !entry.name.startsWith("."));
		return [...walk(folder, rest), ...below.flatMap((entry) => walk(joined(folder, entry.name), segments))];
	}
	if (!/[*?[]/.test(segment)) {
		const path = joined(folder, segment);
		if (rest.length > 0) return walk(path, rest);
		return existsSync(path) ? [path] : [];
	}
	const shape = segmentPattern(segment);
	const found = entriesOf(folder).filter((entry) => shape.test(entry.name));
	if (rest.length > 0) return found.flatMap((entry) => walk(joined(folder, entry.name), rest));
	return found.filter((entry) => !entry.isDirectory()).map((entry) => joined(folder, entry.name));
}

/** One name of a path: no pattern reaches over a slash. */
function segmentPattern(segment: string): RegExp {
	let source = segment.startsWith(".") ? "" : "(?!\\.)";
	for (const [part] of segment.matchAll(/\*+|\?|\[!?[^\]]+\]|./gs)) {
		if (part.startsWith("*")) source += ".*";
		else if (part === "?") source += ".";
		else if (part.length > 1) source += `[${part.slice(1, -1).replace(/^!/, "^").replaceAll("\\", "\\\\")}]`;
		else source += part.replace(/[.+^${}()|[\]\\]/, "\\$&");
	}
	try {
		return new RegExp(`^${source}$`, "u");
	} catch {
		// "[z-a]" is no class: then it stands for itself.
		return new RegExp(`^${segment.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`, "u");
	}
}

/** What a folder holds; nothing where it cannot be read. */
function entriesOf(folder: string): Dirent[] {
	try {
		return readdirSync(folder === "" ? "." : folder, { withFileTypes: true });
	} catch {
		return [];
	}
}

/** `join` would turn "./a" into "a": names stay as they were written. */
function joined(folder: string, name: string): string {
	if (folder === "") return name;
	return folder.endsWith("/")
		? `${folder}${name}`
		: join(`${folder}/`, name).replace(/^(?=[^./])/, folder.startsWith("./") ? "./" : "");
}
