/**
 * Requests of clients in three languages at once: whether all are answered and none as another, how many per second, and what the service's processes hold
 * at the beginning and at the end. The soak is the same by time.
 */
import { join } from "node:path";
import { Bed, pause } from "../testing.js";
import type { ResourceUse } from "../warm/resource-use.js";
import { type ClientKind, clientKinds, countsOf, startClient } from "./clients.js";
import { knownProblems, writeProblems } from "./problems.js";
import { row, type ServeRow } from "./row.js";
import { type ServiceProcess, startServiceProcess } from "./service.js";

export interface LoadOptions {
	readonly part: string;
	readonly requests?: number;
	/** When clients stop where there is no number of requests. */
	readonly seconds?: number;
	readonly contacts: number;
	readonly clients: number;
	readonly underWay: number;
	/** Of `stickslip serve`: ranks and transport. */
	readonly words: readonly string[];
	/** Something to do while it goes on; clients have to get over it. */
	readonly meanwhile?: (service: ServiceProcess) => Promise<ServeRow[]>;
}

const PROBLEMS = 32;
/** Requests or seconds that nobody comes to the end of. */
const ENDLESS = 1e9;
const LOOK_SECONDS = 0.5;
/** In less time memory grows to its size. */
const FLAT_SECONDS_MIN = 30;
/** What noise may be of memory that does not grow, and of handles. */
const GROWTH_MAX = 0.05;
const MIB_MIN = 8;
const HANDLES_MORE_MAX = 4;

export async function load(options: LoadOptions, print: (line: string) => void): Promise<ServeRow[]> {
	const { part, clients, contacts, requests = ENDLESS, seconds = ENDLESS, underWay, words } = options;
	const bed = new Bed();
	try {
		const problems = join(bed.folder, "problems");
		writeProblems(problems, knownProblems(PROBLEMS, contacts));
		const { kinds, absent } = clientKinds(bed);
		for (const line of absent) print(line);
		const names = Array.from({ length: clients }, (_, k) => `client-${k}`);
		const service = await startServiceProcess(bed, names, words);
		const began = performance.now();
		const each = Math.ceil(requests / clients);
		const chosen = names.map((name, k) => ({ name, kind: kinds[k % kinds.length]! }));
		const running = chosen.map(({ name, kind }) => {
			const connection = service.clients[name]!;
			return startClient(bed, kind, { connection, problems, requests: each, seconds, underWay });
		});
		const ends = Promise.all(running.map(countsOf));
		const sampling = sample(service, ends);
		const more = (await options.meanwhile?.(service)) ?? [];
		const counts = await ends;
		const took = (performance.now() - began) / 1000;
		for (const { err } of counts.filter(({ err }) => err !== "")) print(`  ${err.slice(0, 500)}`);
		const sum = (name: "sent" | "right" | "wrong" | "failed") => counts.reduce((all, one) => all + one[name], 0);
		const lost = sum("sent") - sum("right") - sum("wrong") - sum("failed");
		const isWhole =
			counts.every(({ sent }) => sent > 0) && (seconds < Number.POSITIVE_INFINITY || sum("sent") >= requests);
		const none = (count: number) => ({ text: "none", isHeld: count === 0 });
		return [
			row(part, "clients", languages(chosen.map(({ kind }) => kind))),
			row(part, "requests sent", sum("sent"), { text: "by all of them", isHeld: isWhole }),
			row(part, "answers that are right, by hash and number", sum("right"), {
				text: "all",
				isHeld: sum("right") === sum("sent"),
			}),
			row(part, "answers that are another's", sum("wrong"), none(sum("wrong"))),
			row(part, "errors", sum("failed"), none(sum("failed"))),
			row(part, "requests without an answer", lost, none(lost)),
			row(part, "seconds", took),
			row(part, "requests per second", sum("right") / took),
			...flatness(part, await sampling, took >= FLAT_SECONDS_MIN),
			...more,
		];
	} finally {
		await bed.close();
	}
}

function languages(kinds: readonly ClientKind[]): string {
	const names = [...new Set(kinds.map(({ name }) => name))];
	return names.map((name) => `${kinds.filter((kind) => kind.name === name).length} ${name}`).join("; ");
}

async function sample(service: ServiceProcess, ends: Promise<unknown>): Promise<ResourceUse[]> {
	const uses: ResourceUse[] = [];
	let isOver = false;
	const over = ends.then(() => {
		isOver = true;
	});
	while (!isOver) {
		uses.push(service.use());
		await Promise.race([pause(LOOK_SECONDS), over]);
	}
	return uses;
}

/** The second fifth of the time against the last: before that memory grows to its size. Medians, since collectors work at times of their own. */
function flatness(part: string, uses: readonly ResourceUse[], isJudged: boolean): ServeRow[] {
	const between = (from: number, to: number) => uses.slice(Math.floor(from * uses.length), Math.ceil(to * uses.length));
	const [early, late] = [between(0.2, 0.4), between(0.8, 0.98)];
	const [before, after] = [median(early.map(({ memory }) => memory)), median(late.map(({ memory }) => memory))];
	const [handles, handlesAfter] = [median(early.map(({ files }) => files)), median(late.map(({ files }) => files))];
	const allowed = Math.max(MIB_MIN, GROWTH_MAX * before);
	const within = (unit: string, growth: number, most: number) =>
		isJudged ? { text: `at most ${most.toFixed(0)} ${unit} more`, isHeld: growth <= most } : undefined;
	return [
		row(part, "MiB of the service and its ranks, in the second fifth", before),
		row(part, "MiB, at the end", after, within("MiB", after - before, allowed)),
		row(part, "open files of the service and its ranks, in the second fifth", handles),
		row(part, "open files, at the end", handlesAfter, within("files", handlesAfter - handles, HANDLES_MORE_MAX)),
	];
}

function median(values: readonly number[]): number {
	return [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}
