/**
 * A million inputs that a seed has spoilt, over all readers of what comes from outside: each is read or refused in the way its users know, none
 * crashes or hangs, and memory does not grow. Every reader is at work in a worker that is watched from outside.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import type { Bench } from "../bench.js";
import { dataFolder } from "../data.js";
import { recordCsv } from "../record.js";
import { bundled, READERS, type Reader } from "./readers.js";
import type { Task, Tried } from "./worker.js";

/** One input takes milliseconds; on a machine with other work, some hundred of them. */
const SECONDS_MAX = 20;
const GROWTH_MIB_MAX = 32;
/** Workers of one reader, for those that wear something out. */
const WORKERS_MAX = 10_000;
const usage = `npm run bench -- mutations [--share X] [--reader ${READERS.map(({ name }) => name).join("|")}] [--seed N]`;

export interface MutationRow {
	readonly reader: string;
	readonly what: string;
	readonly inputs: number;
	readonly read: number;
	readonly refused: number;
	readonly seconds: string;
	/** Of memory that is really there, in MiB: the most of the second half above the most of the first. */
	readonly growth: string;
	readonly held: "yes" | "NO";
	readonly why: string;
}

export const mutations: Bench = {
	name: "mutations",
	what: "a million spoilt inputs over all readers: read or refused, no crash, no hang, no growth",
	async run(args) {
		const plan = planOf(args);
		if (plan === undefined) {
			console.log(usage);
			return 2;
		}
		const rows = await mutate(plan.readers, plan.share, plan.seed, (row) => console.log(lineOf(row)));
		const sum = (name: "inputs" | "read" | "refused") => rows.reduce((all, row) => all + row[name], 0);
		const seconds = rows.reduce((all, row) => all + Number(row.seconds), 0);
		console.log(`${sum("inputs")} inputs: ${sum("read")} read, ${sum("refused")} refused, ${seconds.toFixed(0)} s`);
		if (args.length === 0)
			console.log(
				`recorded in ${recordCsv(
					"mutations",
					rows.map((row) => ({ ...row })),
				)}`,
			);
		return rows.every(({ held }) => held === "yes") ? 0 : 1;
	},
};

/** Tries the readers one after another, each with its share of inputs. */
export async function mutate(
	readers: readonly Reader[],
	share: number,
	seed: number,
	told: (row: MutationRow) => void,
): Promise<MutationRow[]> {
	const folder = mkdtempSync(join(tmpdir(), "stickslip-mutations-"));
	const data = dataFolder(() => {}) ?? "";
	const programs = bundled([...new Set(readers.map(({ home }) => home))]);
	try {
		const rows: MutationRow[] = [];
		for (const reader of readers) {
			const place = mkdtempSync(join(folder, `${reader.name}-`));
			const to = seed + Math.max(1, Math.round(share * reader.inputs));
			const row = await tryReader(reader, {
				program: programs.files.get(reader.home)!,
				folder: place,
				data,
				from: seed,
				to,
			});
			told(row);
			rows.push(row);
			rmSync(place, { recursive: true, force: true });
		}
		return rows;
	} finally {
		programs.remove();
		rmSync(folder, { recursive: true, force: true });
	}
}

async function tryReader({ name, what }: Reader, task: Omit<Task, "reader" | "shared">): Promise<MutationRow> {
	const begun = performance.now();
	const all = { read: 0, refused: 0, next: task.from };
	const wrong: string[] = [];
	let growth = 0;
	for (let workers = 0; all.next < task.to && wrong.length === 0; workers += 1) {
		const tried = await watched({ ...task, reader: name, from: all.next }).catch((error: unknown) => String(error));
		if (typeof tried === "string") {
			wrong.push(tried);
			break;
		}
		all.read += tried.read;
		all.refused += tried.refused;
		all.next = tried.next;
		growth = Math.max(growth, Math.max(0, tried.late - tried.early) / 2 ** 20);
		if (tried.failure) wrong.push(`seed ${tried.failure.seed}: ${tried.failure.told}`);
		if (workers === WORKERS_MAX) wrong.push(`${WORKERS_MAX} times something was worn out`);
	}
	if (growth > GROWTH_MIB_MAX) wrong.push(`memory grew by ${growth.toFixed(0)} MiB`);
	const { read, refused } = all;
	const seconds = ((performance.now() - begun) / 1000).toFixed(1);
	const held = wrong.length === 0 ? "yes" : "NO";
	return {
		reader: name,
		what,
		inputs: read + refused,
		read,
		refused,
		seconds,
		growth: growth.toFixed(1),
		held,
		why: wrong.join("; "),
	};
}

/** The worker's answer; rejects where one input takes too long, or the worker dies of it, with the seed. */
async function watched(task: Omit<Task, "shared">): Promise<Tried> {
	const shared = new SharedArrayBuffer(8);
	const at = new Int32Array(shared);
	const worker = new Worker(new URL("../../dist/mutations/worker.js", import.meta.url), {
		workerData: { ...task, shared } satisfies Task,
	});
	let timer: NodeJS.Timeout | undefined;
	try {
		return await new Promise<Tried>((resolve, reject) => {
			let before = { count: -1, since: performance.now() };
			timer = setInterval(() => {
				const count = Atomics.load(at, 1);
				if (count !== before.count) before = { count, since: performance.now() };
				else if (performance.now() - before.since > 1000 * SECONDS_MAX)
					reject(new Error(`seed ${Atomics.load(at, 0)}: not over after ${SECONDS_MAX} s`));
			}, 500);
			worker.on("message", resolve);
			worker.on("error", (error) => reject(new Error(`seed ${Atomics.load(at, 0)}: ${error.stack ?? error.message}`)));
			worker.on("exit", (code) => reject(new Error(`seed ${Atomics.load(at, 0)}: the worker ended with code ${code}`)));
		});
	} finally {
		clearInterval(timer);
		await worker.terminate();
	}
}

function lineOf({ what, inputs, read, refused, seconds, growth, held, why }: MutationRow): string {
	const counts = `${String(inputs).padStart(7)} inputs: ${String(read).padStart(6)} read, ${String(refused).padStart(6)} refused`;
	return `${what.padEnd(38)}${counts}, ${seconds.padStart(6)} s, ${growth.padStart(5)} MiB more  ${held === "yes" ? "held" : `BROKEN: ${why}`}`;
}

function planOf(args: readonly string[]) {
	try {
		const { values } = parseArgs({
			args: [...args],
			options: {
				share: { type: "string", default: "1" },
				reader: { type: "string" },
				seed: { type: "string", default: "1" },
			},
		});
		const readers = READERS.filter(({ name }) => values.reader === undefined || values.reader === name);
		const [share, seed] = [Number(values.share), Number(values.seed)];
		return readers.length === 0 || !(share > 0) || !(seed >= 0) ? undefined : { readers, share, seed };
	} catch {
		return undefined;
	}
}
