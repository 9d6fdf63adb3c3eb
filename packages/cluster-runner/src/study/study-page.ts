/** The page of a study: one HTML file with plots and tables, no script, nothing fetched, readable on a desk and on a telephone. */
import { escapeHtml } from "../output/html.js";
import { htmlPage, type Origin, originTable } from "../output/page.js";
import { type BarPlot, barPlot } from "./bar-plot.js";
import { type LinePlot, linePlot, PLOT_WIDTHS } from "./line-plot.js";

export interface PageTable {
	readonly titles: readonly string[];
	readonly rows: readonly (readonly string[])[];
}

export interface PageSection {
	readonly title: string;
	/** Sentences, a paragraph each. */
	readonly text?: readonly string[];
	readonly plots?: readonly (LinePlot | BarPlot)[];
	readonly tables?: readonly PageTable[];
	/** A table that is folded away under this title. */
	readonly folded?: readonly (PageTable & { readonly title: string })[];
}

export interface StudyPage {
	readonly title: string;
	readonly text: readonly string[];
	/** What a reader has to know before believing a number. */
	readonly warnings: readonly string[];
	readonly sections: readonly PageSection[];
}

/** Each plot is there twice, and the style of the page shows the one that fits. */
const style = `
body { max-width: 56rem; }
.narrow { display: none; }
@media (max-width: 40rem) { .wide { display: none; } .narrow { display: block; } }
.scroll { overflow-x: auto; }
.scroll table { width: auto; min-width: 100%; }
.scroll th, .scroll td { width: auto; white-space: nowrap; overflow-wrap: normal; padding-right: 0.8rem; }
.scroll td:not(:first-child), .scroll th:not(:first-child) { text-align: right; font-variant-numeric: tabular-nums; }
.scroll td:first-child { position: sticky; left: 0; background: var(--paper); }
figure { margin: 1rem 0; }
.warnings { border-left: 3px solid var(--goal); padding-left: 1rem; }
`;

export function studyPage({ title, text, warnings, sections }: StudyPage, origin: Origin): string {
	const told = warnings.map((warning) => `<p>${escapeHtml(warning)}</p>`);
	const parts = [
		`<h1>${escapeHtml(title)}</h1>`,
		...originTable(origin),
		...paragraphs(text),
		...(told.length > 0 ? [`<div class="warnings">\n${told.join("\n")}\n</div>`] : []),
		...sections.map(sectionOf),
	];
	return htmlPage(title, parts, style);
}

function sectionOf({ title, text = [], plots = [], tables = [], folded = [] }: PageSection): string {
	return [
		"<section>",
		`<h2>${escapeHtml(title)}</h2>`,
		...plots.map(figureOf),
		...paragraphs(text),
		...tables.map(tableOf),
		...folded.map((table) => `<details><summary>${escapeHtml(table.title)}</summary>\n${tableOf(table)}\n</details>`),
		"</section>",
	].join("\n");
}

/** For a wide page and for a narrow one. */
function figureOf(plot: LinePlot | BarPlot): string {
	const drawn = Object.entries(PLOT_WIDTHS).map(([name, width]) => `<div class="${name}">${plotOf(plot, width)}</div>`);
	return `<figure>\n${drawn.join("\n")}\n</figure>`;
}

export function plotOf(plot: LinePlot | BarPlot, width?: number): string {
	return "bars" in plot ? barPlot(plot, width) : linePlot(plot, width);
}

function tableOf({ titles, rows }: PageTable): string {
	const lines = [tableRow(titles, "th"), ...rows.map((cells) => tableRow(cells, "td"))];
	return `<div class="scroll"><table>\n${lines.join("\n")}\n</table></div>`;
}

function tableRow(cells: readonly string[], tag: "th" | "td"): string {
	return `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join("")}</tr>`;
}

function paragraphs(text: readonly string[]): string[] {
	return text.map((sentence) => `<p>${escapeHtml(sentence)}</p>`);
}
