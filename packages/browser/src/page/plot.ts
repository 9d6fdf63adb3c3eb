/** The curve of a solve: the error over the iterations, on a logarithmic scale, with the tolerance. */

export interface Curve {
	/** Iterations and the error after each of them. */
	readonly iterations: readonly number[];
	readonly errors: readonly number[];
	readonly tolerance: number;
	readonly measure: string;
}

const WIDTH = 720;
const HEIGHT = 280;
const LEFT = 64;
const RIGHT = 16;
const TOP = 16;
const BOTTOM = 40;
/** A screen does not show more points. */
const POINTS_MAX = 1000;
const DECADES_MAX = 30;

type Attributes = Readonly<Record<string, string | number>>;

export function drawPlot(svg: SVGSVGElement, curve: Curve): void {
	const points = pointsOf(curve);
	const { low, high } = decades(points, curve.tolerance);
	const last = Math.max(1, points.at(-1)?.iteration ?? 1);
	const x = (iteration: number) => LEFT + ((WIDTH - LEFT - RIGHT) * iteration) / last;
	const y = (error: number) => TOP + ((HEIGHT - TOP - BOTTOM) * (high - Math.log10(error))) / (high - low);
	const parts: SVGElement[] = [];
	const step = Math.ceil((high - low) / 8);
	for (let decade = low; decade <= high; decade += step) {
		const at = y(10 ** decade);
		parts.push(element("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: at, y2: at }));
		parts.push(text(`1e${decade}`, { x: LEFT - 8, y: at + 4, "text-anchor": "end" }));
	}
	for (const iteration of ticks(last)) {
		parts.push(
			text(iteration.toLocaleString("en"), { x: x(iteration), y: HEIGHT - BOTTOM + 18, "text-anchor": "middle" }),
		);
	}
	parts.push(text("iterations", { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 6, "text-anchor": "middle" }));
	parts.push(
		text(curve.measure, { x: 12, y: HEIGHT / 2, transform: `rotate(-90 12 ${HEIGHT / 2})`, "text-anchor": "middle" }),
	);
	const limit = y(curve.tolerance);
	parts.push(element("line", { class: "limit", x1: LEFT, x2: WIDTH - RIGHT, y1: limit, y2: limit }));
	parts.push(text("tolerance", { class: "limit-name", x: LEFT + 6, y: limit - 6 }));
	const line = points.map(({ iteration, error }) => `${x(iteration).toFixed(1)},${y(error).toFixed(1)}`);
	parts.push(element("polyline", { class: "curve", points: line.join(" ") }));
	const end = points.at(-1);
	if (end) parts.push(element("circle", { class: "point", cx: x(end.iteration), cy: y(end.error), r: 4 }));
	svg.replaceChildren(...parts);
	svg.setAttribute("aria-label", describe(curve, end));
}

interface Point {
	readonly iteration: number;
	readonly error: number;
}

function pointsOf({ iterations, errors }: Curve): Point[] {
	const stride = Math.max(1, Math.ceil(errors.length / POINTS_MAX));
	const all = iterations.map((iteration, at) => ({ iteration, error: errors[at]! }));
	return all.filter(
		({ error }, at) => error > 0 && Number.isFinite(error) && (at % stride === 0 || at === all.length - 1),
	);
}

function decades(points: readonly Point[], tolerance: number): { low: number; high: number } {
	const errors = points.map(({ error }) => error);
	const low = Math.floor(Math.log10(Math.min(tolerance, ...errors)) - 0.3);
	const high = Math.ceil(Math.log10(Math.max(tolerance * 10, ...errors)));
	return { low: Math.max(low, high - DECADES_MAX), high };
}

/** About six round numbers. */
function ticks(last: number): number[] {
	const rough = last / 6;
	const size = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
	const step = size * ([1, 2, 5, 10].find((factor) => factor * size >= rough) ?? 10);
	return Array.from({ length: Math.floor(last / step) + 1 }, (_, at) => at * step);
}

function describe({ tolerance, measure }: Curve, end: Point | undefined): string {
	if (end === undefined) return "No iterations yet";
	return `${measure} error ${end.error.toExponential(1)} after ${end.iteration} iterations; the tolerance is ${tolerance}`;
}

function element(name: string, attributes: Attributes): SVGElement {
	const made = document.createElementNS("http://www.w3.org/2000/svg", name);
	for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
	return made;
}

function text(content: string, attributes: Attributes): SVGElement {
	const made = element("text", attributes);
	made.textContent = content;
	return made;
}
