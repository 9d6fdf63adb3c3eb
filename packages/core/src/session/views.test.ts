/** Whose the arrays of an answer are, and that a session that solves for ever needs no more memory than at first. */
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import type { Problem } from "../problem/problem.js";
import type { SolveOptions } from "../solve/options.js";
import { solve } from "../solve/solve.js";
import { pile } from "../testing/gallery.js";
import { sampleProblem } from "../testing/samples.js";
import { openSession } from "./open.js";

const { rigid, W, ...facts } = pile("spheres", 150);
const rows: Problem = { ...facts, W: W! };
const bodies: Problem = { ...facts, rigid: rigid! };
const forms: [string, Problem, SolveOptions][] = [
	["W", rows, {}],
	["bodies", bodies, { set: { operator: "matrix-free" } }],
];
const louder = ({ q }: Problem) => q.map((value) => 2 * value);

describe.each(forms)("%s", (_, problem, options) => {
	test("a view is overwritten by the next view of its pattern, an answer of one's own is not", async () => {
		const session = await openSession();
		const pattern = await session.prepare(problem, options);
		const { q } = problem;
		const own = await pattern.solve({ q });
		const view = await pattern.solve({ q }, { results: "view" });
		expect([view.reaction, view.velocity]).toEqual([own.reaction, own.velocity]);
		expect(view.report.hash).toBe(own.report.hash);
		const [reaction, velocity] = [own.reaction.slice(), own.velocity.slice()];
		const next = await pattern.solve({ q: louder(problem) }, { results: "view" });
		expect([next.reaction, next.velocity]).toEqual([view.reaction, view.velocity]);
		expect(next.reaction.buffer).toBe(view.reaction.buffer);
		expect(next.report.hash).toBe(solve({ ...problem, q: louder(problem) }, options).report.hash);
		expect([own.reaction, own.velocity]).toEqual([reaction, velocity]);
		const other = await session.prepare(problem, options);
		const apart = await other.solve({ q }, { results: "view" });
		expect(apart.reaction.buffer).not.toBe(next.reaction.buffer);
	});

	test("memory is flat over a thousand solves, with keys and without", async () => {
		const collect = runInNewContext("gc") as () => void;
		const used = () => {
			collect();
			collect();
			const { heapUsed, arrayBuffers } = process.memoryUsage();
			return heapUsed + arrayBuffers;
		};
		const session = await openSession();
		const pattern = await session.prepare(problem, { ...options, maxIterations: 2 });
		const keys = Float64Array.from({ length: problem.contacts }, (_, a) => a);
		const solves = async (count: number) => {
			for (let i = 0; i < count; i += 1) {
				await pattern.solve({ q: problem.q }, { results: "view" });
				await pattern.solve({ q: problem.q, mu: problem.mu }, { keys, deadline: 10 });
			}
		};
		await solves(200);
		const before = used();
		await solves(500);
		// A single number per contact and solve would be 1.2 megabytes; code that is compiled meanwhile is half of one.
		expect(used() - before).toBeLessThan(2 ** 20);
	});
});

test("where the pattern is not known beforehand a view is an answer of one's own", async () => {
	const problem = sampleProblem({ seed: 3, contacts: 11, bodies: 4, equalityRows: 2 });
	const session = await openSession();
	const pattern = await session.prepare(problem);
	const view = await pattern.solve({ q: problem.q }, { results: "view" });
	expect(view.report.hash).toBe(solve(problem).report.hash);
	expect(view.multiplier).toEqual(solve(problem).multiplier);
});
