/**
 * A partition as an SVG picture that needs nothing else: which ranks communicate (on a ring, with lines as wide as their halo), the contacts along their
 * narrowest axis in their ranks' colours if points are known, and the numbers below.
 */

import { axesByWidth, boxOf } from "../geometric/points.js";
import type { Graph } from "../graph/graph.js";
import { ownershipOf, rowsOfGraph } from "../graph/ownership.js";
import type { Partition } from "../partition/partition.js";
import { type PartitionReport, reportOf } from "./report.js";

export interface PictureOptions {
	/** Three coordinates per vertex. */
	readonly points?: Float64Array;
	readonly title?: string;
	/** What the vertices are. Default contacts. */
	readonly noun?: string;
}

const PANEL = 440;
const MARGIN = 24;
const HEAD = 64;
/** More points than these are sampled evenly: a picture has no more places, and a browser opens it at once. */
const POINTS_MAX = 20_000;
const LEGEND_COLUMN = 222;
const LEGEND_ROW = 18;
/** With more ranks there is no room for their numbers on the ring and in the legend. */
const RANKS_NUMBERED = 96;

export function pictureOf(graph: Graph, partition: Partition, options: PictureOptions = {}): string {
	const { points, noun = "contacts" } = options;
	const report = reportOf(graph, partition);
	const panels = points === undefined ? 1 : 2;
	const columns = 2 * panels;
	const width = 2 * MARGIN + Math.max(columns * LEGEND_COLUMN, panels * PANEL + (panels - 1) * MARGIN);
	const shown = report.ranks.slice(0, RANKS_NUMBERED);
	const legendTop = HEAD + PANEL + MARGIN;
	const height = legendTop + Math.ceil(shown.length / columns) * LEGEND_ROW + MARGIN;
	const body = [
		text(MARGIN, 30, options.title ?? `${report.vertices} ${noun} on ${report.parts} ranks`, "title"),
		text(MARGIN, 50, summary(report), "note"),
	];
	if (points !== undefined) body.push(...scatter(points, partition, MARGIN, HEAD));
	body.push(...ring(graph, partition, MARGIN + (panels - 1) * (PANEL + MARGIN), HEAD));
	for (const [i, { rank, own, ghosts, neighbours }] of shown.entries()) {
		const x = MARGIN + (i % columns) * LEGEND_COLUMN;
		const y = legendTop + Math.floor(i / columns) * LEGEND_ROW + 10;
		body.push(`<rect x="${x}" y="${y - 9}" width="10" height="10" rx="2" fill="${colourOf(rank, report.parts)}"/>`);
		body.push(text(x + 16, y, `${rank}: ${own} own, ${ghosts} ghosts from ${neighbours}`, "key"));
	}
	if (shown.length < report.parts)
		body.push(text(MARGIN, height - 6, `and ${report.parts - shown.length} more ranks`, "key"));
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
		"<style>text{font-family:system-ui,sans-serif;fill:#1d2733}.title{font-size:18px;font-weight:600}.note{font-size:12px}",
		".key{font-size:11px}.rank{font-size:10px;text-anchor:middle;dominant-baseline:central;fill:#fff;font-weight:600}</style>",
		`<rect width="${width}" height="${height}" fill="#fff"/>`,
		...body,
		"</svg>",
		"",
	].join("\n");
}

function summary({ method, balance, cut, edges, ghostShare }: PartitionReport): string {
	const share = edges > 0 ? ` of ${edges}` : "";
	return `${method}: balance ${balance.toFixed(3)}, cut ${cut}${share} edges, ghosts ${(100 * ghostShare).toFixed(1)} %`;
}

/** Neighbouring ranks get hues far apart (the golden angle), and three lightnesses where there are many. */
function colourOf(rank: number, parts: number): string {
	const hue = Math.round((rank * 137.508) % 360);
	const lightness = parts > 12 ? [42, 56, 68][rank % 3] : 45;
	return `hsl(${hue},62%,${lightness}%)`;
}

function text(x: number, y: number, words: string, style: string): string {
	const escaped = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
	return `<text x="${fixed(x)}" y="${fixed(y)}" class="${style}">${escaped}</text>`;
}

const fixed = (value: number): string => String(Math.round(10 * value) / 10);

const frame = (x: number, y: number): string =>
	`<rect x="${x}" y="${y}" width="${PANEL}" height="${PANEL}" rx="6" fill="#f6f8fa" stroke="#d0d7de"/>`;

/** One path per rank of squares as large as the number of points leaves room for. */
function scatter(points: Float64Array, { owner, parts }: Partition, left: number, top: number): string[] {
	const count = points.length / 3;
	const out = [frame(left, top)];
	if (count === 0) return out;
	const box = boxOf(points);
	const axes = axesByWidth(box).slice(0, 2);
	// Up is up: where the vertical is among the axes, it is drawn vertically.
	if (axes[0] === 2) axes.reverse();
	const [across, up] = [axes[0]!, axes[1]!];
	const inner = PANEL - 2 * MARGIN;
	const extent = Math.max(box.high[across]! - box.low[across]!, box.high[up]! - box.low[up]!);
	const scale = extent > 0 ? inner / extent : 0;
	const offset = (axis: number): number => (inner - scale * (box.high[axis]! - box.low[axis]!)) / 2 + MARGIN;
	const stride = Math.max(1, Math.ceil(count / POINTS_MAX));
	const size = Math.max(1.2, Math.min(7, 300 / Math.sqrt(count / stride)));
	const paths = Array.from({ length: parts }, () => [] as string[]);
	for (let v = 0; v < count; v += stride) {
		const x = left + offset(across) + scale * (points[3 * v + across]! - box.low[across]!) - size / 2;
		const y = top + PANEL - offset(up) - scale * (points[3 * v + up]! - box.low[up]!) - size / 2;
		paths[owner[v]!]!.push(`M${fixed(x)} ${fixed(y)}h${fixed(size)}v${fixed(size)}h-${fixed(size)}z`);
	}
	for (const [rank, path] of paths.entries()) {
		if (path.length > 0) out.push(`<path fill="${colourOf(rank, parts)}" fill-opacity="0.8" d="${path.join("")}"/>`);
	}
	const names = ["x", "y", "z"];
	out.push(text(left + 8, top + PANEL - 8, `${names[across]} across, ${names[up]} up`, "key"));
	if (stride > 1) out.push(text(left + 8, top + 16, `one in ${stride} shown`, "key"));
	return out;
}

function ring(graph: Graph, { owner, parts }: Partition, left: number, top: number): string[] {
	const { ranks } = ownershipOf(owner, parts, rowsOfGraph(graph));
	const centre = { x: left + PANEL / 2, y: top + PANEL / 2 };
	const radius = PANEL / 2 - 1.5 * MARGIN;
	const place = (rank: number): { x: number; y: number } => {
		const angle = (2 * Math.PI * rank) / parts - Math.PI / 2;
		const at = parts === 1 ? 0 : radius;
		return { x: centre.x + at * Math.cos(angle), y: centre.y + at * Math.sin(angle) };
	};
	const halo = new Map<number, number>();
	for (const { rank, ghostToOwner } of ranks) {
		for (const from of ghostToOwner) {
			const key = Math.min(rank, from) * parts + Math.max(rank, from);
			halo.set(key, (halo.get(key) ?? 0) + 1);
		}
	}
	const most = [...halo.values()].reduce((max, value) => Math.max(max, value), 1);
	const out = [frame(left, top)];
	for (const [key, ghosts] of [...halo].sort(([, a], [, b]) => a - b)) {
		const a = place(Math.floor(key / parts));
		const b = place(key % parts);
		const share = ghosts / most;
		const line = `stroke-width="${fixed(0.5 + 6 * share)}" stroke-opacity="${(0.25 + 0.5 * share).toFixed(2)}"`;
		out.push(
			`<line x1="${fixed(a.x)}" y1="${fixed(a.y)}" x2="${fixed(b.x)}" y2="${fixed(b.y)}" stroke="#57606a" ${line}/>`,
		);
	}
	const dot = Math.max(3, Math.min(14, (2.4 * radius) / parts));
	for (let rank = 0; rank < parts; rank += 1) {
		const { x, y } = place(rank);
		out.push(`<circle cx="${fixed(x)}" cy="${fixed(y)}" r="${fixed(dot)}" fill="${colourOf(rank, parts)}"/>`);
		if (dot >= 7) out.push(text(x, y, String(rank), "rank"));
	}
	out.push(text(left + 8, top + PANEL - 8, `widest line: ${most} ghosts, both ways`, "key"));
	return out;
}
