/** A rolling problem in blocks of five (force, rolling moment), as Siconos has it, and the judge of both sides: nothing of @stickslip/core is in it. */
import { writeFileSync } from "node:fs";

export interface RollingBlocks {
	readonly contacts: number;
	readonly rowStart: Int32Array;
	/** Ascending in a row. */
	readonly column: Int32Array;
	/** 25 numbers per block, by rows. */
	readonly values: Float64Array;
	readonly q: Float64Array;
	readonly mu: Float64Array;
	readonly muRolling: Float64Array;
}

/** Blocks of three, two per contact, the second with a spin in front that is left out. */
interface SixBlocks {
	readonly rowStart: Int32Array;
	readonly column: Int32Array;
	readonly values: Float64Array;
}

/** Where number i of five stands: its block, and its place there. */
const PLACE = [
	[0, 0],
	[0, 1],
	[0, 2],
	[1, 1],
	[1, 2],
] as const;

export function fiveBlocks(W: SixBlocks, q: Float64Array, mu: Float64Array, muRolling: Float64Array): RollingBlocks {
	const contacts = mu.length;
	const rowStart = new Int32Array(contacts + 1);
	const column: number[] = [];
	const values: number[] = [];
	for (let a = 0; a < contacts; a += 1) {
		const blocks = new Map<number, Float64Array>();
		for (const [i, [half, row]] of PLACE.entries()) {
			for (let k = W.rowStart[2 * a + half]!; k < W.rowStart[2 * a + half + 1]!; k += 1) {
				const b = W.column[k]! >> 1;
				const block = blocks.get(b) ?? new Float64Array(25);
				blocks.set(b, block);
				for (const [j, [other, at]] of PLACE.entries()) {
					if (other === (W.column[k]! & 1)) block[5 * i + j] = W.values[9 * k + 3 * row + at]!;
				}
			}
		}
		for (const b of [...blocks.keys()].sort((x, y) => x - y)) {
			column.push(b);
			values.push(...blocks.get(b)!);
		}
		rowStart[a + 1] = column.length;
	}
	const free = Float64Array.from({ length: 5 * contacts }, (_, k) => {
		const [half, at] = PLACE[k % 5]!;
		return q[6 * Math.floor(k / 5) + 3 * half + at]!;
	});
	return {
		contacts,
		rowStart,
		column: Int32Array.from(column),
		values: Float64Array.from(values),
		q: free,
		mu,
		muRolling,
	};
}

/** The same W and q with spins apart, which Siconos does not know: they count in no measure then. */
export function withSpinsApart<Matrix extends SixBlocks>(W: Matrix, q: Float64Array): { W: Matrix; q: Float64Array } {
	const values = W.values.slice();
	for (let a = 0; a + 1 < W.rowStart.length; a += 1) {
		for (let k = W.rowStart[a]!; k < W.rowStart[a + 1]!; k += 1) {
			const mean = (values[9 * k + 4]! + values[9 * k + 8]!) / 2;
			if ((a & 1) === 1) values.fill(0, 9 * k, 9 * k + 3);
			if ((W.column[k]! & 1) === 1) for (let i = 0; i < 9; i += 3) values[9 * k + i] = 0;
			if ((a & 1) === 1 && W.column[k] === a) values[9 * k] = mean;
		}
	}
	return { W: { ...W, values }, q: q.map((value, k) => (k % 6 === 3 ? 0 : value)) };
}

/** As rolling.c reads it. */
export function writeRolling(path: string, problem: RollingBlocks): void {
	const { contacts, rowStart, column, values, q, mu, muRolling } = problem;
	const parts = [Int32Array.of(contacts, column.length), rowStart, column, values, q, mu, muRolling];
	writeFileSync(path, Buffer.concat(parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength))));
}

/** | R - proj_K(R - F(R)) | / max(|q|, |R|, |U|), F_N = U_N + mu |U_T| + mu_r |O_T|. */
export function naturalError(problem: RollingBlocks, reaction: Float64Array): number {
	const { contacts, rowStart, column, values, q, mu, muRolling } = problem;
	let [sum, ofU] = [0, 0];
	for (let a = 0; a < contacts; a += 1) {
		const u = q.slice(5 * a, 5 * a + 5);
		for (let k = rowStart[a]!; k < rowStart[a + 1]!; k += 1) {
			for (let i = 0; i < 25; i += 1)
				u[Math.floor(i / 5)]! += values[25 * k + i]! * reaction[5 * column[k]! + (i % 5)]!;
		}
		const limits = [mu[a]!, muRolling[a]!] as const;
		const speed = u[0]! + limits[0] * Math.hypot(u[1]!, u[2]!) + limits[1] * Math.hypot(u[3]!, u[4]!);
		const r = reaction.subarray(5 * a, 5 * a + 5);
		const p = projected(limits, [r[0]! - speed, r[1]! - u[1]!, r[2]! - u[2]!, r[3]! - u[3]!, r[4]! - u[4]!]);
		for (let i = 0; i < 5; i += 1) {
			sum += (r[i]! - p[i]!) ** 2;
			ofU += u[i]! ** 2;
		}
	}
	return Math.sqrt(sum) / (Math.max(norm(q), norm(reaction), Math.sqrt(ofU)) || 1);
}

/** The nearest point of { |z_T| <= mu z_N, |z_M| <= mu_r z_N }: each set of limits that may hold is tried, and the nearest one in the cone taken. */
function projected([mu, roll]: readonly [number, number], z: readonly number[]): number[] {
	const [t, m] = [Math.hypot(z[1]!, z[2]!), Math.hypot(z[3]!, z[4]!)];
	let best = [0, 0, 0, 0, 0];
	let least = z.reduce((sum, value) => sum + value * value, 0);
	for (const slides of [0, 1]) {
		for (const rolls of [0, 1]) {
			const n = (z[0]! + slides * mu * t + rolls * roll * m) / (1 + slides * mu * mu + rolls * roll * roll);
			if (!(n > 0)) continue;
			const [f, g] = [t > 0 ? Math.min(1, (mu * n) / t) : 1, m > 0 ? Math.min(1, (roll * n) / m) : 1];
			const point = [n, f * z[1]!, f * z[2]!, g * z[3]!, g * z[4]!];
			const distance = point.reduce((sum, value, i) => sum + (value - z[i]!) ** 2, 0);
			if (distance < least) [best, least] = [point, distance];
		}
	}
	return best;
}

function norm(values: Float64Array): number {
	return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
}
