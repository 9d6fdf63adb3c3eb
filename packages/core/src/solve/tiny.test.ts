/** A few contacts in one call: in every bit, count and word what the general way gives, which a given budget asks for; and what it leaves to that. */
import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import { generate } from "../generate/index.js";
import { assembleRigid } from "../problem/assemble-rigid.js";
import type { Problem } from "../problem/problem.js";
import { gallery } from "../testing/gallery.js";
import { randomProblem } from "../testing/random-problems.js";
import type { SolveOptions } from "./options.js";
import { checkSolve } from "./prepare.js";
import type { Solution } from "./report.js";
import { solve, solveAsync } from "./solve.js";
import { solveTiny } from "./tiny.js";

const outcomeOf = (problem: Problem, options: SolveOptions) =>
	solveTiny(checkSolve(problem, options), options, performance.now());

const asTiny = (problem: Problem, options: SolveOptions): Solution | undefined => {
	const outcome = outcomeOf(problem, options);
	return outcome && "solution" in outcome ? outcome.solution : undefined;
};

/** A budget of products is the general way's, and a large one changes nothing. */
const inGeneral = (problem: Problem, options: SolveOptions): Solution =>
	solve(problem, { ...options, set: { products: 1e9 } });

/** Everything but times and memory. */
function facts({ report, ...answer }: Solution) {
	const { seconds, secondsFirst, efficiency, perRank, ...rest } = report;
	const [{ phases, peakMemory, ...rank }] = perRank as [(typeof perRank)[0]];
	expect([seconds, secondsFirst, efficiency.parallel, phases.compute, peakMemory].every(Number.isFinite)).toBe(true);
	return { ...rest, rank, ...answer };
}

const small = (seed: number): Problem => {
	const contacts = 1 + (seed % 32);
	return randomProblem({ seed, contacts, density: [0.1, 0.3, 1][seed % 3]! });
};

/** More contacts than bits of an integer, pairs of rows with and without a neighbour, and both kinds of first checks. */
const larger = (seed: number): Problem => {
	const contacts = 33 + ((37 * seed) % 200);
	return randomProblem({ seed: 500 + seed, contacts, density: 4 / contacts });
};

const LARGER = 12;
const pilesOf = (seeds: readonly number[], step: number) =>
	seeds.flatMap((seed): [string, Problem][] => {
		const made = generate(seed % 2 === 0 ? "planks" : "spheres", { contacts: 3 + step * seed, seed });
		const { rigid, ...rest } = made;
		return [
			[`bodies, seed ${seed}`, made],
			[`W, seed ${seed}`, { ...rest, W: assembleRigid(rigid) }],
		];
	});
const piles = pilesOf([1, 2, 3, 4, 5, 6], 4);
const problems: [string, Problem][] = [
	...Array.from({ length: 96 }, (_, seed): [string, Problem] => [`random, seed ${seed}`, small(seed)]),
	...Array.from({ length: LARGER }, (_, seed): [string, Problem] => [`larger, seed ${seed}`, larger(seed)]),
	...piles,
	...pilesOf([1, 2, 3], 60),
	...gallery.filter(({ contacts }) => contacts <= 32).map((problem): [string, Problem] => [problem.name, problem]),
];

describe.each([
	["energy", 1e-6],
	["natural", 1e-8],
	["natural", 1e-3],
	["merit", 1e-12],
] as const)("%s %f", (measure, tolerance) => {
	test("the general way's answer, wherever it is solved in a few sweeps", () => {
		let [tinies, handedOut] = [0, 0];
		for (const [name, problem] of problems) {
			const options = { measure, tolerance };
			const general = inGeneral(problem, options);
			const outcome = outcomeOf(problem, options);
			if (outcome === undefined) continue;
			if ("state" in outcome) {
				// The general way goes on from where the kernel was, as if it had come there itself.
				handedOut += 1;
				for (const set of [{}, { engine: "twin" }]) {
					expect(facts(solve(problem, { ...options, set })), name).toEqual(facts(general));
				}
				continue;
			}
			tinies += 1;
			expect(facts(outcome.solution), name).toEqual(facts(general));
			const twin = asTiny(problem, { ...options, set: { engine: "twin" } });
			expect(twin && facts(twin), name).toEqual(facts(general));
		}
		console.log(`${measure} ${tolerance}: ${tinies} of ${problems.length} in one call, ${handedOut} handed out`);
		expect(tinies).toBeGreaterThan(problems.length / 2);
		expect(handedOut).toBeGreaterThan(measure === "natural" && tolerance === 1e-3 ? -1 : 0);
	});
});

test("one hash, whatever the engine, the driver and the number of repetitions, in this way and in the other", async () => {
	for (const [name, problem] of problems.slice(0, 40)) {
		const options = { measure: "natural", tolerance: 1e-7, maxIterations: 200 } as const;
		const { hash, iterations } = solve(problem, options).report;
		const others = [
			solve(problem, { ...options, set: { engine: "twin" } }),
			solve(problem, { ...options, set: { engine: "twin", products: 1e9 } }),
			solve(problem, { ...options, repeat: 5 }),
			await solveAsync(problem, options),
			solve(problem, { ...options, set: { operator: "assembled" } }),
		];
		for (const { report } of others) expect([report.hash, report.iterations], name).toEqual([hash, iterations]);
	}
});

test("any units: the same course", () => {
	const random = new Random(5);
	for (const [name, problem] of piles) {
		if (problem.W === undefined) continue;
		const scale = 10 ** random.between(-9, 9);
		const scaled = { ...problem, q: problem.q.map((value) => scale * value) };
		const options = { tolerance: 1e-7 };
		const general = inGeneral(scaled, options);
		const tiny = asTiny(scaled, options);
		if (tiny !== undefined) expect(facts(tiny), name).toEqual(facts(general));
	}
});

test("what asks for more than an answer is the general way's, and so is what it alone can tell", () => {
	const problem = small(5);
	const never: SolveOptions[] = [
		{ method: "pqn" },
		{ history: true },
		{ start: new Float64Array(3 * problem.contacts) },
		{ maxIterations: 3 },
		{ timeLimit: 0 },
		{ signal: AbortSignal.abort() },
		{ keep: { request: 0, save: () => {} } },
		{ tolerance: 0 },
		...[{ order: "file" }, { seed: 2 }, { tile: 4 }, { products: 5 }].map((set) => ({ set })),
	];
	expect(asTiny(problem, {})).toBeDefined();
	for (const options of never) expect(asTiny(problem, options), JSON.stringify(options)).toBeUndefined();
	// A direction that hardly gives way, and rows that do not ascend.
	const alone: Problem = {
		name: "flat",
		contacts: 1,
		W: {
			rows: 1,
			rowStart: Int32Array.of(0, 1),
			column: Int32Array.of(0),
			values: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1e-14),
		},
		q: Float64Array.of(-1, 0, 0),
		mu: Float64Array.of(0.5),
	};
	expect(asTiny(alone, {})).toBeUndefined();
	const clear = { ...alone, W: { ...alone.W!, values: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1) } };
	expect(asTiny(clear, {})).toBeDefined();
	const block = [2, 0, 0, 0, 2, 0, 0, 0, 2];
	const pair: Problem = {
		name: "turned",
		contacts: 2,
		W: {
			rows: 2,
			rowStart: Int32Array.of(0, 2, 3),
			column: Int32Array.of(1, 0, 1),
			values: Float64Array.of(...block.map((value) => value / 4), ...block, ...block),
		},
		q: Float64Array.of(-1, 0.2, 0, -1, 0, 0.3),
		mu: Float64Array.of(0.5, 0.5),
	};
	expect(asTiny(pair, {})).toBeUndefined();
	expect(solve(pair).report.status).toBe("solved");
});

test("what is wrong with it is told in the same words, whoever looks first", () => {
	const problem = larger(1);
	const { W, q, mu } = problem as Problem & { W: NonNullable<Problem["W"]> };
	const with1 = <List extends Float64Array | Int32Array>(list: List, at: number, value: number): List => {
		const changed = list.slice() as List;
		changed[at] = value;
		return changed;
	};
	const wrong: Problem[] = [
		{ ...problem, q: with1(q, 7, Number.NaN) },
		{ ...problem, q: q.subarray(1) },
		{ ...problem, mu: with1(mu, 3, -0.1) },
		{ ...problem, mu: with1(mu, 3, Number.POSITIVE_INFINITY) },
		{ ...problem, W: { ...W, values: with1(W.values, 20, Number.NaN) } },
		{ ...problem, W: { ...W, values: with1(W.values, 0, -1) } },
		{ ...problem, W: { ...W, values: W.values.subarray(9) } },
		{ ...problem, W: { ...W, column: with1(W.column, 5, problem.contacts) } },
		{ ...problem, W: { ...W, column: with1(W.column, 5, -1) } },
		{ ...problem, W: { ...W, column: with1(W.column, 1, W.column[0]!) } },
		{ ...problem, W: { ...W, rowStart: with1(W.rowStart, 4, 2 ** 30) } },
		{ ...problem, W: { ...W, rowStart: with1(W.rowStart, 0, 1) } },
		{ ...problem, W: { ...W, rowStart: with1(W.rowStart, problem.contacts, 2 ** 30) } },
		{ ...problem, W: { ...W, rowStart: with1(W.rowStart, problem.contacts, -3) } },
		{ ...problem, W: { ...W, rows: 3 } },
	];
	const messageOf = (given: Problem, options: SolveOptions): string => {
		try {
			solve(given, options);
		} catch (error) {
			return (error as Error).message;
		}
		return "solved";
	};
	for (const [index, given] of wrong.entries()) {
		const message = messageOf(given, { set: { products: 1e9 }, method: "auto", history: true });
		expect(message, `case ${index}`).not.toBe("solved");
		expect(messageOf(given, {}), `case ${index}`).toBe(message);
	}
});
