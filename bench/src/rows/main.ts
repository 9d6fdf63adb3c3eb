/**
 * What the process that starts two others holds of a W that is given in a file, plain or compressed: if it reads all of W and sends each rank its
 * rows, and if each rank reads its own. For comparison a run of a hundred contacts, of which nothing is large.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";
import type { RowReader, StarterResult, Storage } from "./starter.js";

const CONTACTS = 30_000;
const SMALL = 100;
const ROUNDS = 5;
const starter = fileURLToPath(new URL("../../dist/rows/starter.js", import.meta.url));

export type Row = {
	readonly contacts: number;
	readonly storage: Storage;
	readonly way: RowReader;
	/** The peak of the starting process over all rounds, in MiB. */
	readonly peak: number;
	/** The least seconds from the file to the answer. */
	readonly seconds: number;
	readonly hash: string;
};

/** The peak of a process includes what its parent held when it was started: so this one holds nothing, and another process writes the problem. */
function start(...words: readonly string[]): string {
	return execFileSync(process.execPath, [starter, ...words], { encoding: "utf8" });
}

/** Both ways in turn, so that they run under the same load. */
export function rowsOf(contacts: number, storage: Storage, rounds: number): Row[] {
	const folder = mkdtempSync(join(tmpdir(), "stickslip-rows-"));
	try {
		const path = join(folder, "problem.hdf5");
		start("write", path, String(contacts), storage);
		const ways: readonly RowReader[] = ["starter", "ranks"];
		const found = new Map<RowReader, StarterResult[]>(ways.map((way) => [way, []]));
		for (let round = 0; round < rounds; round += 1) {
			for (const way of ways) {
				found.get(way)!.push(JSON.parse(start(way, path)) as StarterResult);
			}
		}
		return [...found].map(([way, all]) => ({
			contacts,
			storage,
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
		const all = (["plain", "packed"] as const).flatMap((storage) => [
			...rowsOf(SMALL, storage, ROUNDS),
			...rowsOf(Number(contacts), storage, ROUNDS),
		]);
		for (const { contacts: count, storage, way, peak, seconds, hash } of all) {
			const who = way === "ranks" ? "ranks read their rows" : "the starter reads W";
			console.log(
				`${count} contacts, ${storage}, ${who}: at most ${peak.toFixed(0)} MiB, ${seconds.toFixed(2)} s, ${hash}`,
			);
		}
		const flat = all.map((row) => ({
			...row,
			peak: Number(row.peak.toFixed(1)),
			seconds: Number(row.seconds.toFixed(3)),
		}));
		if (contacts === String(CONTACTS)) console.log(`recorded in ${recordCsv("rows", flat)}`);
		const isSame = [0, 2, 4, 6].every((at) => all[at]!.hash === all[at + 1]!.hash);
		const isLess = [2, 6].every((at) => all[at + 1]!.peak < all[at]!.peak);
		return isSame && isLess ? 0 : 1;
	},
};
