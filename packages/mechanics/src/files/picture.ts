/**
 * A picture of bodies as SVG, orthographic, the farthest drawn first. Balls are ellipses with a highlight (an ellipsoid's image is an ellipse), capsules thick
 * lines, polyhedra their front faces, brighter towards the light. The same text for the same bodies, to the last character.
 */
import type { CompiledShape, Convex } from "../shapes/convex.js";
import type { Vector } from "../shapes/shape.js";
import {
	centreOf,
	corners,
	minus,
	type PictureBodies,
	planesBehind,
	spread,
	spreadSquares,
} from "./picture-geometry.js";
import { cross, unit, View } from "./view.js";

export interface PictureOptions {
	/** Where the eye is, seen from the scene. Default from the front, right and above. */
	readonly from?: Vector;
	/** What is upwards on the page. Default z, unless that is where the eye is. */
	readonly up?: Vector | undefined;
	/** Ids of bodies that are left out. */
	readonly hidden?: ReadonlySet<number>;
	/** Of the page; its height follows. */
	readonly width?: number;
	/** For the title of the page. */
	readonly title?: string;
}

const FROM: Vector = [1, -2.2, 0.9];
const WIDTH = 800;
const MARGIN = 16;
const HEIGHT_MAX = 4;
/** Hue and saturation of bodies. */
const COLOURS = [
	[205, 48],
	[32, 62],
	[150, 34],
	[352, 46],
	[48, 58],
	[262, 28],
] as const;
const OBSTACLE = [210, 8] as const;
const AMBIENT = 0.45;

interface Item {
	readonly depth: number;
	readonly svg: string;
}

export function picture(
	shapes: readonly CompiledShape[],
	bodies: PictureBodies,
	{ from = FROM, up, hidden, width = WIDTH, title = "" }: PictureOptions = {},
): string {
	const view = new View(from, up);
	const isShown = (place: number) => hidden?.has(bodies.id[place]!) !== true;
	const planes = planesBehind(shapes, bodies, view, isShown);
	const page = new Page(view, boundsOf(shapes, bodies, view, isShown, planes.flat()), width);
	let front = -Infinity;
	for (let place = 0; place < bodies.count; place += 1) {
		if (bodies.kind[place] !== 0) front = Math.max(front, page.view.depth(centreOf(bodies, place)));
	}
	const [behind, among, before]: [Item[], Item[], Item[]] = [[], [], []];
	for (let place = 0; place < bodies.count; place += 1) {
		if (!isShown(place)) continue;
		const isObstacle = bodies.kind[place] === 0;
		for (const piece of shapes[bodies.shape[place]!]!.pieces) {
			if (piece.plane !== undefined) continue;
			const item = page.draw(piece, bodies, place);
			// A wall between the eye and the bodies is but a veil, and others are behind whatever they hold.
			if (isObstacle) (item.depth > front ? before : behind).push(item);
			else among.push(item);
		}
	}
	const byDepth = (one: Item, other: Item) => one.depth - other.depth;
	const group = (items: Item[], attributes: string) => {
		if (items.length === 0) return "";
		const drawn = items.sort(byDepth).map(({ svg }) => svg);
		return `<g${attributes}>\n${drawn.join("\n")}\n</g>\n`;
	};
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${page.height}" stroke-linejoin="round">\n`,
		title === "" ? "" : `<title>${escaped(title)}</title>\n`,
		`<defs>\n${COLOURS.map(gradient).join("\n")}\n</defs>\n`,
		planes.length === 0 ? "" : `<g>\n${planes.map((plane) => page.plane(plane)).join("\n")}\n</g>\n`,
		group(behind, ""),
		group(among, ""),
		group(before, ' opacity="0.14"'),
		"</svg>\n",
	].join("");
}

interface Bounds {
	left: number;
	right: number;
	low: number;
	high: number;
}

/** Of all that has an end, on the page. */
function boundsOf(
	shapes: readonly CompiledShape[],
	bodies: PictureBodies,
	view: View,
	isShown: (place: number) => boolean,
	points: readonly Vector[],
): Bounds {
	const bounds = { left: Infinity, right: -Infinity, low: Infinity, high: -Infinity };
	const include = (x: number, y: number, xx = 0, yy = 0) => {
		bounds.left = Math.min(bounds.left, x - xx);
		bounds.right = Math.max(bounds.right, x + xx);
		bounds.low = Math.min(bounds.low, y - yy);
		bounds.high = Math.max(bounds.high, y + yy);
	};
	for (const point of points) include(view.x(point), view.y(point));
	for (let place = 0; place < bodies.count; place += 1) {
		if (!isShown(place)) continue;
		for (const piece of shapes[bodies.shape[place]!]!.pieces) {
			if (piece.plane !== undefined) continue;
			const { xx, yy } = spread(piece, bodies, place, view);
			for (const point of corners(piece, bodies, place)) {
				include(view.x(point), view.y(point), xx, yy);
			}
		}
	}
	return bounds.left <= bounds.right ? bounds : { left: -1, right: 1, low: -1, high: 1 };
}

class Page {
	readonly height: number;
	readonly #scale: number;
	readonly #bounds: Bounds;

	constructor(
		readonly view: View,
		bounds: Bounds,
		width: number,
	) {
		this.#bounds = bounds;
		const room = width - 2 * MARGIN;
		const wide = Math.max(bounds.right - bounds.left, (bounds.high - bounds.low) / HEIGHT_MAX, 1e-300);
		this.#scale = room / wide;
		this.height = Math.round(this.#scale * (bounds.high - bounds.low) + 2 * MARGIN);
	}

	plane(corners: readonly Vector[]): string {
		const around = corners.map((point) => `${this.#x(point)},${this.#y(point)}`).join(" ");
		const normal = unit(cross(minus(corners[1]!, corners[0]!), minus(corners[2]!, corners[0]!)));
		return `<polygon points="${around}" fill="${shade(OBSTACLE, 1.2 + 0.28 * lit(normal, this.view))}"/>`;
	}

	draw(piece: Convex, bodies: PictureBodies, place: number): Item {
		const isObstacle = bodies.kind[place] === 0;
		const colour = isObstacle ? -1 : scattered(bodies.id[place]!) % COLOURS.length;
		const points = corners(piece, bodies, place);
		if (piece.faces !== undefined) return this.#polyhedron(piece.faces, points, colour);
		const depth = points.reduce((sum, point) => sum + this.view.depth(point), 0) / points.length;
		const isLine = points.length === 2;
		return {
			depth,
			svg: isLine
				? this.#capsule(piece, points, bodies, place, colour)
				: this.#ball(piece, points[0]!, bodies, place, colour),
		};
	}

	#x(point: Vector): string {
		return rounded(MARGIN + this.#scale * (this.view.x(point) - this.#bounds.left));
	}

	#y(point: Vector): string {
		return rounded(MARGIN + this.#scale * (this.#bounds.high - this.view.y(point)));
	}

	/** The unit circle under the root of M = (P B)(P B)^T, with B the ball in space and P the view: symmetric, so that highlights stay where the light is. */
	#ball(piece: Convex, centre: Vector, bodies: PictureBodies, place: number, colour: number): string {
		const { xx, xy, yy } = spreadSquares(piece, bodies, place, this.view);
		const root = Math.sqrt(Math.max(0, xx * yy - xy * xy));
		const trace = Math.sqrt(xx + yy + 2 * root);
		const s = trace > 0 ? this.#scale / trace : 0;
		const entries = [s * (xx + root), -s * xy, -s * xy, s * (yy + root)].map((entry) => entry.toFixed(3));
		const fill = colour < 0 ? shade(OBSTACLE, 0.8) : `url(#c${colour})`;
		return `<circle r="1" transform="matrix(${entries.join(" ")} ${this.#x(centre)} ${this.#y(centre)})" fill="${fill}"/>`;
	}

	/** Three lines on one another, the lightest the thinnest. */
	#capsule(piece: Convex, points: readonly Vector[], bodies: PictureBodies, place: number, colour: number): string {
		const { xx, yy } = spreadSquares(piece, bodies, place, this.view);
		const radius = this.#scale * Math.sqrt((xx + yy) / 2);
		const [one, other] = points as [Vector, Vector];
		const ends = `x1="${this.#x(one)}" y1="${this.#y(one)}" x2="${this.#x(other)}" y2="${this.#y(other)}"`;
		const layers = [
			[2, 0.55],
			[1.6, 0.7],
			[1, 0.85],
			[0.4, 1],
		] as const;
		const lines = layers.map(([wide, light]) => {
			return `<line ${ends} stroke="${shade(colourOf(colour), light)}" stroke-width="${rounded(wide * radius)}"/>`;
		});
		return `<g stroke-linecap="round">${lines.join("")}</g>`;
	}

	#polyhedron({ start, vertex }: NonNullable<Convex["faces"]>, points: readonly Vector[], colour: number): Item {
		const drawn: string[] = [];
		const depth = points.reduce((sum, point) => sum + this.view.depth(point), 0) / points.length;
		for (let face = 0; face + 1 < start.length; face += 1) {
			const own = [...vertex.subarray(start[face]!, start[face + 1]!)].map((corner) => points[corner]!);
			const normal = unit(cross(minus(own[1]!, own[0]!), minus(own[2]!, own[0]!)));
			if (this.view.depth(normal) <= 0) continue;
			const fill = shade(colourOf(colour), AMBIENT + (1 - AMBIENT) * lit(normal, this.view));
			const around = own.map((point) => `${this.#x(point)},${this.#y(point)}`).join(" ");
			drawn.push(`<polygon points="${around}" fill="${fill}"/>`);
		}
		const edge = shade(colourOf(colour), 0.35);
		return { depth, svg: `<g stroke="${edge}" stroke-width="0.6">${drawn.join("")}</g>` };
	}
}

/** How much light falls on a surface, from the left above the eye: 0 to 1. */
function lit(normal: Vector, view: View): number {
	const light = 0.72 * view.depth(normal) + 0.62 * view.y(normal) - 0.31 * view.x(normal);
	return Math.max(0, Math.min(1, light));
}

function colourOf(colour: number): readonly [number, number] {
	return COLOURS[colour] ?? OBSTACLE;
}

function shade([hue, saturation]: readonly [number, number], light: number): string {
	return `hsl(${hue} ${saturation}% ${(18 + 52 * light).toFixed(0)}%)`;
}

function gradient(colour: readonly [number, number], index: number): string {
	const stops = [
		[0, 1.25],
		[0.55, 0.8],
		[1, 0.3],
	] as const;
	const inner = stops.map(([at, light]) => `<stop offset="${at}" stop-color="${shade(colour, light)}"/>`).join("");
	return `<radialGradient id="c${index}" cx="0.5" cy="0.5" r="0.62" fx="0.36" fy="0.28">${inner}</radialGradient>`;
}

/** Of an id: bodies that were put in rows do not stand in rows of a colour. */
function scattered(id: number): number {
	const mixed = Math.imul(id ^ (id >>> 15), 0x2c1b3c6d);
	return Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39) >>> 8;
}

/** A tenth of a pixel; never -0.0. */
function rounded(value: number): string {
	const text = value.toFixed(1);
	return text === "-0.0" ? "0.0" : text;
}

function escaped(text: string): string {
	const named: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
	return text.replaceAll(/[&<>]/g, (character) => named[character] ?? "");
}
