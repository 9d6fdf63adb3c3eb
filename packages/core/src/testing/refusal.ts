/** The InputError that a promise has to be rejected with. */
import { InputError } from "../base/errors.js";

export async function refusal(work: Promise<unknown>): Promise<InputError> {
	const error = await work.then(
		() => undefined,
		(reason: unknown) => reason,
	);
	if (error instanceof InputError) return error;
	throw new Error("was accepted", { cause: error });
}
