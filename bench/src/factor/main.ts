/** Sparse LU of 6x6 blocks beside the same algorithm in C for this processor, in turns: time, floating-point rate, growth with size. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BlockPattern, generate, makeFactors, type OrderedFactors, Random } from "@stickslip/core";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";

/** The C source, found from dist/, where this file runs, and from src/ alike. */
const source = fileURLToPath(new URL("../../src/factor/block-lu.c", import.meta.url));
const TURNS = 5;
/** Each is so long at least: the engine compiles anew what it sees often. */
const TURN_MS = 50;
/** Of C's rate, at least. */
const SHARE = 0.5;

interface Case extends BlockPattern {
	readonly name: string;
}

/** A cube of bodies, each joined to those beside it. */
function cube(side: number): Case {
	const at = (x: number, y: number, z: number) => x + side * (y + side * z);
	const edges: [number, number][] = [];
	for (let z = 0; z < side; z += 1) {
		for (let y = 0; y < side; y += 1) {
			for (let x = 0; x < side; x += 1) {
				if (x + 1 < side) edges.push([at(x, y, z), at(x + 1, y, z)]);
				if (y + 1 < side) edges.push([at(x, y, z), at(x, y + 1, z)]);
				if (z + 1 < side) edges.push([at(x, y, z), at(x, y, z + 1)]);
			}
		}
	}
	return { name: `cube of ${side}^3`, ...patternOf(side ** 3, edges) };
}

/** The bodies of a pile, joined where they touch: what Newton's method in body space factors. */
function pile(name: string, contacts: number): Case {
	const { rigid } = generate(name, { contacts, seed: 1 });
	const { body, inverseMass } = rigid!;
	const edges: [number, number][] = [];
	for (let k = 0; k < body.length; k += 2) if (body[k]! >= 0 && body[k + 1]! >= 0) edges.push([body[k]!, body[k + 1]!]);
	return { name: `bodies of ${contacts} contacts, ${name}`, ...patternOf(inverseMass.length, edges) };
}

function patternOf(rows: number, edges: readonly (readonly [number, number])[]): BlockPattern {
	const beside = Array.from({ length: rows }, (_, i) => new Set([i]));
	for (const [i, j] of edges) {
		beside[i]!.add(j);
		beside[j]!.add(i);
	}
	const column = Int32Array.from(beside.flatMap((columns) => [...columns].sort((a, b) => a - b)));
	const rowStart = new Int32Array(rows + 1);
	for (let i = 0; i < rows; i += 1) rowStart[i + 1] = rowStart[i]! + beside[i]!.size;
	return { rows, rowStart, column };
}

/** Random blocks, with diagonals that outweigh them. */
function valuesOf({ rows, rowStart, column }: BlockPattern): Float64Array {
	const random = new Random(1);
	const values = Float64Array.from({ length: 36 * column.length }, () => random.between(-1, 1));
	for (let i = 0; i < rows; i += 1) {
		for (let k = rowStart[i]!; k < rowStart[i + 1]!; k += 1) {
			if (column[k] === i) for (let e = 0; e < 36; e += 7) values[36 * k + e]! += 60;
		}
	}
	return values;
}

/** Rows in the order of elimination, as block-lu.c reads them. */
function write(
	path: string,
	{ rows, rowStart, column }: BlockPattern,
	values: Float64Array,
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
	const parts = [head, start, columns, lStart, lColumn, uStart, uColumn, blocks];
	writeFileSync(
		path,
		Buffer.concat(parts.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength))),
	);
}

interface FactorRow {
	readonly case: string;
	readonly rows: number;
	readonly factorBlocks: number;
	readonly gflop: string;
	readonly milliseconds: string;
	readonly spread: string;
	readonly gflops: string;
	/** C for any processor of this kind, with the same 128-bit vectors, and for this one, which has wider ones and fused operations. */
	readonly cGflops: string;
	readonly nativeGflops: string;
	/** Of the rate of each. */
	readonly share: string;
	readonly shareOfNative: string;
}

function measure(given: Case, folder: string, programs: readonly string[]): FactorRow {
	const values = valuesOf(given);
	const factors = makeFactors(given);
	const path = join(folder, "matrix");
	write(path, given, values, factors);
	const ours: number[] = [];
	const theirs = programs.map((): number[] => []);
	for (let turn = 0; turn < TURNS; turn += 1) {
		for (let spent = 0; spent < TURN_MS; spent += ours.at(-1)!) {
			const start = performance.now();
			if (!factors.factor(values)) throw new Error(`${given.name} is singular`);
			ours.push(performance.now() - start);
		}
		for (const [index, program] of programs.entries()) {
			const { stdout, status } = spawnSync(program, [path], { input: "\n\n", encoding: "utf8" });
			if (status !== 0) throw new Error(`block-lu.c ended with ${status}`);
			theirs[index]!.push(
				...stdout
					.trim()
					.split("\n")
					.map((line) => Number(line.split(" ")[0]) / 1e6),
			);
		}
	}
	const least = Math.min(...ours);
	const [c, native] = [0, 1].map((index) => Math.min(...(theirs[index] ?? [])));
	const rate = (ms: number) => (Number.isFinite(ms) ? (factors.flops / ms / 1e6).toFixed(1) : "");
	const share = (ms: number) => (Number.isFinite(ms) ? (ms / least).toFixed(2) : "");
	return {
		case: given.name,
		rows: given.rows,
		factorBlocks: 2 * factors.pattern.lColumn.length + given.rows,
		gflop: (factors.flops / 1e9).toPrecision(3),
		milliseconds: least.toPrecision(3),
		spread: (Math.max(...ours) / least).toFixed(2),
		...{ gflops: rate(least), cGflops: rate(c!), nativeGflops: rate(native!) },
		...{ share: share(c!), shareOfNative: share(native!) },
	};
}

/** For any processor of this kind, and for this one. */
function compiled(folder: string): string[] {
	const programs = [[], ["-march=native"]].flatMap((flags, index) => {
		const program = join(folder, `block-lu-${index}`);
		const words = ["-O3", "-std=gnu11", ...flags, source, "-o", program, "-lm"];
		return ["gcc", "cc"].some((compiler) => spawnSync(compiler, words).status === 0) ? [program] : [];
	});
	if (programs.length === 0) console.log("no C compiler: C is left out (on Debian: apt install gcc)");
	return programs;
}

export const factor: Bench = {
	name: "factor",
	what: "sparse LU of 6x6 blocks beside the same algorithm in C; [--small]",
	run(args) {
		const isSmall = args.includes("--small");
		const cases = isSmall
			? [cube(4), pile("spheres", 100)]
			: [...[6, 10, 14, 18].map(cube), pile("spheres", 1000), pile("spheres", 10_000), pile("planks", 10_000)];
		const folder = mkdtempSync(join(tmpdir(), "stickslip-factor-"));
		try {
			const programs = compiled(folder);
			const rows: FactorRow[] = [];
			for (const each of cases) {
				const row = measure(each, folder, programs);
				if (rows.length === 0) console.log(Object.keys(row).join("  "));
				rows.push(row);
				console.log(Object.values(row).join("  "));
			}
			if (!isSmall)
				console.log(
					`recorded in ${recordCsv(
						"factor",
						rows.map((row) => ({ ...row })),
					)}`,
				);
			const slow = rows.filter(({ share }) => share !== "" && Number(share) < SHARE);
			if (isSmall) return 0;
			for (const row of slow)
				console.log(`MISSED: ${row.case}: ${row.share} of C with the same vectors, wanted ${SHARE}`);
			return slow.length === 0 ? 0 : 1;
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	},
};
