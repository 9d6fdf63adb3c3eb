/** Gauss-Newton between the anchors of proximal sweeps on large problems: what it saves, that it can be interrupted, and where it stays away. */
import { describe, expect, test } from "vitest";
import { generate } from "../generate/index.js";
import { assembleRigid } from "../problem/assemble-rigid.js";
import type { SolveOptions } from "../solve/options.js";
import { solve } from "../solve/solve.js";
import { judge } from "../testing/judge.js";
import { runsOf, stepped } from "../testing/keeping.js";
import { DescentRules } from "./descent-rules.js";

const heap = generate("spheres", { contacts: 4100, seed: 6 });
/** A try fails, and the next one reaches it. */
const strict = { method: "proximal-gauss-seidel", tolerance: 1.5e-3, maxIterations: 500 } as const;
const eager: SolveOptions = { ...strict, set: { descent: 3 } };

/** The stage that a run is in. */
function stageOf(run: ReturnType<ReturnType<typeof runsOf>>): unknown {
	return run.method.state.scalars.stage;
}

test("a heap of 4,100 spheres: the same tolerance in fewer sweeps and less work, as an independent judge has it", () => {
	for (const method of ["proximal-gauss-seidel", "auto"]) {
		const options = { method, tolerance: 3e-3, maxIterations: 400 };
		const alone = solve(heap, { ...options, set: { descent: 0 } }).report;
		const { report } = solve(heap, options);
		expect([alone.status, report.status]).toEqual(["solved", "solved"]);
		expect(report.iterations).toBeLessThan(0.8 * alone.iterations);
		expect(report.products).toBeLessThan(alone.products);
	}
	const { report, reaction } = solve(heap, eager);
	expect(Math.abs(judge({ ...heap, W: assembleRigid(heap.rigid!) }, reaction).energy / report.energy - 1)).toBeLessThan(
		1e-9,
	);
});

test("what a try has not reached is not gone on from; saved and gone on with in any stage: the same bits", () => {
	const fresh = runsOf(heap, eager);
	const run = fresh();
	run.begin();
	const states: ReturnType<typeof run.state>[] = [];
	const stages: string[] = [];
	let left: Float64Array | undefined;
	let last: unknown = "sweeps";
	const bits = stepped(run, () => {
		const stage = stageOf(run);
		const { r } = run.system;
		if (stage === "descends" && last === "sweeps") left = r.values.slice();
		if (stage === "returns")
			expect(run.method.state.vectors.left!.values).toEqual(left!.subarray(0, run.system.length));
		if (stage !== last) {
			stages.push(String(stage));
			states.push(structuredClone(run.state(0.5)));
		}
		last = stage;
	});
	expect(bits.status).toBe("solved");
	expect(stages.slice(0, 3)).toEqual(["descends", "returns", "sweeps"]);
	expect(stages.filter((stage) => stage === "descends").length).toBeGreaterThan(1);
	for (const state of states.slice(-5)) {
		const again = fresh();
		again.resume(state);
		expect(stepped(again)).toEqual(bits);
	}
});

test("repeated: the same bits and counts", () => {
	const facts = ({ hash, iterations, products, exchanges, reductions }: ReturnType<typeof solve>["report"]) => {
		return { hash, iterations, products, exchanges, reductions };
	};
	expect(facts(solve(heap, { ...eager, repeat: 2 }).report)).toEqual(facts(solve(heap, eager).report));
});

describe("stays away", () => {
	const hashOf = (options: SolveOptions, problem = heap) => solve(problem, options).report.hash;

	test("from other measures", () => {
		const natural: SolveOptions = { ...strict, measure: "natural", tolerance: 1e-3, maxIterations: 150 };
		expect(hashOf({ ...natural, set: { descent: 3 } })).toBe(hashOf({ ...natural, set: { descent: 0 } }));
	});

	test("from smaller problems, and from laws whose residual it does not know", () => {
		const small = generate("spheres", { contacts: 400, seed: 1 });
		expect(hashOf(eager, small)).toBe(hashOf({ ...strict, set: { descent: 0 } }, small));
		const relaxed = generate("spheres", { contacts: 4100, seed: 6, law: "relaxed" });
		expect(hashOf(eager, relaxed)).toBe(hashOf({ ...strict, set: { descent: 0 } }, relaxed));
	});
});

describe("rules", () => {
	test("a try needs sweeps enough, and an error from which the tolerance is near", () => {
		const rules = new DescentRules(0.5, 1);
		rules.start();
		expect(rules.begins(1.4, 19)).toBe(false);
		expect(rules.begins(1.5, 20)).toBe(false);
		expect(rules.begins(1.4, 20)).toBe(true);
		expect(rules.length).toBe(10);
		// Nothing is left for a second step.
		expect(rules.goesOn(1.4, 1.1)).toBe(false);
	});

	test("after a failure the next try begins nearer, or has more iterations", () => {
		const rules = new DescentRules(1, 1);
		rules.start();
		expect(rules.begins(1.5, 60)).toBe(true);
		expect(rules.goesOn(1.5, 1.08)).toBe(true);
		expect(rules.length).toBe(30);
		expect(rules.goesOn(1.08, 1.05)).toBe(false);
		// It left 0.7, where 0.644 was expected: as many iterations would leave as much.
		expect(rules.begins(1.5, 110)).toBe(false);
		expect(rules.begins(1.42, 110)).toBe(true);
		expect(rules.begins(1.5, 200)).toBe(true);
	});

	test("a step that gains less than a hundredth is the last", () => {
		const rules = new DescentRules(1, 1);
		rules.start();
		expect(rules.begins(1.5, 1000)).toBe(true);
		expect(rules.goesOn(1.5, 1.49)).toBe(false);
	});
});
