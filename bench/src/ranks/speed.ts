/** Two ranks against one, of the same transport, in turn: the diagonal method on a pile of spheres. */
import { solveRanks } from "@stickslip/cluster-runner";
import { generate, type Report } from "@stickslip/core";
import { type RankPlacement, withLibrary } from "./hashes.js";

export interface Effort {
	readonly rounds: number;
	/** Iterations of a solve, and solves of which the fastest counts. */
	readonly iterations: number;
	readonly repeat: number;
}

export type SpeedRow = {
	readonly contacts: number;
	readonly way: string;
	/** Microseconds of an iteration: the least, on one rank and on two. */
	readonly one: number;
	readonly two: number;
	readonly speedup: number;
	/** Least and largest of the rounds. */
	readonly speedupLow: number;
	readonly speedupHigh: number;
	readonly target: number;
	readonly loadBalance: number;
	readonly serialisation: number;
	readonly transfer: number;
};

export async function speedOf(contacts: number, way: RankPlacement, target: number, effort: Effort): Promise<SpeedRow> {
	const problem = generate("spheres", { contacts, seed: 1 });
	const { rounds, iterations, repeat } = effort;
	const run = async (ranks: number): Promise<Report> => {
		const options = { method: "pqn-diagonal", maxIterations: iterations, tolerance: 1e-300, repeat, ranks };
		return (await withLibrary(way.library, () => solveRanks(problem, { ...options, transport: way.transport }))).report;
	};
	const ones: number[] = [];
	const twos: Report[] = [];
	for (let round = 0; round < rounds; round += 1) {
		ones.push((await run(1)).seconds);
		twos.push(await run(2));
	}
	const best = twos.reduce((least, report) => (report.seconds < least.seconds ? report : least));
	const one = Math.min(...ones);
	const ratios = ones.map((seconds, round) => seconds / twos[round]!.seconds);
	return {
		contacts: problem.contacts,
		way: way.name,
		one: (1e6 * one) / iterations,
		two: (1e6 * best.seconds) / iterations,
		speedup: one / best.seconds,
		speedupLow: Math.min(...ratios),
		speedupHigh: Math.max(...ratios),
		target,
		loadBalance: best.efficiency.loadBalance,
		serialisation: best.efficiency.serialisation,
		transfer: best.efficiency.transfer,
	};
}
