/**
 * The cost of identical bits: the sums of an iteration taken with bins (any order, any split, the same bits) against the same sums taken plainly, as shares
 * of the iteration that they stand in. One rank, so that nothing but arithmetic differs.
 */
import { generate, Random, type Report, solve } from "@stickslip/core";
import { makeDots } from "@stickslip/core/parallel";
import type { Bench } from "../bench.js";
import { alternate, type Side } from "../kernels/windows.js";
import { recordCsv } from "../record.js";
import { makePlainDots } from "./plain.js";

const CONTACTS = 10_000;
const ITERATIONS = 40;
const ROUNDS = 25;
const WINDOW_MS = 4;

interface Subject {
	readonly method: string;
	readonly set: Readonly<Record<string, string | number>>;
	/** Of an iteration's time. */
	readonly shareMax: number;
	/** Sums of an iteration with so many products of its own. */
	readonly sums: (products: number) => number;
}

/** Residual before and after, merit and |C|; the step after j others has j + 1 products, two norms and, at the most, j products of the last direction. */
const sumsOfGmres = (products: number): number => {
	const steps = Math.max(0, products - 2);
	return 4 + steps * (steps + 2);
};

const subjects: readonly Subject[] = [
	{ method: "pqn-diagonal", set: {}, shareMax: 0.1, sums: () => 1 },
	{ method: "pqn", set: { scaling: "none" }, shareMax: 0.25, sums: sumsOfGmres },
];

export type Row = {
	readonly method: string;
	readonly contacts: number;
	readonly iterationMicroseconds: number;
	readonly sumsPerIteration: number;
	readonly plainMicroseconds: number;
	readonly binnedMicroseconds: number;
	readonly share: number;
	readonly shareMax: number;
};

function sideOf({ dots }: { dots(): Float64Array }): Side {
	return (count) => {
		const start = process.hrtime.bigint();
		for (let i = 0; i < count; i += 1) dots();
		return Number(process.hrtime.bigint() - start) / count;
	};
}

/** Nanoseconds of one sum over the contacts, binned and plain, several at a time as solvers take them. */
async function sumTimes(
	contacts: number,
	together: number,
	rounds: number,
): Promise<{ binned: number; plain: number }> {
	const blocks = 8 * Math.ceil(contacts / 8);
	const binned = makeDots(blocks, together);
	const plain = await makePlainDots(blocks, together);
	const random = new Random(1);
	for (const { x, v } of [binned, plain]) {
		for (const values of [x, ...v]) for (let i = 0; i < values.length; i += 1) values[i] = random.between(-1, 1);
	}
	const [a, b] = await alternate([sideOf(binned), sideOf(plain)], rounds, WINDOW_MS);
	return { binned: a!.least / together, plain: b!.least / together };
}

async function measure(contacts: number, iterations: number, rounds: number): Promise<Row[]> {
	const problem = generate("spheres", { contacts, seed: 1 });
	const rows: Row[] = [];
	for (const { method, set, shareMax, sums } of subjects) {
		const run = (maxIterations: number): Report =>
			solve(problem, { method, set, maxIterations, tolerance: 1e-300, repeat: rounds }).report;
		const report = run(iterations);
		const iteration = (1e9 * report.seconds) / report.iterations;
		const perIteration = sums(report.products / report.iterations);
		const { binned, plain } = await sumTimes(problem.contacts, Math.min(6, Math.ceil(perIteration)), rounds);
		rows.push({
			method,
			contacts: problem.contacts,
			iterationMicroseconds: iteration / 1000,
			sumsPerIteration: perIteration,
			plainMicroseconds: (perIteration * plain) / 1000,
			binnedMicroseconds: (perIteration * binned) / 1000,
			share: (perIteration * (binned - plain)) / iteration,
			shareMax,
		});
	}
	return rows;
}

export const sums: Bench = {
	name: "sums",
	what: `what sums with the same bits cost, of an iteration at ${CONTACTS} contacts`,
	async run() {
		const rows = await measure(CONTACTS, ITERATIONS, ROUNDS);
		for (const row of rows) {
			const held = row.share <= row.shareMax ? "held" : "MISSED";
			const parts = [
				row.method.padEnd(14),
				`iteration ${row.iterationMicroseconds.toFixed(0)} us,`,
				`${row.sumsPerIteration.toFixed(1)} sums: ${row.binnedMicroseconds.toFixed(1)} us,`,
				`plainly ${row.plainMicroseconds.toFixed(1)} us;`,
				`the same bits cost ${(100 * row.share).toFixed(1)} %, at most ${100 * row.shareMax} %: ${held}`,
			];
			console.log(parts.join(" "));
		}
		const flat = rows.map((row) =>
			Object.fromEntries(
				Object.entries(row).map(([key, value]) => [
					key,
					typeof value === "number" ? Number(value.toPrecision(4)) : value,
				]),
			),
		);
		console.log(`recorded in ${recordCsv("sums", flat)}`);
		return rows.every(({ share, shareMax }) => share <= shareMax) ? 0 : 1;
	},
};
