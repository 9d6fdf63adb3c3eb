/**
 * Counts comments in the style that the project leaves behind: fragments without a noun in front, and words for which the trade has better ones. The stored
 * counts per file are a ratchet: a file may not exceed its count, a new file has none, and a count that has fallen is stored.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Finding, isScript, parts, root, type TextFile } from "./tree.js";

/** Counts by path; files without any are left out. */
export type ProseCounts = Readonly<Record<string, number>>;

/** Beginnings of a comment. */
const fragments = /^(Of|What|Whether|Whoever|Who|The same|As)\b/;

/**
 * Words anywhere in a comment. Words that are wrong in some meanings only (line, place, share, known, near, kept, turns, ...) are not here: a count
 * cannot tell the meanings apart.
 */
const words = new RegExp(
	String.raw`\b(${[
		...["told", "tells", "untold", "asked", "said", "taken", "takes", "goes on", "gone on", "anew"],
		...["so many", "so much", "beside", "course", "leg", "bent", "in vain", "whoever", "ours", "theirs"],
	].join("|")})\b`,
	"gi",
);

/** Text of each comment, without its marks; // on lines that follow each other is one. */
function commentsIn(file: TextFile): string[] {
	const { text } = file;
	const found: string[] = [];
	let end = -1;
	for (const { from, to } of parts(file).spans) {
		const comment = text
			.slice(from, to)
			.replace(/^\/[/*]+|\*\/$/g, "")
			.replaceAll(/\n\s*\*? */g, "\n")
			.trim();
		const before = text.slice(text.lastIndexOf("\n", from) + 1, from).trim();
		const continues = text.startsWith("//", from) && before === "" && /^\n[\t ]*$/.test(text.slice(end, from));
		if (continues && found.length > 0) found.push(`${found.pop()}\n${comment}`);
		else found.push(comment);
		// Comments by // behind code are not continued by the next line.
		end = text.startsWith("//", from) && (before === "" || continues) ? to : -1;
	}
	return found;
}

function countIn(file: TextFile): number {
	return commentsIn(file).reduce((sum, comment) => {
		return sum + (fragments.test(comment) ? 1 : 0) + (comment.match(words)?.length ?? 0);
	}, 0);
}

export function countProse(files: readonly TextFile[]): ProseCounts {
	const counted = files.filter(({ path }) => isScript(path)).map((file) => [file.path, countIn(file)] as const);
	return Object.fromEntries(counted.filter(([, count]) => count > 0));
}

export function proseAboveStored(counts: ProseCounts, stored: ProseCounts): Finding[] {
	const findings: Finding[] = [];
	for (const path of new Set([...Object.keys(counts), ...Object.keys(stored)])) {
		const [now = 0, most = 0] = [counts[path], stored[path]];
		if (now > most) {
			const message = `${now} fragments and words that english style leaves behind in comments, and ${most} are stored`;
			findings.push({ path, line: 0, message });
		}
		if (now < most) findings.push({ path, line: 0, message: `has ${now} of ${most} left: npm run prose stores it` });
	}
	return findings;
}

/** Counts to store: `lower` keeps the smaller number of each file, and nothing for a new one; `reset` stores the present ones. */
export function rewritten(counts: ProseCounts, stored: ProseCounts, how: "lower" | "reset"): ProseCounts {
	const paths = Object.keys(counts).sort();
	if (how === "reset") return Object.fromEntries(paths.map((path) => [path, counts[path]!]));
	const kept = paths.filter((path) => stored[path] !== undefined);
	return Object.fromEntries(kept.map((path) => [path, Math.min(counts[path]!, stored[path]!)]));
}

const tableFile = join(root, "tidy", "prose.json");

export function storedProse(): ProseCounts {
	return JSON.parse(readFileSync(tableFile, "utf8"));
}

/** Rewrites the table as STICKSLIP_PROSE says: lower (`npm run prose`) or reset (after a merge). */
export function storeProse(counts: ProseCounts, how: string | undefined): void {
	if (how !== "lower" && how !== "reset") return;
	writeFileSync(tableFile, `${JSON.stringify(rewritten(counts, storedProse(), how), undefined, "\t")}\n`);
}
