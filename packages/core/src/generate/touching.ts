/** The spheres that a rolling sphere touches, at most three, and which of them carry it. */
import type { SphereBed } from "./sphere-bed.js";

/** Components of unit vectors below this are rounding. */
const tiny = 1e-11;

export class Touching {
	count = 0;
	/** The supports come first once they are chosen. */
	readonly id = new Int32Array(3);
	/** Unit normals from each touched sphere towards the rolling one. */
	readonly normal = new Float64Array(9);

	constructor(readonly bed: SphereBed) {}

	/**
	 * Steepest descent from (x, y, z): d = -e_z + sum lambda_i n_i with lambda >= 0 and n_k . d >= 0 for all that is touched.
	 * Finds the set with lambda > 0, puts it first, and returns its size. Three touching with no smaller set hold the sphere.
	 */
	chooseSupports(x: number, y: number, z: number): number {
		const count = this.count;
		const n = this.normal;
		for (let i = 0; i < count; i += 1) this.#updateNormal(i, x, y, z);
		let up = 0;
		for (let i = 0; i < count; i += 1) if (n[3 * i + 2]! > tiny) up += 1;
		if (up === 0) return 0;
		for (let i = 0; i < count; i += 1) {
			if (this.#holdsAlone(i)) {
				this.swap(0, i);
				return 1;
			}
		}
		for (let left = 0; left < count; left += 1) {
			// Of two touching the pair is (0, 1); of three, each pair is what is left without one.
			const i = left === 0 && count === 3 ? 1 : 0;
			const j = left === 2 || count === 2 ? 1 : 2;
			if (this.#holdTogether(i, j, count === 3 ? left : -1)) {
				if (count === 3) this.swap(2, left);
				return 2;
			}
		}
		return count;
	}

	#holdsAlone(i: number): boolean {
		const up = this.normal[3 * i + 2]!;
		if (up <= 0) return false;
		for (let k = 0; k < this.count; k += 1) {
			if (k !== i && up * this.product(i, k) - this.normal[3 * k + 2]! < -tiny) return false;
		}
		return true;
	}

	#holdTogether(i: number, j: number, other: number): boolean {
		const n = this.normal;
		const cosine = this.product(i, j);
		const upI = n[3 * i + 2]!;
		const upJ = n[3 * j + 2]!;
		const lambdaI = (upI - cosine * upJ) / (1 - cosine * cosine);
		const lambdaJ = (upJ - cosine * upI) / (1 - cosine * cosine);
		if (!(lambdaI > 0 && lambdaJ > 0)) return false;
		if (other < 0) return true;
		const away = lambdaI * this.product(i, other) + lambdaJ * this.product(j, other) - n[3 * other + 2]!;
		return away >= -tiny;
	}

	/** |d| for two supports: how steep their groove is here. */
	slope(): number {
		const n = this.normal;
		const cosine = this.product(0, 1);
		const up0 = n[2]!;
		const up1 = n[5]!;
		const held = (up0 * up0 - 2 * cosine * up0 * up1 + up1 * up1) / (1 - cosine * cosine);
		return Math.sqrt(Math.max(0, 1 - held));
	}

	#updateNormal(i: number, x: number, y: number, z: number): void {
		const k = this.id[i]!;
		const dx = x - this.bed.x(k);
		const dy = y - this.bed.y(k);
		const dz = z - this.bed.z(k);
		const inverse = 1 / Math.sqrt(dx * dx + dy * dy + dz * dz);
		this.normal[3 * i] = dx * inverse;
		this.normal[3 * i + 1] = dy * inverse;
		this.normal[3 * i + 2] = dz * inverse;
	}

	/** The cosine between two normals. */
	product(i: number, j: number): number {
		const n = this.normal;
		return n[3 * i]! * n[3 * j]! + n[3 * i + 1]! * n[3 * j + 1]! + n[3 * i + 2]! * n[3 * j + 2]!;
	}

	/** Exchanges two of what it touches, with their normals. */
	swap(i: number, j: number): void {
		if (i === j) return;
		const kept = this.id[i]!;
		this.id[i] = this.id[j]!;
		this.id[j] = kept;
		for (let k = 0; k < 3; k += 1) {
			const normal = this.normal[3 * i + k]!;
			this.normal[3 * i + k] = this.normal[3 * j + k]!;
			this.normal[3 * j + k] = normal;
		}
	}
}
