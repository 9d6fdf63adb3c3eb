/** A performance profile as an SVG that stands alone: rho against tau, tau by powers of two. */
import { exact } from "../base/format.js";
import { escapeHtml } from "../output/page.js";
import type { Score } from "../requests/study-request.js";
import type { Profile } from "./profile.js";

const width = 720;
const height = 380;
const margin = { left: 56, right: 16, top: 30, bottom: 44 };
/** Distinguishable in light and dark mode, and with red-green blindness; further lines are dashed. */
const COLOURS = ["#2b7bba", "#d9772b", "#3f9a6b", "#9a6bc0", "#b8902a", "#c9577e", "#5f8f9f", "#8a8a8a"];
/** Beyond this tau nothing is drawn. */
const TAU_MAX = 2 ** 10;

export function profilePlot(profile: Profile, score: Score, measure: string): string {
	const { variants, problems, tolerance } = profile;
	const last = Math.max(2, ...variants.flatMap(({ ratios }) => ratios.at(-1) ?? 1));
	const octaves = Math.max(1, Math.ceil(Math.log2(Math.min(TAU_MAX, last))));
	const x = (tau: number) => margin.left + (Math.log2(tau) / octaves) * (width - margin.left - margin.right);
	const y = (rho: number) => margin.top + (1 - rho) * (height - margin.top - margin.bottom);
	const title = `${score} to ${measure} ${exact(tolerance)}, ${problems} problems`;
	const marks = Array.from({ length: octaves + 1 }, (_, k) => k).filter((k) => octaves <= 10 || k % 2 === 0);
	const lines = variants.map(({ ratios }, index) => {
		const points: string[] = [];
		let rho = 0;
		for (const ratio of ratios.filter((each) => each <= 2 ** octaves)) {
			points.push(`${x(ratio).toFixed(1)},${y(rho).toFixed(1)}`);
			rho += 1 / problems;
			points.push(`${x(ratio).toFixed(1)},${y(rho).toFixed(1)}`);
		}
		points.push(`${x(2 ** octaves).toFixed(1)},${y(rho).toFixed(1)}`);
		return `<polyline fill="none" stroke-width="1.8" ${strokeOf(index)} points="${points.join(" ")}"/>`;
	});
	const rows = variants.map(({ variant }, index) => {
		const at = height - margin.bottom - 12 - 15 * (variants.length - 1 - index);
		const from = width - margin.right - 230;
		return `<line x1="${from}" x2="${from + 26}" y1="${at - 4}" y2="${at - 4}" stroke-width="1.8" ${strokeOf(index)}/><text x="${from + 32}" y="${at}">${escapeHtml(variant)}</text>`;
	});
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(title)}" font-family="system-ui, sans-serif" font-size="12" fill="#7c8085">`,
		`<text x="${margin.left}" y="16" font-weight="600">${escapeHtml(title)}</text>`,
		...[0, 0.25, 0.5, 0.75, 1].map(
			(rho) =>
				`<line x1="${margin.left}" x2="${width - margin.right}" y1="${y(rho).toFixed(1)}" y2="${y(rho).toFixed(1)}" stroke="#8883" /><text x="${margin.left - 8}" y="${(y(rho) + 4).toFixed(1)}" text-anchor="end">${100 * rho} %</text>`,
		),
		...marks.map(
			(k) =>
				`<text x="${x(2 ** k).toFixed(1)}" y="${height - margin.bottom + 17}" text-anchor="middle">${2 ** k}</text>`,
		),
		`<text x="${(margin.left + width - margin.right) / 2}" y="${height - 8}" text-anchor="middle">times what the best takes</text>`,
		...lines,
		...rows,
		"</svg>",
	].join("\n");
}

function strokeOf(index: number): string {
	const dash = ["", "6 3", "2 2"][Math.floor(index / COLOURS.length)] ?? "8 2 2 2";
	// As a style: a page has colours of its own for lines.
	return `style="stroke:${COLOURS[index % COLOURS.length]}${dash === "" ? "" : `;stroke-dasharray:${dash}`}"`;
}
