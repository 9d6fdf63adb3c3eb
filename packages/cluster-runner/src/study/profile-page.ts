/** A study of performance profiles as one HTML page and as lines of text. */
import { basename } from "node:path";
import { exact, three } from "../base/format.js";
import { escapeHtml, htmlPage, type Origin, originTable } from "../output/page.js";
import { type Column, head, row } from "../output/table.js";
import type { Score } from "../requests/study-request.js";
import type { Cell } from "./cells.js";
import type { Profile } from "./profile.js";
import { shareWithin } from "./profile.js";
import { profilePlot } from "./profile-plot.js";

export interface StudyResult {
	readonly profiles: readonly Profile[];
	readonly cells: readonly Cell[];
	readonly variants: readonly string[];
	readonly score: Score;
	readonly measure: string;
}

const TITLES = ["variant", "solved", "best", "mean ratio", "within 2", "within 10"] as const;

/** A row for each variant: how many it solves, on how many it is the best, and how far it is from the best. */
function cellsOf({ variants, problems }: Profile): string[][] {
	return variants.map((each) => [
		each.variant,
		`${each.solved} of ${problems}`,
		String(each.best),
		each.solved > 0 ? three(each.mean) : "-",
		percent(shareWithin(each, problems, 2)),
		percent(shareWithin(each, problems, 10)),
	]);
}

const percent = (share: number) => `${Math.round(100 * share)} %`;

/** Variants that alone solve a problem, and those that alone do not. */
function remarks({ variants, unsolved }: Profile): string[] {
	const names = (files: readonly string[]) => files.map((file) => basename(file)).join(", ");
	return [
		...variants
			.filter(({ alone }) => alone.length > 0)
			.map(({ variant, alone }) => `${variant} alone solves ${names(alone)}`),
		...variants
			.filter(({ lost }) => lost.length > 0)
			.map(({ variant, lost }) => `${variant} alone does not solve ${names(lost)}`),
		...(unsolved.length > 0 ? [`none solves ${names(unsolved)}`] : []),
	];
}

export function studyLines({ profiles, score, measure }: StudyResult): string[] {
	return profiles.flatMap((profile, index) => {
		const rows = cellsOf(profile);
		const columns: Column[] = TITLES.map((title, k) => ({
			title,
			width: Math.max(title.length, ...rows.map((cells) => cells[k]!.length)),
			align: k === 0 ? "left" : "right",
		}));
		return [
			...(index > 0 ? [""] : []),
			`${measure} ${exact(profile.tolerance)}, by ${score}:`,
			...head(columns),
			...rows.map((cells) => row(columns, cells)),
			...remarks(profile),
		];
	});
}

export function studyPage(result: StudyResult, origin: Origin): string {
	const { profiles, score, measure, cells } = result;
	const sections = profiles.map((profile) => {
		const rows = cellsOf(profile).map((each) => tableRow(each, "td"));
		const notes = remarks(profile).map((remark) => `<p>${escapeHtml(remark)}.</p>`);
		return `<section>
<h2>${measure} ${exact(profile.tolerance)}</h2>
${profilePlot(profile, score, measure)}
<table>${tableRow(TITLES, "th")}${rows.join("")}</table>
${notes.join("\n")}
${everyCell(result, profile.tolerance)}
</section>`;
	});
	return htmlPage(`Performance profiles of ${result.variants.length} variants`, [
		`<h1>Performance profiles by ${score}</h1>`,
		...originTable(origin),
		`<p>A line says for which share of the problems a variant takes at most so many times what the best takes. ${cells.length} solves.</p>`,
		...sections,
	]);
}

/** All problems under each other, all variants beside each other. */
function everyCell({ cells, variants, score }: StudyResult, tolerance: number): string {
	const own = cells.filter((cell) => cell.tolerance === tolerance);
	const problems = [...new Set(own.map(({ problem }) => problem))];
	const rows = problems.map((problem) => {
		const shown = variants.map((variant) => {
			const cell = own.find((each) => each.problem === problem && each.variant === variant);
			if (cell === undefined) return "";
			return cell.status === "solved" ? three(cell[score]) : cell.status;
		});
		return tableRow([problem, ...shown], "td");
	});
	return `<details><summary>Every problem: ${score}</summary><table>${tableRow(["problem", ...variants], "th")}${rows.join("")}</table></details>`;
}

function tableRow(cells: readonly string[], tag: "th" | "td"): string {
	return `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join("")}</tr>\n`;
}
