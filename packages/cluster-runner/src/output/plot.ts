/** Lines over time as a self-contained SVG for a page: the extremes of each column if there are many points. */
import { mark } from "../base/format.js";
import { axisOf } from "./axis.js";

const width = 720;
const height = 240;
const margin = { left: 72, right: 28, top: 26, bottom: 34 };
const COLUMNS = 600;
const MARKS = 4;
/** Colours of a page's lines, in order. */
const COLOURS = ["var(--curve)", "var(--goal)", "var(--third)", "var(--fourth)"];

export interface PlotLine {
	readonly name: string;
	readonly values: Float64Array;
}

export interface Plot {
	readonly title: string;
	/** Of the values. */
	readonly unit: string;
	readonly time: Float64Array;
	readonly lines: readonly PlotLine[];
}

export function plot({ title, unit, time, lines }: Plot): string {
	const finite = lines.flatMap(({ values }) => [...extremes(values)]);
	if (time.length === 0 || finite.length === 0) return `<p>${title}: there is nothing to draw.</p>`;
	const up = axisOf([0, ...finite], "linear", MARKS);
	const across = axisOf([time[0]!, time.at(-1)!], "linear", MARKS);
	const x = (t: number) => margin.left + across.place(t) * (width - margin.left - margin.right);
	const y = (value: number) => height - margin.bottom - up.place(value) * (height - margin.top - margin.bottom);
	const drawn = lines.map(({ values }, index) => {
		const points = thinned(values).map((at) => `${x(time[at]!).toFixed(1)},${y(values[at]!).toFixed(1)}`);
		return `<polyline style="stroke:${COLOURS[index % COLOURS.length]}" points="${points.join(" ")}"/>`;
	});
	return [
		`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title} over time">`,
		legend(title, unit, lines),
		...up.marks.map((value) => valueMark(value, y(value))),
		...across.marks.map((t) => timeMark(t, x(t))),
		...drawn,
		"</svg>",
	].join("\n");
}

/** The least and the greatest finite value. */
function extremes(values: Float64Array): number[] {
	let [low, high] = [Infinity, -Infinity];
	for (const value of values) {
		if (!Number.isFinite(value)) continue;
		low = Math.min(low, value);
		high = Math.max(high, value);
	}
	return low <= high ? [low, high] : [];
}

/** Places of finite values, at most two per column. */
function thinned(values: Float64Array): number[] {
	const places = Array.from(values.keys()).filter((at) => Number.isFinite(values[at]));
	if (places.length <= 2 * COLUMNS) return places;
	const kept: number[] = [];
	for (let column = 0; column < COLUMNS; column += 1) {
		const from = Math.floor((column * places.length) / COLUMNS);
		const part = places.slice(from, Math.floor(((column + 1) * places.length) / COLUMNS));
		let [low, high] = [part[0]!, part[0]!];
		for (const at of part) {
			if (values[at]! < values[low]!) low = at;
			if (values[at]! > values[high]!) high = at;
		}
		kept.push(...(low === high ? [low] : [Math.min(low, high), Math.max(low, high)]));
	}
	return kept;
}

function legend(title: string, unit: string, lines: readonly PlotLine[]): string {
	const head = `<text x="${margin.left}" y="14" font-weight="600">${title}${unit === "" ? "" : `, ${unit}`}</text>`;
	if (lines.length < 2) return head;
	const names = lines.map(
		({ name }, index) => `<tspan dx="14" style="fill:${COLOURS[index % COLOURS.length]}">${name}</tspan>`,
	);
	return `${head}<text x="${width - margin.right}" y="14" text-anchor="end">${names.join("")}</text>`;
}

function valueMark(value: number, y: number): string {
	const at = y.toFixed(1);
	return `<line class="grid" x1="${margin.left}" x2="${width - margin.right}" y1="${at}" y2="${at}"/><text x="${margin.left - 8}" y="${at}" text-anchor="end" dominant-baseline="middle">${mark(value)}</text>`;
}

function timeMark(time: number, x: number): string {
	return `<text x="${x.toFixed(1)}" y="${height - margin.bottom + 18}" text-anchor="middle">${mark(time)} s</text>`;
}
