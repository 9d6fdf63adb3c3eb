/** A state that is not whole, or of something else, is refused in one line; parts are put together only where they are one state. */
import { describe, expect, test } from "vitest";
import { InputError } from "../base/errors.js";
import { cutState, gatherStates, type PlainRecord, type RunState, type StateSpace } from "../state/state.js";
import { runsOf, savedRun, stepped } from "../testing/keeping.js";
import { sampleProblem } from "../testing/samples.js";
import type { SolveOptions } from "./options.js";

const problem = sampleProblem({ seed: 4, contacts: 20, bodies: 8 });
const other = sampleProblem({ seed: 4, contacts: 21, bodies: 8 });
const gaussSeidel: SolveOptions = { method: "gauss-seidel", tolerance: 1e-9, set: { window: 3 } };
const fresh = runsOf(problem, gaussSeidel);
const { bits, states } = savedRun(fresh());
const bodies: StateSpace = { count: 0, ids: new Int32Array(0), vectors: {} };
const state = states[6]!;

/** Of a state whose scalars, or those of its method, were changed. */
const withScalars = (change: PlainRecord): RunState => ({ ...state, scalars: { ...state.scalars, ...change } });
const stepper = state.scalars.stepper as PlainRecord;
const withStepper = (change: PlainRecord): RunState => withScalars({ stepper: { ...stepper, ...change } });
/** Of a state whose blocks, or some of their vectors, were changed. */
const withBlocks = (of: RunState, change: (blocks: StateSpace) => Partial<StateSpace>): RunState => {
	const blocks = of.spaces.blocks!;
	return { ...of, spaces: { ...of.spaces, blocks: { ...blocks, ...change(blocks) } } };
};
const withVector = (name: string, numbers: number, width = 3): RunState =>
	withBlocks(state, ({ vectors }) => ({
		vectors: { ...vectors, [name]: { width, values: new Float64Array(numbers) } },
	}));
const withoutVector = (of: RunState, name: string): RunState =>
	withBlocks(of, ({ vectors }) => ({ vectors: less(vectors, name) }));
/** Without one name. */
const less = <T>(record: Readonly<Record<string, T>>, name: string): Record<string, T> =>
	Object.fromEntries(Object.entries(record).filter(([one]) => one !== name));

function refusal(from: RunState, options = gaussSeidel, of = problem): string {
	try {
		runsOf(of, options)().resume(from);
	} catch (error) {
		if (error instanceof InputError) return error.message;
		throw error;
	}
	throw new Error("was accepted");
}

describe("refused", () => {
	test.each([
		["of another method", state, { ...gaussSeidel, method: "auto", set: {} }, /method: is "gauss-seidel", not auto/],
		["of another measure", state, { ...gaussSeidel, measure: "merit" }, /measure: is "energy", not merit/],
		["a window too small", state, { ...gaussSeidel, set: { window: 2 } }, /window\.held: 3 is not from 0 to 2/],
		["a history that is not there", state, { ...gaussSeidel, history: true }, /history: is not there/],
		["a history too many", withScalars({ history: [] }), gaussSeidel, /history: is unknown/],
		["a vector missing", withoutVector(state, "dF1"), gaussSeidel, /blocks\.dF1: is not there/],
		["a vector too many", withVector("dR", 60), gaussSeidel, /blocks\.dR: is unknown/],
		["a vector too short", withVector("r", 57), gaussSeidel, /blocks\.r: has 57 numbers instead of 60/],
		["another width", withVector("r", 20, 1), gaussSeidel, /blocks\.r: is of width 1 instead of 3/],
		["no blocks", { ...state, spaces: {} }, gaussSeidel, /checkpoint: blocks: is not there/],
		["bodies", { ...state, spaces: { ...state.spaces, bodies } }, gaussSeidel, /checkpoint: bodies: is unknown/],
		["a scalar missing", { ...state, scalars: less(state.scalars, "value") }, gaussSeidel, /value: is not there/],
		["a scalar too many", withStepper({ phase: 1 }), gaussSeidel, /stepper\.phase: is unknown/],
		["text for a number", withScalars({ products: "7" }), gaussSeidel, /products: is not a number/],
		["half a product", withScalars({ products: 6.5 }), gaussSeidel, /products: 6\.5 is not an integer/],
		["no number for a count", withScalars({ products: Number.NaN }), gaussSeidel, /products: NaN is not an integer/],
		["time that ran backwards", withScalars({ seconds: -1 }), gaussSeidel, /seconds: -1 is not a time/],
		["a number for yes or no", withStepper({ mixes: 1 }), gaussSeidel, /stepper\.mixes: is not true or false/],
		["a list that is none", withStepper({ remedies: "none" }), gaussSeidel, /stepper\.remedies: is not a list/],
		["a record that is none", withScalars({ checks: [1] }), gaussSeidel, /checks: is not a record/],
		["iterations to come", { ...state, iteration: -7 }, gaussSeidel, /iteration: -7 is not a count/],
	] as [string, RunState, SolveOptions, RegExp][])("%s", (_, from, options, message) => {
		const text = refusal(from, options);
		expect(text).toMatch(message);
		expect(text).toMatch(/^checkpoint: .*; go on from another one, or start again$/);
		expect(text).not.toContain("\n");
	});

	test("of another problem, or of other blocks", () => {
		expect(refusal(state, gaussSeidel, other)).toMatch(/ids: are not those/);
		expect(refusal(withBlocks(state, ({ ids }) => ({ ids: ids.slice().reverse() })))).toMatch(/ids: are not those/);
	});

	test("a phase that the schedule has not", () => {
		const relay = savedRun(runsOf(problem, {})()).states[1]!;
		const scalars = { ...relay.scalars, stepper: { ...(relay.scalars.stepper as PlainRecord), phase: 99 } };
		expect(refusal({ ...relay, scalars }, {})).toMatch(/stepper\.phase: 99 is not from 0 to/);
	});

	describe("of proximal-gauss-seidel", () => {
		const options: SolveOptions = {
			method: "proximal-gauss-seidel",
			tolerance: 1e-12,
			set: { patience: 0, sweeps: 6 },
		};
		const saved = savedRun(runsOf(problem, options)()).states;
		const steppers = saved.map(({ scalars }) => scalars.stepper as PlainRecord);
		const around = saved[steppers.findIndex(({ sweeps }) => Number(sweeps) > 0)]!;
		const first = (around.scalars.stepper as PlainRecord).first as PlainRecord;
		const changed = (change: PlainRecord): RunState => ({
			...around,
			scalars: { ...around.scalars, stepper: { ...(around.scalars.stepper as PlainRecord), ...change } },
		});

		test.each([
			["of gauss-seidel", changed({ name: "gauss-seidel" }), /stepper\.name: is "gauss-seidel"/],
			["sweeps that ran out before", changed({ sweeps: 6 }), /stepper\.sweeps: 6 is not from 0 to 5/],
			["between anchors, with a window", changed({ sweeps: 0 }), /stepper\.lastSquare: is unknown/],
			["no anchor", withoutVector(around, "anchor"), /blocks\.anchor: is not there/],
			["a window that is none", changed({ window: 5 }), /stepper\.window: is not a record/],
			["without an anchor", changed({ isPlain: true }), /stepper\.plainSweeps: is not there/],
			["half an anchor", changed({ first: { ...first, alike: 0.5 } }), /stepper\.first\.alike: 0\.5 is not an integer/],
			["a weight that is none", changed({ alpha: 0 }), /stepper\.alpha: 0 is not between 0 and 1/],
		] as [string, RunState, RegExp][])("%s", (_, from, message) => {
			expect(refusal(from, options)).toMatch(message);
		});
	});

	test("of the published form, in another form", () => {
		const report: SolveOptions = { method: "pqn", set: { scaling: "none" }, maxIterations: 3 };
		const from = savedRun(runsOf(problem, report)()).states[1]!;
		expect(refusal(from, { method: "pqn" })).toMatch(/stepper\.phase: is not there/);
	});
});

describe("parts", () => {
	const own = state.spaces.blocks!.ids;
	const parts = [own.slice(0, 3), own.slice(3, 15), own.slice(15)].map((ids) => cutState(state, { blocks: ids }));

	test("put together by id and cut again for others, they are the state they were", () => {
		const whole = gatherStates([...parts].reverse());
		expect([...whole.spaces.blocks!.ids]).toEqual([...own.keys()]);
		for (const of of [whole, structuredClone(whole)]) {
			const again = cutState(of, { blocks: own });
			expect(again).toEqual(state);
			const run = fresh();
			run.resume(again);
			expect(stepped(run)).toEqual(bits);
		}
	});

	test("nothing of them is shared", () => {
		const whole = gatherStates([state]);
		whole.spaces.blocks!.vectors.r!.values.fill(1);
		expect(cutState(state, { blocks: own })).toEqual(state);
		expect(state.spaces.blocks!.vectors.r!.values.every((value) => value === 1)).toBe(false);
	});

	test.each([
		["none", [], /parts: there are none/],
		["one twice", [parts[0]!, parts[0]!, ...parts.slice(1)], /blocks\.ids: 23 are there instead of 20/],
		["one missing", parts.slice(1), /blocks\.ids: 17 are there instead of 20/],
		["of two iterations", [parts[0]!, { ...parts[1]!, iteration: 3 }, parts[2]!], /iteration: is 3 .* and 7/],
		["one with less", [parts[0]!, withoutVector(parts[1]!, "r"), parts[2]!], /blocks\.r: is not there/],
		["one with more", [withoutVector(parts[0]!, "r"), ...parts.slice(1)], /blocks\.r: is in one part/],
	] as [string, RunState[], RegExp][])("%s", (_, given, message) => {
		expect(() => gatherStates(given)).toThrow(message);
		expect(() => gatherStates(given)).toThrow(InputError);
	});

	test("a block that the whole has not", () => {
		expect(() => cutState(parts[0]!, { blocks: own })).toThrow(/blocks\.ids: \d+ is missing/);
	});
});
