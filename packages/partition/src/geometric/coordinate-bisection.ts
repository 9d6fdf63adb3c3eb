/**
 * Recursive coordinate bisection (M. Berger, S. Bokhari 1987): the points are cut across their widest axis so that both sides weigh what
 * their parts should, and each side again. Any number of parts: sides get shares by how many parts they will have. Where it is known what
 * a cut costs, all three axes are tried: long bodies are cut by fewer planes along them than across. Where a plane has to be is found by
 * counting what lies in each of many slices; only those of one slice are put in order.
 */

import type { Graph } from "../graph/graph.js";
import type { CutCost } from "./cut-bodies.js";
import { axesByWidth, type Box, boxOf } from "./points.js";

/** Slices across an axis: so few vertices in each that they are soon in order, and few enough to be counted in the nearest cache. */
const SLICES_MAX = 1024;

export function coordinateBisection(graph: Graph, points: Float64Array, parts: number, costOf?: CutCost): Int32Array {
	const owner = new Int32Array(graph.vertices);
	// Vertices without weight need an owner too: they count a little, so that they do not all go to one side.
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
	/** Of the vertices of the list that is cut, those on the lower side; and of the best cut so far. */
	#isLow: Uint8Array;
	#best: Uint8Array;
	/** The slice that is cut through, and its coordinates along the axis: they move with its entries, so that nothing is looked up. */
	readonly #list: Int32Array;
	readonly #key: Float64Array;
	readonly #slices = new Float64Array(SLICES_MAX);

	constructor(
		readonly points: Float64Array,
		readonly weight: Int32Array,
		readonly costOf: CutCost | undefined,
	) {
		this.#isLow = new Uint8Array(weight.length);
		this.#best = costOf === undefined ? this.#isLow : new Uint8Array(weight.length);
		this.#list = new Int32Array(weight.length);
		this.#key = new Float64Array(weight.length);
	}

	/** Orders a list so that its first entries lie lower along the best axis and weigh the share; returns how many they are. */
	cut(list: Int32Array, share: number): number {
		let total = 0;
		for (let i = 0; i < list.length; i += 1) total += this.weight[list[i]!]!;
		if (!(total > 0)) return Math.round(share * list.length);
		const box = boxOf(this.points, list);
		const axes = axesByWidth(box);
		const wanted = share * total;
		if (this.costOf === undefined) this.#divideAcross(axes[0]!, box, list, wanted);
		else this.#divideCheaply(axes, box, list, wanted, this.costOf);
		return this.#lowFirst(list);
	}

	/** Across the widest of those axes whose cut costs least. */
	#divideCheaply(axes: readonly number[], box: Box, list: Int32Array, wanted: number, costOf: CutCost): void {
		let least = Number.POSITIVE_INFINITY;
		for (const axis of axes) {
			this.#divideAcross(axis, box, list, wanted);
			const cost = costOf(list, this.#isLow);
			if (cost >= least) continue;
			least = cost;
			const better = this.#isLow;
			this.#isLow = this.#best;
			this.#best = better;
		}
	}

	/** Sets the side of each entry: the weight of the lower one is as near to `wanted` as possible. */
	#divideAcross(axis: number, { low, high }: Box, list: Int32Array, wanted: number): void {
		const { points, weight } = this;
		const isLow = this.#isLow;
		const slices = this.#slices;
		const count = Math.min(SLICES_MAX, list.length);
		const from = low[axis]!;
		const wide = (count - 1) / (high[axis]! - from);
		// Points in one plane, or too close to be distinguished: one slice.
		const scale = Number.isFinite(wide) ? wide : 0;
		slices.fill(0, 0, count);
		for (let i = 0; i < list.length; i += 1) {
			const v = list[i]!;
			slices[((points[3 * v + axis]! - from) * scale) | 0]! += weight[v]!;
		}
		let through = 0;
		let before = 0;
		for (let slice = 0, sum = 0; slice < count && sum <= wanted; slice += 1) {
			if (slices[slice] === 0) continue;
			through = slice;
			before = sum;
			sum += slices[slice]!;
		}
		let near = 0;
		for (let i = 0; i < list.length; i += 1) {
			const v = list[i]!;
			const x = points[3 * v + axis]!;
			const slice = ((x - from) * scale) | 0;
			isLow[v] = slice < through ? 1 : 0;
			if (slice !== through) continue;
			this.#list[near] = v;
			this.#key[near] = x;
			near += 1;
		}
		const lower = this.#select(this.#list.subarray(0, near), before, wanted);
		for (let i = 0; i < lower; i += 1) isLow[this.#list[i]!] = 1;
	}

	/** The lower ones first, on either side in the order in which they stood. */
	#lowFirst(list: Int32Array): number {
		const others = this.#list;
		let lower = 0;
		let upper = 0;
		for (let i = 0; i < list.length; i += 1) {
			const v = list[i]!;
			const isLow = this.#best[v]!;
			// Written to both, and kept in one, to avoid an unpredictable branch.
			list[lower] = v;
			others[upper] = v;
			lower += isLow;
			upper += 1 - isLow;
		}
		list.set(others.subarray(0, upper), lower);
		return lower;
	}

	/** Quickselect by weight: the place where the weight before it, and before the list, is nearest to `wanted`. */
	#select(list: Int32Array, weightBefore: number, wanted: number): number {
		let from = 0;
		let to = list.length;
		let before = weightBefore;
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
