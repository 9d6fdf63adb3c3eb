/** An answer of the service as a solution, whose arrays are the caller's. */
import type { Report, Solution } from "@stickslip/core";
import { ServiceError } from "../base/service-error.js";
import { arraysOf, FrameError, type NamedArrays } from "../protocol/index.js";
import type { Answer } from "./requests.js";

/** `contacts`: how many the arrays have to be of; of a request that was fetched nobody here knows it. */
export function solutionOf({ message, frames }: Answer, contacts?: number): Solution {
	const refuse = (problem: string) =>
		new ServiceError("internal", "result", problem, "look whether client and service are of the same version");
	if (message.type !== "result") throw refuse(`is ${message.type}`);
	const report = message.report as Report;
	let arrays: NamedArrays;
	try {
		arrays = arraysOf(message.arrays, frames);
	} catch (error) {
		throw error instanceof FrameError ? refuse(error.message) : error;
	}
	const numbers = contacts === undefined ? undefined : 3 * contacts;
	const take = (name: string, length?: number): Float64Array => {
		const array = arrays.get(name);
		if (!(array instanceof Float64Array) || (length !== undefined && array.length !== length)) {
			throw refuse(`has no ${name} of ${length ?? "f64"} numbers`);
		}
		return owned(array);
	};
	return {
		reaction: take("reaction", numbers),
		velocity: take("velocity", numbers),
		multiplier: arrays.has("multiplier") ? take("multiplier") : new Float64Array(0),
		report,
	};
}

/** Small arrays may stand in memory that Node.js uses for others too. */
const SMALL_BYTES = 16_384;

function owned(array: Float64Array): Float64Array {
	return array.byteLength < SMALL_BYTES && array.byteLength < array.buffer.byteLength ? array.slice() : array;
}
