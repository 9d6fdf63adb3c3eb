/** What the comparison is about: the problems of data/, and those that the bench makes itself. */
import { dataFiles } from "../data.js";
import { generatedProblems, JUDGING_SEED, type NamedProblem, sceneProblems } from "../problem-sets.js";
import { blocksOf, readBlocks } from "./core.js";
import type { BlockProblem } from "./score.js";

export const PROBLEM_SETS = ["data", "generated", "scenes"] as const;
export type ProblemSet = (typeof PROBLEM_SETS)[number];

export interface ComparedProblem {
	readonly set: ProblemSet;
	readonly name: string;
	/** By its W, or why Siconos' local solvers cannot be given it. */
	read(): Promise<BlockProblem | { readonly unfit: string }>;
}

const FOLDERS = ["fclib", "drum", "cubes", "generated"];

/** `data` is the folder of the shared problems; without one there are none of them. */
export function subjectsOf(sets: readonly ProblemSet[], data: string | undefined): ComparedProblem[] {
	const made = (set: ProblemSet, problems: readonly NamedProblem[]): ComparedProblem[] =>
		problems.map(({ name, problem }) => ({ set, name, read: async () => blocksOf(problem()) }));
	return sets.flatMap((set): ComparedProblem[] => {
		if (set === "generated") return made(set, generatedProblems(JUDGING_SEED));
		if (set === "scenes") return made(set, sceneProblems(JUDGING_SEED));
		const files = data === undefined ? [] : dataFiles(data, FOLDERS);
		return files.map(({ name, path }) => ({ set, name, read: () => readBlocks(path) }));
	});
}
