/** A summary of the ranks for people: the share of time spent on computation, and one line per rank. */
import type { Report } from "@stickslip/core";
import { bytes, count, counted, duration } from "../base/format.js";
import { type Column, head, row } from "./table.js";

/** A report for people shows so many ranks. */
const RANKS_SHOWN = 16;

const columns: readonly Column[] = [
	{ title: "rank", width: 6, align: "right" },
	{ title: "contacts", width: 9, align: "right" },
	{ title: "sent", width: 9, align: "right" },
	{ title: "memory", width: 9, align: "right" },
	{ title: "compute", width: 9, align: "right" },
	{ title: "pack", width: 9, align: "right" },
	{ title: "wait", width: 9, align: "right" },
	{ title: "reduce", width: 9, align: "right" },
];

/** Empty for a single rank. */
export function rankFacts(report: Report): [string, string][] {
	const { ranks, transport, exchanges, reductions, efficiency } = report;
	if (transport === "self") return [];
	const { parallel, loadBalance, serialisation, transfer } = efficiency;
	const talk = `${counted(exchanges, "exchange")}, ${counted(reductions, "reduction")} each`;
	const factors = `load balance ${percent(loadBalance)}, serialisation ${percent(serialisation)}, transfer ${percent(transfer)}`;
	return [
		["ranks", `${count(ranks)} over ${transport}, ${talk}`],
		["efficiency", `${percent(parallel)} = ${factors}`],
	];
}

export function rankTable({ perRank, transport }: Report): string[] {
	if (transport === "self") return [];
	const rest = perRank.length - RANKS_SHOWN;
	const rows = perRank.slice(0, RANKS_SHOWN).map((rank) => {
		const { compute, pack, wait, reduce } = rank.phases;
		const times = [compute, pack, wait, reduce].map(duration);
		return row(columns, [String(rank.rank), count(rank.contacts), bytes(rank.bytes), bytes(rank.peakMemory), ...times]);
	});
	const more = rest > 0 ? [`  and ${counted(rest, "rank")} more (--json has all)`] : [];
	return ["", ...head(columns), ...rows, ...more];
}

function percent(share: number): string {
	return `${(100 * share).toFixed(0)} %`;
}
