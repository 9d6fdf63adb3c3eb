/** Which patterns the quick first fit takes for symmetric; that its colours are those of the general one stands in colouring.test.ts. */
import { expect, test } from "vitest";
import { isSymmetricPattern } from "./colouring-masks.js";

const pattern = (...rows: number[][]): [number, Int32Array, Int32Array] => {
	const start = [0];
	for (const row of rows) start.push(start.at(-1)! + row.length);
	return [rows.length, Int32Array.from(start), Int32Array.from(rows.flat())];
};

test("symmetric ones, with a diagonal or without", () => {
	expect(isSymmetricPattern(...pattern())).toBe(true);
	expect(isSymmetricPattern(...pattern([0], [], [2]))).toBe(true);
	expect(isSymmetricPattern(...pattern([0, 1, 3], [0, 1], [2], [0]))).toBe(true);
});

test("not where an entry lacks its mirror image, on either side, or a row does not ascend", () => {
	expect(isSymmetricPattern(...pattern([0, 1], [1]))).toBe(false);
	expect(isSymmetricPattern(...pattern([0], [0, 1]))).toBe(false);
	expect(isSymmetricPattern(...pattern([0, 1, 2], [0, 1], [2]))).toBe(false);
	expect(isSymmetricPattern(...pattern([0, 2], [1, 2], [1, 2]))).toBe(false);
	expect(isSymmetricPattern(...pattern([1, 0], [0, 1]))).toBe(false);
	expect(isSymmetricPattern(...pattern([0, 1, 1], [0, 0, 1]))).toBe(false);
});
