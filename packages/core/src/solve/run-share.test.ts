/** Many solves on one communicator: what one took is given back, whatever happens in it, and is not counted as another's. */

import { runInNewContext } from "node:vm";
import { expect, test, vi } from "vitest";
import { InputError, MemoryLimitError, RankError } from "../base/errors.js";
import { Arena } from "../kernels/arena.js";
import { wholeShare } from "../outline/whole.js";
import type { Exchange, HaloPlan } from "../parallel/communicator.js";
import { REQUEST, toTheEnd } from "../parallel/program.js";
import { SelfCommunicator } from "../parallel/self.js";
import type { RunState } from "../state/state.js";
import { pile } from "../testing/gallery.js";
import { METHODS } from "../testing/methods.js";
import { assemble } from "./finish.js";
import type { SolveOptions } from "./options.js";
import { prepare } from "./prepare.js";
import type { RankResult } from "./report.js";
import type { Watch } from "./requests.js";
import { runShare } from "./run-share.js";

const problem = pile("spheres", 100);

/** A solve has more vectors than these: the system's, and some of its method. */
const VECTORS_MIN = 16;

/** Knows how many exchanges are open. */
class Watched extends SelfCommunicator {
	opened = 0;
	closed = 0;

	override open(plan: HaloPlan): Exchange {
		this.opened += 1;
		const exchange = super.open(plan);
		let isOpen = true;
		return {
			begin: (values) => exchange.begin(values),
			finish: (values) => exchange.finish(values),
			close: () => {
				exchange.close();
				if (isOpen) this.closed += 1;
				isOpen = false;
			},
		};
	}
}

function solveOn(communicator: SelfCommunicator, options: SolveOptions = {}, from?: RunState): RankResult {
	const { plan, options: kept } = prepare(problem, options);
	return toTheEnd(runShare(wholeShare(plan), kept, communicator, { request: 0 }, from));
}

const methods = METHODS;

test.each(methods)("%s: each solve counts what it did itself, and closes what it opened", (method) => {
	const communicator = new Watched();
	const options = { method, maxIterations: 20 };
	const first = solveOn(communicator, options);
	const { exchanges, reductions } = first.rank;
	expect(exchanges).toBeGreaterThan(0);
	expect(reductions).toBeGreaterThan(0);
	for (let i = 0; i < 3; i += 1) {
		const { rank, report } = solveOn(communicator, options);
		expect([rank.exchanges, rank.reductions]).toEqual([exchanges, reductions]);
		expect([report.exchanges, report.reductions]).toEqual([exchanges, reductions]);
	}
	expect(communicator.opened).toBeGreaterThan(0);
	expect(communicator.closed).toBe(communicator.opened);
});

test("a solve that fails closes what it opened, and the next one has its bits", () => {
	const communicator = new Watched();
	const { hash } = assemble([solveOn(communicator)]).report;
	const states: RunState[] = [];
	const { plan, options } = prepare(problem, {});
	const watch: Watch = { request: REQUEST.save, save: (state) => void states.push(state) };
	toTheEnd(runShare(wholeShare(plan), options, communicator, watch));
	const [state] = states;
	expect(state).toBeDefined();
	const damaged = { ...state!, spaces: {} };
	expect(() => solveOn(communicator, {}, damaged)).toThrow(InputError);
	// Memory ends at each vector in turn, until all of them are there.
	const { room } = Arena.prototype;
	let left = 0;
	const limited = vi.spyOn(Arena.prototype, "room").mockImplementation(function taken(this: Arena, ...size) {
		if (left === 0) throw new MemoryLimitError(1, 0);
		left -= 1;
		return room.apply(this, size);
	});
	for (let vectors = 0; vectors < VECTORS_MIN; vectors += 1) {
		left = vectors;
		expect(() => solveOn(communicator)).toThrow(MemoryLimitError);
		expect(communicator.closed).toBe(communicator.opened);
	}
	limited.mockRestore();
	expect(assemble([solveOn(communicator)]).report.hash).toBe(hash);
});

test("an error that cuts an exchange off is the one that is thrown", () => {
	const communicator = new SelfCommunicator();
	const { open } = communicator;
	vi.spyOn(communicator, "open").mockImplementation((plan) => {
		const exchange = open.call(communicator, plan);
		const finish = () => {
			throw new RankError(0, "has lost its network");
		};
		return { begin: (values) => exchange.begin(values), finish, close: () => exchange.close() };
	});
	expect(() => solveOn(communicator)).toThrow(/has lost its network/);
});

test("two thousand solves take one memory and leave nothing, and have the same bits", () => {
	const collect = runInNewContext("gc") as () => void;
	const used = () => {
		collect();
		collect();
		const { heapUsed, arrayBuffers } = process.memoryUsage();
		return heapUsed + arrayBuffers;
	};
	const { Memory } = WebAssembly;
	let memories = 0;
	vi.spyOn(WebAssembly, "Memory").mockImplementation(function made(descriptor) {
		memories += 1;
		return new Memory(descriptor);
	});
	const communicator = new SelfCommunicator();
	const { plan, options } = prepare(problem, { maxIterations: 3 });
	const share = wholeShare(plan);
	const solveOnce = () => assemble([toTheEnd(runShare(share, options, communicator, { request: 0 }))]).report;
	const { hash } = solveOnce();
	const hashes = new Set([hash]);
	for (let i = 0; i < 500; i += 1) hashes.add(solveOnce().hash);
	const [before, memoriesBefore] = [used(), memories];
	for (let i = 0; i < 1500; i += 1) hashes.add(solveOnce().hash);
	// A single number per contact and solve would be 1.2 megabytes; code that is compiled meanwhile is half of one.
	expect(used() - before).toBeLessThan(2 ** 20);
	expect(memories).toBe(memoriesBefore);
	expect(memories).toBeLessThanOrEqual(1);
	expect([...hashes]).toEqual([hash]);
	vi.restoreAllMocks();
});
