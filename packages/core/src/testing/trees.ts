/** FCLIB files dataset by dataset, for the tests: in every storage, and with anything wrong that a test wants wrong. */

import { Hdf5Writer } from "../fclib/hdf5-writer.js";
import type { Hdf5Module } from "../fclib/module.js";
import { csrFromBlocks } from "../problem/blocks.js";
import { transposeCsr } from "../problem/csr.js";
import type { CsrMatrix, Problem } from "../problem/problem.js";

export type Value = Int32Array | Float64Array | string;
export type Tree = Record<string, Value>;

/** Writes datasets by path, groups as they are needed. */
export function writeTree(hdf5: Hdf5Module, path: string, tree: Tree): void {
	const writer = new Hdf5Writer(hdf5, path);
	const groups = new Set<string>();
	for (const [name, value] of Object.entries(tree)) {
		const parts = name.split("/").slice(1, -1);
		for (let depth = 1; depth <= parts.length; depth += 1) {
			const group = `/${parts.slice(0, depth).join("/")}`;
			if (!groups.has(group)) writer.group(group);
			groups.add(group);
		}
		if (typeof value === "string")
			writer.text(
				name,
				Uint8Array.from(value, (character) => character.charCodeAt(0)),
			);
		else for (const _ of writer.numbers(name, value));
	}
	writer.close();
}

export const one = (value: number): Int32Array => Int32Array.of(value);

export function rowsOf(name: string, { rows, columns, rowStart, column, values }: CsrMatrix): Tree {
	const header = { [`${name}/nzmax`]: one(values.length), [`${name}/m`]: one(rows), [`${name}/n`]: one(columns) };
	return { ...header, [`${name}/nz`]: one(-2), [`${name}/p`]: rowStart, [`${name}/i`]: column, [`${name}/x`]: values };
}

export function columnsOf(name: string, matrix: CsrMatrix): Tree {
	const tree = rowsOf(name, transposeCsr(matrix));
	return { ...tree, [`${name}/m`]: one(matrix.rows), [`${name}/n`]: one(matrix.columns), [`${name}/nz`]: one(-1) };
}

/** Triplets backwards, each value in two halves: they add up exactly. */
export function tripletsOf(name: string, matrix: CsrMatrix): Tree {
	const row = Int32Array.from(matrix.column, (_, k) => matrix.rowStart.findIndex((start) => start > k) - 1);
	const twice = <List extends Int32Array | Float64Array>(list: List): List => {
		const both = new (list.constructor as new (length: number) => List)(2 * list.length);
		both.set(list);
		both.set(list, list.length);
		return both.reverse() as List;
	};
	return {
		...rowsOf(name, matrix),
		[`${name}/nzmax`]: one(2 * row.length),
		[`${name}/nz`]: one(2 * row.length),
		[`${name}/i`]: twice(row),
		[`${name}/p`]: twice(matrix.column),
		[`${name}/x`]: twice(matrix.values.map((value) => value / 2)),
	};
}

/** A problem's local file; `changes` replace datasets, undefined leaves one out. */
export function localTree(problem: Problem, changes: Record<string, Value | undefined> = {}, matrix?: Tree): Tree {
	const { V, R, s } = problem.equalities!;
	const tree: Record<string, Value | undefined> = {
		"/fclib_local/spacedim": one(3),
		...(matrix ?? rowsOf("/fclib_local/W", csrFromBlocks(problem.W!))),
		...rowsOf("/fclib_local/V", V),
		...columnsOf("/fclib_local/R", R),
		"/fclib_local/vectors/q": problem.q,
		"/fclib_local/vectors/mu": problem.mu,
		"/fclib_local/vectors/s": s,
		...changes,
	};
	return Object.fromEntries(Object.entries(tree).filter(([, value]) => value !== undefined)) as Tree;
}

/** The list with one value replaced. */
export function put<List extends Int32Array | Float64Array>(list: List, index: number, value: number): List {
	const copy = list.slice() as List;
	copy[index] = value;
	return copy;
}
