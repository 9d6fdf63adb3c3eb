/**
 * Problems in parts: the hash of the whole from any number of parts, and what a process holds beyond what it had before, as a multiple of its own part.
 * Parts are brought by C clients of a service, or made by the ranks themselves.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { solveOwnParts } from "@stickslip/cluster-runner";
import { solve } from "@stickslip/core";
import type { Bench } from "../bench.js";
import { lacking } from "../clients/peer.js";
import { program } from "../launch/subject.js";
import { recordCsv } from "../record.js";
import { Bed, until } from "../testing.js";
import { latticeProblem } from "./lattice.js";
import type { HeldMemory } from "./own.js";

const PARTS = [1, 2, 3, 5, 8];
const RANKS = 2;
const ITERATIONS = 3;
/** What a process that brings a part to a service may hold. */
const RATIO_MAX = 1.3;
const KIB = 1024;
const client = fileURLToPath(new URL("../../../clients/c", import.meta.url));
const source = fileURLToPath(new URL("../../src/parts/part-client.c", import.meta.url));
const module = new URL("../../dist/parts/own.js", import.meta.url);

export type PartsRow = {
	/** Who holds it. */
	readonly process: string;
	readonly parts: number;
	readonly contacts: number;
	/** MiB that it brings (a rank: that it gets, the service: of all parts), and the most that such a process held. */
	readonly part: string;
	readonly most: string;
	readonly ratio: string;
	readonly hash: string;
	readonly isSame: string;
};

/** The most of all processes. */
function rowOf(
	process: string,
	contacts: number,
	hash: string,
	expected: string,
	held: readonly HeldMemory[],
): PartsRow {
	const most = held.reduce((one, other) =>
		other.peakBytes / other.partBytes > one.peakBytes / one.partBytes ? other : one,
	);
	const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
	return {
		process,
		parts: held.length,
		contacts,
		part: mebibytes(most.partBytes),
		most: mebibytes(most.peakBytes),
		ratio: (most.peakBytes / most.partBytes).toFixed(2),
		hash: hash.slice(0, 16),
		isSame: hash === expected ? "yes" : "NO",
	};
}

/** Ranks that make their parts themselves, a process each. */
async function ownRow(side: number, ranks: number, expected: string): Promise<PartsRow> {
	const options = { ranks, transport: "zeromq", argument: { side }, maxIterations: ITERATIONS } as const;
	const { report, returned } = await solveOwnParts(module, options);
	return rowOf("Node rank, its own part", side ** 3, report.hash, expected, returned as HeldMemory[]);
}

/** Of a process, by what its name in /proc is. */
function held(pid: number): { readonly now: number; readonly most: number } {
	const text = readFileSync(`/proc/${pid}/status`, "utf8");
	const kibibytes = (name: string) => Number(new RegExp(`${name}:\\s*(\\d+)`).exec(text)?.[1] ?? Number.NaN);
	return { now: KIB * kibibytes("VmRSS"), most: KIB * kibibytes("VmHWM") };
}

/** Those that the process has started. */
function childrenOf(pid: number): number[] {
	const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
	return pids.map(Number).filter((each) => {
		try {
			return Number(/PPid:\s*(\d+)/.exec(readFileSync(`/proc/${each}/status`, "utf8"))?.[1]) === pid;
		} catch {
			// It has ended meanwhile.
			return false;
		}
	});
}

/** A service with ranks in processes of their own, and one client for each part. */
async function serviceRows(side: number, parts: number, expected: string): Promise<PartsRow[]> {
	const bed = new Bed();
	try {
		const built = join(bed.folder, "part-client");
		await bed.run("gcc", [
			"-std=c99",
			"-O2",
			"-Wall",
			"-Werror",
			`-I${client}`,
			"-o",
			built,
			source,
			join(client, "stickslip.c"),
			"-lzmq",
			"-lm",
		]);
		const words = [
			"serve",
			"--ranks",
			String(RANKS),
			"--transport",
			"zeromq",
			"--listen",
			"tcp://127.0.0.1:0",
			"--websocket",
			"none",
		];
		const service = bed.start(process.execPath, [program, ...words, "--keys", join(bed.folder, "keys"), "--json"]);
		await until("the service is up", () => service.out().includes("\n") || service.child.exitCode !== null, {
			seconds: 60,
		});
		const { clients, pid } = JSON.parse(service.out()) as { clients: { default: string }; pid: number };
		const pids = [pid, ...childrenOf(pid)];
		const before = pids.map((each) => held(each).now);
		const running = Array.from({ length: parts }, (_, index) =>
			bed.start(built, [clients.default, "bench", String(side), String(index), String(parts)], { seconds: 600 }),
		);
		const answers = await Promise.all(
			running.map(async ({ ended }): Promise<HeldMemory & { hash: string }> => {
				const { code, out, err } = await ended;
				if (code !== 0) throw new Error(`a client failed: ${err}`);
				return JSON.parse(out);
			}),
		);
		const { hash } = answers.find((answer) => answer.hash !== expected) ?? answers[0]!;
		const wholeBytes = answers.reduce((sum, { partBytes }) => sum + partBytes, 0);
		const grown = pids.map((each, i) => held(each).most - before[i]!);
		const ranks = grown.slice(1).map((peakBytes) => ({ contacts: 0, partBytes: wholeBytes / RANKS, peakBytes }));
		const hub = { contacts: 0, partBytes: wholeBytes, peakBytes: grown[0]! };
		const row = (name: string, of: readonly HeldMemory[]) => ({ ...rowOf(name, side ** 3, hash, expected, of), parts });
		return [row("C client", answers), row("service, of all parts", [hub]), row("rank of it, of its share", ranks)];
	} finally {
		await bed.close();
	}
}

export async function measureParts(side: number, counts: readonly number[], withClients: boolean): Promise<PartsRow[]> {
	const expected = solve(latticeProblem(side), { maxIterations: ITERATIONS }).report.hash;
	const rows: PartsRow[] = [];
	for (const parts of counts) {
		rows.push(await ownRow(side, parts, expected));
		if (withClients) rows.push(...(await serviceRows(side, parts, expected)));
	}
	return rows;
}

export const parts: Bench = {
	name: "parts",
	what: "problems in parts: the same hash from 1, 2, 3, 5 and 8 parts, and memory of each process as a multiple of its part   [--side N]",
	async run(args) {
		const { values } = parseArgs({ args: [...args], options: { side: { type: "string", default: "64" } } });
		const side = Number(values.side);
		if (!(side >= 2)) throw new Error("npm run bench -- parts [--side N]");
		const why = lacking.c!();
		if (why !== undefined) console.log(`no C clients: ${why}`);
		const rows = await measureParts(side, PARTS, why === undefined);
		for (const row of rows) {
			const { process: who, parts: count, part, most, ratio, hash, isSame } = row;
			console.log(
				`${String(count).padStart(2)} parts of ${part.padStart(6)} MiB, ${who.padEnd(28)} held at most ${most.padStart(6)} MiB: ${ratio} times; ${hash} ${isSame}`,
			);
		}
		console.log(`recorded in ${recordCsv("parts", rows)}`);
		const isHeld = rows.every(({ process: who, ratio }) => who !== "C client" || Number(ratio) <= RATIO_MAX);
		return isHeld && rows.every(({ isSame }) => isSame === "yes") ? 0 : 1;
	},
};
