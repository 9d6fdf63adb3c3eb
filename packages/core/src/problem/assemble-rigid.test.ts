import { describe, expect, it } from "vitest";
import { Random } from "../base/random.js";
import { generate } from "../generate/generate.js";
import { assembleRigid } from "./assemble-rigid.js";
import type { BlockMatrix, CsrMatrix, RigidContacts } from "./problem.js";
import { relativeVelocity } from "./relative-velocity.js";
import { rigidToGlobal } from "./rigid-to-global.js";

function denseOfBlocks({ rows, rowStart, column, values }: BlockMatrix): Float64Array {
	const n = 3 * rows;
	const dense = new Float64Array(n * n);
	for (let a = 0; a < rows; a += 1) {
		for (let k = rowStart[a]!; k < rowStart[a + 1]!; k += 1) {
			for (let e = 0; e < 9; e += 1) {
				dense[n * (3 * a + Math.floor(e / 3)) + 3 * column[k]! + (e % 3)] = values[9 * k + e]!;
			}
		}
	}
	return dense;
}

function denseOfCsr({ rows, columns, rowStart, column, values }: CsrMatrix): Float64Array {
	const dense = new Float64Array(rows * columns);
	for (let row = 0; row < rows; row += 1) {
		for (let k = rowStart[row]!; k < rowStart[row + 1]!; k += 1) dense[columns * row + column[k]!]! += values[k]!;
	}
	return dense;
}

/** H^T column by column: the relative velocities for each unit motion of each body. */
function denseOfMotions(rigid: RigidContacts): Float64Array[] {
	const unit = new Float64Array(6 * rigid.inverseMass.length);
	return Array.from(unit, (_, k) => {
		unit.fill(0)[k] = 1;
		return relativeVelocity(rigid, unit);
	});
}

/** W from unit motions and the inverse masses, with no use of blocks: W = sum over degrees of freedom k, l of h_k (M^-1)_kl h_l^T. */
function denseFromMotions(rigid: RigidContacts): Float64Array {
	const motions = denseOfMotions(rigid);
	const n = motions[0]!.length;
	const W = new Float64Array(n * n);
	const place = [
		[0, 3, 4],
		[3, 1, 5],
		[4, 5, 2],
	] as const;
	const add = (k: number, l: number, weight: number) => {
		for (let i = 0; i < n; i += 1) {
			if (motions[k]![i] === 0) continue;
			for (let j = 0; j < n; j += 1) W[n * i + j]! += motions[k]![i]! * weight * motions[l]![j]!;
		}
	};
	for (let body = 0; body < rigid.inverseMass.length; body += 1) {
		for (let k = 0; k < 3; k += 1) {
			add(6 * body + k, 6 * body + k, rigid.inverseMass[body]!);
			for (let l = 0; l < 3; l += 1) {
				add(6 * body + 3 + k, 6 * body + 3 + l, rigid.inverseInertia[6 * body + place[k]![l]!]!);
			}
		}
	}
	return W;
}

const largest = (values: Float64Array) => values.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
const distance = (a: Float64Array, b: Float64Array) => largest(a.map((value, k) => value - b[k]!));

/** Solves A x = b in place by Gaussian elimination with row exchanges; b has `width` columns. */
function solveDense(A: Float64Array, b: Float64Array, n: number, width: number): Float64Array {
	for (let k = 0; k < n; k += 1) {
		let pivot = k;
		for (let i = k + 1; i < n; i += 1) if (Math.abs(A[n * i + k]!) > Math.abs(A[n * pivot + k]!)) pivot = i;
		for (let j = 0; j < n; j += 1) [A[n * k + j], A[n * pivot + j]] = [A[n * pivot + j]!, A[n * k + j]!];
		for (let j = 0; j < width; j += 1) {
			[b[width * k + j], b[width * pivot + j]] = [b[width * pivot + j]!, b[width * k + j]!];
		}
		for (let i = 0; i < n; i += 1) {
			const factor = A[n * i + k]! / A[n * k + k]!;
			if (i === k || factor === 0) continue;
			for (let j = 0; j < n; j += 1) A[n * i + j]! -= factor * A[n * k + j]!;
			for (let j = 0; j < width; j += 1) b[width * i + j]! -= factor * b[width * k + j]!;
		}
	}
	for (let i = 0; i < n; i += 1) for (let j = 0; j < width; j += 1) b[width * i + j]! /= A[n * i + i]!;
	return b;
}

/** Two bodies with general inertias, one pair of contacts between them, each in the other order of the bodies, and the ground. */
function handmade(): RigidContacts {
	const random = new Random(21);
	const reals = (count: number) => Float64Array.from({ length: count }, () => random.between(-1, 1));
	return {
		body: Int32Array.of(0, 1, 1, 0, -1, 1),
		frame: generate("spheres", { contacts: 40 }).rigid.frame.slice(180, 207),
		arm: reals(18),
		inverseMass: Float64Array.of(0.5, 3),
		inverseInertia: Float64Array.of(2, 3, 4, 0.3, -0.2, 0.5, 7, 6, 5, -1, 0.4, 0.6),
	};
}

describe("assembleRigid", () => {
	const cases = [
		["handmade, two shared bodies in either order", handmade()],
		["spheres", generate("spheres", { contacts: 60 }).rigid],
		["planks", generate("planks", { contacts: 60 }).rigid],
	] as const;

	it.each(cases)("%s: W is H^T M^-1 H, computed from unit motions", (_, rigid) => {
		const expected = denseFromMotions(rigid);
		expect(distance(denseOfBlocks(assembleRigid(rigid)), expected)).toBeLessThan(1e-13 * largest(expected));
	});

	it.each(cases)("%s: symmetric to the bit, columns ascending, diagonal there", (_, rigid) => {
		const W = assembleRigid(rigid);
		const dense = denseOfBlocks(W);
		const n = 3 * W.rows;
		for (let i = 0; i < n; i += 1) for (let j = 0; j < i; j += 1) expect(dense[n * i + j]).toBe(dense[n * j + i]);
		for (let a = 0; a < W.rows; a += 1) {
			const columns = Array.from(W.column.subarray(W.rowStart[a], W.rowStart[a + 1]));
			expect(columns).toEqual([...new Set(columns)].sort((x, y) => x - y));
			expect(columns).toContain(a);
		}
	});

	it.each(cases)("%s: positive semidefinite: Cholesky runs through once rounding is lifted off zero", (_, rigid) => {
		const W = assembleRigid(rigid);
		const L = denseOfBlocks(W);
		const n = 3 * W.rows;
		const lift = 1e-12 * largest(L);
		for (let k = 0; k < n; k += 1) {
			let pivot = L[n * k + k]! + lift;
			for (let j = 0; j < k; j += 1) pivot -= L[n * k + j]! * L[n * k + j]!;
			expect(pivot).toBeGreaterThan(0);
			L[n * k + k] = Math.sqrt(pivot);
			for (let i = k + 1; i < n; i += 1) {
				let sum = L[n * i + k]!;
				for (let j = 0; j < k; j += 1) sum -= L[n * i + j]! * L[n * k + j]!;
				L[n * i + k] = sum / L[n * k + k]!;
			}
		}
	});

	it("a block's bits depend on its own contacts alone: every third contact taken out, the rest stays", () => {
		const { rigid } = generate("planks", { contacts: 300 });
		const kept = Array.from({ length: rigid.body.length / 2 }, (_, c) => c).filter((c) => c % 3 !== 0);
		const take = <List extends Float64Array | Int32Array>(list: List, width: number): List => {
			const out = list.slice(0, width * kept.length) as List;
			kept.forEach((c, k) => {
				out.set(list.subarray(width * c, width * c + width), width * k);
			});
			return out;
		};
		const part = { ...rigid, body: take(rigid.body, 2), frame: take(rigid.frame, 9), arm: take(rigid.arm, 6) };
		const whole = denseOfBlocks(assembleRigid(rigid));
		const less = denseOfBlocks(assembleRigid(part));
		const [n, m] = [(3 * rigid.body.length) / 2, 3 * kept.length];
		const at = (i: number) => 3 * kept[Math.floor(i / 3)]! + (i % 3);
		let different = 0;
		for (let i = 0; i < m; i += 1) {
			for (let j = 0; j < m; j += 1) if (less[m * i + j] !== whole[n * at(i) + at(j)]) different += 1;
		}
		expect(different).toBe(0);
	});

	it("refuses contacts of a body with itself and bodies that are not there, as a mistake of the caller", () => {
		const rigid = handmade();
		expect(() => assembleRigid({ ...rigid, body: Int32Array.of(0, 1, 1, 1, -1, 1) })).toThrow(/itself/);
		expect(() => assembleRigid({ ...rigid, body: Int32Array.of(0, 1, 1, 2, -1, 1) })).toThrow(/does not exist/);
	});
});

describe("rigidToGlobal", () => {
	it.each(["spheres", "planks"])("%s: condensed, it is W and q again", (name) => {
		const { rigid, q, freeVelocity, contacts } = generate(name, { contacts: 60 });
		const { M, H, f, w } = rigidToGlobal(rigid, q, freeVelocity);
		expect(w.every((value) => value === 0)).toBe(true);
		const [n, columns] = [M.rows, 3 * contacts];
		const dense = denseOfCsr(H);
		const solved = solveDense(denseOfCsr(M), dense.slice(), n, columns);
		const W = new Float64Array(columns * columns);
		for (let k = 0; k < n; k += 1) {
			for (let i = 0; i < columns; i += 1) {
				const h = dense[columns * k + i]!;
				if (h !== 0) for (let j = 0; j < columns; j += 1) W[columns * i + j]! += h * solved[columns * k + j]!;
			}
		}
		const assembled = denseOfBlocks(assembleRigid(rigid));
		expect(distance(W, assembled)).toBeLessThan(1e-12 * largest(assembled));
		const free = solveDense(denseOfCsr(M), f.slice(), n, 1);
		const condensed = q.map((_, j) => free.reduce((sum, v, k) => sum + v * dense[columns * k + j]!, 0));
		expect(distance(condensed, q)).toBeLessThan(1e-14);
	});

	it("without a free velocity f is zero and w is q", () => {
		const { rigid, q } = generate("spheres", { contacts: 60 });
		const { f, w } = rigidToGlobal(rigid, q);
		expect(largest(f)).toBe(0);
		expect(w).toEqual(q);
	});

	it("Newton's third law: reactions between bodies change neither momentum nor angular momentum of the whole", () => {
		const { rigid, q, geometry, contacts } = generate("spheres", { contacts: 400 });
		const { H } = rigidToGlobal(rigid, q);
		const random = new Random(9);
		const r = Float64Array.from({ length: 3 * contacts }, (_, k) =>
			rigid.body[2 * Math.floor(k / 3)]! < 0 ? 0 : random.between(-1, 1),
		);
		const impulse = new Float64Array(H.rows);
		for (let row = 0; row < H.rows; row += 1) {
			for (let k = H.rowStart[row]!; k < H.rowStart[row + 1]!; k += 1) impulse[row]! += H.values[k]! * r[H.column[k]!]!;
		}
		const centre = new Float64Array(3 * rigid.inverseMass.length);
		for (let k = 0; k < rigid.body.length; k += 1) {
			const id = rigid.body[k]!;
			for (let l = 0; l < 3 && id >= 0; l += 1) {
				centre[3 * id + l] = geometry.point[3 * (k >> 1) + l]! - rigid.arm[3 * k + l]!;
			}
		}
		const total = [0, 0, 0, 0, 0, 0];
		for (let id = 0; id < rigid.inverseMass.length; id += 1) {
			const [px, py, pz] = [0, 1, 2].map((k) => impulse[6 * id + k]!) as [number, number, number];
			const [x, y, z] = [0, 1, 2].map((k) => centre[3 * id + k]!) as [number, number, number];
			const moment = [y * pz - z * py, z * px - x * pz, x * py - y * px];
			for (let k = 0; k < 3; k += 1) {
				total[k]! += impulse[6 * id + k]!;
				total[3 + k]! += impulse[6 * id + 3 + k]! + moment[k]!;
			}
		}
		for (const sum of total) expect(Math.abs(sum)).toBeLessThan(1e-12);
	});

	it("refuses bodies without mass or inertia, by number", () => {
		const { rigid, q } = generate("spheres", { contacts: 60 });
		const inverseMass = rigid.inverseMass.slice().fill(0, 3, 4);
		expect(() => rigidToGlobal({ ...rigid, inverseMass }, q)).toThrow(/body 3: .*mass/);
		const inverseInertia = rigid.inverseInertia.slice().fill(0, 12, 18);
		expect(() => rigidToGlobal({ ...rigid, inverseInertia }, q)).toThrow(/body 2: .*inertia/);
	});
});
