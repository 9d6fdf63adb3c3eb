/**
 * Approximate minimum degree order (Amestoy, Davis and Duff 1996): vertices are eliminated in the order of a bound on their degree, in a quotient
 * graph whose elements stand for the cliques that elimination leaves. Ties go by how the lists of equal degree are kept, so that the order
 * depends on the graph alone.
 */
import type { Graph } from "./graph.js";

class QuotientGraph {
	readonly order: number[] = [];
	readonly #n: number;
	/** Variables and elements that a variable is joined to; variables of an element. */
	readonly #variables: number[][];
	readonly #elements: number[][];
	readonly #members: (number[] | undefined)[];
	/** Vertices that a variable stands for, 0 for one that another stands for or that is eliminated. */
	readonly #weight: Int32Array;
	/** Vertices that a variable stands for besides itself. */
	readonly #merged: number[][];
	readonly #degree: Int32Array;
	/** Lists of equal degree, doubly linked. */
	readonly #head: Int32Array;
	readonly #next: Int32Array;
	readonly #previous: Int32Array;
	readonly #mark: Int32Array;
	#stamp = 0;
	/** Of an element: vertices outside the new one, and the stamp for which that is so. */
	readonly #outside: Int32Array;
	readonly #outsideStamp: Int32Array;
	#least = 0;
	#left: number;

	constructor({ vertices, start, neighbour }: Graph) {
		this.#n = vertices;
		this.#left = vertices;
		this.#variables = Array.from({ length: vertices }, (_, i) => [...neighbour.subarray(start[i]!, start[i + 1]!)]);
		this.#elements = Array.from({ length: vertices }, () => []);
		this.#members = new Array<number[] | undefined>(vertices).fill(undefined);
		this.#merged = Array.from({ length: vertices }, () => []);
		this.#weight = new Int32Array(vertices).fill(1);
		this.#degree = Int32Array.from({ length: vertices }, (_, i) => start[i + 1]! - start[i]!);
		this.#head = new Int32Array(vertices + 1).fill(-1);
		this.#next = new Int32Array(vertices).fill(-1);
		this.#previous = new Int32Array(vertices).fill(-1);
		this.#mark = new Int32Array(vertices);
		this.#outside = new Int32Array(vertices);
		this.#outsideStamp = new Int32Array(vertices);
		for (let i = vertices - 1; i >= 0; i -= 1) this.#link(i);
	}

	/** Eliminates all. */
	run(): void {
		while (this.#left > 0) this.#eliminate(this.#takeLeast());
	}

	#link(i: number): void {
		const degree = this.#degree[i]!;
		const first = this.#head[degree]!;
		this.#next[i] = first;
		this.#previous[i] = -1;
		if (first >= 0) this.#previous[first] = i;
		this.#head[degree] = i;
		if (degree < this.#least) this.#least = degree;
	}

	#unlink(i: number): void {
		const next = this.#next[i]!;
		const previous = this.#previous[i]!;
		if (next >= 0) this.#previous[next] = previous;
		if (previous >= 0) this.#next[previous] = next;
		else this.#head[this.#degree[i]!] = next;
	}

	#takeLeast(): number {
		while (this.#head[this.#least]! < 0) this.#least += 1;
		const pivot = this.#head[this.#least]!;
		this.#unlink(pivot);
		return pivot;
	}

	/** The pivot becomes an element, which takes in those that it was joined to. */
	#eliminate(pivot: number): void {
		const members = this.#membersOf(pivot);
		this.#members[pivot] = members;
		this.#append(pivot);
		let size = 0;
		for (const i of members) size += this.#weight[i]!;
		this.#countOutside(members);
		const stamp = this.#newStamp();
		for (const i of members) this.#mark[i] = stamp;
		for (const i of members) this.#join(i, pivot, stamp, size);
		this.#mergeAlike(members);
		const alive = members.filter((i) => this.#weight[i]! > 0);
		this.#members[pivot] = alive;
		this.#variables[pivot] = [];
		this.#elements[pivot] = [];
		for (const i of alive) this.#link(i);
	}

	#newStamp(): number {
		this.#stamp += 1;
		return this.#stamp;
	}

	/** Variables next to the pivot, directly and through elements, which are absorbed. */
	#membersOf(pivot: number): number[] {
		const stamp = this.#newStamp();
		const members: number[] = [];
		this.#mark[pivot] = stamp;
		const take = (i: number): void => {
			if (this.#weight[i] === 0 || this.#mark[i] === stamp) return;
			this.#mark[i] = stamp;
			members.push(i);
		};
		this.#variables[pivot]!.forEach(take);
		for (const e of this.#elements[pivot]!) {
			this.#members[e]?.forEach(take);
			this.#members[e] = undefined;
		}
		for (const i of members) this.#unlink(i);
		return members;
	}

	#append(i: number): void {
		this.#left -= this.#weight[i]!;
		this.#weight[i] = 0;
		this.order.push(i, ...this.#merged[i]!);
	}

	/** |L_e \ L_p| of all elements e next to members of the new element p. */
	#countOutside(members: readonly number[]): void {
		const stamp = this.#newStamp();
		for (const i of members) {
			for (const e of this.#elements[i]!) {
				const inside = this.#members[e];
				if (inside === undefined) continue;
				if (this.#outsideStamp[e] !== stamp) {
					this.#outsideStamp[e] = stamp;
					let all = 0;
					for (const j of inside) all += this.#weight[j]!;
					this.#outside[e] = all;
				}
				this.#outside[e]! -= this.#weight[i]!;
			}
		}
	}

	/** A member forgets what the new element says already, and has a new degree. */
	#join(i: number, pivot: number, stamp: number, size: number): void {
		let outside = 0;
		const elements: number[] = [];
		for (const e of this.#elements[i]!) {
			if (this.#members[e] === undefined || this.#outside[e] === 0) continue;
			elements.push(e);
			outside += this.#outside[e]!;
		}
		const variables: number[] = [];
		for (const j of this.#variables[i]!) {
			if (this.#weight[j] === 0 || this.#mark[j] === stamp) continue;
			variables.push(j);
			outside += this.#weight[j]!;
		}
		elements.push(pivot);
		this.#elements[i] = elements;
		this.#variables[i] = variables;
		const others = size - this.#weight[i]!;
		const most = Math.min(this.#left - this.#weight[i]!, this.#degree[i]! + others);
		this.#degree[i] = Math.max(0, Math.min(most, others + outside));
	}

	/** Members with the same neighbours go one after another: one stands for the others. */
	#mergeAlike(members: readonly number[]): void {
		const buckets = new Map<number, number[]>();
		for (const i of members) {
			let hash = 0;
			for (const e of this.#elements[i]!) hash = (hash + e) % this.#n;
			for (const j of this.#variables[i]!) hash = (hash + j) % this.#n;
			const bucket = buckets.get(hash);
			if (bucket === undefined) buckets.set(hash, [i]);
			else bucket.push(i);
		}
		for (const bucket of buckets.values()) {
			for (let a = 0; a < bucket.length; a += 1) {
				const i = bucket[a]!;
				if (this.#weight[i] === 0) continue;
				for (let b = a + 1; b < bucket.length; b += 1) if (this.#isAlike(i, bucket[b]!)) this.#merge(i, bucket[b]!);
			}
		}
	}

	#isAlike(i: number, j: number): boolean {
		if (this.#weight[j] === 0) return false;
		const [elements, variables] = [this.#elements[i]!, this.#variables[i]!];
		const isLong = elements.length !== this.#elements[j]!.length || variables.length !== this.#variables[j]!.length;
		if (isLong) return false;
		const stamp = this.#newStamp();
		for (const e of elements) this.#outsideStamp[e] = -stamp;
		for (const k of variables) this.#mark[k] = stamp;
		const hasElements = this.#elements[j]!.every((e) => this.#outsideStamp[e] === -stamp);
		return hasElements && this.#variables[j]!.every((k) => this.#mark[k] === stamp);
	}

	#merge(into: number, j: number): void {
		this.#weight[into]! += this.#weight[j]!;
		this.#degree[into] = Math.max(0, this.#degree[into]! - this.#weight[j]!);
		this.#weight[j] = 0;
		this.#merged[into]!.push(j, ...this.#merged[j]!);
		this.#merged[j] = [];
		this.#elements[j] = [];
		this.#variables[j] = [];
	}
}

/** The vertices in the order of their elimination. */
export function minimumDegree(graph: Graph): Int32Array {
	const quotient = new QuotientGraph(graph);
	quotient.run();
	return Int32Array.from(quotient.order);
}
