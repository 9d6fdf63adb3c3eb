/**
 * How much weight should cross each border for all parts to weigh alike, moving the least in all: the flow along the gradient of a
 * potential on the graph of parts (Y. Hu, R. Blake, D. Emerson 1998), L x = weight - target, by conjugate gradients.
 */
import type { Parts } from "../multilevel/parts.js";

export interface Border {
	readonly from: number;
	readonly to: number;
	/** Weight that should go from `from` to `to`; positive. */
	readonly flow: number;
}

const ITERATIONS_PER_PART = 4;
const RESIDUAL = 1e-9;

/** Borders that weight should cross, the strongest flow first. Parts that touch no other get and give nothing. */
export function diffusion(parts: Parts, target: Float64Array): Border[] {
	const pairs = bordersOf(parts);
	const excess = parts.weight.map((weight, p) => weight - target[p]!);
	const potential = solveLaplace(pairs, excess);
	const borders = pairs.map(([a, b]): Border => {
		const flow = potential[a]! - potential[b]!;
		return flow >= 0 ? { from: a, to: b, flow } : { from: b, to: a, flow: -flow };
	});
	return borders.filter(({ flow }) => flow > 0).sort((a, b) => b.flow - a.flow || a.from - b.from || a.to - b.to);
}

function bordersOf({ graph, owner, count }: Parts): [number, number][] {
	const keys = new Set<number>();
	for (let v = 0; v < graph.vertices; v += 1) {
		const own = owner[v]!;
		for (let k = graph.start[v]!; k < graph.start[v + 1]!; k += 1) {
			const other = owner[graph.neighbour[k]!]!;
			if (own < other) keys.add(own * count + other);
		}
	}
	return [...keys].sort((a, b) => a - b).map((key) => [Math.floor(key / count), key % count]);
}

/** On each connected group of parts the mean excess is taken off first: a group as a whole cannot lose its excess. */
function solveLaplace(pairs: readonly (readonly [number, number])[], excess: Float64Array): Float64Array {
	const size = excess.length;
	const residual = withoutMeans(pairs, excess);
	const x = new Float64Array(size);
	let direction = residual.slice();
	let norm = dot(residual, residual);
	const enough = RESIDUAL ** 2 * norm;
	for (let i = 0; i < ITERATIONS_PER_PART * size && norm > enough; i += 1) {
		const image = new Float64Array(size);
		for (const [a, b] of pairs) {
			const difference = direction[a]! - direction[b]!;
			image[a]! += difference;
			image[b]! -= difference;
		}
		const curvature = dot(direction, image);
		if (!(curvature > 0)) break;
		const step = norm / curvature;
		for (let p = 0; p < size; p += 1) {
			x[p]! += step * direction[p]!;
			residual[p]! -= step * image[p]!;
		}
		const next = dot(residual, residual);
		direction = direction.map((value, p) => residual[p]! + (next / norm) * value);
		norm = next;
	}
	return x;
}

function withoutMeans(pairs: readonly (readonly [number, number])[], values: Float64Array): Float64Array {
	const group = Int32Array.from(values, (_, p) => p);
	const root = (p: number): number => {
		let at = p;
		while (group[at] !== at) at = group[at]!;
		return at;
	};
	for (const [a, b] of pairs) group[Math.max(root(a), root(b))] = Math.min(root(a), root(b));
	const sum = new Float64Array(values.length);
	const members = new Int32Array(values.length);
	for (let p = 0; p < values.length; p += 1) {
		sum[root(p)]! += values[p]!;
		members[root(p)]! += 1;
	}
	return values.map((value, p) => value - sum[root(p)]! / members[root(p)]!);
}

function dot(a: Float64Array, b: Float64Array): number {
	let sum = 0;
	for (let i = 0; i < a.length; i += 1) sum += a[i]! * b[i]!;
	return sum;
}
