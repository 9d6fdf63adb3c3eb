/** The quality of a partition: balance, cut, neighbours, ghosts and bytes of the halo, per rank and in total. */
import type { Graph } from "../graph/graph.js";
import { ownershipOf, rowsOfGraph } from "../graph/ownership.js";
import type { Partition } from "../partition/partition.js";

/** A ghost's reaction: three doubles. */
const GHOST_BYTES = 3 * 8;

export interface RankPart {
	readonly rank: number;
	/** Vertices it owns, and what they weigh. */
	readonly own: number;
	readonly weight: number;
	/** What it receives and sends in an exchange, in blocks. */
	readonly ghosts: number;
	readonly sent: number;
	/** Bytes it receives in an exchange of reactions. */
	readonly haloBytes: number;
	/** Ranks that it receives from. */
	readonly neighbours: number;
}

export interface PartitionReport {
	readonly method: string;
	readonly reason: string;
	readonly parts: number;
	readonly vertices: number;
	readonly edges: number;
	/** The heaviest part over the mean one. */
	readonly balance: number;
	/** Edges between parts, and what they weigh. */
	readonly cut: number;
	readonly cutWeight: number;
	/** All ghosts over all vertices. */
	readonly ghostShare: number;
	readonly ranks: readonly RankPart[];
}

export function reportOf(graph: Graph, { owner, parts, method, reason }: Partition): PartitionReport {
	const { vertices, start, neighbour, vertexWeight, edgeWeight } = graph;
	let ends = 0;
	let endWeight = 0;
	for (let v = 0; v < vertices; v += 1) {
		for (let k = start[v]!; k < start[v + 1]!; k += 1) {
			if (owner[neighbour[k]!] === owner[v]) continue;
			ends += 1;
			endWeight += edgeWeight?.[k] ?? 1;
		}
	}
	const { ranks } = ownershipOf(owner, parts, rowsOfGraph(graph));
	const sent = new Int32Array(parts);
	for (const { ghostToOwner } of ranks) for (const rank of ghostToOwner) sent[rank]! += 1;
	const rows = ranks.map(({ rank, own, ghosts, ghostToOwner }): RankPart => {
		let weight = 0;
		for (const v of own) weight += vertexWeight[v]!;
		return {
			rank,
			own: own.length,
			weight,
			ghosts: ghosts.length,
			sent: sent[rank]!,
			haloBytes: GHOST_BYTES * ghosts.length,
			neighbours: new Set(ghostToOwner).size,
		};
	});
	const total = rows.reduce((sum, { weight }) => sum + weight, 0);
	const ghosts = rows.reduce((sum, row) => sum + row.ghosts, 0);
	return {
		method,
		reason,
		parts,
		vertices,
		edges: neighbour.length / 2,
		balance: total > 0 ? (Math.max(...rows.map(({ weight }) => weight)) * parts) / total : 1,
		cut: ends / 2,
		cutWeight: endWeight / 2,
		ghostShare: vertices > 0 ? ghosts / vertices : 0,
		ranks: rows,
	};
}

/** For more ranks than these only the least, mean and most are printed. */
const RANKS_LISTED = 16;

/** The report as lines of text; `noun` is what the vertices are. */
export function reportLines(report: PartitionReport, noun = "contacts"): string[] {
	const { parts, vertices, edges, balance, cut, cutWeight, ghostShare, ranks, method, reason } = report;
	const share = edges > 0 ? ` (${((100 * cut) / edges).toFixed(1)} % of ${edges})` : "";
	const weighs = cutWeight === cut ? "" : `, weight ${cutWeight}`;
	const lines = [
		`${vertices} ${noun} in ${parts} ${parts === 1 ? "part" : "parts"} by ${method} (${reason})`,
		`balance ${balance.toFixed(3)}, cut ${cut} edges${share}${weighs}, ghosts ${(100 * ghostShare).toFixed(1)} %`,
	];
	const columns = ["own", "weight", "ghosts", "sent", "neighbours", "haloBytes"] as const;
	const row = (name: string, values: readonly (string | number)[]): string =>
		name.padEnd(8) + values.map((value) => String(value).padStart(12)).join("");
	lines.push(row("rank", ["own", "weight", "ghosts", "sent", "neighbours", "halo bytes"]));
	if (parts <= RANKS_LISTED) {
		for (const rank of ranks)
			lines.push(
				row(
					String(rank.rank),
					columns.map((column) => rank[column]),
				),
			);
	} else {
		const of = (fold: (values: readonly number[]) => number): string[] =>
			columns.map((column) => rounded(fold(ranks.map((rank) => rank[column]))));
		lines.push(
			row(
				"least",
				of((values) => Math.min(...values)),
			),
		);
		lines.push(
			row(
				"mean",
				of((values) => values.reduce((sum, value) => sum + value, 0) / values.length),
			),
		);
		lines.push(
			row(
				"most",
				of((values) => Math.max(...values)),
			),
		);
	}
	return lines;
}

function rounded(value: number): string {
	return Number.isInteger(value) ? String(value) : value.toFixed(1);
}
