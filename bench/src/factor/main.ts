/**
 * Sparse LU and L D L^T of blocks beside the same algorithm in C for this processor, and beside CHOLMOD and UMFPACK, in turns: CPU time of the
 * numeric factorisation, for which it does not matter who else is at work, floating-point rate, growth with size.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BlockFactors, makeFactors, type OrderedFactors } from "@stickslip/core";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";
import { cube, type MatrixCase, pile, sharedCases } from "./cases.js";
import { compileRivals, type Rivals, timesOf, writeBlocks, writeScalars } from "./rivals.js";

const TURNS = 3;
/** Each is so long at least: the engine compiles anew what it sees often. */
const TURN_MS = 50;
/** Operations of a factorisation that is timed once in a turn. */
const LONG = 5e9;
/** Of C's rate, at least. */
const SHARE = 0.5;
/** Of the time of CHOLMOD and UMFPACK, at most. */
const TIMES = 3;

interface FactorRow {
	readonly case: string;
	readonly rows: number;
	/** Of 6x6, of L and U. */
	readonly factorBlocks: number;
	readonly gflop: string;
	readonly lu: string;
	readonly ldlt: string;
	/** Of LU. */
	readonly gflops: string;
	readonly cGflops: string;
	readonly nativeGflops: string;
	/** Of the rate of each. */
	readonly share: string;
	readonly shareOfNative: string;
	/** Milliseconds, and how many times theirs ours takes: L D L^T beside CHOLMOD, LU beside UMFPACK. */
	readonly cholmod: string;
	readonly umfpack: string;
	readonly overCholmod: string;
	readonly overUmfpack: string;
}

const text = (value: number | undefined, digits = 2): string =>
	value !== undefined && Number.isFinite(value) ? value.toFixed(digits) : "";
const least = (values: readonly number[]): number | undefined => (values.length > 0 ? Math.min(...values) : undefined);

/** The shortest of a turn's factorisations. */
function turn(factors: BlockFactors, { name, values }: MatrixCase): number {
	let shortest = Number.POSITIVE_INFINITY;
	for (let spent = 0; spent < TURN_MS; ) {
		const start = process.cpuUsage();
		if (!factors.factor(values)) throw new Error(`${name} is singular`);
		const { user, system } = process.cpuUsage(start);
		const took = Math.max(1e-3, (user + system) / 1e3);
		shortest = Math.min(shortest, took);
		spent += took;
	}
	return shortest;
}

function measure(given: MatrixCase, folder: string, rivals: Rivals): FactorRow {
	const isOfSix = given.size === 6;
	const make = (symmetric: boolean): BlockFactors =>
		isOfSix ? makeFactors(given, { symmetric }) : makeFactors(given, { symmetric, size: 3 });
	const [lu, ldlt] = [make(false), make(true)];
	const [blocks, scalars] = [join(folder, "blocks"), join(folder, "scalars")];
	if (isOfSix) writeBlocks(blocks, given, lu as OrderedFactors);
	if (rivals.suitesparse !== undefined) writeScalars(scalars, given);
	const ours: { lu: number[]; ldlt: number[] } = { lu: [], ldlt: [] };
	const same = rivals.same.map((): number[] => []);
	const theirs: { cholmod: number[]; umfpack: number[] } = { cholmod: [], umfpack: [] };
	const perTurn = lu.flops > LONG ? 1 : 5;
	for (let k = 0; k < TURNS; k += 1) {
		ours.lu.push(turn(lu, given));
		ours.ldlt.push(turn(ldlt, given));
		if (isOfSix) {
			for (const [i, program] of rivals.same.entries()) {
				same[i]!.push(...timesOf(program, blocks, perTurn).map(([ms]) => ms!));
			}
		}
		if (rivals.suitesparse === undefined) continue;
		for (const [cholmod, umfpack] of timesOf(rivals.suitesparse, scalars, perTurn)) {
			theirs.cholmod.push(cholmod!);
			theirs.umfpack.push(umfpack!);
		}
	}
	const { flops, factorBlocks } = lu;
	for (const each of [lu, ldlt]) each.close();
	const [luMs, ldltMs] = [least(ours.lu)!, least(ours.ldlt)!];
	const [c, native] = [least(same[0] ?? []), least(same[1] ?? [])];
	const [cholmod, umfpack] = [least(theirs.cholmod), least(theirs.umfpack)];
	const rate = (ms: number | undefined) => text(ms && flops / ms / 1e6, 1);
	return {
		...{ case: given.name, rows: given.rows, factorBlocks, gflop: (flops / 1e9).toPrecision(3) },
		...{ lu: luMs.toPrecision(3), ldlt: ldltMs.toPrecision(3) },
		...{ gflops: rate(luMs), cGflops: rate(c), nativeGflops: rate(native) },
		...{ share: text(c && c / luMs), shareOfNative: text(native && native / luMs) },
		...{ cholmod: cholmod?.toPrecision(3) ?? "", umfpack: umfpack?.toPrecision(3) ?? "" },
		...{ overCholmod: text(cholmod && ldltMs / cholmod), overUmfpack: text(umfpack && luMs / umfpack) },
	};
}

/** Exponents of operations, memory and time from the smallest cube to the largest. */
function printGrowth(rows: readonly FactorRow[]): void {
	const cubes = rows.filter((row) => row.case.startsWith("cube"));
	const [first, last] = [cubes[0], cubes.at(-1)];
	if (first === undefined || last === undefined || first === last) return;
	const exponent = (of: (row: FactorRow) => number) =>
		(Math.log(of(last) / of(first)) / Math.log(last.rows / first.rows)).toFixed(2);
	console.log(
		`growth from ${first.case} to ${last.case}: operations rows^${exponent((row) => Number(row.gflop))}, ` +
			`blocks rows^${exponent((row) => row.factorBlocks)}, time rows^${exponent((row) => Number(row.lu))}`,
	);
}

function missed(rows: readonly FactorRow[]): string[] {
	const over = (value: string, limit: number) => value !== "" && Number(value) > limit;
	return rows.flatMap((row) => [
		...(row.share !== "" && Number(row.share) < SHARE ? [`${row.case}: ${row.share} of C, wanted ${SHARE}`] : []),
		...(over(row.overCholmod, TIMES) ? [`${row.case}: ${row.overCholmod} times CHOLMOD, wanted ${TIMES}`] : []),
		...(over(row.overUmfpack, TIMES) ? [`${row.case}: ${row.overUmfpack} times UMFPACK, wanted ${TIMES}`] : []),
	]);
}

export const factor: Bench = {
	name: "factor",
	what: "sparse LU and L D L^T of blocks beside the same algorithm in C, CHOLMOD and UMFPACK; [--small]",
	async run(args) {
		const isSmall = args.includes("--small");
		const piles = () => [pile("spheres", 1000), pile("spheres", 10_000), pile("planks", 10_000)];
		const cases = isSmall
			? [cube(4), pile("spheres", 100)]
			: [...[6, 10, 14, 18].map(cube), ...piles(), ...(await sharedCases())];
		const folder = mkdtempSync(join(tmpdir(), "stickslip-factor-"));
		try {
			const rivals = compileRivals(folder);
			const rows: FactorRow[] = [];
			for (const each of cases) {
				const row = measure(each, folder, rivals);
				if (rows.length === 0) console.log(Object.keys(row).join("  "));
				rows.push(row);
				console.log(Object.values(row).join("  "));
			}
			printGrowth(rows);
			if (isSmall) return 0;
			const table = rows.map((row) => ({ ...row }));
			console.log(`recorded in ${recordCsv("factor", table)}`);
			const lines = missed(rows);
			for (const line of lines) console.log(`MISSED: ${line}`);
			return lines.length === 0 ? 0 : 1;
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	},
};
