/** A study of scaling as a page, as lines of text, and as records. */
import { count, counted, three } from "../base/format.js";
import type { BarPlot } from "../study/bar-plot.js";
import type { LinePlot } from "../study/line-plot.js";
import { tableLines } from "../study/study-files.js";
import type { PageSection, PageTable, StudyPage } from "../study/study-page.js";
import { phasesOf, type ScalingGroup, type ScalingRow } from "./scaling.js";
import { percent, type Surroundings, verdictOf, warningsOf } from "./verdict.js";

const TITLES = ["ranks", "seconds", "spread", "speed-up", "efficiency"];
const FACTOR_TITLES = ["balance", "serial.", "transfer", "parallel", "iterations", "computation", "product"];
/** Of ranks whose phases are drawn. */
const RANKS_DRAWN = 32;

/** How efficient each cell is, and by what. */
function efficiencyTable(rows: readonly ScalingRow[]): PageTable {
	const hasSolves = rows.some(({ measured }) => measured?.against?.solveEfficiency !== undefined);
	const cells = rows.map((row) => {
		const { measured, status } = row;
		const name = nameOf(row);
		if (measured === undefined) return [name, status];
		const { seconds, spread, against } = measured;
		const own = [name, three(seconds), percent(spread)];
		if (against === undefined) return own;
		const { speedup, efficiency, factors, parallel, product, solveEfficiency } = against;
		const { loadBalance, serialisation, transfer, iterations, computation } = factors;
		return [
			...own,
			speedup.toFixed(2),
			percent(efficiency),
			...(hasSolves ? [percent(solveEfficiency ?? Number.NaN)] : []),
			...[loadBalance, serialisation, transfer, parallel, iterations, computation, product].map(percent),
		];
	});
	return { titles: [...TITLES, ...(hasSolves ? ["of solves"] : []), ...FACTOR_TITLES], rows: cells };
}

/** What an iteration exchanges, with its number: an efficiency that hides more iterations would be a lie. */
function trafficTable(rows: readonly ScalingRow[]): PageTable {
	const cells = rows.map((row) => {
		const { measured, hash, status } = row;
		if (measured === undefined) return [nameOf(row), status];
		const {
			contacts = 0,
			iterations = 0,
			exchanges = 0,
			reductions = 0,
			messages = 0,
			bytes = 0,
			steps = 1,
		} = measured.sample.values;
		const each = Math.max(1, iterations);
		return [
			...[nameOf(row), count(contacts), three(iterations)],
			...[exchanges / each, reductions / each, messages / steps / each, bytes / steps / each].map(three),
			...[status, hash.slice(0, 8)],
		];
	});
	const each = ["exchanges", "reductions", "messages", "bytes"];
	return { titles: ["ranks", "contacts", "iterations", ...each, "status", "hash"], rows: cells };
}

function nameOf({ ranks, axes }: ScalingRow): string {
	return axes.transport === "none" ? `${ranks}` : `${ranks} ${axes.transport}`;
}

export function scalingText(groups: readonly ScalingGroup[], around: Surroundings): string[] {
	return groups.flatMap((group, index) => {
		const { problem, method, rows } = group;
		return [
			...(index > 0 ? [""] : []),
			`${problem}, ${method}:`,
			...tableLines(efficiencyTable(rows)),
			"",
			"of an iteration:",
			...tableLines(trafficTable(rows)),
			...rows.map((row) => `${nameOf(row)}: ${verdictOf(row, around)}`),
			...warningsOf(group, around).map((warning) => `warning: ${warning}`),
		];
	});
}

export function scalingPage(groups: readonly ScalingGroup[], around: Surroundings): StudyPage {
	const problems = [...new Set(groups.map(({ problem }) => problem))];
	const what =
		around.kind === "strong"
			? "The same problem on more and more ranks."
			: "A problem that grows with the ranks: the same work for each.";
	return {
		title: around.kind === "strong" ? "Strong scaling" : "Weak scaling",
		text: [
			`${what} Times are the least of the rounds. Efficiency is work per second and rank against the baseline, and the product of the factors beside it.`,
		],
		warnings: groups.flatMap((group) => warningsOf(group, around)),
		sections: problems.map((problem) =>
			sectionOf(
				problem,
				groups.filter((group) => group.problem === problem),
				around,
			),
		),
	};
}

function sectionOf(problem: string, groups: readonly ScalingGroup[], around: Surroundings): PageSection {
	const lines = groups.flatMap(({ method, rows, baseline }) => {
		const transports = [...new Set(rows.map(({ axes }) => String(axes.transport)))].filter((name) => name !== "none");
		return (transports.length > 0 ? transports : ["none"]).map((transport) => ({
			name: transport === "none" ? method : `${method}, ${transport}`,
			rows: rows.filter(
				({ axes, ranks }) => axes.transport === transport || (axes.transport === "none" && ranks === baseline),
			),
		}));
	});
	const counts = [...new Set(groups.flatMap(({ rows }) => rows.map(({ ranks }) => ranks)))].sort((a, b) => a - b);
	const pointsOf = (rows: readonly ScalingRow[], of: "speedup" | "efficiency") =>
		rows.flatMap(({ ranks, measured }): [number, number][] =>
			measured?.against === undefined ? [] : [[ranks, measured.against[of]]],
		);
	const ranks = { label: "ranks", scale: "log2", marks: counts, text: String } as const;
	const speedup: LinePlot = {
		title: around.kind === "strong" ? "Speed-up" : "Speed-up of the same work",
		x: ranks,
		y: { label: "times the baseline", scale: "log2" },
		lines: [
			...lines.map(({ name, rows }) => ({ name, points: pointsOf(rows, "speedup") })),
			{ name: "ideal", points: idealOf(groups, counts), kind: "guide" },
		],
	};
	const efficiency: LinePlot = {
		title: "Efficiency",
		x: ranks,
		y: { label: "share of ideal", scale: "linear", holds: [0, 1], text: (share) => `${Math.round(100 * share)} %` },
		lines: lines.map(({ name, rows }) => ({ name, points: pointsOf(rows, "efficiency") })),
	};
	return {
		title: problem,
		plots: [speedup, efficiency, ...groups.flatMap(phasePlots)],
		text: groups.flatMap(({ method, rows }) =>
			rows.map((row) => `${method}, ${nameOf(row)}: ${verdictOf(row, around)}.`),
		),
		tables: groups.flatMap(({ rows }) => [efficiencyTable(rows), trafficTable(rows)]),
		folded: groups.map(({ method, rows }) => ({ title: `${method}: every rank`, ...ranksTable(rows) })),
	};
}

function idealOf(groups: readonly ScalingGroup[], counts: readonly number[]): [number, number][] {
	const baseline = Math.min(...groups.flatMap((group) => group.baseline ?? []));
	if (!Number.isFinite(baseline)) return [];
	return counts.filter((ranks) => ranks >= baseline).map((ranks) => [ranks, ranks / baseline]);
}

/** Where the time of each rank goes, for the most ranks of each transport. */
function phasePlots({ method, rows }: ScalingGroup): BarPlot[] {
	const most = Math.max(...rows.map(({ ranks }) => ranks));
	const drawn = rows.filter(({ ranks, measured }) => ranks === most && ranks > 1 && measured !== undefined);
	if (drawn.length === 0) return [];
	const bars = drawn.flatMap((row) => {
		const { perRank = [], values } = row.measured!.sample;
		return perRank.slice(0, RANKS_DRAWN).map((rank, index) => ({
			name: `${row.axes.transport}, rank ${index}`,
			values: Object.values(phasesOf(rank)).map((seconds) => seconds / (values.steps ?? 1)),
		}));
	});
	return [
		{ title: `${method} on ${counted(most, "rank")}`, unit: "s", parts: ["compute", "pack", "wait", "reduce"], bars },
	];
}

function ranksTable(rows: readonly ScalingRow[]): PageTable {
	const cells = rows.flatMap((row) =>
		(row.measured?.sample.perRank ?? []).map((rank, index) => [
			`${nameOf(row)}: rank ${index}`,
			count(rank.bodies ?? rank.contacts ?? 0),
			...Object.values(phasesOf(rank)).map(three),
			count(rank.messages ?? 0),
			count(rank.bytes ?? 0),
		]),
	);
	return { titles: ["rank", "owns", "compute", "pack", "wait", "reduce", "messages", "bytes"], rows: cells };
}

/** A record for each cell, for CSV and JSON. */
export function scalingRecords(groups: readonly ScalingGroup[], around: Surroundings) {
	return groups.flatMap((group) =>
		group.rows.map((row) => {
			const { axes, measured, status, reason, hash } = row;
			const { sample, seconds, spread, rounds, against } = measured ?? {};
			const { factors, ...comparison } = against ?? {};
			// Beside the number of iterations.
			const { iterations: iterationFactor, ...shares } = factors ?? {};
			const flat = { seconds, spread, rounds, ...comparison, ...shares, iterationFactor };
			const { seconds: _seconds, ...counts } = sample?.values ?? {};
			const made = sample === undefined ? {} : madeOf(sample.made);
			return {
				...axes,
				status,
				...flat,
				...counts,
				hash,
				...made,
				reason,
				verdict: verdictOf(row, around),
				warnings: warningsOf(group, around).join("; "),
			};
		}),
	);
}

function madeOf({ version, node, processor, cores, date, probe, others }: ScalingRow["samples"][number]["made"]) {
	return { version, node, processor, cores, date, probe: Number(probe.toPrecision(3)), others };
}
