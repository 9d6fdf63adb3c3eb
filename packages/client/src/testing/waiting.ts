/** What tests of the client wait for: refusals, conditions, time. */
import { expect } from "vitest";
import { ServiceError } from "../base/service-error.js";

export const refusal = (promise: Promise<unknown>): Promise<ServiceError> =>
	promise.then(
		() => expect.fail("is not rejected"),
		(error: unknown) => {
			expect(error).toBeInstanceOf(ServiceError);
			return error as ServiceError;
		},
	);

export const isAfter = (seconds: number) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

export async function until(holds: () => boolean): Promise<void> {
	for (const end = performance.now() + 10_000; !holds(); await isAfter(0.01)) {
		if (performance.now() > end) throw new Error("that does not come");
	}
}

/** A port of one that was closed is free after a moment. */
export async function retried<Result>(start: () => Promise<Result>): Promise<Result> {
	for (let attempt = 0; ; attempt += 1) {
		try {
			return await start();
		} catch (error) {
			if (attempt === 50) throw error;
			await isAfter(0.1);
		}
	}
}
