/** Plans laid end to end and taken apart again; arrays that do not fit together are seen. */
import { expect, test } from "vitest";
import { Random } from "../base/random.js";
import type { HaloPlan } from "./communicator.js";
import { arePlans, emptyPlan, emptyPlans, joinPlans, splitPlans } from "./halo-plans.js";

/** Some ranks, with some places each; none of them in half of the sides. */
function side(random: Random) {
	const count = random.below(2) * random.below(4);
	const ranks = Int32Array.from({ length: count }, (_, i) => 3 * i + random.below(3));
	const start = new Int32Array(count + 1);
	for (let i = 0; i < count; i += 1) start[i + 1] = start[i]! + random.below(5);
	return { ranks, start, places: Int32Array.from({ length: start[count]! }, () => random.below(100)) };
}

function randomPlans(seed: number): HaloPlan[] {
	const random = new Random(seed);
	return Array.from({ length: random.below(30) }, () => {
		const [out, back] = [side(random), side(random)];
		return {
			width: 6,
			targets: out.ranks,
			sendStart: out.start,
			send: out.places,
			sources: back.ranks,
			receiveStart: back.start,
			receive: back.places,
		};
	});
}

test("any plans are what they were, out of the same few arrays", () => {
	for (let seed = 1; seed <= 200; seed += 1) {
		const plans = randomPlans(seed);
		const joined = joinPlans(plans, 6);
		expect(Object.keys(joined)).toHaveLength(9);
		expect(arePlans(joined, plans.length), `seed ${seed}`).toBe(true);
		expect(splitPlans(joined), `seed ${seed}`).toEqual(plans);
	}
});

test("plans without neighbours", () => {
	expect(splitPlans(emptyPlans(3, 6))).toEqual([emptyPlan(6), emptyPlan(6), emptyPlan(6)]);
	expect(splitPlans(emptyPlans(0, 3))).toEqual([]);
});

test("arrays that do not fit together are refused, each of them", () => {
	const plans = joinPlans(randomPlans(2), 6);
	const count = plans.targetStart.length - 1;
	expect(Math.min(plans.targets.length, plans.sources.length, plans.send.length, plans.receive.length)).toBeGreaterThan(
		1,
	);
	for (const name of ["targetStart", "sendStart", "sourceStart", "receiveStart"] as const) {
		const cut = { ...plans, [name]: plans[name].slice(0, -1) };
		const long = {
			...plans,
			[name]: plans[name].map((value, i) => (i === plans[name].length - 1 ? value + 1 : value)),
		};
		const late = { ...plans, [name]: plans[name].map((value, i) => (i === 0 ? 1 : value)) };
		const falling = { ...plans, [name]: plans[name].map((value, i) => (i === 1 ? -5 : value)) };
		for (const wrong of [cut, long, late, falling]) expect(arePlans(wrong, count), name).toBe(false);
	}
	for (const name of ["targets", "send", "sources", "receive"] as const) {
		expect(arePlans({ ...plans, [name]: plans[name].slice(1) }, count), name).toBe(false);
	}
	expect(arePlans(plans, count + 1)).toBe(false);
});
