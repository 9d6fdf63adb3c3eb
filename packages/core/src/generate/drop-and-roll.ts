/**
 * Drop and roll (W. M. Visscher and M. Bolsterli, Nature 239, 1972): a sphere falls until it touches the bed, rolls down
 * the sphere it met, then down the groove between two, until three hold it or it reaches the floor. Every path is an arc
 *     p(t) = o + rho (cos t a + sin t b),
 * a meridian of one sphere or the circle that touches two, and everything that can end it (another sphere, the floor, a
 * support that no longer presses, the bottom of the groove) is a root of A cos t + B sin t = C. So square roots do, no
 * step size is chosen, and spheres touch to rounding. A groove less steep than `stopSlope` holds the sphere by friction.
 */
import type { SphereBed } from "./sphere-bed.js";
import { Touching } from "./touching.js";

const movesMax = 64;
/** Lengths below this part of a radius are rounding. */
const tiny = 1e-11;

export class RollingSphere {
	x = 0;
	y = 0;
	z = 0;
	#radius = 0;
	readonly #touching: Touching;
	/** The arc: o, a, b, rho. */
	readonly #o = new Float64Array(3);
	readonly #a = new Float64Array(3);
	readonly #b = new Float64Array(3);
	#rho = 0;
	/** The first event so far, as cosine and sine; the sphere met (-1: none), or the support lost (its place, else -1). */
	#cos = -1;
	#sin = 0;
	#met = -1;
	#lost = -1;
	#rests = false;

	constructor(
		readonly bed: SphereBed,
		readonly stopSlope: number,
	) {
		this.#touching = new Touching(bed);
	}

	/** Drops a sphere over (x, y); its resting place is in x, y, z, which the bed need not hold. */
	settle(x: number, y: number, radius: number): void {
		this.x = x;
		this.y = y;
		this.z = this.bed.topNear(x, y) + 4 * this.bed.radiusMax;
		this.#radius = radius;
		this.#touching.count = 0;
		this.#rests = false;
		let left = -1;
		for (let move = 0; move < movesMax && !this.#rests; move += 1) {
			const supports = this.#touching.chooseSupports(this.x, this.y, this.z);
			if (supports === 0) {
				this.#fall(left);
				continue;
			}
			if (supports === 3 || (supports === 2 && this.#touching.slope() < this.stopSlope)) return;
			this.#touching.count = supports;
			if (supports === 1) this.#startMeridian();
			else this.#startGroove();
			this.#findEvent();
			left = this.#lost >= 0 ? this.#touching.id[this.#lost]! : -1;
			this.#goToEvent();
		}
	}

	/** Straight down to the first sphere or the floor, searched in slices of two diameters. */
	#fall(except: number): void {
		const { bed, x, y } = this;
		const reach = this.#radius + bed.radiusMax;
		const slice = 4 * bed.radiusMax;
		let best = this.#radius;
		let met = -1;
		// What lies below a slice cannot hold the sphere higher than the slice's foot and one reach.
		for (let top = this.z + reach; top > 0 && best < top + reach; top -= slice) {
			const count = bed.near(x - reach, x + reach, y - reach, y + reach, top - slice, top);
			for (let f = 0; f < count; f += 1) {
				const k = bed.found[f]!;
				const dx = x - bed.x(k);
				const dy = y - bed.y(k);
				const sum = this.#radius + bed.radius(k);
				const rise = sum * sum - dx * dx - dy * dy;
				if (rise <= 0 || k === except) continue;
				const z = bed.z(k) + Math.sqrt(rise);
				if (z > best && z <= this.z + tiny * sum) {
					best = z;
					met = k;
				}
			}
		}
		this.z = best;
		this.#touching.count = met < 0 ? 0 : 1;
		this.#touching.id[0] = met;
		this.#rests = met < 0;
	}

	/** Down the support's meridian, until it no longer presses: at the equator, whose cosine and sine are -b_z and a_z. */
	#startMeridian(): void {
		const k = this.#touching.id[0]!;
		const n = this.#touching.normal;
		this.#o.set([this.bed.x(k), this.bed.y(k), this.bed.z(k)]);
		this.#rho = this.#radius + this.bed.radius(k);
		const up = n[2]!;
		const flat = Math.sqrt(n[0]! * n[0]! + n[1]! * n[1]!);
		this.#a.set([n[0]!, n[1]!, up]);
		if (flat > tiny) this.#b.set([(up * n[0]!) / flat, (up * n[1]!) / flat, -flat]);
		else this.#b.set([1, 0, 0]);
		this.#cos = -this.#b[2]!;
		this.#sin = up;
		this.#met = -1;
		this.#lost = 0;
	}

	/** Down the circle that touches both supports, until one no longer presses or the bottom is reached. */
	#startGroove(): void {
		const { bed } = this;
		const a = this.#a;
		const [i, j] = [this.#touching.id[0]!, this.#touching.id[1]!];
		const axis = [bed.x(j) - bed.x(i), bed.y(j) - bed.y(i), bed.z(j) - bed.z(i)] as const;
		const square = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
		const sumI = this.#radius + bed.radius(i);
		const sumJ = this.#radius + bed.radius(j);
		const share = 0.5 * (1 + (sumI * sumI - sumJ * sumJ) / square);
		const o = this.#o;
		o.set([bed.x(i) + share * axis[0], bed.y(i) + share * axis[1], bed.z(i) + share * axis[2]]);
		const [px, py, pz] = [this.x - o[0]!, this.y - o[1]!, this.z - o[2]!];
		this.#rho = Math.sqrt(px * px + py * py + pz * pz);
		a.set([px / this.#rho, py / this.#rho, pz / this.#rho]);
		// b = +-(axis x a) / |axis|, whichever points down.
		const cx = axis[1] * a[2]! - axis[2] * a[1]!;
		const cy = axis[2] * a[0]! - axis[0] * a[2]!;
		const cz = axis[0] * a[1]! - axis[1] * a[0]!;
		const scale = (cz > 0 ? -1 : 1) / Math.sqrt(square);
		this.#b.set([cx * scale, cy * scale, cz * scale]);
		this.#cos = -1;
		this.#sin = 0;
		this.#met = -1;
		this.#lost = -1;
		this.#considerLift(0, 1);
		this.#considerLift(1, 0);
		// The height's slope b_z cos t - a_z sin t rises through zero at the bottom.
		this.#consider(this.#b[2]!, -a[2]!, 0, -1, -1);
	}

	/** Support i stops pressing where n_i . e_z - (n_i . n_j) n_j . e_z falls through zero; n_i . n_j is constant. */
	#considerLift(i: number, j: number): void {
		const cosine = this.#touching.product(i, j);
		const { bed } = this;
		const [ki, kj] = [this.#touching.id[i]!, this.#touching.id[j]!];
		const inverseI = 1 / (this.#radius + bed.radius(ki));
		const inverseJ = cosine / (this.#radius + bed.radius(kj));
		const constant = (this.#o[2]! - bed.z(ki)) * inverseI - (this.#o[2]! - bed.z(kj)) * inverseJ;
		const scale = this.#rho * (inverseI - inverseJ);
		this.#consider(-scale * this.#a[2]!, -scale * this.#b[2]!, constant, -1, i);
	}

	/** Takes the event where A cos t + B sin t rises through C, if it comes before the first one so far. */
	#consider(A: number, B: number, C: number, met: number, lost: number): void {
		const square = A * A + B * B;
		const rest = square - C * C;
		if (rest <= 0) return;
		const root = Math.sqrt(rest);
		let cos = (A * C + B * root) / square;
		let sin = (B * C - A * root) / square;
		if (sin < 0) {
			// Behind us, but for a sphere that touches already, within rounding.
			if (sin < -1e-9 || cos < 0) return;
			cos = 1;
			sin = 0;
		}
		if (cos <= this.#cos) return;
		this.#cos = cos;
		this.#sin = sin;
		this.#met = met;
		this.#lost = lost;
	}

	/** Meets of other spheres and of the floor, searched in the box around the arc up to the first event so far. */
	#findEvent(): void {
		const { bed } = this;
		const o = this.#o;
		const a = this.#a;
		const b = this.#b;
		const rho = this.#rho;
		const cosEnd = this.#cos;
		const sinMax = cosEnd < 0 ? 1 : this.#sin;
		const margin = this.#radius + bed.radiusMax;
		const low = (k: number) => o[k]! + rho * (Math.min(a[k]!, cosEnd * a[k]!) + Math.min(0, sinMax * b[k]!)) - margin;
		const high = (k: number) => o[k]! + rho * (Math.max(a[k]!, cosEnd * a[k]!) + Math.max(0, sinMax * b[k]!)) + margin;
		const count = bed.near(low(0), high(0), low(1), high(1), low(2), high(2));
		const first = this.#touching.id[0]!;
		const second = this.#touching.count > 1 ? this.#touching.id[1]! : -1;
		for (let f = 0; f < count; f += 1) {
			const k = bed.found[f]!;
			if (k === first || k === second) continue;
			const mx = bed.x(k) - o[0]!;
			const my = bed.y(k) - o[1]!;
			const mz = bed.z(k) - o[2]!;
			const sum = this.#radius + bed.radius(k);
			const C = (rho * rho + mx * mx + my * my + mz * mz - sum * sum) / (2 * rho);
			const A = a[0]! * mx + a[1]! * my + a[2]! * mz;
			const B = b[0]! * mx + b[1]! * my + b[2]! * mz;
			this.#consider(A, B, C, k, -1);
		}
		this.#consider(-a[2]!, -b[2]!, (o[2]! - this.#radius) / rho, -2, -1);
	}

	/** Moves to the event and updates what is touched; the floor (met = -2) and the bottom of a groove are places to rest. */
	#goToEvent(): void {
		const o = this.#o;
		const a = this.#a;
		const b = this.#b;
		const c = this.#rho * this.#cos;
		const s = this.#rho * this.#sin;
		this.x = o[0]! + c * a[0]! + s * b[0]!;
		this.y = o[1]! + c * a[1]! + s * b[1]!;
		this.z = o[2]! + c * a[2]! + s * b[2]!;
		if (this.#met >= 0) {
			this.#touching.id[this.#touching.count] = this.#met;
			this.#touching.count += 1;
		} else if (this.#lost >= 0) {
			this.#touching.swap(this.#lost, this.#touching.count - 1);
			this.#touching.count -= 1;
		} else {
			this.#rests = true;
			if (this.#met === -2) this.z = this.#radius;
		}
	}
}
