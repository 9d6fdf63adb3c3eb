/** How time and products grow with the number of contacts: y = c n^p, and what p may be. */
import type { Motion, PileName } from "./piles.js";

export interface Row {
	readonly pile: PileName;
	readonly motion: Motion;
	/** As asked for: what `generate` makes is near it. */
	readonly contacts: number;
	readonly seed: number;
	readonly method: string;
	readonly tolerance: number;
	readonly status: string;
	readonly iterations: number;
	readonly products: number;
	readonly seconds: number;
	/** Of a solve with its set-up, all threads of the process together: what others do on the machine hardly counts. */
	readonly processor: number;
	readonly energy: number;
}

/** What a pile is to reach: the exponent of processor time to 1e-3, the tightest tolerance that all are solved to, and sweeps to 1e-3 by size. */
interface Target {
	readonly pile: PileName;
	readonly motion: Motion;
	readonly exponentMax?: number;
	readonly tolerance: number;
	/** Most contacts that the tolerance is asked of. */
	readonly contactsMax: number;
	readonly sweepsMax?: Readonly<Record<number, number>>;
}

export const TARGETS: readonly Target[] = [
	{ pile: "planks", motion: "moving", exponentMax: 1.3, tolerance: 1e-6, contactsMax: 1_000_000 },
	{ pile: "layered spheres", motion: "moving", exponentMax: 1.3, tolerance: 1e-4, contactsMax: 100_000 },
	{
		pile: "spheres",
		motion: "moving",
		exponentMax: 1.5,
		tolerance: 1e-3,
		contactsMax: 100_000,
		sweepsMax: { 10000: 600, 100000: 1000 },
	},
	{ pile: "planks", motion: "settled", tolerance: 1e-3, contactsMax: 10_000 },
	{ pile: "layered spheres", motion: "settled", tolerance: 1e-3, contactsMax: 10_000 },
	{ pile: "spheres", motion: "settled", tolerance: 1e-3, contactsMax: 10_000 },
	{ pile: "spheres", motion: "last step", tolerance: 1e-3, contactsMax: 1_000_000 },
];

/** The least-squares slope of log y over log n; undefined of fewer than two sizes. */
export function exponent(points: readonly (readonly [n: number, y: number])[]): number | undefined {
	if (new Set(points.map(([n]) => n)).size < 2) return undefined;
	const logs = points.map(([n, y]) => [Math.log(n), Math.log(y)] as const);
	const mean = (of: (log: readonly [number, number]) => number) =>
		logs.reduce((sum, log) => sum + of(log), 0) / logs.length;
	const [x, y] = [mean((log) => log[0]), mean((log) => log[1])];
	return mean(([a, b]) => (a - x) * (b - y)) / mean(([a]) => (a - x) ** 2);
}

interface Growth {
	readonly processor: number | undefined;
	readonly products: number | undefined;
}

/** Of the solved ones. */
export function growthOf(rows: readonly Row[]): Growth {
	const solved = rows.filter(({ status }) => status === "solved");
	return {
		processor: exponent(solved.map(({ contacts, processor }) => [contacts, processor])),
		products: exponent(solved.map(({ contacts, products }) => [contacts, products])),
	};
}

/** One sentence for each way in which rows miss a target; none where they hold it, or where nothing of it was measured. */
export function missed(target: Target, rows: readonly Row[]): string[] {
	const own = rows.filter(({ pile, motion }) => pile === target.pile && motion === target.motion);
	const name = `${target.pile}, ${target.motion}`;
	const to3 = own.filter(({ tolerance }) => tolerance === 1e-3);
	const sentences: string[] = [];
	const { processor } = growthOf(to3);
	if (target.exponentMax !== undefined && processor !== undefined && processor > target.exponentMax)
		sentences.push(
			`${name}: processor time to 1e-3 grows with exponent ${processor.toFixed(2)}, above ${target.exponentMax}`,
		);
	const most = own.filter((row) => row.tolerance === target.tolerance && row.contacts <= target.contactsMax);
	const unsolved = most.filter(({ status }) => status !== "solved");
	if (unsolved.length > 0)
		sentences.push(`${name}: ${unsolved.length} of ${most.length} not solved to ${target.tolerance.toExponential(0)}`);
	for (const { contacts, seed, products } of to3) {
		const sweepsMax = target.sweepsMax?.[contacts];
		if (sweepsMax !== undefined && products > sweepsMax)
			sentences.push(`${name}: ${products} sweeps to 1e-3 at ${contacts} contacts, seed ${seed}, above ${sweepsMax}`);
	}
	return sentences;
}
