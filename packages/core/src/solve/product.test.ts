/** W as a function of its own, and what a solve would allocate. */
import { expect, test } from "vitest";
import { InputError } from "../base/errors.js";
import { Random } from "../base/random.js";
import { generate } from "../generate/index.js";
import { RIGID_BATCH_SCRATCH } from "../kernels/rigid-batch.js";
import { multiplyRigid } from "../problem/rigid.js";
import { describeMemory } from "./memory.js";
import { makeProduct, type ProductOptions } from "./product.js";

const problem = generate("spheres", { contacts: 75 });
const random = new Random(3);
const x = Float64Array.from({ length: 3 * problem.contacts }, () => random.between(-1, 1));

function multiply(options: ProductOptions): Float64Array {
	const { input, output, order, multiply: run } = makeProduct(problem, options);
	for (const [at, id] of order.entries()) input.set(x.subarray(3 * id, 3 * id + 3), 3 * at);
	run();
	const y = new Float64Array(x.length);
	for (const [at, id] of order.entries()) y.set(output.subarray(3 * at, 3 * at + 3), 3 * id);
	return y;
}

test.each([
	{ operator: "assembled" },
	{ operator: "matrix-free" },
	{ operator: "assembled", order: "file" },
	{ operator: "matrix-free", order: "shuffled", engine: "twin" },
] as const)("%o: the product in the problem's own units", (options) => {
	const y = new Float64Array(x.length);
	multiplyRigid(problem.rigid, x, y);
	const size = Math.max(...y.map(Math.abs));
	const off = multiply(options).map((value, i) => Math.abs(value - y[i]!));
	expect(Math.max(...off)).toBeLessThan(1e-13 * size);
});

test("says what it is made of", () => {
	const free = makeProduct(problem, { operator: "matrix-free" });
	expect(free.kind).toBe("matrix-free");
	// 15 numbers, two ids and half of a flag per contact, 13 numbers per body: the contacts padded to an even number, one obstacle; and what a batch works on.
	const { length: bodies } = problem.rigid.inverseMass;
	const bytes = 130 * (problem.contacts + 1) + 104 * (bodies + 1) + 8 * RIGID_BATCH_SCRATCH;
	expect(free.bytes).toBeGreaterThanOrEqual(bytes);
	expect(free.bytes).toBeLessThan(bytes + 130 + 6 * 64);
});

test("memory: the vectors and blocks of each method, beyond the operator", () => {
	const large = generate("spheres", { contacts: 2000 });
	const perContact = (method: string, set: Readonly<Record<string, string | number>>): number =>
		describeMemory(large, { method, set }).methodBytes / large.contacts;
	// dR
	expect(perContact("pqn-diagonal", {})).toBeCloseTo(24, -1);
	// C, dR, 11 directions, one preconditioned, three 3x3 blocks, 12 sums per 64 contacts
	expect(perContact("pqn", { scaling: "none", m: 10 })).toBeCloseTo(14 * 24 + 3 * 72 + 1.5, -1);
	const { operator, operatorBytes, contacts } = describeMemory(large);
	expect({ operator, contacts }).toEqual({ operator: "assembled", contacts: large.contacts });
	expect(operatorBytes / contacts).toBeLessThan(900);
});

test("bad input is refused as in solve", () => {
	expect(() => describeMemory(problem, { method: "simplex" })).toThrow(InputError);
	expect(() => makeProduct({ ...problem, q: new Float64Array(1) })).toThrow(InputError);
});
