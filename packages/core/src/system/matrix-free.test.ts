/** The matrix-free product of rigid bodies against the assembled one, and the choice between the operators. */

import { describe, expect, test } from "vitest";
import { InputError } from "../base/errors.js";
import { Random } from "../base/random.js";
import { generate, generateRolling } from "../generate/index.js";
import type { OperatorName } from "../outline/choose.js";
import { assembleRigid } from "../problem/assemble-rigid.js";
import { condense } from "../problem/condense.js";
import { lawCode, PARAMETERS } from "../problem/laws.js";
import type { Problem } from "../problem/problem.js";
import { rigidDiagonal } from "../problem/rigid-diagonal.js";
import { rigidToGlobal } from "../problem/rigid-to-global.js";
import { loadById, storeById } from "../testing/by-id.js";
import { blockOnSlope, stack } from "../testing/closed-forms.js";
import { difference } from "../testing/dense.js";
import { pile } from "../testing/gallery.js";
import { blockOf, velocitiesOf } from "../testing/judge.js";
import { randomProblem, reals } from "../testing/random-problems.js";
import { sampleProblem, sampleRigid } from "../testing/samples.js";
import { systemDefaults, systemOf } from "./system.js";

function multiply(
	problem: Problem,
	x: Float64Array,
	operator: OperatorName,
	scaling: "contact" | number,
): Float64Array {
	const system = systemOf(problem, { ...systemDefaults, operator, scaling });
	expect(system.operator.kind).toBe(operator);
	const [from, to] = [system.operand(), system.vector()];
	storeById(system, x, from, -1);
	system.operator.apply(from, to);
	return loadById(system, to, 1).slice(0, x.length);
}

/** Random bodies, some contacts against obstacles on either side. */
function sample(seed: number): Problem {
	const contacts = 40;
	const rigid = sampleRigid({ seed, contacts, bodies: 9 });
	rigid.body[2 * 5] = 3;
	rigid.body[2 * 5 + 1] = -1;
	const random = new Random(seed);
	return {
		name: `bodies ${seed}`,
		contacts,
		q: reals(random, 3 * contacts),
		mu: reals(random, contacts, 0, 1),
		rigid,
		W: assembleRigid(rigid),
	};
}

/** The same bodies with some rolling contacts between others: pairs of blocks begin at even places and at odd ones. */
function rollingSample(seed: number): Problem {
	const { rigid: given, ...others } = sample(seed);
	const rolls = (a: number) => a % 3 === 0 || a % 7 < 2;
	const blocks = [...others.mu.keys()].flatMap((a) => (rolls(a) ? [a, a] : [a]));
	const random = new Random(seed, 1);
	const of = (values: Float64Array | Int32Array, width: number) =>
		blocks.flatMap((a) => [...values.subarray(width * a, width * a + width)]);
	const laws = {
		law: Uint8Array.from(blocks, (a) => lawCode(rolls(a) ? "rolling" : "coulomb")),
		parameters: reals(random, PARAMETERS * blocks.length, 0.1, 0.3),
	};
	const rigid = {
		...given!,
		body: Int32Array.from(of(given!.body, 2)),
		frame: Float64Array.from(of(given!.frame, 9)),
		arm: Float64Array.from(of(given!.arm, 6)),
	};
	return condense({
		name: `rolling ${seed}`,
		contacts: blocks.length,
		q: reals(random, 3 * blocks.length),
		mu: reals(random, blocks.length, 0, 1),
		laws,
		rigid,
	});
}

const problems = [
	rollingSample(1),
	rollingSample(2),
	condense(generateRolling("spheres", { contacts: 60, law: "rolling:mu_r=1e-3,mu_s=1e-3" })),
	blockOnSlope(0.3, 0.4).problem,
	stack([1, 20, 400]).problem,
	sample(1),
	pile("spheres", 300),
	pile("spheres-heavy", 300),
	pile("planks", 300),
];

describe.each(problems.map((problem) => [problem.name, problem] as const))("%s", (_, problem) => {
	test.each(["contact", 1, 1e-3] as const)(
		"scaling %s: matrix-free, assembled and the plain sum agree to 1e-12",
		(scaling) => {
			const x = reals(new Random(9), 3 * problem.contacts);
			const plain = velocitiesOf({ ...problem, q: new Float64Array(x.length) }, x).u;
			expect(difference(multiply(problem, x, "matrix-free", scaling), plain)).toBeLessThan(1e-12);
			expect(difference(multiply(problem, x, "assembled", scaling), plain)).toBeLessThan(1e-12);
		},
	);

	test("its diagonal blocks are those of W, to the bit", () => {
		const diagonal = rigidDiagonal(problem.rigid!);
		expect(rigidDiagonal(problem.rigid!, "twin")).toEqual(diagonal);
		const named = Int32Array.from({ length: problem.contacts }, (_, a) => problem.contacts - 1 - a).filter(
			(a) => a % 3 > 0,
		);
		expect([...rigidDiagonal(problem.rigid!, "wasm", undefined, named)]).toEqual(
			[...named].flatMap((a) => [...diagonal.subarray(9 * a, 9 * a + 9)]),
		);
		const W = assembleRigid(problem.rigid!);
		for (let a = 0; a < problem.contacts; a += 1) {
			expect(diagonal.slice(9 * a, 9 * a + 9)).toEqual(blockOf({ ...problem, W }, a));
		}
	});
});

describe("global forms", () => {
	test.each([0, 1, 3, 5])("%d equality rows: never condensed and condensed are the same operator", (equalityRows) => {
		const condensed = sampleProblem({ seed: 3, contacts: 11, bodies: 4, equalityRows });
		const systems = (["assembled", "global"] as const).map((operator) =>
			systemOf(condensed, { ...systemDefaults, operator }),
		);
		const answers = systems.map((system) => {
			const whole = reals(new Random(1), 3 * system.blocks);
			const [from, to] = [system.operand(), system.vector()];
			storeById(system, whole, from, -1);
			system.operator.apply(from, to);
			return loadById(system, to, 1).slice(0, 33 + equalityRows);
		});
		expect(systems[1]!.operator.kind).toBe("global");
		expect(difference(answers[1]!, answers[0]!)).toBeLessThan(1e-11);
		const scales = systems.map(({ share, s }) =>
			Float64Array.from({ length: 11 }, (_, id) => s.values[share.ids.indexOf(id)]!),
		);
		expect(difference(scales[1]!, scales[0]!)).toBeLessThan(1e-11);
	});

	test("of rigid bodies: three operators, one product", () => {
		const made = generate("spheres", { contacts: 100 });
		const problem: Problem = {
			...made,
			W: assembleRigid(made.rigid),
			global: rigidToGlobal(made.rigid, new Float64Array(3 * made.contacts)),
		};
		const x = reals(new Random(2), 3 * problem.contacts);
		const assembled = multiply(problem, x, "assembled", "contact");
		expect(difference(multiply(problem, x, "global", "contact"), assembled)).toBeLessThan(1e-11);
		expect(difference(multiply(problem, x, "matrix-free", "contact"), assembled)).toBeLessThan(1e-11);
	});
});

describe("the choice", () => {
	const chosen = (problem: Problem): string => systemOf(problem, systemDefaults).operator.kind;

	test("small piles are assembled, large ones are not", () => {
		expect(chosen(generate("spheres", { contacts: 300 }))).toBe("assembled");
		expect(chosen(generate("spheres", { contacts: 80_000 }))).toBe("matrix-free");
		expect(chosen(randomProblem({ seed: 1, contacts: 3 }))).toBe("assembled");
	});

	test.each(["matrix-free", "global"] as const)("%s without what it needs is bad input with a remedy", (operator) => {
		const problem = randomProblem({ seed: 1, contacts: 3 });
		expect(() => systemOf(problem, { ...systemDefaults, operator })).toThrow(InputError);
		expect(() => systemOf(problem, { ...systemDefaults, operator })).toThrow(/operator=auto/);
	});
});
