/** The files of the repo as the checks see them: tracked or about to be, as text. */
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Split, split } from "./lexer.js";

export const root = fileURLToPath(new URL("..", import.meta.url));

export interface TextFile {
	/** Relative to the repo's root, with forward slashes. */
	readonly path: string;
	readonly text: string;
}

/** One thing to mend. The checks return findings and never throw, so that all are told at once. */
export interface Finding {
	readonly path: string;
	/** From 1; 0 where it is about the file as a whole. */
	readonly line: number;
	readonly message: string;
}

const binary = /\.(png|jpe?g|gif|ico|woff2?|wasm|hdf5|h5|gz|zip|pdf)$/;

/** Everything git tracks or would add; binary files without their bytes, since pages may link to them. */
export function readTree(): TextFile[] {
	const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
		cwd: root,
		encoding: "utf8",
		maxBuffer: 2 ** 26,
	});
	const paths = [...new Set(listed.split("\0"))].filter((path) => path !== "").sort();
	return paths
		.filter((path) => statSync(join(root, path), { throwIfNoEntry: false })?.isFile())
		.map((path) => ({ path, text: binary.test(path) ? "" : readFileSync(join(root, path), "utf8") }));
}

export const isTest = (path: string): boolean => path.endsWith(".test.ts");

/** TypeScript, AssemblyScript and JavaScript. */
export const isScript = (path: string): boolean => /\.(ts|mjs|js)$/.test(path);

const splits = new WeakMap<TextFile, Split>();

/** Code and comments of a script, apart; split once per file. */
export function parts(file: TextFile): Split {
	let found = splits.get(file);
	if (found === undefined) {
		found = split(file.text);
		splits.set(file, found);
	}
	return found;
}

export function lineAt(text: string, index: number): number {
	let line = 1;
	for (let i = text.indexOf("\n"); i !== -1 && i < index; i = text.indexOf("\n", i + 1)) line += 1;
	return line;
}

export function tell(findings: readonly Finding[]): string[] {
	return findings.map(({ path, line, message }) => `${path}${line > 0 ? `:${line}` : ""}: ${message}`);
}
