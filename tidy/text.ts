/** Checks that read a file by itself: its length, its comments, what it must not contain. */
import { type Finding, isScript, isTest, lineAt, parts, type TextFile } from "./tree.js";

/** A file or function that may be longer than the rule says, up to `lines`, and why. */
export interface LongOne {
	readonly lines: number;
	readonly why: string;
}

const fileLimit = 500;

/** One idea a file. The table is a ratchet: what has grown short enough leaves it, and nothing in it may grow. */
export function longFiles(files: readonly TextFile[], allowed: Readonly<Record<string, LongOne>>): Finding[] {
	const counted = files
		.filter((file) => isScript(file.path))
		.map((file) => ({ path: file.path, lines: lineCount(file.text) }));
	return ratchet(counted, fileLimit, allowed);
}

/** Compares lengths with a limit and a table of exceptions. `path` may be any name that the table uses. */
export function ratchet(
	counted: readonly { readonly path: string; readonly lines: number }[],
	limit: number,
	allowed: Readonly<Record<string, LongOne>>,
): Finding[] {
	const findings: Finding[] = [];
	for (const { path, lines } of counted) {
		const entry = allowed[path];
		const most = entry?.lines ?? limit;
		if (lines > most) findings.push({ path, line: 0, message: `${lines} lines, and ${most} are allowed` });
	}
	for (const [path, { why }] of Object.entries(allowed)) {
		const found = counted.find((one) => one.path === path);
		if (found === undefined || found.lines <= limit) {
			findings.push({
				path,
				line: 0,
				message: `needs no exception any more (limit ${limit}); take it out of the table`,
			});
		}
		if (why.trim().length < 10) findings.push({ path, line: 0, message: "an exception needs its reason" });
	}
	return findings;
}

function lineCount(text: string): number {
	return text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

/** Lines of a comment that are statements, not sentences. Examples in a fenced block of a doc comment are meant to be code. */
const statements: readonly RegExp[] = [
	/^(const|let|var)\s+[\w{[].*=/,
	/^import\s.*["'];?$/,
	/^export\s+(const|function|class|default|interface|type|\{)/,
	/^return\b.*;$/,
	/^(if|for|while|switch)\s*\(.*[{;]$/,
	/^\}\s*(else|catch|finally)\b.*\{$/,
	/^(await|throw new)\s.*;$/,
	/^[\w.$[\]]+\s*[-+*/|&]?=\s*[^=\s].*;$/,
	/^[\w.$]+\([^)]*\);$/,
	/^[)}\]]+[;,]?$/,
];

export function commentedOutCode(files: readonly TextFile[]): Finding[] {
	const findings: Finding[] = [];
	for (const file of files.filter((candidate) => isScript(candidate.path))) {
		let fenced = false;
		for (const [index, raw] of parts(file).comments.split("\n").entries()) {
			const line = raw.replace(/^\s*\*?\s*/, "").trim();
			if (line.startsWith("```")) fenced = !fenced;
			if (fenced || !statements.some((statement) => statement.test(line))) continue;
			findings.push({ path: file.path, line: index + 1, message: `commented-out code: ${line}` });
		}
	}
	return findings;
}

/** Something a line of a file must not contain. */
export interface Banned {
	readonly pattern: RegExp;
	readonly message: string;
	/** Which files it is looked for in. */
	readonly where: (path: string) => boolean;
	/** Which part of a script is looked at; other files are always looked at whole. */
	readonly part: "code" | "bare" | "comments" | "whole";
}

const anywhere = () => true;
const scripts = isScript;

/** Parts of the patterns are in brackets so that this file does not contain what it looks for. */
const banned: readonly Banned[] = [
	{
		pattern: /\b(TO[D]O|FI[X]ME|X[X]X|HA[C]K)\b/,
		message: "a note to self; do it, or write an issue",
		where: (path) => path !== "LICENSE",
		part: "whole",
	},
	{
		pattern: /(?<![\w.])[/](work|farm|root|home|Users)[/][\w.]|[/]tmp[/]bash_jobs/,
		message: "a path of one machine",
		where: anywhere,
		part: "whole",
	},
	{
		pattern: /\bpapers[/]\d|[.][/]shared[/](?!data\b)/,
		message: "something that is not in the repo; say what it says, or cite docs/references.md",
		where: anywhere,
		part: "whole",
	},
	{
		pattern: /\bregistry[.]\w|artifact[o]ry|https?:[/][/][^\s/]*(registry|mirror|proxy)/i,
		message: "a registry's host",
		where: anywhere,
		part: "whole",
	},
	{
		pattern: /\bMath[.]random\b/,
		message: "an unseeded random number; use a seeded generator",
		where: scripts,
		part: "bare",
	},
	{
		pattern: /\bMath[.](a?(sin|cos|tan)h?|atan2|exp|expm1|log\w*|pow|hypot|cbrt)\b|(?<!\b2) [*][*] [\w(]/,
		message: "a function whose bits differ between engines, where answers and choices are made",
		where: (path) =>
			/^packages\/core\/(assembly|src\/(generate|kernels|measures|methods|solve|system))\//.test(path) && !isTest(path),
		part: "bare",
	},
	{
		pattern: /@ts-(ignore|nocheck|expect-error)|biome-ignor[e]|eslint-disabl[e]/,
		message: "a check switched off",
		where: scripts,
		part: "comments",
	},
	{
		pattern: /\b(it|test|describe|suite|bench)[.](only|todo|fails|fixme)\b/,
		message: "a test that hides others, or that is not there",
		where: isTest,
		part: "bare",
	},
	{
		pattern: /\bconsole[.]log\(.skipp[e]d/,
		message: "a test that passes by saying that it was not run; use context.skip",
		where: isTest,
		part: "code",
	},
	{
		pattern: /\bvi[.](do)?[mM]ock\(/,
		message: "a module replaced in a process that other tests share; such files end in .mock.test.ts",
		where: (path) => isTest(path) && !path.endsWith(".mock.test.ts"),
		part: "bare",
	},
	{
		pattern: /\b(performance|Date)[.]now\(\) - [^;]*[.]toBe([L]ess|Greater)Than/,
		message: "a time asserted, which a busy machine breaks; assert what was done or said, or measure it in a bench",
		where: isTest,
		part: "bare",
	},
	{
		pattern: /\{ timeou[t]: (\d|\d\d|[12]\d\d)_?000 \}, (async\b|\()|^\t*\}, \d+_?000\);/,
		message: "a limit of a test below that of vitest.config.ts, which only a busy machine reaches; leave it out",
		where: isTest,
		part: "bare",
	},
];

export function bannedText(files: readonly TextFile[], rules: readonly Banned[] = banned): Finding[] {
	const findings: Finding[] = [];
	for (const file of files) {
		for (const { pattern, message, where, part } of rules) {
			if (!where(file.path)) continue;
			const text = part === "whole" || !isScript(file.path) ? file.text : parts(file)[part];
			for (const [index, line] of text.split("\n").entries()) {
				const found = pattern.exec(line);
				if (found) findings.push({ path: file.path, line: index + 1, message: `${message}: ${found[0]}` });
			}
		}
	}
	return findings;
}

/**
 * A test that may be skipped says why where it is skipped: `context.skip("needs h5dump")`, or for `skipIf`, `runIf` and
 * `.skip` a comment or a string with "skip" or "needs" in it on the same line or within the two lines around it.
 */
export function silentSkips(files: readonly TextFile[]): Finding[] {
	const findings: Finding[] = [];
	for (const file of files.filter((candidate) => isTest(candidate.path))) {
		const lines = file.text.split("\n");
		for (const found of parts(file).bare.matchAll(/\.(skipIf|runIf|skip)\b/g)) {
			const line = lineAt(file.text, found.index);
			const around = lines.slice(Math.max(0, line - 3), line + 2).join("\n");
			const rest = around.replaceAll(/\.(skipIf|runIf|skip)\b/g, "");
			if (/["'`/*].*\b(skip\w*|needs)\b/i.test(rest) || /^\.skip\(\s*["'`]\S/.test(file.text.slice(found.index)))
				continue;
			findings.push({ path: file.path, line, message: "a skip without its reason beside it" });
		}
	}
	return findings;
}
