/** One problem, both sides: the best of Siconos is searched for, then it and ours share the same core. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { readVector } from "./binary.js";
import type { Solver } from "./core.js";
import { type Attempt, attempts, type Limits, pinned } from "./installed.js";
import { type BlockProblem, type Score, score } from "./score.js";

/** A side's best answer at one tolerance; `solved` is our judgement of it, not its own. */
export interface Result {
	readonly solved: boolean;
	readonly seconds: number;
	/** The first solve in a new process. */
	readonly secondsFirst: number;
	/** Ours: the whole call, warm, with checks, set-up and the measures at the end. */
	readonly secondsWhole?: number;
	/** The method or configuration. */
	readonly by: string;
	readonly score: Score;
}

/** The best of Siconos at one tolerance, and what all its configurations did. */
export interface Search {
	readonly best?: Result;
	readonly attempts: readonly Attempt[];
}

export async function searchSiconos(
	program: string,
	problem: BlockProblem,
	file: string,
	folder: string,
	tolerances: readonly number[],
	limits: Limits,
): Promise<Search[]> {
	const all = await attempts(program, file, folder, tolerances, limits);
	return tolerances.map((tolerance) => {
		const mine = all.filter((attempt) => attempt.tolerance === tolerance);
		const judged = mine.map((attempt) => judge(problem, attempt)).filter((result) => result?.solved);
		const best = judged.reduce(
			(a, b) => (a !== undefined && b !== undefined && a.seconds <= b.seconds ? a : b),
			undefined,
		);
		return best === undefined ? { attempts: mine } : { attempts: mine, best };
	});
}

function judge(problem: BlockProblem, attempt: Attempt): Result | undefined {
	if (attempt.outcome !== "solved" || attempt.file === undefined) return undefined;
	const marks = score(problem, readVector(attempt.file));
	return {
		solved: marks.natural <= attempt.tolerance,
		seconds: attempt.seconds ?? Number.POSITIVE_INFINITY,
		secondsFirst: attempt.secondsFirst ?? Number.POSITIVE_INFINITY,
		by: attempt.config,
		score: marks,
	};
}

/** Our side as a process of its own, pinned like the other; windows of repeated solves on demand. */
export class Ours {
	readonly #problem: BlockProblem;
	readonly #tolerance: number;
	readonly #answer: string;
	readonly #child: ChildProcessByStdio<Writable, Readable, null>;
	readonly #lines: AsyncIterator<string>;
	readonly #reader: Interface;

	constructor(
		problem: BlockProblem,
		file: string,
		folder: string,
		tolerance: number,
		limitSeconds: number,
		solver: Solver = {},
	) {
		this.#problem = problem;
		this.#tolerance = tolerance;
		this.#answer = join(folder, `ours_${tolerance}.f64`);
		const script = fileURLToPath(new URL("./ours.js", import.meta.url));
		const words = [file, this.#answer, `${tolerance}`, `${limitSeconds}`, JSON.stringify(solver)];
		const [command, given] = pinned([process.execPath, script, ...words]);
		this.#child = spawn(command, given, { stdio: ["pipe", "pipe", "inherit"] });
		this.#reader = createInterface(this.#child.stdout);
		this.#lines = this.#reader[Symbol.asyncIterator]();
	}

	async window(budgetSeconds: number): Promise<Result> {
		this.#child.stdin.write(`${budgetSeconds}\n`);
		const { value, done } = await this.#lines.next();
		if (done === true) throw new Error("our own side ended without an answer; its error is above");
		const { method, ...times } = JSON.parse(value) as Record<"method", string> &
			Record<"seconds" | "secondsFirst" | "secondsWhole", number>;
		const marks = score(this.#problem, readVector(this.#answer));
		return { solved: marks.natural <= this.#tolerance, ...times, by: method, score: marks };
	}

	end(): void {
		this.#child.stdin.end();
		this.#reader.close();
	}
}

/** Two windows of the same side and the same answer: the least of each time. */
export function faster(a: Result, b: Result | undefined): Result {
	if (b === undefined) return a;
	const whole = Math.min(a.secondsWhole ?? Number.POSITIVE_INFINITY, b.secondsWhole ?? Number.POSITIVE_INFINITY);
	return { ...a, seconds: Math.min(a.seconds, b.seconds), ...(Number.isFinite(whole) && { secondsWhole: whole }) };
}
