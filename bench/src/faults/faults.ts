/**
 * Runs with injected faults: a number of rounds for each kind, each from its own seed. A run either ends within 10 s with a line that names the cause, and
 * is continued by `resume`; or it continues by itself. In both cases the answer is that of an undisturbed run, nothing that was saved is lost, and neither
 * a process nor an unfinished file is left.
 */

import { Random } from "@stickslip/core";
import type { Bench } from "../bench.js";
import { type Subject, subjectIn } from "../launch/subject.js";
import { mergeCsv } from "../record.js";
import { Bed, type LauncherKind, noLauncher } from "../testing.js";
import { Hosts } from "./hosts.js";
import { KINDS, type Kind, kinds, MIXED } from "./kinds.js";
import { type Plan, planOf, usage } from "./plan.js";
import { type Circumstances, Round } from "./round.js";
import { type FaultRow, lineOf, type RowKind, tallyOf } from "./row.js";
import { WRITERS, writersRound } from "./writers.js";

/** Reached after some 5,000 iterations: 2 s of work. */
const TOLERANCE = 1.2e-6;
const LATEST_SECONDS = 0.7;
const MIXED_MOST = 3;

export const faults: Bench = {
	name: "faults",
	what: "runs with lost ranks, nodes, links, disks, outputs, clocks, handles...: named or gone on with, the same hash",
	async run(args) {
		const plan = planOf(args);
		if (plan === undefined) {
			console.log(usage);
			return 2;
		}
		const bed = new Bed();
		const hosts = new Hosts();
		let isHeld = true;
		try {
			const subject = faultSubject(bed.folder);
			for (const kind of plan.kinds) isHeld = (await allRounds(hosts, subject, kind, plan)) && isHeld;
		} finally {
			await hosts.close();
			await bed.close();
		}
		return isHeld ? 0 : 1;
	},
};

/** Some seconds of work on two ranks, so that something can happen to it. */
export function faultSubject(folder: string, tolerance = TOLERANCE): Subject {
	const options = ["--method", "pqn-diagonal", "--tolerance", String(tolerance)];
	return subjectIn(folder, "planks", 2000, options);
}

async function allRounds(hosts: Hosts, subject: Subject, kind: RowKind, plan: Plan): Promise<boolean> {
	const rows: FaultRow[] = [];
	const rounds = plan.rounds(kind);
	const begun = performance.now();
	let late = 0;
	// A run that had ended before anything happened to it does not count, and another seed is taken.
	for (let tried = 0; rows.length < rounds && tried < 2 * rounds; tried += 1) {
		const row = await faultRound(hosts, subject, kind, plan.seed + tried, plan.way);
		if (row === undefined) continue;
		console.log(lineOf(row));
		if (row.outcome === "too late" && row.held === "yes") {
			late += 1;
			continue;
		}
		rows.push(row);
		// At once, so that an interrupted bench keeps its rows.
		if (plan.isRecorded) mergeCsv("faults", ["kind", "seed"], [{ ...row }]);
	}
	console.log(tallyOf(kind, rows, (performance.now() - begun) / 1000));
	// A kind that never finds its target does nothing at all, which must not count as held.
	const isIdle = rows.length === 0 && late > 0;
	if (isIdle) console.log(`${kind}: nothing was struck in ${late} runs`);
	return !isIdle && rows.every(({ held }) => held === "yes");
}

/** One round; undefined if this machine lacks something that it needs. */
export async function faultRound(
	hosts: Hosts,
	subject: Subject,
	kind: RowKind,
	seed: number,
	wanted?: LauncherKind,
	latest = LATEST_SECONDS,
): Promise<FaultRow | undefined> {
	if (kind === WRITERS) return await writersRound(seed);
	const of = circumstances(kind, seed, wanted, latest);
	const lack = noLauncher(of.way) ?? of.kinds.map((each) => kinds[each].lack?.()).find((each) => each !== undefined);
	if (lack !== undefined) {
		console.log(`skipped: ${kind}, ${of.way}: ${lack}`);
		return undefined;
	}
	const row = await new Round(hosts.take(), subject, of).run();
	await hosts.giveBack(row.held === "yes");
	return row;
}

function circumstances(
	kind: Exclude<RowKind, typeof WRITERS>,
	seed: number,
	wanted: LauncherKind | undefined,
	latest: number,
): Circumstances {
	if (kind === MIXED) return mixed(seed, wanted, latest);
	const random = new Random(seed, KINDS.indexOf(kind));
	const { ways } = kinds[kind];
	const way = wanted ?? ways[random.below(ways.length)]!;
	return { kind, kinds: [kind], seed, way, random, latest };
}

/** Slurm's rounds take longer than others, and are fewer. */
const MIXED_WAYS: readonly LauncherKind[] = [
	"local",
	"ssh",
	"openmpi",
	"mpich",
	"local",
	"ssh",
	"openmpi",
	"mpich",
	"slurm",
];

function mixed(seed: number, wanted: LauncherKind | undefined, latest: number): Circumstances {
	const random = new Random(seed, KINDS.length);
	const way = wanted ?? MIXED_WAYS[random.below(MIXED_WAYS.length)]!;
	const possible: Kind[] = KINDS.filter((each) => (kinds[each].ways as readonly LauncherKind[]).includes(way));
	const chosen: Kind[] = [];
	for (let count = 1 + random.below(MIXED_MOST); count > 0; count -= 1) {
		chosen.push(...possible.splice(random.below(possible.length), 1));
	}
	return { kind: MIXED, kinds: chosen, seed, way, random, latest };
}
