/** Problems in parts through sessions: limits, signals and progress as in any solve, and other problems may be solved at the same time. */
import { assembleRigid, generate, type Problem, type Session, solve } from "@stickslip/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { splitProblem } from "../testing/split-problem.js";
import { openSession } from "./open-session.js";

const { rigid, W: _W, global: _global, ...pile } = generate("spheres", { contacts: 400, seed: 9 });
const whole: Problem = { ...pile, W: assembleRigid(rigid!) };
const parts = splitProblem(whole, (id) => id % 3, 3, "W");
/** No tolerance is ever reached. */
const endless = { method: "pqn-diagonal", tolerance: 1e-300, maxIterations: 1e9 };

describe.each([
	["one thread", 1, undefined],
	["threads", 2, "threads"],
	["zeromq", 2, "zeromq"],
] as const)("%s", (_name, ranks, transport) => {
	let session: Session;
	beforeAll(async () => {
		session = await openSession({ ranks, ...(transport && { transport }) });
	});
	afterAll(() => session.close());

	it("beside other problems, one group beside another", async () => {
		const groups = [session.collectParts!(3), session.collectParts!(3)];
		const others = Array.from({ length: 6 }, () => session.solve(whole));
		await Promise.all(groups.flatMap((group) => parts.map((part, index) => group.add(index, part))));
		const solved = await Promise.all([...groups.map((group) => group.solve()), ...others, session.solveParts!(parts)]);
		const { hash } = solve(whole).report;
		expect(solved.map(({ report }) => report.hash)).toEqual(solved.map(() => hash));
	});

	it("a signal, a deadline and a limit end it with its best iterate, and progress is told", async () => {
		const controller = new AbortController();
		const told: number[] = [];
		const cancelled = await session.solveParts!(parts, {
			...endless,
			signal: controller.signal,
			onProgress: ({ iterations }) => {
				told.push(iterations);
				controller.abort();
			},
		});
		expect(cancelled.report.status).toBe("cancelled");
		expect(told.length).toBeGreaterThan(0);
		expect(cancelled.parts.map(({ reaction }) => reaction.length)).toEqual(parts.map(({ ids }) => 3 * ids.length));
		expect((await session.solveParts!(parts, { ...endless, deadline: 3 })).report.status).toBe("time-limit");
		expect((await session.solveParts!(parts, { ...endless, timeLimit: 0.1 })).report.status).toBe("time-limit");
		expect((await session.solveParts!(parts, { ...endless, signal: AbortSignal.abort() })).report.status).toBe(
			"cancelled",
		);
		expect((await session.solveParts!(parts, { maxIterations: 3 })).report).toMatchObject({
			status: "iteration-limit",
			hash: solve(whole, { maxIterations: 3 }).report.hash,
		});
	});
});
