/**
 * What the process that starts two others holds of a W that is given in a file: where it reads all of it and sends each its rows, and
 * where each rank reads its own. Beside it a run of a hundred contacts, of which nothing is large.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";
import type { Started, Way } from "./starter.js";

const CONTACTS = 30_000;
const SMALL = 100;
const ROUNDS = 5;
const starter = fileURLToPath(new URL("../../dist/rows/starter.js", import.meta.url));

export type Row = {
	readonly contacts: number;
	readonly way: Way;
	/** The most that the starting process ever held, of all rounds, in MiB. */
	readonly peak: number;
	/** The least seconds from the file to the answer. */
	readonly seconds: number;
	readonly hash: string;
};

/** Processes count what the one that started them held at that time: so this one holds nothing, and another writes the problem. */
function start(...words: readonly string[]): string {
	return execFileSync(process.execPath, [starter, ...words], { encoding: "utf8" });
}

/** Both ways in turn, so that they meet the same machine. */
export function rowsOf(contacts: number, rounds: number): Row[] {
	const folder = mkdtempSync(join(tmpdir(), "stickslip-rows-"));
	try {
		const path = join(folder, "problem.hdf5");
		start("write", path, String(contacts));
		const ways: readonly Way[] = ["starter", "ranks"];
		const found = new Map<Way, Started[]>(ways.map((way) => [way, []]));
		for (let round = 0; round < rounds; round += 1) {
			for (const way of ways) {
				found.get(way)!.push(JSON.parse(start(way, path)) as Started);
			}
		}
		return [...found].map(([way, all]) => ({
			contacts,
			way,
			peak: Math.max(...all.map(({ peakBytes }) => peakBytes)) / 2 ** 20,
			seconds: Math.min(...all.map(({ seconds }) => seconds)),
			hash: all[0]!.hash.slice(0, 16),
		}));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

export const rows: Bench = {
	name: "rows",
	what: "memory of the process that starts two ranks, which reads W or leaves that to them (contacts)",
	run([contacts = String(CONTACTS)]) {
		if (!(Number(contacts) >= 1)) {
			console.log("npm run bench -- rows [CONTACTS]");
			return 2;
		}
		const all = [...rowsOf(SMALL, ROUNDS), ...rowsOf(Number(contacts), ROUNDS)];
		for (const { contacts: count, way, peak, seconds, hash } of all) {
			const who = way === "ranks" ? "ranks read their rows" : "the starter reads W";
			console.log(`${count} contacts, ${who}: at most ${peak.toFixed(0)} MiB, ${seconds.toFixed(2)} s, ${hash}`);
		}
		const flat = all.map((row) => ({
			...row,
			peak: Number(row.peak.toFixed(1)),
			seconds: Number(row.seconds.toFixed(3)),
		}));
		if (contacts === String(CONTACTS)) console.log(`recorded in ${recordCsv("rows", flat)}`);
		const isSame = [0, 2].every((at) => all[at]!.hash === all[at + 1]!.hash);
		return isSame && all[3]!.peak < all[2]!.peak ? 0 : 1;
	},
};
