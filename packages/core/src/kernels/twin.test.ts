/**
 * Decision 3: the TypeScript twin of a kernel gives the same bits as WebAssembly. Each kernel runs on two memories filled alike, and
 * the memories are compared whole; the kernels of the operators run through operators (system/engines.test.ts).
 */
import { expect, test } from "vitest";
import { Random } from "../random.js";
import { firstDifference } from "../testing/bits.js";
import { positiveDefinite } from "../testing/random-problems.js";
import { Arena } from "./arena.js";
import { type Kernels, twinKernels } from "./kernels.js";

const BLOCKS = 151;
const CONTACTS = 149;
const LENGTH = 24 * Math.ceil(BLOCKS / 8);
const K = 5;

/** Places of all that the kernels below read and write, and the whole memory as numbers. */
function setUp(engine: "wasm" | "twin") {
	const arena = new Arena(engine);
	const random = new Random(99);
	const vector = (count: number): number => {
		const made = arena.vector(count);
		// A few zeros: the tip of the cone, no slip, inactive rows.
		for (let i = 0; i < count; i += 1) made.values[i] = random.uniform() < 0.1 ? 0 : random.between(-1, 1);
		return made.at;
	};
	const mu = arena.vector(BLOCKS);
	const s = arena.vector(BLOCKS);
	const w = arena.vector(9 * BLOCKS);
	for (let a = 0; a < BLOCKS; a += 1) {
		mu.values[a] = a % 7 === 0 ? 0 : random.between(0.1, 1.2);
		s.values[a] = random.between(0.1, 10);
		w.values.set(positiveDefinite(random, 3), 9 * a);
	}
	const [x, y, r, u, c, z] = [1, 2, 3, 4, 5, 6].map(() => vector(LENGTH));
	const [many, factors, partials] = [vector(K * LENGTH), vector(K), vector(8 * (K + 3))];
	const [bx, by, bp, work] = [vector(9 * BLOCKS), vector(9 * BLOCKS), vector(9 * BLOCKS), vector(32)];
	const places = { x, y, r, u, c, z, many, factors, partials, bx, by, bp, work } as Record<string, number>;
	// The last vector's buffer is the memory as it is now: it has grown since the first.
	const { buffer } = arena.vector(1).values;
	const all = (): Float64Array => new Float64Array(buffer, 0, Math.floor(arena.bytes / 8));
	return { kernels: arena.kernels, arena, all, mu: mu.at, s: s.at, w: w.at, at: (name: string) => places[name]! };
}

type Memory = ReturnType<typeof setUp>;

const calls: Partial<Record<keyof Kernels, (k: Kernels, m: Memory) => void>> = {
	addProjected: (k, m) => {
		k.addProjected(0, BLOCKS, CONTACTS, m.mu, -0.7, m.at("x"), m.at("r"));
		k.addProjected(3, 90, CONTACTS, m.mu, 0, -1, m.at("u"));
	},
	energyLeaves: (k, m) => {
		k.energyLeaves(BLOCKS, CONTACTS, m.mu, m.w, m.at("r"), m.at("u"), m.at("work"), m.at("partials"));
	},
	meritLeaves: (k, m) => {
		k.meritLeaves(BLOCKS, CONTACTS, m.mu, m.s, m.w, m.at("r"), m.at("u"), m.at("work"), m.at("partials"));
	},
	naturalLeaves: (k, m) => {
		k.naturalLeaves(BLOCKS, CONTACTS, m.mu, m.s, m.at("r"), m.at("u"), m.at("work"), m.at("partials"));
	},
	linearise: (k, m) => {
		for (const omega of [0, 1e-10, 0.1]) {
			k.linearise(0, BLOCKS, CONTACTS, omega, m.mu, m.at("r"), m.at("u"), m.at("c"), m.at("bx"), m.at("by"));
			k.linearise(0, BLOCKS, CONTACTS, omega, m.mu, m.at("r"), m.at("u"), m.at("z"), -1, -1);
		}
	},
	invertDiagonal: (k, m) => k.invertDiagonal(0, BLOCKS, 0.01, 0.3, m.w, m.at("bx"), m.at("by"), m.at("bp")),
	blockProduct: (k, m) => k.blockProduct(0, BLOCKS, m.w, m.at("x"), m.at("y")),
	newtonProduct: (k, m) => {
		k.newtonProduct(0, BLOCKS, 0.01, 0, m.w, m.at("bx"), m.at("by"), m.at("z"), m.at("u"));
		k.newtonProduct(0, BLOCKS, 0, 0.3, m.w, m.at("bx"), m.at("by"), m.at("z"), m.at("u"));
	},
	diagonalStep: (k, m) => {
		k.diagonalStep(0, BLOCKS, CONTACTS, 1e-10, 0.25, m.mu, m.w, m.at("r"), m.at("u"), m.at("z"), m.at("work"));
	},
	treeSum: (k, m) => k.treeSum(m.at("many"), 77, K, K),
	dotLeaves: (k, m) => {
		k.dotLeaves(m.at("x"), m.at("many"), LENGTH, K, m.at("y"), LENGTH, m.at("partials"), K + 3, 1);
		k.dotLeaves(m.at("x"), 0, 0, 0, m.at("x"), LENGTH, m.at("partials"), K + 3, 0);
	},
	addCombination: (k, m) => k.addCombination(m.at("x"), m.at("factors"), m.at("many"), LENGTH, K, LENGTH),
	axpby: (k, m) => k.axpby(0.3, m.at("x"), -1.7, m.at("y"), LENGTH),
	subtract: (k, m) => k.subtract(m.at("x"), m.at("y"), m.at("z"), LENGTH),
	copy: (k, m) => k.copy(m.at("x"), m.at("y"), LENGTH),
	fill: (k, m) => k.fill(m.at("x"), -0.1, LENGTH),
};

/** Kernels of the operators: engines.test.ts runs them through their operators. */
const ofOperators = [
	"bodyVelocities",
	"contactVelocities",
	"rigidSweep",
	"rigidTriangle",
	"sellApply",
	"sellSweep",
	"sellTriangle",
];

test.each(Object.keys(calls))("%s: the twin's memory is WebAssembly's", (name) => {
	const [wasm, twin] = [setUp("wasm"), setUp("twin")];
	expect(firstDifference(wasm.all(), twin.all())).toBe(-1);
	const before = wasm.all().slice();
	const call = calls[name as keyof Kernels]!;
	call(wasm.kernels, wasm);
	call(twin.arena.kernels, twin);
	expect(firstDifference(wasm.all(), twin.all())).toBe(-1);
	expect(firstDifference(wasm.all(), before)).not.toBe(-1);
});

test("every kernel is compared, here or through its operator", () => {
	expect([...Object.keys(calls), ...ofOperators].sort()).toEqual(Object.keys(twinKernels).sort());
	const exported = Object.keys(setUp("wasm").kernels).filter((name) => name !== "memory");
	expect(exported.sort()).toEqual(Object.keys(twinKernels).sort());
});
