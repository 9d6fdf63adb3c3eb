/** C on the same matrices: block-lu.c, the same algorithm, and suitesparse.c, CHOLMOD and UMFPACK, where they are installed. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { OrderedFactors } from "@stickslip/core";
import type { MatrixCase } from "./cases.js";

/** A C source, found from dist/, where this file runs, and from src/ alike. */
const source = (name: string) => fileURLToPath(new URL(`../../src/factor/${name}`, import.meta.url));

export interface Rivals {
	/** The same algorithm for any processor of this kind, with the same 128-bit vectors, and for this one, with wider ones and fused operations. */
	readonly same: readonly string[];
	readonly suitesparse: string | undefined;
}

export function compileRivals(folder: string): Rivals {
	const same = [[], ["-march=native"]].flatMap((flags, index) => {
		const program = join(folder, `block-lu-${index}`);
		return compile(["-O3", "-std=gnu11", ...flags, source("block-lu.c"), "-o", program, "-lm"]) ? [program] : [];
	});
	if (same.length === 0) console.log("no C compiler: C is left out (on Debian: apt install gcc)");
	const program = join(folder, "suitesparse");
	const words = ["-O2", "-I/usr/include/suitesparse", source("suitesparse.c"), "-o", program];
	const isThere = compile([...words, "-lcholmod", "-lumfpack", "-lm"]);
	if (!isThere)
		console.log("CHOLMOD and UMFPACK are left out (on Debian: apt install libsuitesparse-dev libopenblas0)");
	return { same, suitesparse: isThere ? program : undefined };
}

function compile(words: readonly string[]): boolean {
	return ["gcc", "cc"].some((compiler) => spawnSync(compiler, words, { stdio: "ignore" }).status === 0);
}

/** Milliseconds that a program prints, some to a line, one line for each factorisation; on one core. */
export function timesOf(program: string, path: string, turns: number): number[][] {
	const env = { ...process.env, OPENBLAS_NUM_THREADS: "1", OMP_NUM_THREADS: "1" };
	const { stdout, status } = spawnSync(program, [path], { input: "\n".repeat(turns), encoding: "utf8", env });
	if (status !== 0) throw new Error(`${program} ended with ${status}`);
	const lines = stdout.trim().split("\n");
	return lines.map((line) => line.split(" ").map((word) => Number(word) / 1e6));
}

function writeArrays(path: string, parts: readonly (Int32Array | Float64Array)[]): void {
	const bytes = parts.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength));
	writeFileSync(path, Buffer.concat(bytes));
}

/** Rows in the order of elimination, as block-lu.c reads them. */
export function writeBlocks(
	path: string,
	{ rows, rowStart, column, values }: MatrixCase,
	factors: OrderedFactors,
): void {
	const { order, pattern } = factors;
	const place = new Int32Array(rows);
	for (let k = 0; k < rows; k += 1) place[order[k]!] = k;
	const start = new Int32Array(rows + 1);
	const columns = new Int32Array(column.length);
	const blocks = new Float64Array(values.length);
	let to = 0;
	for (let k = 0; k < rows; k += 1) {
		for (let from = rowStart[order[k]!]!; from < rowStart[order[k]! + 1]!; from += 1) {
			columns[to] = place[column[from]!]!;
			blocks.set(values.subarray(36 * from, 36 * (from + 1)), 36 * to);
			to += 1;
		}
		start[k + 1] = to;
	}
	const { lStart, lColumn, uStart, uColumn } = pattern;
	const head = Int32Array.of(rows, column.length, lColumn.length);
	writeArrays(path, [head, start, columns, lStart, lColumn, uStart, uColumn, blocks]);
}

/** By scalar columns, as suitesparse.c reads them: the matrix is symmetric, so that its rows are its columns. */
export function writeScalars(path: string, { rows, rowStart, column, size, values }: MatrixCase): void {
	const start = new Int32Array(size * rows + 1);
	const row: number[] = [];
	const numbers: number[] = [];
	for (let i = 0; i < rows; i += 1) {
		const slots = Int32Array.from({ length: rowStart[i + 1]! - rowStart[i]! }, (_, k) => rowStart[i]! + k);
		slots.sort((a, b) => column[a]! - column[b]!);
		for (let r = 0; r < size; r += 1) {
			for (const k of slots) {
				for (let c = 0; c < size; c += 1) {
					row.push(size * column[k]! + c);
					numbers.push(values[size * size * k + size * c + r]!);
				}
			}
			start[size * i + r + 1] = row.length;
		}
	}
	writeArrays(path, [Int32Array.of(size * rows), start, Int32Array.from(row), Float64Array.from(numbers)]);
}
