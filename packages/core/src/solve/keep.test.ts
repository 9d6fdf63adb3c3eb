/** The drivers and a solve that is kept: what is asked for happens once, at an iteration of its own, and changes no bit. */

import { describe, expect, test } from "vitest";
import { wholeShare } from "../outline/whole.js";
import { REQUEST, toTheEnd } from "../parallel/program.js";
import { SelfCommunicator } from "../parallel/self.js";
import { gatherStates, type RunState } from "../state/state.js";
import { pile } from "../testing/gallery.js";
import { FACTORS, METHODS } from "../testing/methods.js";
import { runOf } from "../testing/runs.js";
import { assemble } from "./finish.js";
import type { Keep, SolveOptions } from "./options.js";
import { prepare } from "./prepare.js";
import type { Report } from "./report.js";
import { runShare } from "./run-share.js";
import { solve, solveAsync } from "./solve.js";

const problem = pile("spheres", 100);
const methods = [...METHODS, ...FACTORS];

/** Asks for one thing, and takes what it is given. */
class Keeper implements Keep {
	request: number;
	readonly states: RunState[] = [];
	readonly from?: RunState;

	constructor(request: number, from?: RunState) {
		this.request = request;
		if (from) this.from = from;
	}

	save(state: RunState): void {
		this.states.push(state);
		this.request = 0;
	}
}

/** A rank that is alone, kept like the others. */
function alone(options: SolveOptions): Report {
	const { keep, ...rest } = options;
	const { plan, options: kept } = prepare(problem, rest);
	const watch = keep ?? { request: options.signal?.aborted ? REQUEST.cancelled : 0 };
	const steps = runShare(wholeShare(plan), kept, new SelfCommunicator(), watch, keep?.from);
	return assemble([toTheEnd(steps)]).report;
}

const drivers: [string, (options: SolveOptions) => Report | Promise<Report>][] = [
	["plain", (options) => solve(problem, options).report],
	["yielding", async (options) => (await solveAsync(problem, options)).report],
	["a rank's", alone],
];

const bitsOf = ({ hash, status, iterations, products, remedies, energy, exchanges, reductions }: Report) => {
	return { hash, status, iterations, products, remedies, energy, exchanges, reductions };
};

describe.each(drivers)("the %s driver", (name, driver) => {
	test.each(methods)("%s: saves once, goes on, and is gone on with", async (method) => {
		const options: SolveOptions = { method, tolerance: 1e-7, maxIterations: 40 };
		const undisturbed = await driver(options);
		const keep = new Keeper(REQUEST.save);
		expect(bitsOf(await driver({ ...options, keep }))).toEqual(bitsOf(undisturbed));
		expect(keep.states.map(({ iteration }) => iteration)).toEqual([1]);
		const kept = structuredClone(keep.states[0]!);
		// One that was put together of several ranks' is by ascending id.
		const from = name === "a rank's" ? kept : gatherStates([kept]);
		const resumed = await driver({ ...options, keep: new Keeper(0, from) });
		expect(bitsOf(resumed)).toEqual(bitsOf(undisturbed));
	});

	test("every request is one state", async () => {
		const at: number[] = [];
		const keep: Keep = { request: REQUEST.save, save: ({ iteration }) => at.push(iteration) };
		const { iterations } = await driver({ method: "pqn-diagonal", maxIterations: 6, tolerance: 0, keep });
		expect(iterations).toBe(6);
		expect(at).toEqual([1, 2, 3, 4, 5, 6]);
	});

	test("suspended: the state is handed out, and the solve ends as cancelled and says why", async () => {
		const options: SolveOptions = { method: "gauss-seidel", tolerance: 1e-7 };
		const states: RunState[] = [];
		let looks = 0;
		const keep: Keep = {
			get request() {
				looks += 1;
				return looks > 5 ? REQUEST.suspend : 0;
			},
			save: (state) => states.push(state),
		};
		const report = await driver({ ...options, repeat: 3, keep });
		expect(report.status).toBe("cancelled");
		expect(report.reason).toMatch(/^suspended on request at energy/);
		expect(states.map(({ iteration }) => iteration)).toEqual([report.iterations]);
		const resumed = await driver({ ...options, keep: new Keeper(0, states[0]!) });
		expect(bitsOf(resumed)).toEqual(bitsOf(await driver(options)));
	});

	test("suspended before it begins: no iteration, and it can be gone on with", async () => {
		for (const method of methods) {
			const options: SolveOptions = {
				method,
				tolerance: 1e-6,
				maxIterations: 20,
				set: method === "pqn" ? { scaling: "none" } : {},
			};
			const keep = new Keeper(REQUEST.suspend);
			expect(await driver({ ...options, keep })).toMatchObject({ status: "cancelled", iterations: 0 });
			expect(keep.states).toHaveLength(1);
			const resumed = await driver({ ...options, keep: new Keeper(0, keep.states[0]!) });
			expect(bitsOf(resumed)).toEqual(bitsOf(await driver(options)));
		}
	});

	test("no time, or a signal aborted before, is no iteration", async () => {
		for (const method of methods) {
			expect(await driver({ method, timeLimit: 0 })).toMatchObject({ status: "time-limit", iterations: 0 });
			expect(await driver({ method, signal: AbortSignal.abort() })).toMatchObject({
				status: "cancelled",
				iterations: 0,
			});
		}
	});

	test("time goes on: seconds and the limit are those of all parts", async () => {
		const keep = new Keeper(REQUEST.save);
		const options: SolveOptions = { method: "gauss-seidel", maxIterations: 30, tolerance: 0 };
		await driver({ ...options, keep });
		const [state] = keep.states;
		expect(state!.scalars.seconds).toBeGreaterThan(0);
		const from = { ...state!, scalars: { ...state!.scalars, seconds: 1000 } };
		const later = await driver({ ...options, repeat: 2, keep: new Keeper(0, from) });
		// The repetition is of the whole solve, and takes less than a thousand seconds.
		expect(later.secondsFirst).toBeGreaterThan(1000);
		expect(later.seconds).toBeLessThan(1000);
		const single = await driver({ ...options, keep: new Keeper(0, from) });
		expect(single.seconds).toBeGreaterThan(1000);
		expect(single.perRank[0]!.phases.compute).toBeLessThan(1000);
		const late = await driver({ ...options, timeLimit: 999, keep: new Keeper(0, from) });
		expect(late).toMatchObject({ status: "time-limit", iterations: state!.iteration });
	});

	test("a solve that ends at once saves nothing", async () => {
		const keep = new Keeper(REQUEST.save);
		const report = await driver({ method: "pqn-diagonal", maxIterations: 1, tolerance: 1e3, keep });
		expect(report.status).toBe("solved");
		expect(keep.states).toEqual([]);
	});
});

test("what was agreed on is told once, though an iteration may do without a reduction", () => {
	const run = runOf(problem);
	run.begin();
	run.system.reducer.stop = REQUEST.save;
	expect([run.takeAgreedRequest(), run.takeAgreedRequest()]).toEqual([REQUEST.save, 0]);
});
