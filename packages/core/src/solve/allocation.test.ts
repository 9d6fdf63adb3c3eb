/**
 * House rule 12: the loop allocates nothing. Vectors live in the arena, which does not grow, and what an iteration leaves on the
 * JavaScript heap or behind a typed array are a few boxed numbers, no more for a large problem than for a small one.
 */

import { GCProfiler, getHeapStatistics } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { generate } from "../generate/index.js";
import type { Problem } from "../problem/problem.js";
import { rigidToGlobal } from "../problem/rigid-to-global.js";
import { runOf } from "../testing/runs.js";
import type { SolveOptions } from "./options.js";
import type { Run } from "./run.js";

const collect = runInNewContext("gc") as () => void;
/** The heap, and what typed arrays longer than a few numbers keep elsewhere. */
const used = (): number => getHeapStatistics().used_heap_size + process.memoryUsage().arrayBuffers;

const OPERATORS = ["assembled", "matrix-free", "global"] as const;
const ROWS = ["assembled", "matrix-free"] as const;
const ways: [string, SolveOptions, readonly string[]][] = [
	// Factors are made when their turn comes.
	["auto", { set: { products: 1e9, without: "factors" } }, OPERATORS],
	["pqn", { method: "pqn", set: { products: 1e9 } }, OPERATORS],
	["pqn, scaling=none", { method: "pqn", set: { scaling: "none" } }, OPERATORS],
	["pqn-diagonal", { method: "pqn-diagonal" }, OPERATORS],
	["extragradient", { method: "extragradient" }, ["assembled"]],
	["apgd", { method: "apgd" }, OPERATORS],
	["spg", { method: "spg" }, ["assembled"]],
	["jacobi, accelerated", { method: "jacobi", set: { window: 5 } }, ["assembled"]],
	["sor", { method: "sor" }, ["matrix-free"]],
	["admm", { method: "admm" }, ["assembled"]],
	["gauss-seidel", { method: "gauss-seidel" }, ROWS],
	["proximal-gauss-seidel", { method: "proximal-gauss-seidel", set: { sweeps: 30 } }, ROWS],
];
const cases = ways.flatMap(([name, way, operators]) => operators.map((operator) => [name, operator, way] as const));
const SMALL = 100;
const LARGE = 1000;
/** Of an iteration. One number per contact of the large problem would be 8,000. */
const BYTES_MAX = 2000;
/** Of each product in it: two numbers in boxes. */
const BYTES_PER_PRODUCT = 32;
/** A relay that hands over says so, in a sentence of its report. */
const REMEDY_BYTES = 2000;
/** Windows at most: code that is not compiled yet boxes every number, and beside other tests the compiler takes its time. */
const WINDOWS = 20;

/** Bytes that the work leaves behind; undefined where a collection during it took some of them away. */
function bytesOf(work: () => void): number | undefined {
	// Buffers of dead arrays are freed beside the program; the second collection waits until those of the first are.
	collect();
	collect();
	const profiler = new GCProfiler();
	profiler.start();
	const before = used();
	work();
	const bytes = used() - before;
	return profiler.stop().statistics.length === 0 ? bytes : undefined;
}

/**
 * Bytes per iteration that stay until collected: of the first window with less than `enough`, else the least, others being V8's own
 * business. A window in which V8 collects is followed by shorter ones; where even one iteration makes it collect, it left more than
 * can be counted. What is allowed besides, since the start, is taken off.
 */
function bytesPerIteration(
	step: () => void,
	iterations: number,
	enough: number,
	allowed: () => number = () => 0,
): number {
	let least = Number.POSITIVE_INFINITY;
	let length = iterations;
	for (let window = 0; window < WINDOWS && least >= enough; window += 1) {
		const before = allowed();
		const bytes = bytesOf(() => {
			for (let i = 0; i < length; i += 1) step();
		});
		if (bytes === undefined) length = Math.max(1, length >> 1);
		else least = Math.min(least, (bytes - (allowed() - before)) / length);
	}
	return least;
}

function problemOf(contacts: number, operator: string): Problem {
	const made = generate("spheres", { contacts });
	return operator === "global" ? { ...made, global: rigidToGlobal(made.rigid, made.q, made.freeVelocity) } : made;
}

function started(contacts: number, way: SolveOptions, operator: string): Run {
	const run = runOf(problemOf(contacts, operator), { ...way, tolerance: 0, set: { ...way.set, operator } });
	run.begin();
	// Warm: compiled, and all phases of a relay seen; a global form has one, with many slow products.
	for (let i = 0; i < (operator === "global" ? 40 : 150); i += 1) run.step();
	return run;
}

describe("the measurement sees what is there", () => {
	// On the heap, and behind an array: one vector of the large problem.
	test.each([4, 3 * LARGE])("%d numbers that a loop makes and drops", (length) => {
		let last = new Float64Array(length);
		const step = (): void => {
			last = new Float64Array(length).fill(last[0]!);
		};
		for (const iterations of [40, 200])
			expect(bytesPerIteration(step, iterations, Number.POSITIVE_INFINITY)).toBeGreaterThan(8 * length);
		expect(last).toHaveLength(length);
	});

	test("nothing where nothing is made", () => {
		const kept = new Float64Array(3 * LARGE);
		expect(bytesPerIteration(() => void kept.fill(1), 40, BYTES_MAX / 2)).toBeLessThan(BYTES_MAX / 2);
	});
});

test.each(cases)("%s, %s: no vectors, on the heap, behind arrays or in the arena", (_, operator, way) => {
	const [small, large] = [started(SMALL, way, operator), started(LARGE, way, operator)];
	const runs = [small, large];
	const bytes = runs.map((run) => run.system.arena.bytes);
	const perIteration = [measured(small, 200), measured(large, operator === "global" ? 10 : 40)];
	console.log(
		`${way.method ?? "auto"}, ${operator}: ${perIteration.map((each) => each.toFixed(0)).join(" and ")} bytes`,
	);
	expect(runs.map((run) => run.system.operator.kind)).toEqual([operator, operator]);
	expect(runs.map((run) => run.system.arena.bytes)).toEqual(bytes);
	expect(runs.map((run) => run.status)).toEqual([undefined, undefined]);
	for (const each of perIteration) expect(each).toBeLessThan(BYTES_MAX);
});

/** Of an iteration, besides what its products and sentences may leave. */
function measured(run: Run, iterations: number): number {
	const allowed = () => REMEDY_BYTES * run.method.remedies.length + BYTES_PER_PRODUCT * run.products;
	return bytesPerIteration(() => run.step(), iterations, BYTES_MAX, allowed);
}
