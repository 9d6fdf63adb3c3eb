/** The curve of convergence as a self-contained SVG for a page: error by powers of ten against iterations. */
import { count, exact } from "../base/format.js";
import { axisOf } from "./axis.js";

const width = 720;
const height = 300;
const margin = { left: 64, right: 16, top: 14, bottom: 40 };
/** More points than columns of the picture show nothing more; the least and the greatest of each column are kept. */
const columns = 600;

export interface Point {
	readonly iteration: number;
	/** The logarithm of the error to base 10. */
	readonly decade: number;
}

export function curve(history: readonly number[], measure: string, tolerance: number): string {
	const points = thin(history);
	if (points.length === 0) return `<p>There was no iteration to draw.</p>`;
	const goal = Math.log10(tolerance);
	const decades = points.map(({ decade }) => decade);
	const low = Math.floor(Math.min(goal, ...decades));
	const high = Math.max(low + 1, Math.ceil(Math.max(goal, ...decades)));
	const last = Math.max(2, history.length);
	const x = (iteration: number) => margin.left + ((iteration - 1) / (last - 1)) * (width - margin.left - margin.right);
	const y = (decade: number) => margin.top + ((high - decade) / (high - low)) * (height - margin.top - margin.bottom);
	const line = points.map(({ iteration, decade }) => `${x(iteration).toFixed(1)},${y(decade).toFixed(1)}`).join(" ");
	const label = `${measure} against iterations, ${count(history.length)} of them`;
	return [
		`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">`,
		`<text transform="rotate(-90)" x="${-(margin.top + height - margin.bottom) / 2}" y="13" text-anchor="middle">${measure} error</text>`,
		...decadeLines(low, high, y),
		...iterationMarks(last, x),
		`<line class="goal" x1="${margin.left}" x2="${width - margin.right}" y1="${y(goal).toFixed(1)}" y2="${y(goal).toFixed(1)}"/>`,
		`<text class="goal" x="${width - margin.right}" y="${(y(goal) - 4).toFixed(1)}" text-anchor="end">tolerance ${exact(tolerance)}</text>`,
		`<polyline points="${line}"/>`,
		points.length === 1 ? `<circle cx="${x(1)}" cy="${y(decades[0] ?? low).toFixed(1)}" r="3"/>` : "",
		`</svg>`,
	].join("\n");
}

/** The finite, positive entries of a history; for a long one the extremes of each column. */
export function thin(history: readonly number[]): Point[] {
	const points = history.flatMap((error, index) => {
		return error > 0 && Number.isFinite(error) ? [{ iteration: index + 1, decade: Math.log10(error) }] : [];
	});
	if (points.length <= 2 * columns) return points;
	const kept: Point[] = [];
	for (let column = 0; column < columns; column += 1) {
		const from = Math.floor((column * points.length) / columns);
		const part = points.slice(from, Math.floor(((column + 1) * points.length) / columns));
		const [low, high] = part.reduce(
			([least, most], point) => [
				point.decade < least.decade ? point : least,
				point.decade > most.decade ? point : most,
			],
			[part[0] as Point, part[0] as Point],
		);
		kept.push(...(low === high ? [low] : low.iteration < high.iteration ? [low, high] : [high, low]));
	}
	return kept;
}

function decadeLines(low: number, high: number, y: (decade: number) => number): string[] {
	const step = Math.ceil((high - low) / 8);
	const lines: string[] = [];
	for (let decade = low; decade <= high; decade += step) {
		const at = y(decade).toFixed(1);
		lines.push(`<line class="grid" x1="${margin.left}" x2="${width - margin.right}" y1="${at}" y2="${at}"/>`);
		lines.push(
			`<text x="${margin.left - 8}" y="${at}" text-anchor="end" dominant-baseline="middle">1e${decade}</text>`,
		);
	}
	return lines;
}

/** Round numbers of iterations, and the first: an axis that begins at 0 would mark what there is no iteration of. */
function iterationMarks(last: number, x: (iteration: number) => number): string[] {
	const round = axisOf([0, last], "linear").marks.filter((mark) => mark > 1 && mark <= last && Number.isInteger(mark));
	const marks = [1, ...round].map((iteration) => {
		return `<text x="${x(iteration).toFixed(1)}" y="${height - margin.bottom + 18}" text-anchor="middle">${count(iteration)}</text>`;
	});
	return [...marks, `<text x="${width / 2}" y="${height - 4}" text-anchor="middle">iterations</text>`];
}
