/** What a solve claims, counted: bytes per contact of operators and methods, against the declared vectors. */
import { describe, expect, test } from "vitest";
import { generate } from "../generate/index.js";
import { assembleRigid } from "../problem/assemble-rigid.js";
import type { Problem } from "../problem/problem.js";
import { describeMemory } from "./memory.js";

const contacts = 100_000;
const made = generate("spheres", { contacts });
const problem: Problem = { ...made, W: assembleRigid(made.rigid) };
const per = (bytes: number): number => bytes / problem.contacts;

/** Lines of the arena filled up for some forty vectors, and the scratch of a few sums, which does not grow with the problem. */
const ROUNDING = (40 * 64 + 4 * 4 * 64 * 8) / contacts + 0.01;

describe("operators, beyond the problem", () => {
	test("assembled: at most 0.9 kB per contact", () => {
		const { operator, operatorBytes } = describeMemory(problem, { set: { operator: "assembled" } });
		expect(operator).toBe("assembled");
		console.log(`assembled operator: ${per(operatorBytes).toFixed(0)} bytes per contact`);
		expect(per(operatorBytes)).toBeLessThanOrEqual(900);
		// 72 bytes of numbers and 4 of column per block: what stands here more is padding of the shorter row of a pair.
		expect(per(operatorBytes)).toBeGreaterThan(76 * per(problem.W!.column.length));
	});

	test("matrix-free: at most 0.2 kB per contact", () => {
		const { operator, operatorBytes } = describeMemory(problem, { set: { operator: "matrix-free" } });
		expect(operator).toBe("matrix-free");
		console.log(`matrix-free operator: ${per(operatorBytes).toFixed(0)} bytes per contact`);
		expect(per(operatorBytes)).toBeLessThanOrEqual(200);
		// Per contact 15 numbers, two ids and half of a flag, per body 7 numbers and 6 of velocity.
		const bodies = per(made.rigid.inverseMass.length);
		expect(per(operatorBytes)).toBeLessThan(15 * 8 + 8 + 2 + bodies * 13 * 8 + ROUNDING);
	});
});

describe("methods, with the vectors that all of them work on", () => {
	/** Vectors of three numbers, blocks of nine, and single numbers per contact. */
	const bytesOf = (vectors: number, blocks: number, singles: number): number =>
		8 * (3 * vectors + 9 * blocks + singles);
	// q, R, U and the best R; diagonal blocks; mu, the scale, energy's term and half a number for its component. Sums need the same memory for any number of contacts.
	const system = bytesOf(4, 1, 3.5);

	test.each([
		// C and the increment, m + 1 directions and P v of GMRES; X, Y and the preconditioner.
		["pqn with m = 10", 760, { method: "pqn", set: { m: 10 } }, bytesOf(2 + 12, 3, 0)],
		["pqn with m = 10, scaling=none", 760, { method: "pqn", set: { m: 10, scaling: "none" } }, bytesOf(2 + 12, 3, 0)],
		["pqn-diagonal", 300, { method: "pqn-diagonal" }, bytesOf(1, 0, 0)],
		// The point before the sweep, and f, last f, last g, and two differences per sweep of the window.
		["gauss-seidel", 600, { method: "gauss-seidel" }, bytesOf(1 + 3 + 10, 0, 0)],
		// The same, and the anchor with its q.
		["proximal-gauss-seidel", 650, { method: "proximal-gauss-seidel" }, bytesOf(1 + 3 + 10 + 2, 0, 0)],
		["gauss-seidel without mixing", 400, { method: "gauss-seidel", set: { window: 0 } }, bytesOf(1 + 3, 0, 0)],
	] as const)("%s: at most %d bytes per contact, all of them declared", (name, most, options, declared) => {
		const { systemBytes, methodBytes } = describeMemory(problem, {
			method: options.method,
			...("set" in options && { set: { ...options.set, operator: "matrix-free" } }),
		});
		console.log(`${name}: ${per(systemBytes + methodBytes).toFixed(0)} bytes per contact`);
		expect(per(systemBytes + methodBytes)).toBeLessThanOrEqual(most);
		expect(Math.abs(per(systemBytes) - system)).toBeLessThan(ROUNDING);
		expect(per(methodBytes) - declared).toBeLessThan(ROUNDING);
	});
});
