/** Names of what touches, one number per point of two bodies, each once: with the ids of the bodies the key by which the next step finds a contact again. */
import type { Manifold } from "../narrow/manifold.js";
import type { PairPoints } from "../narrow/pair-points.js";

/** An odd number whose multiples are spread over 32 bits. */
const SPREAD = 0x61c88647;

/**
 * Mixes the numbers of the two pieces into the features, which are of pieces so far. The first pieces change nothing. Of two points that come to one
 * number, the later one takes the next: as there are 2^32 numbers and few points, hardly ever.
 */
export function nameFeatures(points: PairPoints, others: number): void {
	const { count, feature, piece } = points;
	for (let i = 0; i < count; i += 1) {
		let name = (feature[i]! + Math.imul(piece[2 * i]! * others + piece[2 * i + 1]!, SPREAD)) | 0;
		while (isAmong(feature, i, name)) name = (name + 1) | 0;
		feature[i] = name;
	}
}

function isAmong(feature: Int32Array, end: number, name: number): boolean {
	for (let i = 0; i < end; i += 1) if (feature[i] === name) return true;
	return false;
}

/** By insertion: there are few points, and most are in order. */
export function sortByFeature(points: Manifold): void {
	const { count, feature } = points;
	for (let i = 1; i < count; i += 1) {
		for (let k = i; k > 0 && feature[k - 1]! > feature[k]!; k -= 1) exchange(points, k - 1, k);
	}
}

function exchange({ feature, gap, normal, point }: Manifold, i: number, k: number): void {
	swap(feature, i, k);
	swap(gap, i, k);
	for (let d = 0; d < 3; d += 1) {
		swap(normal, 3 * i + d, 3 * k + d);
		swap(point, 3 * i + d, 3 * k + d);
	}
}

function swap(values: Float64Array | Int32Array, i: number, k: number): void {
	const kept = values[i]!;
	values[i] = values[k]!;
	values[k] = kept;
}
