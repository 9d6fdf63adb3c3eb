/** One hash, whoever computes it. */
import { createHash } from "node:crypto";
import { expect, test, vi } from "vitest";
import { Random } from "../base/random.js";
import { hashOf, NATIVE_MIN, PiecewiseHash } from "./hash.js";

/** As a process that has hashed nothing yet loads it. */
async function fresh() {
	vi.resetModules();
	return await import("./hash.js");
}

test("the same with Node's own SHA-256 and without, for short answers and long ones", async () => {
	const random = new Random(1);
	for (const length of [0, 1, 3, NATIVE_MIN - 1, NATIVE_MIN, 3 * NATIVE_MIN + 1]) {
		const numbers = Float64Array.from({ length }, () => random.uniform() - 0.5);
		const expected = createHash("sha256").update(new Uint8Array(numbers.buffer)).digest("hex");
		const native = vi.spyOn(process, "getBuiltinModule");
		const { hashOf } = await fresh();
		expect(hashOf(numbers), `${length} numbers`).toBe(expected);
		expect(native).toHaveBeenCalledTimes(length < NATIVE_MIN ? 0 : 1);
		native.mockReturnValue(undefined);
		expect(hashOf(numbers), `${length} numbers in a browser`).toBe(expected);
		native.mockRestore();
	}
});

test("many short answers are hashed by Node's own as well", async () => {
	const native = vi.spyOn(process, "getBuiltinModule");
	const { hashOf } = await fresh();
	const numbers = Float64Array.of(1, 2, 3);
	const hashes = new Set<string>();
	for (let count = 0; count < NATIVE_MIN; count += 1) hashes.add(hashOf(numbers));
	expect(hashes.size).toBe(1);
	expect(native.mock.calls.length).toBeGreaterThan(NATIVE_MIN / 2);
	native.mockRestore();
});

test("zeros of either sign are the same reaction", () => {
	for (const length of [6, 2 * NATIVE_MIN]) {
		expect(hashOf(new Float64Array(length).fill(-0))).toBe(hashOf(new Float64Array(length)));
	}
});

test("pieces of any length have the hash of the whole", () => {
	const random = new Random(2);
	const numbers = Float64Array.from({ length: 5000 }, () => random.uniform() - 0.5);
	const expected = createHash("sha256").update(new Uint8Array(numbers.buffer)).digest("hex");
	for (const longest of [1, 7, 1024, 1025, 5000]) {
		const hash = new PiecewiseHash();
		for (let from = 0; from < numbers.length; ) {
			const end = Math.min(numbers.length, from + (longest === 1 ? 1 : random.below(longest + 1)));
			hash.add(numbers.subarray(from, end));
			from = end;
		}
		expect(hash.finish(), `pieces of ${longest} at most`).toBe(expected);
	}
});
