/** A memory that solves use one after another: what the last one left is never seen by the next, and nothing is held that is not used. */
import { describe, expect, test } from "vitest";
import { generate } from "../generate/index.js";
import { assembleRigid } from "../problem/assemble-rigid.js";
import type { Problem } from "../problem/problem.js";
import { rigidToGlobal } from "../problem/rigid-to-global.js";
import type { SolveOptions } from "../solve/options.js";
import { solve } from "../solve/solve.js";
import { BOUNDS, FACTORS, METHODS } from "../testing/methods.js";
import { Arena, STATIC_BYTES, whenLarge } from "./arena.js";
import { wasmKernels } from "./kernels.js";

const NUMBERS = 1e6;

/** Leaves a memory behind in which every number is one that spoils whatever it is added to. */
function leaveNaN(): void {
	const arena = new Arena();
	arena.room(NUMBERS).values.fill(Number.NaN);
	arena.release();
}

test("a released memory is used again, and vectors in it are zero", () => {
	leaveNaN();
	const arena = new Arena();
	const [first, second] = [arena.vector(100), arena.vector(1000)];
	const padded = arena.room(64, 24);
	const integers = arena.integers(33);
	expect(first.values.every((value) => value === 0)).toBe(true);
	expect(second.values.every((value) => value === 0)).toBe(true);
	expect(integers.values.every((value) => value === 0)).toBe(true);
	expect(padded.values.subarray(40).every((value) => value === 0)).toBe(true);
	// This is the memory that was left: what nobody cleared is still there.
	expect(padded.values.subarray(0, 40).every(Number.isNaN)).toBe(true);
});

test("views of the last solve are taken again where the same are asked for, and others are made where not", () => {
	const first = new Arena();
	const [x, y, ids] = [first.room(10), first.room(20), first.integerRoom(5)];
	first.release();
	const second = new Arena();
	expect(second.room(10)).toBe(x);
	const longer = second.room(30);
	expect([longer.at, longer.values.length, longer.values.byteOffset]).toEqual([y.at, 30, 8 * y.at]);
	const moved = second.integerRoom(5);
	expect(moved.at).not.toBe(ids.at);
	expect(moved.values.byteOffset).toBe(4 * moved.at);
	second.release();
});

test("two arenas never share a memory, and what is released is released once", () => {
	const [one, other] = [new Arena(), new Arena()];
	const [x, y] = [one.vector(10), other.vector(10)];
	x.values.fill(1);
	expect(y.values[0]).toBe(0);
	one.release();
	one.release();
	const [next, another] = [new Arena(), new Arena()];
	next.vector(10).values.fill(2);
	another.vector(10).values.fill(3);
	expect(x.values[0]).toBe(2);
	expect(() => one.vector(1)).toThrow(/another solve's/);
});

describe("a solve in a memory of someone else's numbers has the bits of one in a new memory", () => {
	const spheres = generate("spheres", { contacts: 60, seed: 4 });
	const { rigid, ...rest } = spheres;
	const forms: [string, Problem, string][] = [
		["W given", { ...rest, W: assembleRigid(rigid) }, "assembled"],
		["bodies", spheres, "matrix-free"],
		["global", { ...spheres, global: rigidToGlobal(rigid, spheres.q, spheres.freeVelocity) }, "global"],
	];
	const ways: [string, SolveOptions][] = [
		["auto", {}],
		["pqn", { method: "pqn" }],
		["pqn, scaling=none", { method: "pqn", set: { scaling: "none" } }],
		["pqn-diagonal", { method: "pqn-diagonal" }],
		["gauss-seidel", { method: "gauss-seidel" }],
		["proximal-gauss-seidel", { method: "proximal-gauss-seidel", set: { patience: 3 } }],
	];
	const [assembled] = forms as [(typeof forms)[0]];
	const smooth: Problem = { ...assembled[1], mu: new Float64Array(spheres.contacts) };
	const others = [...METHODS, ...FACTORS].filter((method) => ways.every(([way]) => way !== method));
	const caseOf = (method: string, form: string, problem: Problem) => {
		const options: SolveOptions = { method };
		return [method, form, problem, "assembled", options] as const;
	};
	const more = [
		...others.map((method) => caseOf(method, "W given", assembled[1])),
		...BOUNDS.map((method) => caseOf(method, "W given, without friction", smooth)),
	];
	const cases = forms.flatMap(([form, problem, operator]) =>
		ways
			.filter(([, { method }]) => operator !== "global" || !method?.endsWith("seidel"))
			.map(([way, options]) => [way, form, problem, operator, options] as const),
	);

	test.each([...cases, ...more])("%s, %s", (_, __, problem, operator, options) => {
		for (const engine of ["wasm", "twin"]) {
			const given = { ...options, tolerance: 1e-7, maxIterations: 15, set: { ...options.set, operator, engine } };
			// Nothing was released before: this one makes its memory.
			new Arena();
			const fresh = solve(problem, given);
			leaveNaN();
			const used = solve(problem, given);
			expect([used.report.hash, used.report.iterations]).toEqual([fresh.report.hash, fresh.report.iterations]);
			expect([...used.velocity]).toEqual([...fresh.velocity]);
		}
	});
});

test.each([
	["8 MiB", undefined, 2 ** 23, 2 ** 17],
	["what was asked for", 2 ** 21, 2 ** 21, 2 ** 14],
])("a memory is shown once, when it has become large: %s", (_name, asked, from, small) => {
	const shown: number[] = [];
	whenLarge(({ byteLength }, reservedBytes) => shown.push(byteLength, reservedBytes), asked);
	try {
		// One that is in use and stays so: those that are made meanwhile are new.
		const [first, second] = [new Arena(), new Arena()];
		second.room(small);
		expect(shown).toEqual([]);
		second.room(from / 8);
		second.room(2 ** 22);
		const [bytes = 0, reserved = 0] = shown;
		expect(shown).toHaveLength(2);
		expect(bytes).toBeGreaterThan(from);
		expect(reserved).toBe(2 ** 32);
		first.release();
	} finally {
		whenLarge(() => {});
	}
});

test("what the module of kernels keeps in memory ends before all vectors", () => {
	const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
	wasmKernels(memory);
	const bytes = new Uint8Array(memory.buffer);
	let last = bytes.length - 1;
	while (bytes[last] === 0) last -= 1;
	expect(last).toBeGreaterThan(64);
	expect(last).toBeLessThan(STATIC_BYTES - 16);
});
