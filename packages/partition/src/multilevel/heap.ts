/** A binary heap of vertices with the largest key on top, whose keys can change. */
export class VertexHeap {
	size = 0;
	readonly #vertex: Int32Array;
	readonly #key: Float64Array;
	/** Where each vertex stands in the heap; -1 where it does not. */
	readonly #place: Int32Array;

	constructor(vertices: number) {
		this.#vertex = new Int32Array(vertices);
		this.#key = new Float64Array(vertices);
		this.#place = new Int32Array(vertices).fill(-1);
	}

	has(vertex: number): boolean {
		return this.#place[vertex]! >= 0;
	}

	/** The key on top; of an empty heap none is below it. */
	topKey(): number {
		return this.size > 0 ? this.#key[0]! : -Infinity;
	}

	/** Puts a vertex in, or gives it another key. */
	set(vertex: number, key: number): void {
		const at = this.#place[vertex]!;
		if (at < 0) {
			this.size += 1;
			this.#rise(this.size - 1, vertex, key);
		} else if (key > this.#key[at]!) {
			this.#rise(at, vertex, key);
		} else if (key < this.#key[at]!) {
			this.#sink(at, vertex, key);
		}
	}

	/** Takes the vertex on top out; the heap must not be empty. */
	pop(): number {
		const top = this.#vertex[0]!;
		this.#takeOut(0);
		return top;
	}

	remove(vertex: number): void {
		const at = this.#place[vertex]!;
		if (at >= 0) this.#takeOut(at);
	}

	clear(): void {
		for (let k = 0; k < this.size; k += 1) this.#place[this.#vertex[k]!] = -1;
		this.size = 0;
	}

	#takeOut(at: number): void {
		this.#place[this.#vertex[at]!] = -1;
		this.size -= 1;
		if (at === this.size) return;
		const moved = this.#vertex[this.size]!;
		const key = this.#key[this.size]!;
		if (at > 0 && key > this.#key[(at - 1) >> 1]!) this.#rise(at, moved, key);
		else this.#sink(at, moved, key);
	}

	#rise(from: number, vertex: number, key: number): void {
		let at = from;
		while (at > 0) {
			const above = (at - 1) >> 1;
			if (this.#key[above]! >= key) break;
			this.#put(at, this.#vertex[above]!, this.#key[above]!);
			at = above;
		}
		this.#put(at, vertex, key);
	}

	#sink(from: number, vertex: number, key: number): void {
		let at = from;
		for (;;) {
			let below = 2 * at + 1;
			if (below >= this.size) break;
			if (below + 1 < this.size && this.#key[below + 1]! > this.#key[below]!) below += 1;
			if (this.#key[below]! <= key) break;
			this.#put(at, this.#vertex[below]!, this.#key[below]!);
			at = below;
		}
		this.#put(at, vertex, key);
	}

	#put(at: number, vertex: number, key: number): void {
		this.#vertex[at] = vertex;
		this.#key[at] = key;
		this.#place[vertex] = at;
	}
}
