/** Checks that data from a file or another process is the state of a run: plain data within limits. */
import type { Plain, RunState, StateSpace } from "@stickslip/core/parallel";
import { array, type Check, dictionary, integer, record } from "@stickslip/core/schema";

const DEPTH_MAX = 8;
const NAMES_MAX = 1000;
const SPACES_MAX = 16;
/** Of all spaces together: a part of a checkpoint has room for this many arrays, besides those of scalars. */
const VECTORS_MAX = 1000;
const WIDTH_MAX = 10_000;
const COUNT_MAX = 2 ** 31;
const LIST_MAX = 100_000_000;
const TEXT_MAX = 100_000;
/** Manifests and messages name spaces too. */
const NAME_MAX = 40;

function isPlain(value: unknown, depth = 0): value is Plain {
	if (typeof value === "number" || typeof value === "boolean") return true;
	if (typeof value === "string") return value.length <= TEXT_MAX;
	if (depth > DEPTH_MAX) return false;
	const inner = (each: unknown) => isPlain(each, depth + 1);
	if (Array.isArray(value)) return value.length <= LIST_MAX && value.every(inner);
	return dictionary(inner as Check<Plain>, NAMES_MAX)(value);
}

function named<Value>(of: Check<Value>, sizeMax: number): Check<Record<string, Value>> {
	const isDictionary = dictionary(of, sizeMax);
	return (value): value is Record<string, Value> =>
		isDictionary(value) && Object.keys(value).every((name) => name.length <= NAME_MAX);
}

const count = integer(0, COUNT_MAX);
const isShape = record({
	iteration: integer(0, Number.MAX_SAFE_INTEGER),
	scalars: dictionary((value): value is Plain => isPlain(value), NAMES_MAX),
	spaces: named(
		record({
			count,
			ids: array(Int32Array),
			vectors: named(record({ width: integer(1, WIDTH_MAX), values: array(Float64Array) }), VECTORS_MAX),
		}),
		SPACES_MAX,
	),
});

/** How many ids there are of each space. */
export const areCounts = named(count, SPACES_MAX);

/** How many ids of each space a part has. */
export function countsOf({ spaces }: RunState): Record<string, number> {
	return Object.fromEntries(Object.entries(spaces).map(([space, { ids }]) => [space, ids.length]));
}

/** Any ids are accepted here: `gatherStates` checks those of all parts. */
export function isRunState(value: unknown): value is RunState {
	if (!isShape(value)) return false;
	const spaces = Object.values(value.spaces);
	const vectors = spaces.reduce((sum, space) => sum + Object.keys(space.vectors).length, 0);
	return vectors <= VECTORS_MAX && spaces.every(areOfLength);
}

function areOfLength({ ids, vectors }: StateSpace): boolean {
	return Object.values(vectors).every(({ width, values }) => values.length === width * ids.length);
}
