/**
 * Two simulations with one output, started together or one after the other. One of them is refused at once and changes nothing; the other loses no step, also
 * if it is stopped, or killed and resumed while the refused one tries again.
 */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Random } from "@stickslip/core";
import { program } from "../launch/subject.js";
import { Bed, type Ended, pause, type Running, until } from "../testing.js";
import type { FaultRow } from "./row.js";

export const WRITERS = "writers";

const BODIES = 10;
const STEPS = 1000;
/** Size of the file at which the writer is stopped or killed. */
const STRIKE_BYTES = 2 ** 14;
const LIMIT_SECONDS = 300;
const REFUSED_CODE = 2;
const APART_SECONDS = 2;
const MEMORY_MAX = 300 * 2 ** 20;
const LOOK_SECONDS = 0.02;
const FILES = [
	["--output", "a.h5", "--csv", "a.csv"],
	["--output", "a.hdf5"],
	["--csv", "a.csv"],
] as const;
const FATES = ["ends", "is stopped", "is killed"] as const;

interface Trial {
	readonly bed: Bed;
	readonly steps: number;
}

interface Writer {
	readonly running: Running;
	readonly files: readonly string[];
	/** Peak memory of its process in bytes. */
	readonly peak: Promise<number>;
}

/** Peak memory of an undisturbed run by number of ranks, measured once. */
const quiet = new Map<number, Promise<number>>();

/** `steps`: length of each simulation. */
export async function writersRound(seed: number, steps = STEPS): Promise<FaultRow> {
	const random = new Random(seed, 0);
	const ranks = 1 + random.below(2);
	const fate = FATES[random.below(FATES.length)]!;
	const files = FILES[random.below(FILES.length)]!;
	const apart = random.below(3) === 0 ? 0 : APART_SECONDS * (random.below(100) / 100);
	const memory = await (quiet.get(ranks) ?? measureQuiet(ranks, steps));
	const bed = new Bed();
	const trial = { bed, steps };
	const wrong: string[] = [];
	const begun = performance.now();
	let more = Number.NaN;
	let isTooLate = false;
	try {
		const first = write(trial, ranks, FILES[0]);
		await pause(apart);
		const second = write(trial, ranks, files);
		isTooLate = !(await play(trial, [first, second], fate, wrong));
		more = Math.max(...(await Promise.all([first.peak, second.peak]))) - memory;
		if (more > MEMORY_MAX) wrong.push(`${mebibytes(more)} more than a quiet run`);
	} catch (error) {
		wrong.push(error instanceof Error ? error.message : String(error));
	}
	await bed.close();
	return {
		...{ kind: WRITERS, seed, launcher: "local", restarts: 0, at: apart.toFixed(2) },
		hit: `${files.join(" ")} again, ${ranks} ranks, ${mebibytes(more)} more; the other ${fate}`,
		outcome: isTooLate ? "too late" : fate === "ends" ? "survived" : "ended",
		...{ named: "", seconds: ((performance.now() - begun) / 1000).toFixed(1) },
		...{ held: wrong.length === 0 ? "yes" : "NO", why: wrong.join("; ").replace(/\s+/g, " ") },
	};
}

function mebibytes(bytes: number): string {
	return `${(bytes / 2 ** 20).toFixed(0)} MiB`;
}

/** Returns false if one had ended before the other began: then they did not meet. */
async function play(
	trial: Trial,
	writers: readonly Writer[],
	fate: (typeof FATES)[number],
	wrong: string[],
): Promise<boolean> {
	const { bed } = trial;
	const ends = writers.map(({ running }) => running.ended);
	const refused = await Promise.race(ends.map(async (end, index) => ({ index, ended: await end })));
	if (refused.ended.code === 0) return false;
	requireRefused(refused.ended, wrong);
	const { running, files } = writers[1 - refused.index]!;
	let isOver = false;
	void running.ended.finally(() => {
		isOver = true;
	});
	const path = join(bed.folder, files[1]!);
	const isAtWork = (since: number) => isOver || hasGrown(path, since);
	await until("the other stores steps", () => isAtWork(0), { seconds: LIMIT_SECONDS });
	if (fate === "is stopped") running.signal("SIGTERM");
	if (fate === "is killed") running.signal("SIGKILL");
	let ended = await running.ended;
	if (fate !== "ends") {
		const begun = Date.now();
		const resumed = start(bed, ["resume", "last", "--runs", "runs"]);
		isOver = false;
		void resumed.ended.finally(() => {
			isOver = true;
		});
		await until("the resumed run stores steps", () => isAtWork(begun), { seconds: LIMIT_SECONDS });
		const again = write(trial, 1, FILES[0]);
		const third = await again.running.ended;
		// On a busy machine it may have started late, and followed the resumed run instead.
		if (!isOver) requireRefused(third, wrong);
		ended = await resumed.ended;
	}
	if (ended.code !== 0) wrong.push(`exit code ${ended.code}: ${ended.err}`);
	await requireAll(trial, files, wrong);
	return true;
}

/** True if the file has that size and was written to since a moment of the clock. */
function hasGrown(path: string, since: number): boolean {
	const there = statSync(path, { throwIfNoEntry: false });
	return there !== undefined && there.size > STRIKE_BYTES && there.mtimeMs > since;
}

function requireRefused({ code, signal, err }: Ended, wrong: string[]): void {
	if (code !== REFUSED_CODE) wrong.push(`not refused: ${signal ?? `exit code ${code}`}: ${err}`);
}

/** Every step is in the files that were written. */
async function requireAll({ bed, steps }: Trial, files: readonly string[], wrong: string[]): Promise<void> {
	const nameOf = (option: string) => files[files.indexOf(option) + 1]!;
	if (files.includes("--output")) {
		const { out, err } = await start(bed, ["info", "--json", nameOf("--output")]).ended;
		const { stored, statistics } = JSON.parse(out || "{}") as {
			stored?: { count: number };
			statistics?: { steps: number };
		};
		if (stored?.count !== steps + 1) wrong.push(`${stored?.count ?? 0} stored steps: ${err}`);
		if (statistics?.steps !== steps) wrong.push(`statistics of ${statistics?.steps ?? 0} steps`);
	}
	if (files.includes("--csv")) {
		const rows = readFileSync(join(bed.folder, nameOf("--csv")), "utf8")
			.split("\n")
			.slice(1, -1);
		const isWhole = rows.length === steps && rows.every((row, at) => Number(row.split(",")[0]) === at + 1);
		if (!isWhole) wrong.push(`the table has ${rows.length} rows`);
	}
}

function write({ bed, steps }: Trial, ranks: number, files: readonly string[]): Writer {
	const every = files.includes("--output") ? ["--every", "1"] : [];
	const kept = ["--checkpoint", "0.2", "--runs", "runs"];
	const scene = ["simulate", "drum", "--bodies", String(BODIES), "--steps", String(steps)];
	const running = start(bed, [...scene, "--ranks", String(ranks), ...kept, ...every, ...files, "--overwrite"]);
	return { running, files, peak: peakOf(running) };
}

function start(bed: Bed, words: readonly string[]): Running {
	return bed.start(process.execPath, [program, ...words], { cwd: bed.folder, seconds: LIMIT_SECONDS });
}

/** The system counts the most that a process has held; it is read until the process has ended. */
async function peakOf({ pid, ended }: Running): Promise<number> {
	let isOver = false;
	void ended.finally(() => {
		isOver = true;
	});
	let peak = 0;
	while (!isOver) {
		peak = Math.max(peak, 1024 * Number(/VmHWM:\s+(\d+) kB/.exec(statusOf(pid))?.[1] ?? 0));
		await pause(LOOK_SECONDS);
	}
	return peak;
}

function statusOf(pid: number): string {
	try {
		return readFileSync(`/proc/${pid}/status`, "latin1");
	} catch {
		return "";
	}
}

function measureQuiet(ranks: number, steps: number): Promise<number> {
	const measured = (async () => {
		const bed = new Bed();
		try {
			return await write({ bed, steps }, ranks, FILES[0]).peak;
		} finally {
			await bed.close();
		}
	})();
	quiet.set(ranks, measured);
	return measured;
}
