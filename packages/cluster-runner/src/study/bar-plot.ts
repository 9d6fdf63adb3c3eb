/** Stacked bars as an SVG that stands alone: what a whole is made of, for several of them. Nothing here needs Node.js. */
import { mark as markText } from "../base/format.js";
import { axisOf } from "../output/axis.js";
import { escapeHtml } from "../output/html.js";
import { colourOf, legend, legendRows, PLOT_WIDTHS, svgOf } from "./line-plot.js";

export interface BarPlot {
	readonly title: string;
	/** Of the values, e.g. s. */
	readonly unit: string;
	/** Names of the parts, in the order in which they are stacked. */
	readonly parts: readonly string[];
	readonly bars: readonly { readonly name: string; readonly values: readonly number[] }[];
}

const BAR = 18;
const GAP = 8;
const NAME_CHARACTER = 6.5;

export function barPlot({ title, unit, parts, bars }: BarPlot, width: number = PLOT_WIDTHS.wide): string {
	const totals = bars.map(({ values }) => values.reduce((sum, value) => sum + Math.max(0, value), 0));
	const axis = axisOf([0, ...totals], "linear", width < 500 ? 3 : 6);
	const longest = Math.max(0, ...bars.map(({ name }) => name.length));
	// On a narrow page names stand above their bars.
	const isStacked = 16 + NAME_CHARACTER * longest > width / 3;
	const left = isStacked ? 8 : 16 + NAME_CHARACTER * longest;
	const pitch = BAR + GAP + (isStacked ? 16 : 0);
	const [top, right] = [28, width - 20];
	const bottom = top + pitch * bars.length;
	const rows = legendRows(
		parts.map((name) => ({ name })),
		width,
	);
	const x = (value: number) => left + axis.place(value) * (right - left);
	const marks = axis.marks.map((mark) => {
		const at = x(mark).toFixed(1);
		return `<line x1="${at}" x2="${at}" y1="${top}" y2="${bottom}" stroke="#8883"/><text x="${at}" y="${bottom + 15}" text-anchor="middle">${markText(mark)}</text>`;
	});
	const drawn = bars.map(({ name, values }, index) => {
		const y = top + pitch * index + (isStacked ? 16 : GAP / 2);
		let from = 0;
		const stacked = values.map((value, part) => {
			const to = from + Math.max(0, value);
			const box = `<rect x="${x(from).toFixed(1)}" y="${y}" width="${Math.max(0, x(to) - x(from)).toFixed(1)}" height="${BAR}" style="fill:${colourOf(part)}"/>`;
			from = to;
			return box;
		});
		const label = isStacked
			? `<text x="8" y="${y - 4}">${escapeHtml(name)}</text>`
			: `<text x="${left - 6}" y="${y + 13}" text-anchor="end">${escapeHtml(name)}</text>`;
		return label + stacked.join("");
	});
	const height = bottom + 38 + 16 * rows.length;
	return svgOf(`${title}, ${unit}`, width, height, [...marks, ...drawn, ...legend(rows, height)]);
}
