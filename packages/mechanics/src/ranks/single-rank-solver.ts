/** Core's solve, on the rank that has everything. */
import { solveSteps } from "@stickslip/core/parallel";
import type { ContactSolver, SolverOptions, StepProblem, StepSolution } from "./contact-solver.js";

export class SingleRankSolver implements ContactSolver {
	*solve({ problem, start }: StepProblem, options: SolverOptions): Generator<void, StepSolution, void> {
		const warm = start && { start, worseStart: "drop" as const };
		const { reaction, report } = yield* solveSteps(problem, { ...options, ...warm });
		return { reaction, report: { ...report, error: report[report.measure] } };
	}
}
