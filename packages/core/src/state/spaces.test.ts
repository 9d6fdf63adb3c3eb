/** States of several spaces, with vectors of several widths: every number gets to its id on any number of ranks, and what does not fit is refused by name. */
import { describe, expect, test } from "vitest";
import { InputError } from "../base/errors.js";
import { Random } from "../base/random.js";
import { SavedState } from "./saved.js";
import { cutState, gatherStates, type RunState, type StateSpace } from "./state.js";

const COUNTS = { contacts: 41, bodies: 17, events: 1 } as const;
type Name = keyof typeof COUNTS;
const NAMES = Object.keys(COUNTS) as Name[];
const WIDTHS: Record<Name, Record<string, number>> = {
	contacts: { reaction: 3 },
	bodies: { velocity: 6, age: 1 },
	events: { time: 1 },
};
const scalars = { time: 0.25, seeds: [1, 2] };

/** A number that only one place has: by space, vector, id and component. */
const numberAt = (space: Name, vector: string, id: number, component: number): number =>
	1e6 * NAMES.indexOf(space) + 1e5 * vector.length + 10 * id + component;

function spaceOf(space: Name, ids: Int32Array): StateSpace {
	const vectors = Object.entries(WIDTHS[space]).map(([name, width]) => {
		const values = Float64Array.from({ length: width * ids.length }, (_, at) =>
			numberAt(space, name, ids[Math.floor(at / width)]!, at % width),
		);
		return [name, { width, values }] as const;
	});
	return { count: COUNTS[space], ids, vectors: Object.fromEntries(vectors) };
}

/** By space the ids of each rank, in an order that means nothing; what there is too few of some ranks have none. */
function dealt(ranks: number, seed: number): Record<Name, Int32Array>[] {
	const random = new Random(seed);
	const spaces = NAMES.map((space) => {
		const ids = random.shuffle(Int32Array.from({ length: COUNTS[space] }, (_, id) => id));
		const owners = ids.map(() => random.below(ranks));
		return Array.from({ length: ranks }, (_, rank) => ids.filter((__, at) => owners[at] === rank));
	});
	return Array.from({ length: ranks }, (_, rank) => {
		return { contacts: spaces[0]![rank]!, bodies: spaces[1]![rank]!, events: spaces[2]![rank]! };
	});
}

const stateOf = (owned: Record<Name, Int32Array>): RunState => ({
	iteration: 7,
	scalars,
	spaces: Object.fromEntries(NAMES.map((space) => [space, spaceOf(space, owned[space])])),
});

describe("a state of three spaces", () => {
	test.each([1, 2, 3, 4, 5, 6, 7, 8])("of 3 ranks goes on with 2, 5 and 1, seed %i", (seed) => {
		const whole = gatherStates(dealt(3, seed).map(stateOf));
		const all = NAMES.map((space) => [space, Int32Array.from({ length: COUNTS[space] }, (_, id) => id)]);
		expect(whole).toEqual(stateOf(Object.fromEntries(all)));
		for (const ranks of [2, 5, 1]) {
			const others = dealt(ranks, 100 + seed);
			const parts = others.map((owned) => cutState(whole, owned));
			expect(parts).toEqual(others.map(stateOf));
			expect(gatherStates(parts)).toEqual(whole);
		}
	});

	test("is read to its end, a vector at a time", () => {
		const owned = dealt(2, 3)[0]!;
		const state = stateOf(owned);
		const saved = new SavedState(state);
		expect([saved.iteration, saved.scalars.number("time")]).toEqual([7, 0.25]);
		expect(saved.scalars.numbers("seeds", 2)).toEqual([1, 2]);
		for (const space of NAMES) {
			const from = saved.space(space);
			expect(from.ids).toEqual(owned[space]);
			for (const [name, width] of Object.entries(WIDTHS[space])) {
				expect(() => saved.end()).toThrow(/(contacts|bodies|events)(\.\w+)?: is unknown/);
				const into = new Float64Array(width * from.ids.length);
				saved.space(space).vector(name, width, into);
				expect(into).toEqual(state.spaces[space]!.vectors[name]!.values);
			}
		}
		saved.end();
	});
});

describe("refused by name:", () => {
	const owned = dealt(3, 11);
	const parts = owned.map(stateOf);
	const [first, second, third] = parts as [RunState, RunState, RunState];
	const whole = gatherStates(parts);
	const withSpace = (space: string, change: (of: StateSpace) => Partial<StateSpace>): RunState => {
		const of = second.spaces[space]!;
		return { ...second, spaces: { ...second.spaces, [space]: { ...of, ...change(of) } } };
	};
	const withVector = (space: string, name: string, width: number, numbers: number): RunState =>
		withSpace(space, ({ vectors }) => ({
			vectors: { ...vectors, [name]: { width, values: new Float64Array(numbers) } },
		}));
	const less = <Value>(record: Readonly<Record<string, Value>>, name: string): Record<string, Value> =>
		Object.fromEntries(Object.entries(record).filter(([each]) => each !== name));
	const bodies = second.spaces.bodies!.ids.length;

	test("the parts that follow are wrong in one thing each", () => {
		expect(bodies).toBeGreaterThan(1);
		expect(first.spaces.bodies!.ids.length).toBeGreaterThan(0);
	});

	test.each<[string, RunState[], RegExp]>([
		[
			"an id that is missing",
			[first, withSpace("bodies", withoutOne), third],
			/bodies\.ids: 16 are there instead of 17;/,
		],
		["a rank's part that is missing", [first, third], /contacts\.ids: \d+ are there instead of 41;/],
		[
			"another count",
			[first, withSpace("bodies", () => ({ count: 18 })), third],
			/bodies\.count: is 18 in one part and 17 in another;/,
		],
		[
			"a count that no memory has room for",
			[withSpace("contacts", () => ({ count: 1e15 }))],
			/contacts\.ids: \d+ are there instead of 10{15};/,
		],
		[
			"an id that is there twice",
			[first, withSpace("bodies", ({ ids }) => ({ ids: withFirst(ids, ids[1]!) })), third],
			/bodies\.ids: \d+ is there twice;/,
		],
		[
			"an id below 0",
			[first, withSpace("contacts", ({ ids }) => ({ ids: withFirst(ids, -1) })), third],
			/contacts\.ids: -1 is not from 0 to 40;/,
		],
		[
			"another width",
			[first, withVector("bodies", "velocity", 3, 3 * bodies), third],
			/bodies\.velocity: is of width 3 instead of 6;/,
		],
		[
			"a vector too short",
			[first, withVector("bodies", "velocity", 6, 6 * bodies - 1), third],
			/bodies\.velocity: has \d+ numbers instead of \d+;/,
		],
		[
			"a vector of one part alone",
			[first, withVector("bodies", "spin", 1, bodies), third],
			/bodies\.spin: is in one part and not in another;/,
		],
		[
			"a space of one part alone",
			[
				first,
				{ ...second, spaces: { ...second.spaces, joints: { count: 0, ids: new Int32Array(0), vectors: {} } } },
				third,
			],
			/joints: is in one part and not in another;/,
		],
		[
			"a space that one part has not",
			[first, { ...second, spaces: less(second.spaces, "events") }, third],
			/events: is in one part and not in another;/,
		],
	])("%s", (_, states, message) => {
		expect(() => gatherStates(states)).toThrow(message);
		expect(() => gatherStates(states)).toThrow(InputError);
	});

	function withFirst(ids: Int32Array, id: number): Int32Array {
		const changed = ids.slice();
		changed[0] = id;
		return changed;
	}

	/** Without its first id. */
	function withoutOne({ ids, vectors }: StateSpace): Partial<StateSpace> {
		const kept = Object.entries(vectors).map(([name, { width, values }]) => {
			return [name, { width, values: values.subarray(width) }] as const;
		});
		return { ids: ids.subarray(1), vectors: Object.fromEntries(kept) };
	}

	test.each<[string, () => RunState, RegExp]>([
		[
			"a space to be cut that the state has not",
			() => cutState(whole, { ...owned[0], joints: new Int32Array(0) }),
			/joints: is not there;/,
		],
		[
			"a space that nobody asks for",
			() => cutState(whole, { contacts: owned[0]!.contacts, bodies: owned[0]!.bodies }),
			/events: is unknown;/,
		],
		[
			"an id that the state has not",
			() => cutState(whole, { ...owned[0]!, bodies: Int32Array.of(16, 17) }),
			/bodies\.ids: 17 is missing;/,
		],
	])("%s", (_, cut, message) => {
		expect(cut).toThrow(message);
		expect(cut).toThrow(InputError);
	});
});
