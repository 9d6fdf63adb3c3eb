/** Many pairs at a time: the bits of each by itself, and the distance by its definition, the largest f of all directions. */
import { Random } from "@stickslip/core";
import { expect, test } from "vitest";
import { EllipsoidPairs, FAR, FOUND } from "./ellipsoid-pairs.js";

const PAIRS = 200;
const LIMIT = 0.3;

/** Ellipsoids that are turned and stretched, each pair at some distance along some direction. */
function randomPairs(random: Random) {
	const ball = Float64Array.from({ length: 18 * PAIRS }, (_, k) => (k % 4 === 0 ? 1 : 0) + random.between(-0.4, 0.4));
	const c = Float64Array.from({ length: 3 * PAIRS }, () => random.between(-2, 2));
	return { ball, c };
}

/** Solves the pairs of these numbers. */
function solved({ ball, c }: ReturnType<typeof randomPairs>, numbers: readonly number[]): EllipsoidPairs {
	const pairs = new EllipsoidPairs();
	pairs.reset(2 * numbers.length, numbers.length);
	for (const [at, number] of numbers.entries()) {
		pairs.ball.set(ball.subarray(18 * number, 18 * number + 18), 18 * at);
		for (let side = 0; side < 2; side += 1) {
			pairs.placeSquare(2 * at + side);
			pairs.ellipsoid[2 * at + side] = 2 * at + side;
		}
		pairs.c.set(c.subarray(3 * number, 3 * number + 3), 3 * at);
		pairs.limit[at] = LIMIT;
	}
	pairs.count = numbers.length;
	pairs.solve();
	return pairs;
}

/** f in a direction: how far apart the two are along it. */
function distanceAlong({ ball, c }: ReturnType<typeof randomPairs>, pair: number, n: readonly number[]): number {
	let f = 0;
	for (let d = 0; d < 3; d += 1) f += n[d]! * c[3 * pair + d]!;
	for (let side = 0; side < 2; side += 1) {
		const at = 18 * pair + 9 * side;
		const reach = [0, 1, 2].map((k) => ball[at + k]! * n[0]! + ball[at + 3 + k]! * n[1]! + ball[at + 6 + k]! * n[2]!);
		f -= Math.sqrt(reach[0]! ** 2 + reach[1]! ** 2 + reach[2]! ** 2);
	}
	return f;
}

test("pairs have the bits that each has by itself, in any order", () => {
	const given = randomPairs(new Random(1));
	const numbers = Array.from({ length: PAIRS }, (_, pair) => pair);
	const all = solved(given, numbers);
	const turned = solved(given, [...numbers].reverse());
	for (const pair of numbers) {
		const other = PAIRS - 1 - pair;
		const alone = solved(given, [pair]);
		expect([all.outcome[pair], turned.outcome[other]]).toEqual([alone.outcome[0], alone.outcome[0]]);
		if (alone.outcome[0] !== FOUND) continue;
		for (const [name, width] of [
			["n", 3],
			["witness", 6],
			["gap", 1],
		] as const) {
			const expected = alone[name].slice(0, width);
			expect(all[name].slice(width * pair, width * (pair + 1))).toEqual(expected);
			expect(turned[name].slice(width * other, width * (other + 1))).toEqual(expected);
		}
	}
});

test("a distance is the largest along any direction, and what is farther apart than the limit is so", () => {
	const random = new Random(2);
	const given = randomPairs(random);
	const { outcome, gap, n } = solved(
		given,
		Array.from({ length: PAIRS }, (_, pair) => pair),
	);
	const counts = [0, 0, 0];
	for (let pair = 0; pair < PAIRS; pair += 1) {
		counts[outcome[pair]!]! += 1;
		let largest = Number.NEGATIVE_INFINITY;
		for (let i = 0; i < 300; i += 1) {
			const v = [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)];
			const length = Math.hypot(...v);
			largest = Math.max(
				largest,
				distanceAlong(
					given,
					pair,
					v.map((x) => x / length),
				),
			);
		}
		if (outcome[pair] === FOUND) {
			const own = [...n.subarray(3 * pair, 3 * pair + 3)];
			expect(distanceAlong(given, pair, own)).toBeCloseTo(gap[pair]!, 12);
			expect(largest).toBeLessThanOrEqual(gap[pair]! + 1e-12);
			expect(gap[pair]).toBeLessThanOrEqual(LIMIT);
		}
		// Directions at random come near the largest.
		if (outcome[pair] === FAR) expect(largest).toBeGreaterThan(LIMIT - 0.2);
	}
	// All that may come of a pair does.
	for (const count of counts) expect(count).toBeGreaterThan(5);
});
