/**
 * Recursive coordinate bisection (M. Berger, S. Bokhari 1987): the points are cut across their widest axis so that both sides weigh what
 * their parts should, and each side again. Any number of parts: sides get shares by how many parts they will have. Where it is known what
 * a cut costs, all three axes are tried: long bodies are cut by fewer planes along them than across.
 */
import type { CutCost } from "./cut-bodies.js";
import type { Graph } from "./graph.js";
import { axesByWidth, boxOf } from "./points.js";

export function coordinateBisection(graph: Graph, points: Float64Array, parts: number, costOf?: CutCost): Int32Array {
	const owner = new Int32Array(graph.vertices);
	// Vertices that weigh nothing still are somebody's: they count a little, so that they do not all go to one side.
	const cutter = new Cutter(points, graph.vertexWeight, costOf);
	const split = (list: Int32Array, first: number, count: number): void => {
		if (count === 1 || list.length === 0) {
			for (let i = 0; i < list.length; i += 1) owner[list[i]!] = first;
			return;
		}
		const left = count >> 1;
		const middle = cutter.cut(list, left / count);
		split(list.subarray(0, middle), first, left);
		split(list.subarray(middle), first + left, count - left);
	};
	const all = new Int32Array(graph.vertices);
	for (let v = 0; v < all.length; v += 1) all[v] = v;
	split(all, 0, parts);
	return owner;
}

class Cutter {
	#axis = 0;
	/** The coordinates of a list's entries along the axis: they move with the entries, so that nothing is looked up. */
	readonly #key: Float64Array;

	constructor(
		readonly points: Float64Array,
		readonly weight: Int32Array,
		readonly costOf: CutCost | undefined,
	) {
		this.#key = new Float64Array(weight.length);
	}

	/** Orders a list so that its first entries lie lower along the best axis and weigh the share; returns how many they are. */
	cut(list: Int32Array, share: number): number {
		let total = 0;
		for (let i = 0; i < list.length; i += 1) total += this.weight[list[i]!]!;
		if (!(total > 0)) return Math.round(share * list.length);
		const axes = axesByWidth(boxOf(this.points, list));
		const wanted = share * total;
		return this.costOf === undefined
			? this.#cutAcross(axes[0]!, list, wanted)
			: this.#cheapest(axes, list, wanted, this.costOf);
	}

	#cutAcross(axis: number, list: Int32Array, wanted: number): number {
		this.#axis = axis;
		for (let i = 0; i < list.length; i += 1) this.#key[i] = this.points[3 * list[i]! + axis]!;
		return this.#select(list, wanted);
	}

	/** Across the widest of those axes whose cut costs least. */
	#cheapest(axes: readonly number[], list: Int32Array, wanted: number, costOf: CutCost): number {
		let best = axes[0]!;
		let least = Number.POSITIVE_INFINITY;
		let middle = 0;
		for (const axis of axes) {
			middle = this.#cutAcross(axis, list, wanted);
			const cost = costOf(list, middle);
			if (cost >= least) continue;
			best = axis;
			least = cost;
		}
		return best === this.#axis ? middle : this.#cutAcross(best, list, wanted);
	}

	/** Quickselect by weight: the place where the weight before it is nearest to `wanted`. */
	#select(list: Int32Array, wanted: number): number {
		let from = 0;
		let to = list.length;
		let before = 0;
		while (to - from > 1) {
			const middle = this.#divide(list, from, to);
			let weight = 0;
			for (let i = from; i < middle; i += 1) weight += this.weight[list[i]!]!;
			if (before + weight <= wanted) {
				before += weight;
				from = middle;
			} else {
				to = middle;
			}
		}
		const last = to > from ? this.weight[list[from]!]! : 0;
		return wanted - before > last / 2 ? to : from;
	}

	/** Of equal coordinates the lower id comes first, so that the cut depends on nothing else. */
	#isBelow(list: Int32Array, i: number, j: number): boolean {
		const key = this.#key;
		return key[i]! < key[j]! || (key[i] === key[j] && list[i]! < list[j]!);
	}

	/** Puts what is below a pivot first; both sides get at least one entry. */
	#divide(list: Int32Array, from: number, to: number): number {
		const middle = (from + to) >> 1;
		const last = to - 1;
		// The median of three is the pivot, and stands last while the others are sorted around it.
		if (this.#isBelow(list, middle, from)) this.#swap(list, middle, from);
		if (this.#isBelow(list, last, from)) this.#swap(list, last, from);
		if (this.#isBelow(list, middle, last)) this.#swap(list, middle, last);
		const key = this.#key;
		const pivot = list[last]!;
		const pivotKey = key[last]!;
		let end = from;
		for (let i = from; i < last; i += 1) {
			const own = key[i]!;
			if (own > pivotKey || (own === pivotKey && list[i]! > pivot)) continue;
			this.#swap(list, i, end);
			end += 1;
		}
		this.#swap(list, end, last);
		return end > from ? end : from + 1;
	}

	#swap(list: Int32Array, a: number, b: number): void {
		const key = this.#key;
		const id = list[a]!;
		const own = key[a]!;
		list[a] = list[b]!;
		key[a] = key[b]!;
		list[b] = id;
		key[b] = own;
	}
}
