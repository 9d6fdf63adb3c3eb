/**
 * Toy planks stacked crosswise, as in a Kapla tower: layer after layer of parallel planks, along x and along y in turn.
 * They cross at the nodes of a square lattice. A plank spans two nodes, a short one at the end of a row one node, and the
 * rows break joints, so that the stack hangs together. Each face on face touches at the four corners of the common
 * parallelogram, which the seeded jitter of places and headings makes differ from node to node.
 * A stack can be lifted apart (velocities growing with height open all contacts), so that a solution exists whatever mu.
 */
import type { Random } from "../base/random.js";
import type { Pile, Size } from "./pile.js";

export interface PlankRecipe {
	/** Length, width and thickness of a plank that spans two nodes, in metres. */
	readonly length: number;
	readonly width: number;
	readonly thickness: number;
	/** kg / m^3. */
	readonly density: number;
	/** Places jitter by up to this part of the width, the tangent of half the heading by up to this. */
	readonly jitter: number;
	/** Every so many-th plank on average is `heavy` times as dense. */
	readonly heavy: number;
	readonly heavyShare: number;
	/** How many layers of planks; 0: about as high as wide. */
	readonly layers: number;
}

interface Plank {
	readonly x: number;
	readonly y: number;
	readonly layer: number;
	readonly length: number;
	/** Unit vector along the plank. */
	readonly ux: number;
	readonly uy: number;
}

/** Planks are this much shorter than the nodes they span, so that they do not meet end to end. */
const shortening = 0.9;

export function plankPile(size: Size, recipe: PlankRecipe, random: Random): Pile {
	const nodes = latticeSide(size, recipe.layers);
	const planks: Plank[] = [];
	const contacts: Contact[] = [];
	// The plank over each node of the layer below and of this one.
	let below = new Int32Array(nodes * nodes).fill(-1);
	// A plank brings 4 or 8 contacts: stopping up to four short is as near as can be.
	const enough = () => planks.length >= size.bodies || (planks.length > 0 && contacts.length >= size.contacts - 4);
	for (let layer = 0; !enough(); layer += 1) {
		const here = new Int32Array(nodes * nodes).fill(-1);
		for (const span of layerSpans(nodes, layer)) {
			if (enough()) break;
			if (layer > 0 && span.nodes.some((node) => below[node]! < 0)) continue;
			const id = planks.length;
			const plank = jittered(span, layer, nodes, recipe, random);
			planks.push(plank);
			for (const node of span.nodes) here[node] = id;
			if (layer === 0) addCorners(contacts, id, plank, recipe.width);
			for (const node of span.nodes) {
				const under = below[node]!;
				if (under >= 0) addCrossing(contacts, id, plank, under, planks[under]!, recipe);
			}
		}
		below = here;
	}
	return toPile(planks, contacts, recipe, random);
}

interface Contact {
	readonly upper: number;
	readonly lower: number;
	readonly x: number;
	readonly y: number;
	readonly z: number;
}

/** An even number of nodes along each side: a layer has about side^2 / 2 planks and 4 side^2 contacts with the one below. */
function latticeSide(size: Size, layers: number): number {
	const planned = Math.min(size.contacts, 8 * size.bodies);
	let side = 2;
	const needed = (s: number) => 4 * s * s * (layers > 0 ? layers - 0.5 : 2 * s);
	while (needed(side + 2) <= planned) side += 2;
	return side;
}

interface Span {
	/** In lattice steps. */
	readonly x: number;
	readonly y: number;
	readonly nodes: readonly number[];
	readonly alongX: boolean;
}

/** The planks of a layer: two nodes each, breaking joints from row to row and from layer to layer. */
function* layerSpans(side: number, layer: number): Generator<Span> {
	const alongX = layer % 2 === 0;
	for (let row = 0; row < side; row += 1) {
		const shifted = (row + (layer >> 1)) % 2 === 1;
		for (let from = shifted ? -1 : 0; from < side; from += 2) {
			const places = [from, from + 1].filter((place) => place >= 0 && place < side);
			const middle = places.reduce((sum, place) => sum + place, 0) / places.length;
			const nodes = places.map((place) => (alongX ? place + side * row : row + side * place));
			yield { x: alongX ? middle : row, y: alongX ? row : middle, nodes, alongX };
		}
	}
}

function jittered(span: Span, layer: number, side: number, recipe: PlankRecipe, random: Random): Plank {
	const step = recipe.length / (2 * shortening);
	const shift = recipe.jitter * recipe.width;
	const centre = (side - 1) / 2;
	// The heading by the tangent of half its angle: sine and cosine without a trigonometric function.
	const t = random.between(-recipe.jitter, recipe.jitter) / 4;
	const cosine = (1 - t * t) / (1 + t * t);
	const sine = (2 * t) / (1 + t * t);
	return {
		x: step * (span.x - centre) + random.between(-shift, shift),
		y: step * (span.y - centre) + random.between(-shift, shift),
		layer,
		length: span.nodes.length === 2 ? recipe.length : recipe.length - step,
		ux: span.alongX ? cosine : -sine,
		uy: span.alongX ? sine : cosine,
	};
}

/** A plank on the ground rests on its four corners. */
function addCorners(contacts: Contact[], id: number, plank: Plank, width: number): void {
	for (const [along, across] of [
		[-0.5, -0.5],
		[-0.5, 0.5],
		[0.5, -0.5],
		[0.5, 0.5],
	] as const) {
		contacts.push({
			upper: id,
			lower: -1,
			x: plank.x + along * plank.length * plank.ux - across * width * plank.uy,
			y: plank.y + along * plank.length * plank.uy + across * width * plank.ux,
			z: 0,
		});
	}
}

/** Where the strips of two crossing planks overlap: the corners solve n_a . p = +-w/2 and n_b . p = +-w/2 about the centres. */
function addCrossing(contacts: Contact[], upper: number, a: Plank, lower: number, b: Plank, recipe: PlankRecipe): void {
	const half = recipe.width / 2;
	const determinant = a.ux * b.uy - a.uy * b.ux;
	for (const [signA, signB] of [
		[-1, -1],
		[-1, 1],
		[1, -1],
		[1, 1],
	] as const) {
		// n = (-uy, ux); n . p = n . centre +- w/2 for both planks.
		const atA = a.ux * a.y - a.uy * a.x + signA * half;
		const atB = b.ux * b.y - b.uy * b.x + signB * half;
		contacts.push({
			upper,
			lower,
			x: (a.ux * atB - b.ux * atA) / -determinant,
			y: (a.uy * atB - b.uy * atA) / -determinant,
			z: a.layer * recipe.thickness,
		});
	}
}

function toPile(planks: readonly Plank[], contacts: readonly Contact[], recipe: PlankRecipe, random: Random): Pile {
	const { width, thickness } = recipe;
	const centre = new Float64Array(3 * planks.length);
	const mass = new Float64Array(planks.length);
	const inverseInertia = new Float64Array(6 * planks.length);
	planks.forEach((plank, i) => {
		const { length, ux, uy } = plank;
		centre.set([plank.x, plank.y, (plank.layer + 0.5) * thickness], 3 * i);
		const factor = random.uniform() < recipe.heavyShare ? recipe.heavy : 1;
		mass[i] = length * width * thickness * recipe.density * factor;
		// Principal moments about the plank's length, width and thickness, turned by its heading.
		const alongLength = 12 / (mass[i]! * (width * width + thickness * thickness));
		const alongWidth = 12 / (mass[i]! * (length * length + thickness * thickness));
		const alongUp = 12 / (mass[i]! * (length * length + width * width));
		const xx = alongLength * ux * ux + alongWidth * uy * uy;
		const yy = alongLength * uy * uy + alongWidth * ux * ux;
		inverseInertia.set([xx, yy, alongUp, (alongLength - alongWidth) * ux * uy, 0, 0], 6 * i);
	});
	const pair = new Int32Array(2 * contacts.length);
	const normal = new Float64Array(3 * contacts.length);
	const point = new Float64Array(3 * contacts.length);
	contacts.forEach((contact, c) => {
		pair.set([contact.upper, contact.lower], 2 * c);
		normal[3 * c + 2] = 1;
		point.set([contact.x, contact.y, contact.z], 3 * c);
	});
	return { bodies: planks.length, contacts: contacts.length, centre, mass, inverseInertia, pair, normal, point };
}
