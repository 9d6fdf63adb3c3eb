/**
 * The reducer: what travels merges to the same bits in any tree (kernels/bins.test.ts has the sums themselves), a request to stop comes
 * to all with the sum, and counts are what they say.
 */
import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import { Arena } from "../kernels/arena.js";
import { type Merge, REDUCE_MAX } from "../parallel/communicator.js";
import { SelfCommunicator } from "../parallel/self.js";
import { mergedSum, mergeInTree, scattered } from "../testing/merging.js";
import { Reducer } from "./reducer.js";
import { CHUNK, Sums } from "./sums.js";

/** Catches what is reduced, and how. */
class Caught extends SelfCommunicator {
	readonly sent: Float64Array[] = [];
	merge: Merge | undefined;

	override reduce(values: Float64Array, merge: Merge): void {
		super.reduce(values, merge);
		this.sent.push(values.slice());
		this.merge = merge;
	}
}

test("the largest request of any rank is what all learn of, whatever the tree", () => {
	const random = new Random(5);
	const arena = new Arena();
	for (let trial = 0; trial < 20; trial += 1) {
		const requests = Array.from({ length: 1 + random.below(7) }, () => random.below(3));
		const parts = scattered([1, 2, 3, 4, 5], requests.length, random);
		const { total, stop } = mergedSum(arena, parts, random, requests);
		expect(stop).toBe(Math.max(...requests));
		expect(total).toBe(15);
	}
});

test("a request stays until it is taken back", () => {
	const reducer = new Reducer(new SelfCommunicator());
	const sums = new Sums(new Arena(), reducer, 1);
	const stops = [0, 2, 2, 0].map((request) => {
		reducer.request = request;
		sums.terms(1, () => 1);
		sums.reduce();
		return reducer.stop;
	});
	expect(stops).toEqual([0, 2, 2, 0]);
});

describe("many sums in one reduction", () => {
	test("each is its own, of any size and with any window", () => {
		const arena = new Arena();
		const communicator = new SelfCommunicator();
		const reducer = new Reducer(communicator);
		const sums = new Sums(arena, reducer, 4);
		for (const count of [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 1000]) {
			sums.terms(count, () => 1);
			sums.terms(count, (i) => (i % 2 === 0 ? 1e200 : -1e200));
			sums.terms(count, () => 2 ** -1074);
			sums.terms(count, (i) => i * i);
			expect(sums.used).toBe(4);
			const squares = ((count - 1) * count * (2 * count - 1)) / 6;
			expect([...sums.reduce()]).toEqual([count, count % 2 === 0 ? 0 : 1e200, count * 2 ** -1074, squares]);
			expect(sums.used).toBe(0);
		}
		expect(reducer.count).toBe(6);
		expect(communicator.traffic).toMatchObject({ reductions: 6, exchanges: 0 });
	});

	test("a request, a largest number and four numbers per sum travel; a sum that is NaN leaves the others alone", () => {
		const communicator = new Caught();
		const sums = new Sums(new Arena(), new Reducer(communicator), 3);
		for (const term of [1, Number.NaN, 3]) sums.terms(5, () => term);
		expect([...sums.reduce()]).toEqual([5, Number.NaN, 15]);
		expect(communicator.sent[0]).toHaveLength(2 + 4 * 3);
	});

	test("more sums than one reduction holds are reduced in parts, with the largest of all ranks' numbers", () => {
		const count = Math.floor(REDUCE_MAX / 4) + 5;
		const communicator = new SelfCommunicator();
		const sums = new Sums(new Arena(), new Reducer(communicator), count);
		for (let i = 0; i < count; i += 1) sums.terms(1, () => i);
		expect([...sums.reduce(7)]).toEqual(Array.from({ length: count }, (_, i) => i));
		expect(sums.largest).toBe(7);
		expect(communicator.traffic.reductions).toBe(2);
	});

	test("a merge of one with nothing is the one", () => {
		const communicator = new Caught();
		const sums = new Sums(new Arena(), new Reducer(communicator), 1);
		for (const terms of [[1e100, 3, -2e-60], []]) {
			sums.terms(terms.length, (i) => terms[i]!);
			sums.reduce();
		}
		const random = new Random(2);
		for (let trial = 0; trial < 4; trial += 1) {
			const merged = mergeInTree(communicator.sent, communicator.merge!, random);
			expect(merged).toEqual(communicator.sent[0]);
		}
	});
});

test("the largest of each number, in any tree; what is not a number stays so", () => {
	const communicator = new Caught();
	const reducer = new Reducer(communicator);
	for (const values of [
		[1, -5, -Infinity, 0],
		[0, -7, -Infinity, Number.NaN],
		[3, -6, 1e300, 1],
	]) {
		reducer.largest(Float64Array.from(values));
	}
	for (let seed = 0; seed < 8; seed += 1) {
		const merged = mergeInTree(communicator.sent, communicator.merge!, new Random(seed));
		expect([...merged]).toEqual([3, -5, 1e300, Number.NaN]);
	}
	expect(reducer.count).toBe(3);
});
