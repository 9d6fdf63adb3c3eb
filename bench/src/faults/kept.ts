/** What a run had saved when a fault happened, and whether it is still there; and what should not be there when it is over. */
import { type Dirent, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Files that only grow: logs and reports. */
const GROWING = ["logs/run.jsonl", "report.jsonl"] as const;
/** Files that never change: the facts of the run. */
const FIXED = ["run.json"] as const;

export interface Kept {
	/** The iteration of the newest checkpoint that is whole; 0 where there is none. */
	readonly checkpoint: number;
	readonly capsules: readonly string[];
	readonly texts: ReadonlyMap<string, string>;
	/** Lines of the log. */
	readonly lines: number;
}

export function keptIn(folder: string | undefined): Kept {
	const texts = new Map([...GROWING, ...FIXED].map((name) => [name, textIn(join(folder ?? "", name))]));
	const lines = (texts.get("logs/run.jsonl") ?? "").split("\n").length - 1;
	return { checkpoint: newestIn(folder), capsules: namesIn(join(folder ?? "", "capsule")), texts, lines };
}

/** What has been lost. A finished answer needs no checkpoint any more. */
export function lostOf(kept: Kept, folder: string, isAnswered: boolean): string[] {
	if (!existsSync(folder)) return ["the run's folder is gone"];
	const lost: string[] = [];
	const now = keptIn(folder);
	if (!isAnswered && now.checkpoint < kept.checkpoint) {
		lost.push(`the checkpoint of iteration ${kept.checkpoint} is gone, the newest is of ${now.checkpoint}`);
	}
	const capsules = kept.capsules.filter((name) => !now.capsules.includes(name));
	if (capsules.length > 0) lost.push(`of the capsule ${capsules.join(", ")} is gone`);
	for (const [name, text] of kept.texts) {
		const after = now.texts.get(name) ?? "";
		const isThere = (FIXED as readonly string[]).includes(name) ? after === text : after.startsWith(text);
		if (!isThere) lost.push(`${name} has lost what was in it`);
	}
	return lost;
}

/** Unfinished files, temporary folders and sockets, by their paths in the folder. */
export function unfinishedIn(folder: string): string[] {
	const entries = readdirSync(folder, { recursive: true, withFileTypes: true }) as (Dirent & { path: string })[];
	return entries.flatMap((entry) => {
		const path = join(entry.path, entry.name).slice(folder.length + 1);
		const isOurs = /^\.writing-|\.part$|\.tmp$/.test(entry.name) || entry.isSocket() || /^tmp\/stickslip/.test(path);
		return isOurs ? [path] : [];
	});
}

function newestIn(folder: string | undefined): number {
	const checkpoints = join(folder ?? "", "checkpoints", "0");
	const whole = namesIn(checkpoints).filter((name) => existsSync(join(checkpoints, name, "manifest.json")));
	return Math.max(0, ...whole.map(Number).filter((iteration) => iteration > 0));
}

function namesIn(folder: string): string[] {
	return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
}

function textIn(path: string): string {
	try {
		return readFileSync(path, "utf8");
	} catch {
		// Not written yet.
		return "";
	}
}
