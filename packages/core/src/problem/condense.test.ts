import { expect, test } from "vitest";
import { sampleProblem, sampleRigid } from "../testing/samples.js";
import { assembleRigid } from "./assemble-rigid.js";
import { multiplyBlocks } from "./blocks.js";
import { condense, globalVelocity, reduce } from "./condense.js";
import { csrFromTriplets, multiplyCsr, multiplyTransposedCsr } from "./csr.js";
import type { CsrMatrix, GlobalForm, Problem } from "./problem.js";
import { multiplyRigid } from "./rigid.js";
import { factor } from "./sparse-lu.js";

const options = { seed: 11, contacts: 40, bodies: 12, equalityRows: 5 };

function product(matrix: CsrMatrix, x: Float64Array): Float64Array {
	const y = new Float64Array(matrix.rows);
	multiplyCsr(matrix, x, y);
	return y;
}

function transposedProduct(matrix: CsrMatrix, x: Float64Array): Float64Array {
	const y = new Float64Array(matrix.columns);
	multiplyTransposedCsr(matrix, x, y);
	return y;
}

function expectClose(a: Float64Array, b: Float64Array, relative = 1e-12): void {
	const size = b.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
	a.forEach((value, k) => {
		expect(Math.abs(value - b[k]!)).toBeLessThan(relative * size);
	});
}

/** The sample as if its bodies were not known: W is formed of M and H. */
function condensedSample(): Problem {
	const { W: _W, rigid: _rigid, ...rest } = sampleProblem(options);
	return condense(rest);
}

test("W of the bodies: condensed from M and H, and body by body", () => {
	const rigid = sampleRigid(options);
	const { W } = condensedSample();
	const x = Float64Array.from({ length: 120 }, (_, k) => Math.fround(((k * 37) % 19) - 9));
	const [y, z] = [new Float64Array(120), new Float64Array(120)];
	multiplyBlocks(W!, x, y);
	multiplyRigid(rigid, x, z);
	expectClose(y, z);
});

test("one body on an obstacle, arm along the normal: W = diag(1/m, 1/m + a^2/I, 1/m + a^2/I)", () => {
	// Force along N has no torque; a force along T1 or T2 at distance a turns the body with a / I.
	const rigid = {
		body: Int32Array.of(-1, 0),
		frame: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
		arm: Float64Array.of(0, 0, 0, -2, 0, 0),
		inverseMass: Float64Array.of(0.5),
		inverseInertia: Float64Array.of(0.25, 0.25, 0.25, 0, 0, 0),
	};
	const y = new Float64Array(3);
	multiplyRigid(rigid, Float64Array.of(1, 1, 1), y);
	expect([...y]).toEqual([0.5, 1.5, 1.5]);
});

test("where bodies are known W is formed of them, as a solve forms it; a W that is there stays", () => {
	const { W, global: _, ...bodies } = sampleProblem({ ...options, equalityRows: 0 });
	const expected = assembleRigid(bodies.rigid!);
	expect([W, condense(bodies).W]).toEqual([expected, expected]);
	const given = { ...bodies, W: expected };
	expect(condense(given)).toBe(given);
});

test("the local form says the same as the global equations", () => {
	const problem = condensedSample();
	const { global, W, q, equalities } = problem;
	if (global?.G === undefined || global.b === undefined || W === undefined || equalities === undefined)
		throw new Error("sample");
	const r = Float64Array.from({ length: 120 }, (_, k) => ((k * 7) % 11) / 11);
	const l = Float64Array.of(1, -2, 3, 0.5, 0.25);
	const lu = factor(global.M, "test", "M");
	const v = globalVelocity(global, lu, r, l);
	// M v = H r + G l + f, computed without the factors.
	const force = product(global.H, r).map((value, k) => value + product(global.G!, l)[k]! + global.f[k]!);
	expectClose(product(global.M, v), force);
	const u = transposedProduct(global.H, v).map((value, k) => value + global.w[k]!);
	const local = new Float64Array(120);
	multiplyBlocks(W, r, local);
	const pushed = product(equalities.V, l);
	expectClose(
		local.map((value, k) => value + pushed[k]! + q[k]!),
		u,
	);
	const constraint = transposedProduct(global.G, v).map((value, k) => value + global.b![k]!);
	const Rl = product(equalities.R, l);
	expectClose(
		transposedProduct(equalities.V, r).map((value, k) => value + Rl[k]! + equalities.s[k]!),
		constraint,
	);
});

test("an M that is not symmetric: condensed without equality rows, refused with them", () => {
	const M = csrFromTriplets(2, 2, {
		row: Int32Array.of(0, 0, 1),
		column: Int32Array.of(0, 1, 1),
		values: Float64Array.of(1, 1, 2),
	});
	const H = csrFromTriplets(2, 3, {
		row: Int32Array.of(0, 1, 1),
		column: Int32Array.of(0, 1, 2),
		values: Float64Array.of(1, 1, 1),
	});
	const global: GlobalForm = { M, H, f: new Float64Array(2), w: new Float64Array(3) };
	const lu = factor(M, "test", "M");
	const problem = { name: "test", contacts: 1, mu: Float64Array.of(0), global, ...reduce("test", global, lu) };
	// M^-1 = [1 -1/2; 0 1/2]
	expect([...condense(problem).W!.values]).toEqual([1, -0.5, -0.5, 0, 0.5, 0.5, 0, 0.5, 0.5]);
	const mixed = { ...global, G: H, b: new Float64Array(3) };
	expect(() => reduce("test", mixed, lu)).toThrow(/M: is not symmetric/);
});
