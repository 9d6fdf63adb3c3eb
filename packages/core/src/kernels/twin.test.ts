/**
 * Decision 3: the TypeScript twin of a kernel gives the same bits as WebAssembly. Each kernel runs on two memories filled alike, and
 * the memories are compared whole; the kernels of the operators run through operators (system/engines.test.ts).
 */
import { expect, test } from "vitest";
import { Random } from "../base/random.js";
import { lawCode, lawNames, PARAMETERS } from "../problem/laws.js";
import { SUM_NUMBERS } from "../sums/reducer.js";
import { firstDifference } from "../testing/bits.js";
import { positiveDefinite } from "../testing/random-problems.js";
import { Arena, STATIC_BYTES } from "./arena.js";
import { FIRST_TOP } from "./bin-table.js";
import { type Kernels, twinKernels } from "./kernels.js";

const BLOCKS = 151;
const CONTACTS = 149;
const LENGTH = 24 * Math.ceil(BLOCKS / 8);
const K = 5;
/** Laws that share kernels. */
const LAW_CODES = lawNames()
	.filter((name) => name !== "coulomb" && name !== "rolling")
	.map(lawCode);

/** Places of all that the kernels below read and write, and a copy of the whole memory as numbers. */
function setUp(engine: "wasm" | "twin") {
	const arena = new Arena(engine);
	// Between vectors stands what the last solve of this process left.
	const before = arena.bytes;
	arena.vector(50_000).values.fill(0);
	arena.rewind(before);
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
	const [many, factors] = [vector(K * LENGTH), vector(K)];
	// Sums start at the lowest bins, empty.
	const sums = arena.vector(SUM_NUMBERS * (K + 1));
	for (let j = 0; j <= K; j += 1) sums.values[SUM_NUMBERS * j] = FIRST_TOP;
	const terms = vector(3 * 64);
	const numbers = vector(PARAMETERS * BLOCKS);
	const [bx, by, bp, work] = [vector(9 * BLOCKS), vector(9 * BLOCKS), vector(9 * BLOCKS), vector(32)];
	const places = { x, y, r, u, c, z, many, factors, terms, numbers, bx, by, bp, work } as Record<string, number>;
	// The last vector's buffer is the memory as it is now: it has grown since the first.
	const { buffer } = arena.vector(1).values;
	/** Sums with their two lanes put together, of which the twin uses one; what stands in scratch is nobody's, and what the module keeps its own. */
	const all = (): Float64Array => {
		const numbers = new Float64Array(buffer, 0, Math.floor(arena.bytes / 8)).slice();
		for (let at = sums.at + 2; at < sums.at + sums.values.length; at += 2) {
			if ((at - sums.at) % SUM_NUMBERS === 0) continue;
			numbers[at]! += numbers[at + 1]!;
			numbers[at + 1] = 0;
		}
		return numbers
			.fill(0, 0, STATIC_BYTES / 8)
			.fill(0, terms, terms + 3 * 64)
			.fill(0, work, work! + 32);
	};
	return {
		kernels: arena.kernels,
		arena,
		all,
		mu: mu.at,
		s: s.at,
		w: w.at,
		sums: sums.at,
		at: (name: string) => places[name]!,
	};
}

type Memory = ReturnType<typeof setUp>;

const calls: Partial<Record<keyof Kernels, (k: Kernels, m: Memory) => void>> = {
	addProjected: (k, m) => {
		k.addProjected(0, BLOCKS, CONTACTS, m.mu, -0.7, m.at("x"), m.at("r"));
		k.addProjected(3, 90, CONTACTS, m.mu, 0, -1, m.at("u"));
	},
	energyTerms: (k, m) => {
		const { at } = m;
		k.energyTerms(0, BLOCKS, CONTACTS, m.mu, m.w, at("r"), at("u"), at("work"), at("z"));
	},
	meritTerms: (k, m) => {
		const { at, sums, arena } = m;
		k.meritTerms(0, BLOCKS, CONTACTS, m.mu, m.s, m.w, at("r"), at("u"), at("work"), at("terms"), sums, arena.bins.at);
	},
	naturalTerms: (k, m) => {
		const { at, sums, arena } = m;
		k.naturalTerms(0, BLOCKS, CONTACTS, m.mu, m.s, at("r"), at("u"), at("work"), at("terms"), sums, arena.bins.at);
	},
	lawProject: (k, m) => {
		for (const law of LAW_CODES) k.lawProject(law, 0, BLOCKS, m.at("numbers"), -0.7, m.at("x"), m.at("r"));
		k.lawProject(4, 3, 90, m.at("numbers"), 0, -1, m.at("u"));
	},
	lawVelocities: (k, m) => {
		for (const law of LAW_CODES) k.lawVelocities(law, 0, BLOCKS, m.at("numbers"), m.at("u"), m.at("z"));
		k.lawVelocities(4, 0, BLOCKS, m.at("numbers"), m.at("x"), m.at("x"));
	},
	lawLinearise: (k, m) => {
		const { at } = m;
		for (const law of LAW_CODES) {
			const from = 20 * law;
			for (const [range, omega] of [0, 1e-10, 0.1].entries()) {
				const [a, b] = [from + 5 * range, from + 5 * range + 5];
				k.lawLinearise(law, a, b, at("numbers"), omega, at("r"), at("u"), at("c"), at("bx"), at("by"));
			}
			k.lawLinearise(law, from, from + 20, at("numbers"), 0.1, at("r"), at("u"), at("z"), -1, -1);
		}
	},
	lawDiagonalStep: (k, m) => {
		const { at, w } = m;
		for (const law of LAW_CODES) {
			const p = at("numbers");
			k.lawDiagonalStep(law, 20 * law, 20 * law + 20, p, 1e-10, 0.25, w, at("r"), at("u"), at("z"), at("work"));
		}
	},
	lawEnergyTerms: (k, { at, w }) => {
		for (const law of LAW_CODES) {
			k.lawEnergyTerms(law, 3, BLOCKS, at("numbers"), w, at("r"), at("u"), at("work"), at("z"));
		}
	},
	lawNaturalTerms: (k, { at, s, sums, arena: { bins } }) => {
		for (const law of LAW_CODES) {
			k.lawNaturalTerms(law, 3, BLOCKS, at("numbers"), s, at("r"), at("u"), at("work"), at("terms"), sums, bins.at);
		}
	},
	lawMeritTerms: (k, { at, s, w, sums, arena: { bins } }) => {
		for (const law of LAW_CODES) {
			const [p, e] = [at("numbers"), at("work")];
			k.lawMeritTerms(law, 3, BLOCKS, p, s, w, at("r"), at("u"), e, at("terms"), sums, bins.at);
		}
	},
	anchorFree: (k, m) => k.anchorFree(1, BLOCKS, 0.03, m.w, m.at("x"), m.at("r"), m.at("y")),
	linearise: (k, m) => {
		for (const omega of [0, 1e-10, 0.1]) {
			k.linearise(0, BLOCKS, CONTACTS, omega, m.mu, m.at("r"), m.at("u"), m.at("c"), m.at("bx"), m.at("by"));
			k.linearise(0, BLOCKS, CONTACTS, omega, m.mu, m.at("r"), m.at("u"), m.at("z"), -1, -1);
		}
	},
	invertDiagonal: (k, m) => k.invertDiagonal(0, BLOCKS, 0.01, 0.3, m.w, m.at("bx"), m.at("by"), m.at("bp")),
	blockProduct: (k, m) => k.blockProduct(0, BLOCKS, m.w, m.at("x"), m.at("y")),
	leastSquaresBlocks: (k, m) => {
		k.leastSquaresBlocks(0, BLOCKS, m.w, m.at("bx"), m.at("by"), m.at("bp"), m.at("work"));
	},
	transposedProducts: (k, m) =>
		k.transposedProducts(0, BLOCKS, m.at("bx"), m.at("by"), m.at("x"), m.at("y"), m.at("z")),
	newtonProduct: (k, m) => {
		k.newtonProduct(0, BLOCKS, 0.01, 0, m.w, m.at("bx"), m.at("by"), m.at("z"), m.at("u"));
		k.newtonProduct(0, BLOCKS, 0, 0.3, m.w, m.at("bx"), m.at("by"), m.at("z"), m.at("u"));
	},
	diagonalStep: (k, m) => {
		k.diagonalStep(0, BLOCKS, CONTACTS, 1e-10, 0.25, m.mu, m.w, m.at("r"), m.at("u"), m.at("z"), m.at("work"));
	},
	deposit: (k, m) => {
		// Odd counts last: WebAssembly puts a zero behind them.
		for (const count of [2, 64, 63, 1]) k.deposit(m.at("terms"), count, m.sums, m.arena.bins.at);
	},
	dotBins: (k, m) => {
		const bins = m.arena.bins.at;
		k.dotBins(m.at("x"), m.at("many"), LENGTH, K, m.at("y"), LENGTH, m.sums, bins);
		k.dotBins(m.at("x"), 0, 0, 0, m.at("x"), LENGTH, m.sums, bins);
	},
	addCombination: (k, m) => k.addCombination(m.at("x"), m.at("factors"), m.at("many"), LENGTH, K, LENGTH),
	axpby: (k, m) => k.axpby(0.3, m.at("x"), -1.7, m.at("y"), LENGTH),
	subtract: (k, m) => k.subtract(m.at("x"), m.at("y"), m.at("z"), LENGTH),
	differences: (k, m) => {
		const { at } = m;
		k.differences(at("x"), at("y"), at("z"), at("r"), at("many"), at("u"), at("many") + LENGTH, LENGTH);
	},
	clearStrided: (k, m) => k.clearStrided(m.at("many") + 7, 5, LENGTH, K - 1),
	copy: (k, m) => k.copy(m.at("x"), m.at("y"), LENGTH),
	fill: (k, m) => k.fill(m.at("x"), -0.1, LENGTH),
	freeTerms: (k, m) => {
		k.freeTerms(64, m.w, m.at("x"), m.at("y"), 0.25, m.at("many"));
		// Without symmetry, any row first, and an odd one at the end.
		k.freeTerms(63, m.at("bx"), m.at("x"), m.at("y"), 0.25, m.at("many") + 192);
	},
	lawVelocity: (k, m) => k.lawVelocity(0, BLOCKS, CONTACTS, m.mu, m.at("u"), m.at("z")),
	multiply: (k, m) => k.multiply(-0.7, m.at("x"), LENGTH),
	scaleBlocks: (k, m) => {
		k.scaleBlocks(BLOCKS, m.w, m.s);
		k.scaleBlocks(BLOCKS, m.at("bx"), m.s);
	},
	scaleVelocity: (k, m) => {
		k.multiply(k.scaleVelocity(BLOCKS, m.s, m.at("x")), m.at("y"), LENGTH);
	},
	sizes: (k, m) => k.sizes(BLOCKS, m.at("x"), m.at("many")),
	sha256: (k, m) => {
		const work = 2 * m.at("numbers");
		k.sha256(m.at("x"), LENGTH, -1, work);
		k.sha256(m.at("many"), 37, LENGTH + 37, work);
	},
};

/** Kernels of the operators: engines.test.ts runs them through their operators. */
const ofOperators = [
	"contactVelocities",
	"gatherImpulses",
	"gatherSingles",
	"markBodyWaits",
	"markWaits",
	"rigidDiagonal",
	"rigidFill",
	"lawRigidSweep",
	"lawSellSweep",
	"rigidSweep",
	"rigidTriangle",
	"sellApply",
	"sellColumns",
	"sellFill",
	"sellSweep",
	"sellTriangle",
	"setInMotion",
	"rollingTriangle",
	"singleVelocities",
	"writeLevers",
];

/** Kernels of sparse factors: factor/block-lu.test.ts compares what comes of them. */
const ofFactors = ["ldltRows", "ldltSolve", "luRows", "luSolve"];

/** Kernels that give colours, and the order by them: outline/colouring-masks.test.ts. */
const ofColours = ["colourByMasks", "isSymmetricPattern", "orderByColour"];

/** Kernels of whole solves: solve/tiny.test.ts, and ranks/tiny-step.test.ts of mechanics, compare answers and all that is told of them. */
const ofSolves = ["tinyBodies", "tinyBodySweeps", "tinyMeasures", "tinySetUp", "tinySweeps"];

/** Kernels of connected components: kernels/components.test.ts. */
const ofComponents = [
	"componentDenominator",
	"componentTotals",
	"depositMembers",
	"groupComponents",
	"joinBodies",
	"joinComponents",
	"joinRows",
	"largestSquare",
	"tightened",
];

/** Kernels of laws: kernels/rolling.test.ts and rolling-newton.test.ts; through methods solve/rolling.test.ts. */
const ofLaws = [
	"addCoupling",
	"rollingDiagonalStep",
	"rollingGradient",
	"rollingLinearise",
	"rollingResidual",
	"rollingSlope",
	"solveRolling",
];

test.each(Object.keys(calls))("%s: the twin's memory is WebAssembly's", (name) => {
	const [wasm, twin] = [setUp("wasm"), setUp("twin")];
	expect(firstDifference(wasm.all(), twin.all())).toBe(-1);
	const before = wasm.all();
	const call = calls[name as keyof Kernels]!;
	call(wasm.kernels, wasm);
	call(twin.arena.kernels, twin);
	expect(firstDifference(wasm.all(), twin.all())).toBe(-1);
	expect(firstDifference(wasm.all(), before)).not.toBe(-1);
});

test("every kernel is compared, here, through its operator, factors or solves", () => {
	const elsewhere = [...ofOperators, ...ofComponents, ...ofLaws, ...ofFactors, ...ofColours, ...ofSolves];
	expect([...Object.keys(calls), ...elsewhere].sort()).toEqual(Object.keys(twinKernels).sort());
	const exported = Object.keys(setUp("wasm").kernels).filter((name) => name !== "memory");
	expect(exported.sort()).toEqual(Object.keys(twinKernels).sort());
});
