/** A state that is not whole, or of something else, is refused in one line; parts are put together only where they are one state. */
import { describe, expect, test } from "vitest";
import { InputError } from "../base/errors.js";
import { cutState, gatherStates, type PlainRecord, type RunState } from "../state/state.js";
import { runsOf, savedRun, stepped } from "../testing/keeping.js";
import { sampleProblem } from "../testing/samples.js";
import type { SolveOptions } from "./options.js";

const problem = sampleProblem({ seed: 4, contacts: 20, bodies: 8 });
const other = sampleProblem({ seed: 4, contacts: 21, bodies: 8 });
const gaussSeidel: SolveOptions = { method: "gauss-seidel", tolerance: 1e-9, set: { window: 3 } };
const fresh = runsOf(problem, gaussSeidel);
const { bits, states } = savedRun(fresh());
const state = states[6]!;

/** Of a state whose scalars, or those of its method, were changed. */
const withScalars = (change: PlainRecord): RunState => ({ ...state, scalars: { ...state.scalars, ...change } });
const stepper = state.scalars.stepper as PlainRecord;
const withStepper = (change: PlainRecord): RunState => withScalars({ stepper: { ...stepper, ...change } });
const withVectors = (change: Record<string, Float64Array>): RunState => ({
	...state,
	vectors: { ...state.vectors, ...change },
});
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
		["a history too many", withScalars({ history: [] }), gaussSeidel, /history: is not known here/],
		["a vector missing", { ...state, vectors: less(state.vectors, "dF1") }, gaussSeidel, /dF1: is not there/],
		["a vector too many", withVectors({ dR: new Float64Array(60) }), gaussSeidel, /dR: is not known here/],
		["a vector too short", withVectors({ r: new Float64Array(57) }), gaussSeidel, /r: has 57 numbers instead of 60/],
		["a scalar missing", { ...state, scalars: less(state.scalars, "value") }, gaussSeidel, /value: is not there/],
		["a scalar too many", withStepper({ phase: 1 }), gaussSeidel, /stepper\.phase: is not known here/],
		["text for a number", withScalars({ products: "7" }), gaussSeidel, /products: is no number/],
		["half a product", withScalars({ products: 6.5 }), gaussSeidel, /products: 6\.5 is no integer/],
		["no number for a count", withScalars({ products: Number.NaN }), gaussSeidel, /products: NaN is no integer/],
		["time that ran backwards", withScalars({ seconds: -1 }), gaussSeidel, /seconds: -1 is no time/],
		["a number for yes or no", withStepper({ mixes: 1 }), gaussSeidel, /stepper\.mixes: is neither true nor false/],
		["a list that is none", withStepper({ remedies: "none" }), gaussSeidel, /stepper\.remedies: is no list/],
		["a record that is none", withScalars({ checks: [1] }), gaussSeidel, /checks: is no record/],
		["iterations to come", { ...state, iteration: -7 }, gaussSeidel, /iteration: -7 is no count/],
	] as [string, RunState, SolveOptions, RegExp][])("%s", (_, from, options, message) => {
		const text = refusal(from, options);
		expect(text).toMatch(message);
		expect(text).toMatch(/^checkpoint: .*; go on from another one, or start again$/);
		expect(text).not.toContain("\n");
	});

	test("of another problem, or of other blocks", () => {
		expect(refusal(state, gaussSeidel, other)).toMatch(/ids: are not those/);
		expect(refusal({ ...state, ids: state.ids.slice().reverse() })).toMatch(/ids: are not those/);
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
		const changed = (change: PlainRecord): RunState => ({
			...around,
			scalars: { ...around.scalars, stepper: { ...(around.scalars.stepper as PlainRecord), ...change } },
		});

		test.each([
			["of gauss-seidel", changed({ name: "gauss-seidel" }), /stepper\.name: is "gauss-seidel"/],
			["sweeps that ran out before", changed({ sweeps: 6 }), /stepper\.sweeps: 6 is not from 0 to 5/],
			["between anchors, with a window", changed({ sweeps: 0 }), /stepper\.lastSquare: is not known here/],
			["no anchor", { ...around, vectors: less(around.vectors, "anchor") }, /anchor: is not there/],
			["a window that is none", changed({ window: 5 }), /stepper\.window: is no record/],
			["without an anchor", changed({ isPlain: true }), /stepper\.plainSweeps: is not there/],
			["half an anchor", changed({ alike: 0.5 }), /stepper\.alike: 0\.5 is no integer/],
			["a weight that is none", changed({ alpha: 0 }), /stepper\.alpha: 0 is not between 0 and 1/],
		] as [string, RunState, RegExp][])("%s", (_, from, message) => {
			expect(refusal(from, options)).toMatch(message);
		});
	});

	test("of the published form, in another form", () => {
		const report: SolveOptions = { method: "pqn", set: { scaling: "none" } };
		const from = savedRun(runsOf(problem, report)()).states[1]!;
		expect(refusal(from, { method: "pqn" })).toMatch(/stepper\.phase: is not there/);
	});
});

describe("parts", () => {
	const ids = [...state.ids];
	const parts = [ids.slice(0, 3), ids.slice(3, 15), ids.slice(15)].map((own) => cutState(state, Int32Array.from(own)));

	test("put together by id and cut again for others, they are the state they were", () => {
		const whole = gatherStates([...parts].reverse());
		expect([...whole.ids]).toEqual(ids.map((_, id) => id));
		for (const of of [whole, structuredClone(whole)]) {
			const again = cutState(of, state.ids);
			expect(again).toEqual(state);
			const run = fresh();
			run.resume(again);
			expect(stepped(run)).toEqual(bits);
		}
	});

	test("nothing of them is shared", () => {
		const whole = gatherStates([state]);
		whole.vectors.r!.fill(1);
		expect(cutState(state, state.ids).vectors.r).toEqual(state.vectors.r);
	});

	test.each([
		["none", [], /parts: there are none/],
		["one twice", [parts[0]!, parts[0]!, ...parts.slice(1)], /ids: .* is there twice/],
		["one missing", parts.slice(1), /ids: .* is none of/],
		["of two iterations", [parts[0]!, { ...parts[1]!, iteration: 3 }, parts[2]!], /iteration: is 3 .* and 7/],
		[
			"one with less",
			[parts[0]!, { ...parts[1]!, vectors: less(parts[1]!.vectors, "r") }, parts[2]!],
			/r: is not there/,
		],
		[
			"one with more",
			[{ ...parts[0]!, vectors: less(parts[0]!.vectors, "r") }, ...parts.slice(1)],
			/r: is in one part/,
		],
	] as [string, RunState[], RegExp][])("%s", (_, given, message) => {
		expect(() => gatherStates(given)).toThrow(message);
		expect(() => gatherStates(given)).toThrow(InputError);
	});

	test("a block that the whole has not", () => {
		expect(() => cutState(parts[0]!, state.ids)).toThrow(/ids: block \d+ is missing/);
	});
});
