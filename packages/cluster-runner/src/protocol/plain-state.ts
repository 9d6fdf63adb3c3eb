/** Whether something that was read, or came from another process, is the state of a run: plain data with limits on everything. */
import type { Plain, RunState } from "@stickslip/core/parallel";
import { array, type Check, dictionary, integer, record } from "../base/schema.js";

const DEPTH_MAX = 8;
const NAMES_MAX = 1000;
const VECTORS_MAX = 1000;
const LIST_MAX = 100_000_000;
const TEXT_MAX = 100_000;

function isPlain(value: unknown, depth = 0): value is Plain {
	if (typeof value === "number" || typeof value === "boolean") return true;
	if (typeof value === "string") return value.length <= TEXT_MAX;
	if (depth > DEPTH_MAX) return false;
	const inner = (each: unknown) => isPlain(each, depth + 1);
	if (Array.isArray(value)) return value.length <= LIST_MAX && value.every(inner);
	return dictionary(inner as Check<Plain>, NAMES_MAX)(value);
}

const isShape = record({
	iteration: integer(0, Number.MAX_SAFE_INTEGER),
	scalars: dictionary((value): value is Plain => isPlain(value), NAMES_MAX),
	ids: array(Int32Array),
	vectors: dictionary(array(Float64Array), VECTORS_MAX),
});

/** Any ids are accepted here: the caller knows which are valid. */
export function isRunState(value: unknown): value is RunState {
	return isShape(value) && Object.values(value.vectors).every(({ length }) => length === 3 * value.ids.length);
}
