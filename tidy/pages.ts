/** What pages and comments refer to is in the repo: a stranger has nothing else. */
import { posix } from "node:path";
import { type Finding, isScript, lineAt, parts, type TextFile } from "./tree.js";

const isPage = (path: string): boolean => path.endsWith(".md");

/**
 * Names of pages and of TypeScript files that pages and comments speak of and that no file of the repo has; a single letter (x.ts)
 * stands for any. The changelog tells of files as they were.
 */
export function missingFiles(files: readonly TextFile[]): Finding[] {
	const names = new Set(files.map(({ path }) => posix.basename(path)));
	const findings: Finding[] = [];
	for (const file of files.filter(({ path }) => path !== "CHANGELOG.md")) {
		const text = isScript(file.path) ? parts(file).comments : isPage(file.path) ? file.text : "";
		for (const match of text.matchAll(/(?<![\w*.-])[\w-]{2,}(\.test)?\.(md|ts)\b/g)) {
			if (names.has(match[0])) continue;
			findings.push({ path: file.path, line: lineAt(text, match.index), message: `there is no file ${match[0]}` });
		}
	}
	return findings;
}

/** Links of pages within the repo that lead nowhere: to no file or folder, or to no heading of a page. */
export function brokenLinks(files: readonly TextFile[]): Finding[] {
	const texts = new Map(files.map(({ path, text }) => [path, text]));
	const folders = new Set([...texts.keys()].flatMap(foldersAbove));
	const findings: Finding[] = [];
	for (const { path, text } of files.filter((file) => isPage(file.path))) {
		for (const match of text.matchAll(/\]\(([^)\s]+)\)/g)) {
			const [to = "", anchor] = (match[1] ?? "").split("#");
			if (/^\w+:/.test(to)) continue;
			const target = to === "" ? path : posix.join(posix.dirname(path), to);
			const found = texts.get(target);
			const isThere = found !== undefined || folders.has(target.replace(/\/$/, ""));
			const isHeading = anchor === undefined || headingsOf(found ?? "").has(anchor);
			if (isThere && isHeading) continue;
			findings.push({ path, line: lineAt(text, match.index), message: `a link to nothing: ${match[1]}` });
		}
	}
	return findings;
}

function foldersAbove(path: string): string[] {
	const folder = posix.dirname(path);
	return folder === "." ? ["."] : [folder, ...foldersAbove(folder)];
}

/** Headings as they are linked to: small letters, without punctuation, words joined by hyphens. */
function headingsOf(text: string): Set<string> {
	const headings = [...text.matchAll(/^#+ (.*)$/gm)].map((match) => match[1] ?? "");
	return new Set(
		headings.map((heading) =>
			heading
				.toLowerCase()
				.replaceAll(/[^\w\s-]/g, "")
				.replaceAll(/\s/g, "-"),
		),
	);
}
