/** Inner products by themselves: small integers are exact, and the order of blocks changes no bit. */
import { expect, test } from "vitest";
import { Random } from "../base/random.js";
import { makeDots } from "./dots.js";

test.each(["wasm", "twin"] as const)("%s: products of small integers are exact", (engine) => {
	const { x, v, dots } = makeDots(200, 3, engine);
	x.forEach((_, i) => {
		x[i] = i % 7;
		v[0]![i] = 1;
		v[1]![i] = i % 5;
		v[2]![i] = -i;
	});
	const exact = [0, 1, 2].map((j) => x.reduce((sum, value, i) => sum + value * v[j]![i]!, 0));
	expect([...dots()]).toEqual(exact);
});

test.each(["wasm", "twin"] as const)("%s: the order of blocks changes no bit", (engine) => {
	const random = new Random(3);
	const { x, v, dots } = makeDots(1000, 2, engine);
	for (const values of [x, ...v])
		values.forEach((_, i) => {
			values[i] = random.between(-1, 1) * 10 ** random.between(-9, 9);
		});
	const before = [...dots()];
	const order = random.shuffle(Int32Array.from({ length: 1000 }, (_, a) => a));
	for (const values of [x, ...v]) {
		const kept = values.slice();
		for (const [to, from] of order.entries()) values.set(kept.subarray(3 * from, 3 * from + 3), 3 * to);
	}
	expect([...dots()]).toEqual(before);
});
