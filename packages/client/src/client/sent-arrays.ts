/** The arrays of a request at the moment when it is sent. */
import { InputError } from "@stickslip/core";
import { badInput, ServiceError } from "../base/service-error.js";
import type { NamedArrays } from "../protocol/index.js";

/** What a head takes, about. */
export const HEAD_BYTES = 1024;

const INDICES = /(?:^|\.)(?:rowStart|column|body|ids|law)$/;
const REMEDY = "give what solve takes, and leave it as it is until the answer is there";

/** Throws a ServiceError for what cannot be sent: a caller may have changed its problem since it was checked. */
export function arraysToSend(make: (() => NamedArrays) | undefined): NamedArrays | undefined {
	return inWords(() => {
		const arrays = make?.();
		for (const [name, array] of arrays ?? []) {
			const Kind = INDICES.test(name) ? Int32Array : Float64Array;
			if (array instanceof Kind) continue;
			throw new InputError("problem", name, `is not a ${Kind.name}`, `give it as a ${Kind.name}`);
		}
		return arrays;
	});
}

/** Any error, as an error of the request. */
export function inWords<Result>(send: () => Result): Result {
	try {
		return send();
	} catch (error) {
		if (error instanceof ServiceError) throw error;
		if (error instanceof InputError) throw badInput(error);
		const problem = `cannot be sent (${error instanceof Error ? error.message : String(error)})`;
		throw new ServiceError("bad-input", "problem", problem, REMEDY, { cause: error });
	}
}

export function bytesOf(arrays: NamedArrays | undefined): number {
	let bytes = HEAD_BYTES;
	for (const { byteLength } of arrays?.values() ?? []) bytes += byteLength;
	return bytes;
}
