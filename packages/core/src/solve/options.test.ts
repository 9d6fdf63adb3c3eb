/** Options are checked once, at the border: what is wrong is named, with a remedy; what is right is taken. */
import { describe, expect, test } from "vitest";
import { InputError } from "../base/errors.js";
import { methods } from "../methods/list.js";
import type { Problem } from "../problem/problem.js";
import { BOUNDS } from "../testing/methods.js";
import { randomProblem } from "../testing/random-problems.js";
import { refusal as refused } from "../testing/refusal.js";
import { sampleProblem } from "../testing/samples.js";
import type { SolveOptions } from "./options.js";
import { prepareSolver } from "./prepared.js";
import { solve, solveAsync, solveSteps } from "./solve.js";

const problem = randomProblem({ seed: 1, contacts: 5 });

function refusal(options: SolveOptions, given: Problem = problem): InputError {
	try {
		solve(given, options);
	} catch (error) {
		if (error instanceof InputError) return error;
		throw error;
	}
	throw new Error("was accepted");
}

/** Text where a type asks for something else, as a caller without types has it. */
const untyped = (options: unknown): SolveOptions => options as SolveOptions;

describe("refused, with the place and a remedy", () => {
	test.each([
		[{ method: "bisection" }, "method", /auto, pqn/],
		[{ measure: "energie" }, "measure", /energy, natural, merit/],
		[{ tolerance: -1 }, "tolerance", /at least 0/],
		[{ tolerance: Number.NaN }, "tolerance", /at least 0/],
		[{ maxIterations: -1 }, "maxIterations", /at least 0/],
		[{ maxIterations: Number.NaN }, "maxIterations", /at least 0/],
		[{ maxIterations: 2.5 }, "maxIterations", /2\.5 is not a count; give an integer/],
		[{ start: "guess" }, "guesses", /start from zero/],
		[{ start: "random" }, "start", /zero, guess/],
		[{ start: new Float64Array(3) }, "start", /15 numbers/],
		[{ start: new Float64Array(15).fill(Number.NaN) }, "start", /finite/],
		[{ set: { delta: 0.1 } }, "delta", /is not an option of auto/],
		[{ method: "pqn", set: { Delta: 0.1 } }, "Delta", /use one of/],
		[{ method: "pqn", set: { delta: -1 } }, "delta", /≥ 0/],
		[{ method: "pqn", set: { m: 2.5 } }, "m", /integer/],
		[{ method: "pqn", set: { m: 0 } }, "m", /integer/],
		[{ method: "pqn", set: { epsilon: "much" } }, "epsilon", /≥ 0/],
		[{ method: "pqn", set: { deltaRelativeTo: "median" } }, "deltaRelativeTo", /none \| min \| mean \| max/],
		[{ method: "pqn", set: { increment: "half" } }, "increment", /zero \| last \| by-scaling/],
		[{ method: "pqn", set: { patience: 0 } }, "patience", /integer 1 to/],
		[{ method: "pqn", set: { scaling: "all" } }, "scaling", /contact \| none/],
		[{ method: "pqn-diagonal", set: { theta: 0 } }, "theta", /give/],
		[{ method: "gauss-seidel", set: { relax: 2 } }, "relax", /give/],
		[{ method: "gauss-seidel", set: { window: 51 } }, "window", /0 to 50/],
		[{ method: "proximal-gauss-seidel", set: { alpha: 0 } }, "alpha", /between 0 and 1/],
		[{ method: "proximal-gauss-seidel", set: { rho: 1 } }, "rho", /between 0 and 1/],
		[{ method: "proximal-gauss-seidel", set: { sweeps: 1 } }, "sweeps", /integer 2 to/],
		[{ method: "proximal-gauss-seidel", set: { patience: -1 } }, "patience", /integer 0 to/],
		[{ method: "gauss-seidel", set: { order: "random" } }, "order", /coloured \| shuffled \| file/],
		[{ method: "gauss-seidel", set: { seed: -1 } }, "seed", /integer/],
		[{ method: "pqn", set: { scaling: "none", products: 100 } }, "products", /scaling=none/],
		[{ method: "pqn", set: { scaling: "none", patience: 20 } }, "patience", /scaling=none/],
		[{ method: "pqn", set: { scaling: "none", preconditioner: "triangle" } }, "preconditioner", /scaling=none/],
		[{ method: "pqn", set: { deltaRelativeTo: "max" } }, "deltaRelativeTo", /give delta a number/],
		[{ set: { order: "file", seed: 2 } }, "seed", /order=file/],
		[{ set: { engine: "gpu" } }, "engine", /wasm \| twin/],
		[{ set: { operator: "sparse" } }, "operator", /assembled/],
		[{ timeLimit: Number.NaN }, "timeLimit", /give/],
		[{ timeLimit: -1 }, "timeLimit", /give/],
		[{ repeat: 0 }, "repeat", /give/],
		[{ repeat: 1.5 }, "repeat", /give/],
		[{ tolerence: 1e-3 }, "tolerence", /use one of method, .*repeat, .*keep; those of a method go in set$/],
		[{ tolerance: new Float64Array(9) }, "tolerance", /^options: tolerance: a Float64Array is not at least 0/],
	] as [unknown, string, RegExp][])("%j", (options, place, text) => {
		const error = refusal(untyped(options));
		expect(error.place).toBe(place);
		expect(error.message).toMatch(text);
		expect(error.message).not.toContain("\n");
	});

	test.each([
		["NaN in q", { ...problem, q: problem.q.map((value, i) => (i === 4 ? Number.NaN : value)) }, /q\[4\]/],
		["an infinite W", { ...problem, W: { ...problem.W!, values: problem.W!.values.map(() => Infinity) } }, /W/],
		["mu < 0", { ...problem, mu: problem.mu.map(() => -0.1) }, /mu/],
		["no contacts", { ...problem, contacts: 0 }, /contacts/],
		["no W at all", { name: "nothing", contacts: 5, q: problem.q, mu: problem.mu }, /W/],
		["a guess that is too short", { ...problem, guesses: [{ r: new Float64Array(2) }] }, /guesses\[0\]/],
	] as [string, Problem, RegExp][])("%s", (_, given, place) => {
		expect(refusal({}, given).place).toMatch(place);
	});

	test.each<[unknown, string]>([
		[new Float32Array(15), "options: start: a Float32Array is not a start value; give zero, guess or a Float64Array"],
		[Array.from({ length: 15 }, () => 1.5), "options: start: an array is not a start value"],
		[{ r: problem.q }, "options: start: an object is not a start value"],
		[null, "options: start: null is not a start value"],
		["x".repeat(1000), "options: start: a long text is not a start value"],
	])("a start of a wrong type is told by its kind: case %#", (start, text) => {
		expect(refusal(untyped({ start })).message).toContain(text);
	});

	test.each([
		[null, "null"],
		[5, "5"],
		["pqn", "pqn"],
	])("options that are %s", async (options, kind) => {
		const text = `options: options: is ${kind}; give an object, or leave it out`;
		const given = untyped(options);
		expect(refusal(given).message).toBe(text);
		const work = [() => solveAsync(problem, given), async () => prepareSolver(problem, given)];
		for (const one of work) expect((await refused(one())).message).toBe(text);
		expect(() => solveSteps(problem, given).next()).toThrow(text);
	});

	test("a problem that is none, by a prepared solver, by its field", () => {
		const prepared = prepareSolver(problem);
		for (const [change, text] of [
			[{ W: null }, /pattern: is not the one/],
			[{ W: { ...problem.W!, rowStart: null } }, /W\.rowStart: is not an Int32Array/],
			[{ W: { ...problem.W!, column: [...problem.W!.column] } }, /W\.column: is not an Int32Array/],
			[{ rigid: {} }, /rigid\.inverseMass: is missing/],
		] as const) {
			expect(() => prepared.solve({ ...problem, ...change } as unknown as Problem)).toThrow(text);
		}
	});

	test("a triangle of an operator that is never formed", () => {
		const global = sampleProblem({ seed: 1, contacts: 6, bodies: 3 });
		const options = { method: "pqn", set: { operator: "global", preconditioner: "triangle" } };
		const error = refusal(options, global);
		expect(error.place).toBe("preconditioner");
		expect(error.message).toMatch(/operator=assembled/);
	});

	test("sweeps over an operator that is never formed", () => {
		const global = sampleProblem({ seed: 1, contacts: 6, bodies: 3 });
		for (const method of ["gauss-seidel", "proximal-gauss-seidel"]) {
			expect(refusal({ method, set: { operator: "global" } }, global).message).toMatch(/pqn/);
		}
	});
});

describe("taken", () => {
	test("numbers as text, as a command line has them", () => {
		const { report } = solve(problem, { method: "pqn", set: { m: "30", epsilon: "1e-2", delta: "0.001" } });
		expect(report.status).toBe("solved");
	});

	test.each([
		{ scaling: "none", preconditioner: "diagonal" },
		{ scaling: "none", deltaRelativeTo: "max" },
		{ delta: 0.01, deltaRelativeTo: "max" },
		{ preconditioner: "triangle" },
	])("what has an effect beside the others: %j", (set) => {
		expect(solve(problem, { method: "pqn", tolerance: 1e-3, set }).report.status).toBe("solved");
	});

	test("where GMRES starts, in either scaling", () => {
		const hash = (set: NonNullable<SolveOptions["set"]>) =>
			solve(problem, { method: "pqn", tolerance: 0, maxIterations: 6, set: { m: 2, ...set } }).report.hash;
		expect(hash({ increment: "zero" })).toBe(hash({}));
		expect(hash({ increment: "last" })).not.toBe(hash({}));
		expect(hash({ scaling: "none", increment: "last" })).toBe(hash({ scaling: "none" }));
		expect(hash({ scaling: "none", increment: "zero" })).not.toBe(hash({ scaling: "none" }));
	});

	test("patience: when quasi-Newton gives way to sweeps", () => {
		// Without inner iterations worth the name and with a large delta the error falls by a few percent at a time.
		const slow = { m: 1, delta: 30 };
		const remedies = (patience: number) =>
			solve(problem, { method: "pqn", tolerance: 0, maxIterations: 20, set: { ...slow, patience } }).report.remedies;
		expect(remedies(2)[0]).toMatch(/proximal-gauss-seidel/);
		expect(remedies(1000)).toEqual([]);
	});

	test("auto's budget, also where W is not formed", () => {
		const global = sampleProblem({ seed: 1, contacts: 6, bodies: 3 });
		const { report } = solve(global, { tolerance: 0, set: { operator: "global", products: 50 } });
		expect(report.status).toBe("stalled");
		expect(report.products).toBeLessThan(50 + 250);
	});

	test("as many iterations as it takes", () => {
		expect(solve(problem, { maxIterations: Number.POSITIVE_INFINITY }).report.status).toBe("solved");
	});

	test("every documented default is in its documented range, and giving it changes nothing", () => {
		const slippery = { ...problem, mu: new Float64Array(problem.contacts) };
		for (const { name, options } of methods()) {
			const set = Object.fromEntries(options.map((option) => [option.name, option.default]));
			const given = BOUNDS.includes(name) ? slippery : problem;
			expect(solve(given, { method: name, set }).report.hash).toBe(solve(given, { method: name }).report.hash);
			for (const { what, range } of options) expect(what.length * range.length).toBeGreaterThan(0);
		}
	});

	test("a start by the caller or the first guess is the same start", () => {
		const r = solve(problem, { tolerance: 1e-3 }).reaction;
		const guessed = solve({ ...problem, guesses: [{ r }] }, { start: "guess", tolerance: 1e-9 });
		expect(guessed.report.hash).toBe(solve(problem, { start: r, tolerance: 1e-9 }).report.hash);
		expect(guessed.report.iterations).toBeLessThan(solve(problem, { tolerance: 1e-9 }).report.iterations + 1);
	});

	test("a start outside the cones is taken to them", () => {
		const outside = problem.q.map(() => -1);
		expect(solve(problem, { start: outside }).report.status).toBe("solved");
	});

	test("the caller's arrays stay as they were", () => {
		const [q, values, start] = [problem.q.slice(), problem.W!.values.slice(), problem.q.map(Math.abs)];
		const before = start.slice();
		solve(problem, { start });
		expect([problem.q, problem.W!.values, start]).toEqual([q, values, before]);
	});
});
