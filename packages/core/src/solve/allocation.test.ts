/**
 * House rule 12: the loop allocates nothing. Vectors live in the arena, which does not grow, and what an iteration leaves on the
 * JavaScript heap are a few boxed numbers, no more for a large problem than for a small one.
 */
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { generate } from "../generate/index.js";
import type { SolveOptions } from "./options.js";
import { Run } from "./run.js";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const used = (): number => getHeapStatistics().used_heap_size;

const ways: [string, SolveOptions][] = [
	["auto", { set: { products: 1e9 } }],
	["pqn", { method: "pqn", set: { products: 1e9 } }],
	["pqn, scaling=none", { method: "pqn", set: { scaling: "none" } }],
	["pqn-diagonal", { method: "pqn-diagonal" }],
	["gauss-seidel", { method: "gauss-seidel" }],
];
const OPERATORS = ["assembled", "matrix-free"] as const;
const SMALL = 100;
const LARGE = 1000;
/** Of an iteration. One number per contact of the large problem would be 8,000. */
const BYTES_MAX = 2000;
/** A relay that hands over says so, in a sentence of its report. */
const REMEDY_BYTES = 2000;

/** Bytes per iteration that stay on the heap until collected: the least of several windows, others being V8's own business. */
function heapPerIteration(run: Run, iterations: number): number {
	let least = Number.POSITIVE_INFINITY;
	for (let window = 0; window < 10; window += 1) {
		collect();
		const [before, remedies] = [used(), run.method.remedies.length];
		for (let i = 0; i < iterations; i += 1) run.step();
		const handovers = run.method.remedies.length - remedies;
		least = Math.min(least, (used() - before - handovers * REMEDY_BYTES) / iterations);
	}
	return least;
}

function started(contacts: number, way: SolveOptions, operator: string): Run {
	const problem = generate("spheres", { contacts });
	const run = new Run(problem, { ...way, tolerance: 0, set: { ...way.set, operator } });
	run.begin();
	// Warm: compiled, and all legs of a relay seen.
	for (let i = 0; i < 150; i += 1) run.step();
	return run;
}

test("the measurement sees what is there: short vectors that a loop makes and keeps", () => {
	const kept: Float64Array[] = [];
	const vector = (): number => kept.push(new Float64Array(4));
	collect();
	const before = used();
	for (let i = 0; i < 1000; i += 1) vector();
	expect((used() - before) / 1000).toBeGreaterThan(40);
});

describe.each(ways)("%s", (_, way) => {
	test.each(OPERATORS)("%s: no vectors, on the heap or in the arena", (operator) => {
		const [small, large] = [started(SMALL, way, operator), started(LARGE, way, operator)];
		const bytes = [small, large].map((run) => run.system.arena.bytes);
		const perIteration = [heapPerIteration(small, 200), heapPerIteration(large, 40)];
		console.log(
			`${way.method ?? "auto"}, ${operator}: ${perIteration.map((value) => value.toFixed(0)).join(" and ")} bytes`,
		);
		expect([small, large].map((run) => run.system.arena.bytes)).toEqual(bytes);
		expect([small, large].map((run) => run.status)).toEqual([undefined, undefined]);
		for (const value of perIteration) expect(value).toBeLessThan(BYTES_MAX);
	});
});
