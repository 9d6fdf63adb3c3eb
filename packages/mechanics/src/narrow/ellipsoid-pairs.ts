/**
 * Pairs of ellipsoids that are apart or overlap little: the signed distance of separation.ts without vertices, by Newton's method on
 * f(n) = n . c - |A1^T n| - |A2^T n|, c from centre to centre. Every sum is one of the two ellipsoids in either order, so that swapping them turns all signs
 * and changes nothing else. A step is taken of all pairs before the next one: what is divided by, and roots, keep a pair waiting, and meanwhile others go on.
 */
import { grown } from "../base/grow.js";

/** What comes of a pair: farther apart than its limit, or its distance, or what the general climb has to find out. */
export const FAR = 0;
export const FOUND = 1;
const UNKNOWN = 2;
const UNDER_WAY = 3;
const MOST_STEPS = 12;

export class EllipsoidPairs {
	count = 0;
	/** By ellipsoid: A by rows, the image of the unit ball, and A A^T: xx, xy, xz, yy, yz, zz. */
	ball = new Float64Array(0);
	square = new Float64Array(0);
	/** By pair: its two ellipsoids, c, and the largest gap that counts. */
	ellipsoid = new Int32Array(0);
	c = new Float64Array(0);
	limit = new Float64Array(0);
	/** One of the above; and where the distance is found, n, both A u with u = A^T n / |A^T n|, and the gap. */
	outcome = new Uint8Array(0);
	n = new Float64Array(0);
	witness = new Float64Array(0);
	gap = new Float64Array(0);
	/** Of a pair under way: the size of its terms, f, and the residual. */
	#state = new Float64Array(0);
	#underWay = new Int32Array(0);

	/** Room for so many ellipsoids and pairs, of which there are none yet. */
	reset(ellipsoids: number, pairs: number): void {
		this.count = 0;
		this.ball = grown(this.ball, 9 * ellipsoids);
		this.square = grown(this.square, 6 * ellipsoids);
		if (this.gap.length >= pairs) return;
		this.gap = grown(this.gap, pairs);
		const room = this.gap.length;
		this.ellipsoid = grown(this.ellipsoid, 2 * room);
		this.c = grown(this.c, 3 * room);
		this.limit = grown(this.limit, room);
		this.outcome = grown(this.outcome, room);
		this.n = grown(this.n, 3 * room);
		this.witness = grown(this.witness, 6 * room);
		this.#state = grown(this.#state, 3 * room);
		this.#underWay = grown(this.#underWay, room);
	}

	/** Squares ellipsoid `at`, whose ball stands there. */
	placeSquare(at: number): void {
		const { ball, square } = this;
		for (let i = 9 * at, to = 6 * at; i < 9 * at + 9; i += 3) {
			for (let j = i; j < 9 * at + 9; j += 3, to++) {
				square[to] = ball[i]! * ball[j]! + ball[i + 1]! * ball[j + 1]! + ball[i + 2]! * ball[j + 2]!;
			}
		}
	}

	/** Of all pairs, whose c and limits stand there. */
	solve(): void {
		let left = 0;
		for (let pair = 0; pair < this.count; pair++) {
			const isStarted = this.#start(pair);
			this.outcome[pair] = isStarted ? UNDER_WAY : UNKNOWN;
			if (!isStarted) continue;
			this.#underWay[left] = pair;
			left++;
		}
		for (let step = 0; left > 0; step++) left = this.#step(step, left);
	}

	/** n along (S1 + S2)^-1 c, S = A A^T, which is the answer where the ellipsoids differ in size alone. */
	#start(pair: number): boolean {
		const { square: s, c, n } = this;
		const i = 6 * this.ellipsoid[2 * pair]!;
		const j = 6 * this.ellipsoid[2 * pair + 1]!;
		const xx = s[i]! + s[j]!;
		const xy = s[i + 1]! + s[j + 1]!;
		const xz = s[i + 2]! + s[j + 2]!;
		const yy = s[i + 3]! + s[j + 3]!;
		const yz = s[i + 4]! + s[j + 4]!;
		const zz = s[i + 5]! + s[j + 5]!;
		const a = yy * zz - yz * yz;
		const d = xz * yz - xy * zz;
		const e = xy * yz - xz * yy;
		const determinant = xx * a + xy * d + xz * e;
		if (!(xx > 0 && xx * yy - xy * xy > 0 && determinant > 0)) return false;
		const inverse = 1 / determinant;
		const f = xx * zz - xz * xz;
		const g = xy * xz - xx * yz;
		const h = xx * yy - xy * xy;
		const k = 3 * pair;
		const cx = c[k]!;
		const cy = c[k + 1]!;
		const cz = c[k + 2]!;
		const x = (a * cx + d * cy + e * cz) * inverse;
		const y = (d * cx + f * cy + g * cz) * inverse;
		const z = (e * cx + g * cy + h * cz) * inverse;
		const length = Math.sqrt(x * x + y * y + z * z);
		if (!(length > 0)) return false;
		const shrink = 1 / length;
		n[k] = x * shrink;
		n[k + 1] = y * shrink;
		n[k + 2] = z * shrink;
		return true;
	}

	/**
	 * A step of the first pairs under way; returns how many are under way still.
	 *
	 * f = n . c - rho1 - rho2, rho = |A^T n|, has the gradient c - w1 - w2 with the witnesses w = A A^T n / rho. Of this the part across n is r, and the next n is
	 * n + Q^-1 r, of length one, with Q = sum of (S - w w^T) / rho + f I, which maps n to f n; along n it is made positive.
	 *
	 * One function, since with f, its gradient and the step in functions of their own it takes half as long again.
	 */
	#step(step: number, count: number): number {
		const { ball, square, ellipsoid, c, n, outcome } = this;
		const underWay = this.#underWay;
		const state = this.#state;
		let left = 0;
		for (let nth = 0; nth < count; nth++) {
			const pair = underWay[nth]!;
			const k = 3 * pair;
			const p = 9 * ellipsoid[2 * pair]!;
			const q = 9 * ellipsoid[2 * pair + 1]!;
			const cx = c[k]!;
			const cy = c[k + 1]!;
			const cz = c[k + 2]!;
			let x = n[k]!;
			let y = n[k + 1]!;
			let z = n[k + 2]!;
			const au = ball[p]! * x + ball[p + 3]! * y + ball[p + 6]! * z;
			const av = ball[p + 1]! * x + ball[p + 4]! * y + ball[p + 7]! * z;
			const aw = ball[p + 2]! * x + ball[p + 5]! * y + ball[p + 8]! * z;
			const rhoA = Math.sqrt(au * au + av * av + aw * aw);
			const ai = 1 / rhoA;
			const ax = (ball[p]! * au + ball[p + 1]! * av + ball[p + 2]! * aw) * ai;
			const ay = (ball[p + 3]! * au + ball[p + 4]! * av + ball[p + 5]! * aw) * ai;
			const az = (ball[p + 6]! * au + ball[p + 7]! * av + ball[p + 8]! * aw) * ai;
			const bu = ball[q]! * x + ball[q + 3]! * y + ball[q + 6]! * z;
			const bv = ball[q + 1]! * x + ball[q + 4]! * y + ball[q + 7]! * z;
			const bw = ball[q + 2]! * x + ball[q + 5]! * y + ball[q + 8]! * z;
			const rhoB = Math.sqrt(bu * bu + bv * bv + bw * bw);
			const bi = 1 / rhoB;
			const bx = (ball[q]! * bu + ball[q + 1]! * bv + ball[q + 2]! * bw) * bi;
			const by = (ball[q + 3]! * bu + ball[q + 4]! * bv + ball[q + 5]! * bw) * bi;
			const bz = (ball[q + 6]! * bu + ball[q + 7]! * bv + ball[q + 8]! * bw) * bi;
			const value = x * cx + y * cy + z * cz - (rhoA + rhoB);
			if (step === 0) state[k] = Math.abs(cx) + Math.abs(cy) + Math.abs(cz) + (rhoA + rhoB);
			const scale = state[k]!;
			// Within rounding f may fall while the residual does, too.
			if (step > 0 && value < state[k + 1]! - 1e-14 * scale) {
				outcome[pair] = UNKNOWN;
				continue;
			}
			const rx = cx - (ax + bx) - value * x;
			const ry = cy - (ay + by) - value * y;
			const rz = cz - (az + bz) - value * z;
			const before = state[k + 2]!;
			const residual = Math.sqrt(rx * rx + ry * ry + rz * rz);
			const isStill = step > 0 && before < 1e-12 * scale && residual >= 0.5 * before;
			if (!isStill && (step === MOST_STEPS || value > this.limit[pair]!)) {
				outcome[pair] = step === MOST_STEPS ? UNKNOWN : FAR;
				continue;
			}
			if (isStill || residual <= 1e-15 * scale) {
				this.#keepWitness(pair, ax, ay, az, bx, by, bz);
				outcome[pair] = this.#isOnlyWayOut(pair, value) ? FOUND : UNKNOWN;
				continue;
			}
			state[k + 1] = value;
			state[k + 2] = residual;
			const s = 6 * ellipsoid[2 * pair]!;
			const t = 6 * ellipsoid[2 * pair + 1]!;
			const along = scale - value;
			const xx = (square[s]! - ax * ax) * ai + (square[t]! - bx * bx) * bi + along * x * x + value;
			const xy = (square[s + 1]! - ax * ay) * ai + (square[t + 1]! - bx * by) * bi + along * x * y;
			const xz = (square[s + 2]! - ax * az) * ai + (square[t + 2]! - bx * bz) * bi + along * x * z;
			const yy = (square[s + 3]! - ay * ay) * ai + (square[t + 3]! - by * by) * bi + along * y * y + value;
			const yz = (square[s + 4]! - ay * az) * ai + (square[t + 4]! - by * bz) * bi + along * y * z;
			const zz = (square[s + 5]! - az * az) * ai + (square[t + 5]! - bz * bz) * bi + along * z * z + value;
			const d0 = yy * zz - yz * yz;
			const d1 = xz * yz - xy * zz;
			const d2 = xy * yz - xz * yy;
			const determinant = xx * d0 + xy * d1 + xz * d2;
			const d5 = xx * yy - xy * xy;
			const inverse = 1 / determinant;
			const d3 = xx * zz - xz * xz;
			const d4 = xy * xz - xx * yz;
			const sx = (d0 * rx + d1 * ry + d2 * rz) * inverse;
			const sy = (d1 * rx + d3 * ry + d4 * rz) * inverse;
			const sz = (d2 * rx + d4 * ry + d5 * rz) * inverse;
			x += sx;
			y += sy;
			z += sz;
			const length = Math.sqrt(x * x + y * y + z * z);
			const isShort = sx * sx + sy * sy + sz * sz < 1;
			if (!(xx > 0 && d5 > 0 && determinant > 0 && isShort && length > 0)) {
				outcome[pair] = UNKNOWN;
				continue;
			}
			const shrink = 1 / length;
			n[k] = x * shrink;
			n[k + 1] = y * shrink;
			n[k + 2] = z * shrink;
			underWay[left] = pair;
			left++;
		}
		return left;
	}

	#keepWitness(pair: number, ax: number, ay: number, az: number, bx: number, by: number, bz: number): void {
		const { witness } = this;
		const k = 6 * pair;
		witness[k] = ax;
		witness[k + 1] = ay;
		witness[k + 2] = az;
		witness[k + 3] = bx;
		witness[k + 4] = by;
		witness[k + 5] = bz;
	}

	/** Keeps the gap; whether the overlap, if it is one, is less than the least radii of curvature together, each least axis squared by longest axis, bounded as in widening.ts. */
	#isOnlyWayOut(pair: number, value: number): boolean {
		this.gap[pair] = value;
		if (value >= 0) return true;
		let radii = 0;
		for (let k = 2 * pair; k < 2 * pair + 2; k++) {
			const s = 6 * this.ellipsoid[k]!;
			const trace = this.square[s]! + this.square[s + 3]! + this.square[s + 5]!;
			const ratio = (2 * determinantOf(this.ball, 9 * this.ellipsoid[k]!)) / trace;
			radii += (ratio * ratio) / Math.sqrt(trace);
		}
		return -value <= radii;
	}
}

function determinantOf(ball: Float64Array, k: number): number {
	const x = ball[k + 4]! * ball[k + 8]! - ball[k + 5]! * ball[k + 7]!;
	const y = ball[k + 3]! * ball[k + 8]! - ball[k + 5]! * ball[k + 6]!;
	const z = ball[k + 3]! * ball[k + 7]! - ball[k + 4]! * ball[k + 6]!;
	return ball[k]! * x - ball[k + 1]! * y + ball[k + 2]! * z;
}
