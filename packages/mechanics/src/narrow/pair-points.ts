/** The points in which two bodies touch, of all pairs of their pieces, in arrays that grow. */
import { grown } from "../base/grow.js";
import type { Manifold } from "./manifold.js";

export class PairPoints implements Manifold {
	count = 0;
	normal = new Float64Array(0);
	point = new Float64Array(0);
	gap = new Float64Array(0);
	feature = new Int32Array(0);
	/** Numbers of the two pieces, two per point. */
	piece = new Int32Array(0);

	/** Adds the points of two pieces. */
	add(manifold: Manifold, first: number, second: number): void {
		this.#reserve(this.count + manifold.count);
		for (let i = 0; i < manifold.count; i += 1) {
			const at = this.count;
			this.count += 1;
			for (let d = 0; d < 3; d += 1) {
				this.normal[3 * at + d] = manifold.normal[3 * i + d]!;
				this.point[3 * at + d] = manifold.point[3 * i + d]!;
			}
			this.gap[at] = manifold.gap[i]!;
			this.feature[at] = manifold.feature[i]!;
			this.piece[2 * at] = first;
			this.piece[2 * at + 1] = second;
		}
	}

	/** Leaves out the points that are not marked. */
	keep(isKept: Uint8Array): void {
		let kept = 0;
		for (let i = 0; i < this.count; i += 1) {
			if (isKept[i] === 0) continue;
			if (i !== kept) this.#move(i, kept);
			kept += 1;
		}
		this.count = kept;
	}

	#move(from: number, to: number): void {
		this.normal.copyWithin(3 * to, 3 * from, 3 * from + 3);
		this.point.copyWithin(3 * to, 3 * from, 3 * from + 3);
		this.gap[to] = this.gap[from]!;
		this.feature[to] = this.feature[from]!;
		this.piece.copyWithin(2 * to, 2 * from, 2 * from + 2);
	}

	#reserve(count: number): void {
		this.normal = grown(this.normal, 3 * count);
		this.point = grown(this.point, 3 * count);
		this.gap = grown(this.gap, count);
		this.feature = grown(this.feature, count);
		this.piece = grown(this.piece, 2 * count);
	}
}
