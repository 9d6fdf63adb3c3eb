/** Lines over an axis as an SVG that stands alone. Nothing here needs Node.js: a page draws the same. */
import { mark as markText } from "../base/format.js";
import { type Axis, axisOf, type ScaleName } from "../output/axis.js";
import { escapeHtml } from "../output/html.js";

export interface PlotLine {
	readonly name: string;
	/** Points in ascending order; those that are not finite are left out. */
	readonly points: readonly (readonly [number, number])[];
	/** Without dots at the points: a thin guide to the eye, or stairs. */
	readonly kind?: "guide" | "stairs";
}

export interface LinePlot {
	readonly title: string;
	readonly x: PlotAxis;
	readonly y: PlotAxis;
	readonly lines: readonly PlotLine[];
}

export interface PlotAxis {
	readonly label: string;
	readonly scale: ScaleName;
	/** Values that the axis has to hold beside those of the points. */
	readonly holds?: readonly number[];
	/** Values that are marked instead of round ones. */
	readonly marks?: readonly number[];
	/** Of a mark. */
	readonly text?: (value: number) => string;
}

/** Of a page for a desk, and of one for a telephone. */
export const PLOT_WIDTHS = { wide: 720, narrow: 340 } as const;

/** Distinguishable in light and dark mode, and with red-green blindness; further lines are dashed. */
const COLOURS = ["#2b7bba", "#d9772b", "#3f9a6b", "#9a6bc0", "#b8902a", "#c9577e", "#5f8f9f", "#8a8a8a"];
const DASHES = ["", "6 3", "2 2", "8 2 2 2"];
/** More points than this are a curve. */
const DOTS_MAX = 24;
const ROW = 16;
const CHARACTER = 6.5;

/** In pixels. */
interface Frame {
	readonly left: number;
	readonly right: number;
	readonly top: number;
	readonly bottom: number;
	readonly height: number;
}

export function linePlot(plot: LinePlot, width: number = PLOT_WIDTHS.wide): string {
	const { title, x, y, lines } = plot;
	const shown = lines.map((line) => ({ ...line, points: line.points.filter((point) => point.every(Number.isFinite)) }));
	const values = (at: 0 | 1) => shown.flatMap(({ points }) => points.map((point) => point[at]));
	const across = axisOf([...values(0), ...(x.holds ?? [])], x.scale, width < 500 ? 4 : 8);
	const up = axisOf([...values(1), ...(y.holds ?? [])], y.scale);
	const rows = legendRows(shown, width);
	const frame = frameOf(width, rows.length);
	const at = ([px, py]: readonly [number, number]) =>
		`${(frame.left + across.place(px) * (frame.right - frame.left)).toFixed(1)},${(frame.bottom - up.place(py) * (frame.bottom - frame.top)).toFixed(1)}`;
	const drawn = shown.flatMap(({ points, kind }, index) => {
		const line = `<polyline fill="none" stroke-width="${kind === "guide" ? 1 : 1.8}" ${strokeOf(index)} points="${points.map(at).join(" ")}"/>`;
		const dots = kind !== undefined || points.length > DOTS_MAX ? [] : points.map((point) => dot(at(point), index));
		return [line, ...dots];
	});
	return svgOf(title, width, frame.height, [
		...grid(frame, { across, up }, plot),
		...drawn,
		...legend(rows, frame.height),
	]);
}

/** A drawing of that size with its title, readable on light and dark paper. */
export function svgOf(title: string, width: number, height: number, parts: readonly string[]): string {
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(title)}" font-family="system-ui, sans-serif" font-size="12" fill="#7c8085">`,
		`<text x="8" y="16" font-weight="600">${escapeHtml(title)}</text>`,
		...parts,
		"</svg>",
	].join("\n");
}

function frameOf(width: number, rows: number): Frame {
	const [top, plotted] = [30, width < 500 ? 210 : 300];
	return { left: 56, right: width - 16, top, bottom: top + plotted, height: top + plotted + 44 + ROW * rows };
}

function grid(
	{ left, right, top, bottom }: Frame,
	{ across, up }: { readonly across: Axis; readonly up: Axis },
	{ x, y }: LinePlot,
): string[] {
	const within = (axis: Axis) => (mark: number) => axis.place(mark) > -1e-9 && axis.place(mark) < 1 + 1e-9;
	const lines = (y.marks ?? up.marks).filter(within(up)).map((mark) => {
		const at = (bottom - up.place(mark) * (bottom - top)).toFixed(1);
		const text = `<text x="${left - 6}" y="${at}" dominant-baseline="middle" text-anchor="end">${(y.text ?? markText)(mark)}</text>`;
		return `<line x1="${left}" x2="${right}" y1="${at}" y2="${at}" stroke="#8883"/>${text}`;
	});
	const marks = (x.marks ?? across.marks).filter(within(across)).map((mark) => {
		const at = (left + across.place(mark) * (right - left)).toFixed(1);
		return `<text x="${at}" y="${bottom + 17}" text-anchor="middle">${(x.text ?? markText)(mark)}</text>`;
	});
	return [
		...lines,
		...marks,
		`<text x="${(left + right) / 2}" y="${bottom + 34}" text-anchor="middle">${escapeHtml(x.label)}</text>`,
		`<text transform="rotate(-90)" x="${-(top + bottom) / 2}" y="12" text-anchor="middle">${escapeHtml(y.label)}</text>`,
	];
}

function dot(at: string, index: number): string {
	const [x, y] = at.split(",");
	return `<circle cx="${x}" cy="${y}" r="3" style="fill:${colourOf(index)}"/>`;
}

export function colourOf(index: number): string {
	return COLOURS[index % COLOURS.length]!;
}

/** As a style: a page has colours of its own for lines. */
function strokeOf(index: number): string {
	const dash = DASHES[Math.floor(index / COLOURS.length) % DASHES.length]!;
	return `style="stroke:${colourOf(index)}${dash === "" ? "" : `;stroke-dasharray:${dash}`}"`;
}

interface LegendEntry {
	readonly name: string;
	readonly index: number;
}

/** As many names in a row as it holds. */
export function legendRows(named: readonly { readonly name: string }[], width: number): LegendEntry[][] {
	const rows: LegendEntry[][] = [];
	let left = 0;
	for (const [index, { name }] of named.entries()) {
		const needed = widthOf(name);
		if (rows.length === 0 || left + needed > width - 16) {
			rows.push([]);
			left = 0;
		}
		rows.at(-1)!.push({ name, index });
		left += needed;
	}
	return rows;
}

export function legend(rows: readonly LegendEntry[][], height: number): string[] {
	return rows.flatMap((row, at) => {
		const y = height - 6 - ROW * (rows.length - 1 - at);
		let left = 8;
		return row.map(({ name, index }) => {
			const line = `<line x1="${left}" x2="${left + 22}" y1="${y - 4}" y2="${y - 4}" stroke-width="3" ${strokeOf(index)}/>`;
			const text = `<text x="${left + 27}" y="${y}">${escapeHtml(name)}</text>`;
			left += widthOf(name);
			return line + text;
		});
	});
}

function widthOf(name: string): number {
	return 27 + CHARACTER * name.length + 14;
}
