/** Says in words what a cell of a study loses most by, and what a reader has to know before believing it. */
import { count, counted, duration, three } from "../base/format.js";
import { CLOCKS_MAX, differencesOf, OTHERS_MAX } from "../study/differences.js";
import { FAILED, type Sample } from "../study/sample.js";
import { FACTORS, type FactorName, type ScalingGroup, type ScalingNumbers, type ScalingRow } from "./scaling.js";

/** Less is not worth a sentence. */
const LOSS_MIN = 0.005;
/** The factors have to multiply to the efficiency that was measured. */
const AGREES_WITHIN = 0.02;

export interface Surroundings {
	readonly kind: "strong" | "weak";
	/** That can be kept busy here; undefined where a launcher has placed the ranks. */
	readonly cores: number | undefined;
}

/** In one sentence or two, with what makes this very cell worth less. */
export function verdictOf(row: ScalingRow, around: Surroundings): string {
	const { ranks, measured, status, reason } = row;
	if (measured === undefined) return `failed: ${reason}`;
	const ending = status === "solved" || status === "iteration-limit" ? [] : [status];
	return [...ending, scalingIn(ranks, measured), ...doubtsOf(ranks, measured, around)].join("; ");
}

function scalingIn(ranks: number, measured: ScalingNumbers): string {
	const { against } = measured;
	if (against === undefined) return "nothing to compare with";
	const { baseline, efficiency, factors } = against;
	if (ranks === baseline && efficiency > 1 - LOSS_MIN) return "the baseline";
	const [name, value] = FACTORS.map((each) => [each, factors[each]] as const).sort((a, b) => a[1] - b[1])[0]!;
	const share = `${percent(efficiency)} efficient${baseline === 1 ? "" : ` against ${counted(baseline, "rank")}`}`;
	const lost = 1 - value;
	if (lost < LOSS_MIN) return `${share}, no factor loses ${percent(LOSS_MIN)}`;
	return `${share}; most is lost by ${because(name, lost, measured)}`;
}

/** Of this cell: factors that do not explain it, ranks without a core of their own, others at work, another clock than the baseline's. */
function doubtsOf(ranks: number, { sample, base, against }: ScalingNumbers, { cores }: Surroundings): string[] {
	const told: string[] = [];
	if (against !== undefined && Math.abs(against.product / against.efficiency - 1) > AGREES_WITHIN)
		told.push(`the factors multiply to ${percent(against.product)}, times were disturbed`);
	if (cores !== undefined && ranks > cores)
		told.push(ranks === 1 ? `one rank has ${coresText(cores)}` : `${count(ranks)} ranks share ${coresText(cores)}`);
	const { others = 0, probe } = sample.made;
	if (others > OTHERS_MAX) told.push(`other programs kept ${three(others)} cores busy`);
	const clock = base === undefined ? 1 : probe / base.made.probe;
	if (Math.max(clock, 1 / clock) > CLOCKS_MAX)
		told.push(`the clock was ${three(1 / clock)} times as fast as with the baseline`);
	return told;
}

function because(name: FactorName, lost: number, { sample, base, against }: ScalingNumbers): string {
	const { values, perRank = [] } = sample;
	const share = percent(lost);
	const { iterations = 0, exchanges = 0, reductions = 0, bytes = 0, steps = 1 } = values;
	const each = Math.max(1, iterations);
	switch (name) {
		case "loadBalance": {
			const busiest = [...perRank].sort((a, b) => (b.compute ?? 0) - (a.compute ?? 0))[0];
			return `load balance (${share}): rank ${busiest?.rank ?? 0} computes longest`;
		}
		case "serialisation":
			return `serialisation (${share}): ranks wait for one that is late, in ${three(exchanges / each)} exchanges and ${three(reductions / each)} reductions of an iteration`;
		case "transfer":
			return `transfer (${share}): ${three(exchanges / each)} exchanges, ${three(reductions / each)} reductions and ${three(bytes / steps / each / 1000)} kB of an iteration`;
		case "iterations":
			return `iterations (${share}): ${three(iterations)} of them, where the baseline needs fewer`;
		default: {
			const more = three(1 / Math.max(1e-9, against?.factors.computation ?? 1));
			return `computation (${share}): ranks compute ${more} times as long for the same work, ${partOf(sample, base) ?? "by caches, memory or a slower clock"}`;
		}
	}
}

const STEP_PARTS = ["detect", "setup", "solve", "rest"] as const;

/** Of steps the part that lost most time against ranks that share it evenly. */
function partOf(sample: Sample, base: Sample | undefined): string | undefined {
	const { steps } = sample.values;
	if (base === undefined || steps === undefined) return undefined;
	const most = ({ perRank = [], values }: Sample, part: string) =>
		Math.max(0, ...perRank.map((rank) => rank[part] ?? 0)) / (values.steps ?? 1);
	const shares = Number(sample.axes.ranks) / Number(base.axes.ranks);
	const parts = STEP_PARTS.map((part) => ({ part, now: most(sample, part), before: most(base, part) }));
	const [worst] = parts.sort((a, b) => b.now - b.before / shares - (a.now - a.before / shares));
	const { part, now, before } = worst!;
	return now * shares <= before
		? undefined
		: `most of it in ${part}, ${duration(now)} of a step instead of ${duration(before / shares)}`;
}

/** What holds for a whole group: baselines that are missing, ranks without cores, machines and answers that differ, failed cells. */
export function warningsOf({ problem, method, rows, baseline }: ScalingGroup, around: Surroundings): string[] {
	const name = `${problem}, ${method}`;
	const told: string[] = [];
	const failed = rows.filter(({ status }) => status === FAILED);
	for (const reason of new Set(failed.map((row) => row.reason))) {
		const cells = failed.filter((row) => row.reason === reason).map(cellName);
		told.push(`${cells.join(", ")} failed: ${reason}`);
	}
	if (baseline === undefined) told.push("no cell could be measured");
	else if (baseline > 1) told.push(`one rank was not measured: efficiency is against ${counted(baseline, "rank")}`);
	const crowded = rows
		.filter(({ ranks }) => around.cores !== undefined && ranks > around.cores)
		.map(({ ranks }) => ranks);
	if (crowded.length > 0) {
		const cells = [...new Set(crowded)].map((ranks) => count(ranks)).join(", ");
		told.push(`${cells} ranks share ${coresText(around.cores!)}: they say nothing about scaling`);
	}
	if (baseline !== undefined && rows.every(({ ranks }) => ranks === baseline)) {
		const why = around.cores !== undefined && around.cores < 2 ? `${coresText(around.cores)} can be used here` : "";
		told.push(`only ${counted(baseline, "rank")} measured: there is nothing to compare${why && `, ${why}`}`);
	}
	const unsolved = rows.filter(({ measured, status }) => measured && !["solved", "iteration-limit"].includes(status));
	if (unsolved.length > 0)
		told.push(`${unsolved.length} of ${rows.length} cells are not solved: ${unsolved[0]!.status}`);
	const samples = rows.flatMap((row) => row.samples);
	told.push(...differencesOf(samples, around.kind === "strong"));
	return told.map((text) => `${name}: ${text}`);
}

function cellName({ ranks, axes }: ScalingRow): string {
	const over = axes.transport === "none" || axes.transport === undefined ? "" : ` over ${axes.transport}`;
	return `${counted(ranks, "rank")}${over}`;
}

/** A quota of a container may be a fraction. */
function coresText(cores: number): string {
	return Number.isInteger(cores) ? counted(cores, "core") : `${three(cores)} cores`;
}

export function percent(share: number): string {
	return `${(100 * share).toFixed(1)} %`;
}
