/** Writes contact problems of a simulation as FCLIB files, each with its start as a guess: on one rank, which has them whole. */
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { assembleRigid, InputError, type Problem } from "@stickslip/core";
import { infoText, writeFclib } from "@stickslip/core/fclib";
import {
	type AppendModule,
	type ContactSolver,
	type FailedSolve,
	type StepProblem,
	type StepSolution,
	TileSolver,
} from "@stickslip/mechanics";
import { codeOrText } from "../base/errors.js";
import { temporaryName } from "../files/unfinished.js";
import type { FilesTask } from "./simulation-files.js";

const DIGITS = 7;
/** Of one run: what fails a hundred times fails again. */
const FAILURES_MAX = 100;

/** The usual solver, whose problems are looked at. */
export function dumpingSolver(
	{ which, folder, iterations }: NonNullable<FilesTask["dump"]>,
	module: AppendModule,
): ContactSolver {
	const solver = new TileSolver();
	let solves = 0;
	makeFolder(folder);
	return {
		*solve(step, options, domain): Generator<void, StepSolution, void> {
			if (domain.communicator.size > 1) {
				throw new InputError("simulate", "--dump-problems", "needs one rank", "leave out --ranks, or give 1");
			}
			const solution = yield* solver.solve(step, options, domain);
			const { report } = solution;
			solves += 1;
			const isHard = report.status !== "solved" || report.iterations > iterations;
			if (which === "every" || isHard) write(module, folder, solves, step, report);
			return solution;
		},
	};
}

function makeFolder(folder: string): void {
	try {
		mkdirSync(folder, { recursive: true });
	} catch (error) {
		throw new InputError(folder, "folder", `cannot be made (${codeOrText(error)})`, "choose another one");
	}
}

/** Who is told of solves that fail, and keeps their problems. */
export function failureKeeper(folder: string, module: AppendModule): (failed: FailedSolve) => void {
	let kept = 0;
	makeFolder(folder);
	return ({ step, problem, start, report }) => {
		if (kept >= FAILURES_MAX) return;
		kept += 1;
		write(module, folder, step, { problem, start }, report);
	};
}

function write(
	module: AppendModule,
	folder: string,
	number: number,
	{ problem, start }: Pick<StepProblem, "problem" | "start">,
	{ status, iterations }: StepSolution["report"],
): void {
	const name = `${problem.name.replaceAll(/[^\w.-]+/g, "-")}-${String(number).padStart(DIGITS, "0")}`;
	const path = freePath(join(folder, name));
	const temporary = temporaryName(path);
	const description = infoText(`of stickslip simulate, number ${number}: ${status} after ${iterations} iterations`);
	const { rigid, ...rest } = problem;
	const W = rigid === undefined ? problem.W : assembleRigid(rigid);
	const guesses = start === undefined ? [] : [{ r: start }];
	const whole: Problem = { ...rest, ...(W && { W }), guesses };
	writeFclib(module, temporary, whole, { form: "local", info: { title: infoText(problem.name), description } });
	renameSync(temporary, path);
}

/** A step may fail more than once. */
function freePath(path: string): string {
	for (let attempt = 1; ; attempt += 1) {
		const name = `${path}${attempt === 1 ? "" : `-${attempt}`}.hdf5`;
		if (!existsSync(name)) return name;
	}
}
