/** A service with a fake session whose solves end on request, and the problem that its clients send. */
import { toArrays } from "@stickslip/client/protocol";
import { generate, type Problem, solve } from "@stickslip/core";
import { until } from "../src/testing/index.js";
import { PlayedSession } from "./played-session.js";
import { served } from "./served.js";

/** Large enough that two of them are all that one rank is given, and answered after one iteration. */
export const problem = generate("spheres", { contacts: 1000, seed: 3 });
export const { contacts } = problem;
export const arrays = toArrays(problem);
export const options = { maxIterations: 1 };
export const { reaction, velocity, report } = solve(problem, options);
export const { hash } = report;
export const hashOf = (changes: Partial<Problem>) => ({ hash: solve({ ...problem, ...changes }, options).report.hash });

export const solveHead = (id: string, more: object = {}) => ({ type: "solve", id, contacts, options, ...more });

export async function onPlayed(ranks = 1, changes: Parameters<typeof served>[1] = {}) {
	const sessions: PlayedSession[] = [];
	const open = async () => {
		sessions.push(new PlayedSession(ranks));
		return sessions.at(-1)!;
	};
	const service = await served(open, changes);
	/** So many are under way in the session at work. */
	const reach = (count: number) =>
		until(`${count} under way`, () => sessions.at(-1)!.plays.length === count).then(() => sessions.at(-1)!.plays);
	return { ...service, sessions, reach };
}
