/**
 * The global form (M v = H r + G l + f, G^T v + b = 0, u = H^T v + w) brought to the local one:
 * W = H^T M^-1 H, q = H^T M^-1 f + w, V = H^T M^-1 G, R = G^T M^-1 G, s = G^T M^-1 f + b.
 * `reduce` makes what every way of solving needs (q, V, R, s); `condense` forms W besides. Only contacts that touch a common
 * connected part of M have a block, and each part is solved by itself, so a mass matrix costs time linear in the blocks.
 */
import { InputError } from "../base/errors.js";
import { assembleRigid } from "./assemble-rigid.js";
import { asymmetry, csrFromTriplets, multiplyCsr, multiplyTransposedCsr, transposeCsr } from "./csr.js";
import type { BlockMatrix, CsrMatrix, Equalities, GlobalForm, Problem } from "./problem.js";
import { withMoments } from "./rolling.js";
import { factor, type SparseLu } from "./sparse-lu.js";

/** More blocks than this are not formed: 4.8 GB. */
const BLOCKS_MAX = 2 ** 26;
/** Relative asymmetry of M beyond rounding. */
const SYMMETRIC = 1e-10;

/** q and the equality rows of a global form, W left as an operator. */
export function reduce(
	source: string,
	global: GlobalForm,
	lu: SparseLu,
): { readonly q: Float64Array; readonly equalities?: Equalities } {
	const free = global.f.slice();
	lu.solve(free);
	const q = new Float64Array(global.w.length);
	multiplyTransposedCsr(global.H, free, q);
	for (let i = 0; i < q.length; i += 1) q[i]! += global.w[i]!;
	const { G, b } = global;
	if (G === undefined || b === undefined || b.length === 0) return { q };
	if (asymmetry(global.M) > SYMMETRIC) {
		const what = "is not symmetric, and there are equality rows G: the reduced form does not exist";
		throw new InputError(source, "M", what, "give a symmetric M, or put the equality rows into M");
	}
	const s = new Float64Array(b.length);
	multiplyTransposedCsr(G, free, s);
	for (let i = 0; i < s.length; i += 1) s[i]! += b[i]!;
	return { q, equalities: { count: b.length, ...equalityMatrices(global.H, G, lu), s } };
}

/**
 * The same problem with W formed, to the bits that a solve forms it: of the bodies where they are known, otherwise of the global
 * form; and where they are missing with q and the equality rows of G. It keeps what W was formed of.
 */
export function condense(given: Problem, place = "M"): Problem {
	const problem = withMoments(given);
	const { name, global, rigid, equalities } = problem;
	const known = problem.W === undefined && rigid !== undefined ? { ...problem, W: assembleRigid(rigid) } : problem;
	const isReduced = equalities !== undefined || (global?.b?.length ?? 0) === 0;
	if (global === undefined || (known.W !== undefined && isReduced)) return known;
	const lu = factor(global.M, name, place);
	return {
		...known,
		...(!isReduced && reduce(name, global, lu)),
		W: known.W ?? condensedBlocks(name, global.H, lu),
	};
}

/** v = M^-1 (H r + G l + f). */
export function globalVelocity(global: GlobalForm, lu: SparseLu, r: Float64Array, l?: Float64Array): Float64Array {
	const v = new Float64Array(global.f.length);
	multiplyCsr(global.H, r, v);
	if (global.G !== undefined && l !== undefined) {
		const pushed = new Float64Array(v.length);
		multiplyCsr(global.G, l, pushed);
		for (let i = 0; i < v.length; i += 1) v[i]! += pushed[i]!;
	}
	for (let i = 0; i < v.length; i += 1) v[i]! += global.f[i]!;
	lu.solve(v);
	return v;
}

/** H^T M^-1 H as blocks, columns ascending. */
function condensedBlocks(source: string, H: CsrMatrix, lu: SparseLu): BlockMatrix {
	const parts = partsOf(lu);
	const columns = transposeCsr(H);
	const groups = groupsByPart(H, lu, 3);
	const blocks = sharedParts(source, H.columns / 3, groups);
	const work = new Float64Array(lu.size);
	for (let part = 0; part < groups.rows; part += 1) {
		const members = groups.column.subarray(groups.rowStart[part]!, groups.rowStart[part + 1]!);
		const from = lu.componentStart[part]!;
		const to = lu.componentStart[part + 1]!;
		for (const b of members) {
			for (let j = 0; j < 3; j += 1) {
				work.fill(0, from, to);
				scatter(columns, 3 * b + j, lu, parts, part, work);
				lu.solvePart(work, from, to);
				for (const a of members) {
					const at = 9 * placeOf(blocks, a, b) + j;
					for (let i = 0; i < 3; i += 1) blocks.values[at + 3 * i]! += dot(columns, 3 * a + i, lu, parts, part, work);
				}
			}
		}
	}
	return blocks;
}

/** V = H^T M^-1 G and R = G^T M^-1 G. */
function equalityMatrices(H: CsrMatrix, G: CsrMatrix, lu: SparseLu): { V: CsrMatrix; R: CsrMatrix } {
	const parts = partsOf(lu);
	const columnsH = transposeCsr(H);
	const columnsG = transposeCsr(G);
	const groupsH = groupsByPart(H, lu, 1);
	const groupsG = groupsByPart(G, lu, 1);
	const V = new Collector();
	const R = new Collector();
	const work = new Float64Array(lu.size);
	for (let part = 0; part < groupsG.rows; part += 1) {
		const rows = groupsH.column.subarray(groupsH.rowStart[part]!, groupsH.rowStart[part + 1]!);
		const members = groupsG.column.subarray(groupsG.rowStart[part]!, groupsG.rowStart[part + 1]!);
		const from = lu.componentStart[part]!;
		const to = lu.componentStart[part + 1]!;
		for (const g of members) {
			work.fill(0, from, to);
			scatter(columnsG, g, lu, parts, part, work);
			lu.solvePart(work, from, to);
			for (const row of rows) V.add(row, g, dot(columnsH, row, lu, parts, part, work));
			for (const row of members) R.add(row, g, dot(columnsG, row, lu, parts, part, work));
		}
	}
	return { V: V.matrix(H.columns, G.columns), R: R.matrix(G.columns, G.columns) };
}

/** The connected part of each unknown, in the old order. */
function partsOf(lu: SparseLu): Int32Array {
	const parts = new Int32Array(lu.size);
	for (let part = 0; part + 1 < lu.componentStart.length; part += 1) {
		for (let k = lu.componentStart[part]!; k < lu.componentStart[part + 1]!; k += 1) parts[lu.order[k]!] = part;
	}
	return parts;
}

/** For each part of M, which columns of H (in groups of `width`) have an entry there, ascending. Only the pattern counts. */
function groupsByPart(H: CsrMatrix, lu: SparseLu, width: number): CsrMatrix {
	const parts = lu.componentStart.length - 1;
	const seen = new Int32Array(H.columns / width).fill(-1);
	const rowStart = new Int32Array(parts + 1);
	const list: number[] = [];
	for (let part = 0; part < parts; part += 1) {
		const begin = list.length;
		for (let k = lu.componentStart[part]!; k < lu.componentStart[part + 1]!; k += 1) {
			const row = lu.order[k]!;
			for (let e = H.rowStart[row]!; e < H.rowStart[row + 1]!; e += 1) {
				const group = Math.floor(H.column[e]! / width);
				if (seen[group] === part) continue;
				seen[group] = part;
				list.push(group);
			}
		}
		rowStart[part + 1] = list.length;
		if (list.length - begin > 1) {
			const sorted = list.slice(begin).sort((a, b) => a - b);
			for (const [k, group] of sorted.entries()) list[begin + k] = group;
		}
	}
	return { rows: parts, columns: seen.length, rowStart, column: Int32Array.from(list), values: new Float64Array(0) };
}

/** Zero blocks wherever two contacts share a part, on the diagonal in any case. */
function sharedParts(source: string, contacts: number, groups: CsrMatrix): BlockMatrix {
	const byContact = transposeCsr({ ...groups, values: new Float64Array(groups.column.length) });
	const seen = new Int32Array(contacts).fill(-1);
	const rowStart = new Int32Array(contacts + 1);
	const visit = (a: number, take: (b: number) => void): void => {
		seen[a] = a;
		take(a);
		for (let e = byContact.rowStart[a]!; e < byContact.rowStart[a + 1]!; e += 1) {
			const part = byContact.column[e]!;
			for (let k = groups.rowStart[part]!; k < groups.rowStart[part + 1]!; k += 1) {
				const b = groups.column[k]!;
				if (seen[b] === a) continue;
				seen[b] = a;
				take(b);
			}
		}
	};
	let count = 0;
	for (let a = 0; a < contacts; a += 1) {
		visit(a, () => {
			count += 1;
		});
		rowStart[a + 1] = count;
		if (count > BLOCKS_MAX) {
			const what = `would have more than ${BLOCKS_MAX} blocks: too many contacts share a connected part of M`;
			throw new InputError(source, "W", what, "solve with the operator that never forms W");
		}
	}
	const column = new Int32Array(count);
	seen.fill(-1);
	count = 0;
	for (let a = 0; a < contacts; a += 1) {
		visit(a, (b) => {
			column[count] = b;
			count += 1;
		});
		column.subarray(rowStart[a]!, count).sort();
	}
	return { rows: contacts, rowStart, column, values: new Float64Array(9 * count) };
}

/** Where block (a, b) stands: a search by halves. */
function placeOf(blocks: BlockMatrix, a: number, b: number): number {
	let low = blocks.rowStart[a]!;
	let high = blocks.rowStart[a + 1]! - 1;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (blocks.column[middle]! < b) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** Column `column` of H within a part, into `work` in the new order. */
function scatter(
	columns: CsrMatrix,
	column: number,
	lu: SparseLu,
	parts: Int32Array,
	part: number,
	work: Float64Array,
): void {
	for (let e = columns.rowStart[column]!; e < columns.rowStart[column + 1]!; e += 1) {
		const row = columns.column[e]!;
		if (parts[row] === part) work[lu.place[row]!]! += columns.values[e]!;
	}
}

/** Column `column` of H within a part, times `work`. */
function dot(
	columns: CsrMatrix,
	column: number,
	lu: SparseLu,
	parts: Int32Array,
	part: number,
	work: Float64Array,
): number {
	let sum = 0;
	for (let e = columns.rowStart[column]!; e < columns.rowStart[column + 1]!; e += 1) {
		const row = columns.column[e]!;
		if (parts[row] === part) sum += columns.values[e]! * work[lu.place[row]!]!;
	}
	return sum;
}

/** Entries of a matrix as they come. */
class Collector {
	readonly #row: number[] = [];
	readonly #column: number[] = [];
	readonly #values: number[] = [];

	add(row: number, column: number, value: number): void {
		this.#row.push(row);
		this.#column.push(column);
		this.#values.push(value);
	}

	matrix(rows: number, columns: number): CsrMatrix {
		const entries = {
			row: Int32Array.from(this.#row),
			column: Int32Array.from(this.#column),
			values: Float64Array.from(this.#values),
		};
		return csrFromTriplets(rows, columns, entries);
	}
}
