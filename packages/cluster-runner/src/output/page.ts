/** The report as one HTML file: no script, nothing fetched, light or dark as the reader's system is. */
import type { Report } from "@stickslip/core";
import { bytes, count, counted, duration } from "../base/format.js";
import { commandLine } from "../base/quote.js";
import { curve } from "./curve.js";
import { escapeHtml } from "./html.js";
import { rankFacts } from "./ranks.js";
import { errors } from "./summary.js";

const style = `
:root { color-scheme: light dark; --ink: #1d2327; --paper: #fff; --line: #d5dade; --curve: #0b62a8; --goal: #a8480b; --third: #2f7d4f; --fourth: #7a5aa8; }
@media (prefers-color-scheme: dark) {
	:root { --ink: #e3e7ea; --paper: #15191c; --line: #3a4248; --curve: #6cb6f5; --goal: #f0a06a; --third: #79c998; --fourth: #b9a0e0; }
}
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 48rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 1rem 0.25rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; white-space: pre-line; }
th { font-weight: 600; white-space: nowrap; width: 8rem; }
th.name { white-space: normal; width: 40%; }
svg { width: 100%; height: auto; } svg text { font-size: 12px; fill: var(--ink); }
svg .grid { stroke: var(--line); } svg polyline { fill: none; stroke: var(--curve); stroke-width: 1.5; }
svg circle { fill: var(--curve); } svg line.goal { stroke: var(--goal); stroke-dasharray: 5 4; } svg text.goal { fill: var(--goal); }
`;

/** An input that gave no report, or no file: what the messages said. */
export interface Failure {
	readonly problem: string;
	readonly reason: string;
}

/** How the page was made. */
export interface Origin {
	readonly date: Date;
	readonly host: string;
	/** The words behind `stickslip`. */
	readonly words: readonly string[];
}

export function page(reports: readonly Report[], failures: readonly Failure[] = [], origin?: Origin): string {
	const all = new Set([...reports, ...failures].map(({ problem }) => problem));
	const title = all.size === 1 ? `${[...all][0] ?? ""}: stickslip` : `${all.size} problems: stickslip`;
	return htmlPage(title, [
		`<h1>Frictional contact, solved by Stickslip ${escapeHtml(reports[0]?.version ?? "")}</h1>`,
		...originTable(origin),
		...reports.map(section),
		...failed(failures),
	]);
}

/** A whole page of these parts, with rules of style beside those of all pages. */
export function htmlPage(title: string, parts: readonly string[], more = ""): string {
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${style}${more}</style>
</head>
<body>
${parts.join("\n")}
</body>
</html>
`;
}

/** Date, host and line. */
export function originTable(origin: Origin | undefined): string[] {
	if (origin === undefined) return [];
	const { date, host, words } = origin;
	const line = commandLine(["stickslip", ...words]);
	const when = `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
	const rows = [
		["date", when],
		["host", host],
		["command", line],
	] as const;
	return [factsTable(rows)];
}

/** Names and values under each other; empty values are left out. */
export function factsTable(rows: readonly (readonly [string, string])[]): string {
	const shown = rows.filter(([, value]) => value !== "");
	const cells = shown.map(([name, value]) => `<tr><th scope="row">${name}</th><td>${escapeHtml(value)}</td></tr>`);
	return `<table>\n${cells.join("\n")}\n</table>`;
}

function section(report: Report): string {
	const rows: [string, string | readonly string[]][] = [
		["status", `${report.status}: ${report.reason}`],
		["contacts", count(report.contacts)],
		["method", report.method],
		["choice", report.choice ?? ""],
		["remedies", report.remedies],
		["warnings", (report.warnings ?? []).map(({ text }) => text)],
		["error", errors(report)],
		["work", `${counted(report.iterations, "iteration")}, ${counted(report.products, "product")} with W`],
		["time", `${duration(report.seconds)}; the first solve with set-up ${duration(report.secondsFirst)}`],
		["operator", report.operator],
		...rankFacts(report),
		["memory", report.perRank.map(({ peakMemory }) => bytes(peakMemory)).join(", ")],
		["hash of R", report.hash],
	];
	const table = rows
		.filter(([, value]) => value.length > 0)
		.map(([name, value]) => [name, [value].flat().map(escapeHtml).join("<br>")])
		.map(([name, cell]) => `<tr><th scope="row">${name}</th><td>${cell}</td></tr>`);
	return `<section>
<h2>${escapeHtml(report.problem)}</h2>
${curve(report.history ?? [], report.measure, report.tolerance)}
<table>
${table.join("\n")}
</table>
</section>`;
}

/** Inputs that could not be read, solved or written. */
function failed(failures: readonly Failure[]): string[] {
	if (failures.length === 0) return [];
	const rows = failures.map(({ problem, reason }) => {
		return `<tr><th scope="row" class="name">${escapeHtml(problem)}</th><td>${escapeHtml(reason)}</td></tr>`;
	});
	return [`<section>\n<h2>Failed</h2>\n<table>\n${rows.join("\n")}\n</table>\n</section>`];
}
