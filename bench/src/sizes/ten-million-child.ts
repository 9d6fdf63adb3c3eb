/** A process that makes a heap of spheres, cuts it, and has ranks solve it without forming W; one line of JSON is its answer. */
import { solveRanks } from "@stickslip/cluster-runner";
import { generate } from "@stickslip/core";

export interface Solved {
	readonly contacts: number;
	/** Of making the problem, of all until the answer (checks, cut, set-up of ranks and solve), and of the solve alone. */
	readonly secondsMade: number;
	readonly secondsAll: number;
	readonly seconds: number;
	readonly status: string;
	readonly iterations: number;
	readonly energy: number;
	/** Of all ranks: what the solver holds at its largest. */
	readonly rankBytes: number;
	/** The most that the process ever held, ranks included: they are its threads. */
	readonly peakBytes: number;
	readonly hash: string;
}

/** Plain sweeps, which hold least: 1e-2 takes no more. */
export async function solveOnce(contacts: number, ranks: number, iterations: number): Promise<Solved> {
	const began = performance.now();
	const problem = generate("spheres", { contacts, seed: 3 });
	const made = performance.now();
	const { report } = await solveRanks(problem, {
		ranks,
		transport: "threads",
		method: "gauss-seidel",
		tolerance: 1e-2,
		maxIterations: iterations,
		set: { window: 0, operator: "matrix-free" },
	});
	return {
		contacts: problem.contacts,
		secondsMade: (made - began) / 1000,
		secondsAll: (performance.now() - made) / 1000,
		seconds: report.seconds,
		status: report.status,
		iterations: report.iterations,
		energy: report.energy,
		rankBytes: report.perRank.reduce((sum, { peakMemory }) => sum + peakMemory, 0),
		peakBytes: 1024 * process.resourceUsage().maxRSS,
		hash: report.hash,
	};
}

const [contacts, ranks, iterations] = process.argv.slice(2).map(Number);
if (process.argv[1]?.endsWith("ten-million-child.js"))
	console.log(JSON.stringify(await solveOnce(contacts!, ranks!, iterations!)));
