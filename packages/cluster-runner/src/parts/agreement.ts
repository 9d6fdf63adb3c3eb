/** Bad input that one rank finds while others wait for it: all of them are notified, and stay up for the next task. */
import { InputError } from "@stickslip/core";
import type { Communicator } from "@stickslip/core/parallel";
import { list, text } from "@stickslip/core/schema";

const FIELDS = 4;
export const isRefusal = list(text(10_000), FIELDS);

/** An InputError that all ranks know of: its source, place, problem and remedy. */
export class AgreedRefusal extends Error {
	readonly fields: readonly string[];

	constructor(fields: readonly string[]) {
		super(fields.join("; "));
		this.fields = fields;
	}
}

export function errorOf(fields: readonly string[]): InputError {
	const [source = "", place = "", problem = "", remedy = ""] = fields;
	return new InputError(source, place, problem, remedy);
}

/** Collective. Throws an AgreedRefusal on all ranks where one throws an InputError: that of the first of them. */
export function together<Result>(communicator: Communicator, attempt: () => Result): Result {
	let result: Result | undefined;
	let fields: readonly string[] = [];
	try {
		result = attempt();
	} catch (error) {
		if (!isInputError(error)) throw error;
		fields = [error.source, error.place, error.problem, error.remedy];
	}
	const own = new TextEncoder().encode(JSON.stringify(fields));
	const all = communicator.gather(own, 0);
	const first = all?.find((bytes) => bytes.length > EMPTY_BYTES) ?? all?.[0];
	const agreed = JSON.parse(new TextDecoder().decode(communicator.broadcast(first, 0))) as string[];
	if (agreed.length > 0) throw new AgreedRefusal(agreed);
	return result as Result;
}

/** A caller's module may have InputError from another copy of core than the ranks. */
function isInputError(error: unknown): error is InputError {
	return error instanceof InputError || (error instanceof Error && error.name === "InputError" && "remedy" in error);
}

/** Of "[]". */
const EMPTY_BYTES = 2;
