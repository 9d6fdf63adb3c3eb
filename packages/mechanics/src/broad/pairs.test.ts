/** Pairs that are kept for some steps against those of a new search, while bodies move, are held, come and go. */
import { Random } from "@stickslip/core";
import { expect, test } from "vitest";
import type { Bodies } from "../bodies/bodies.js";
import { KIND } from "../bodies/bodies.js";
import type { Model } from "../bodies/model.js";
import { bodiesOf, modelOf, planeShape, randomSpheres, type SphereState, sphereShape } from "../testing/bodies.js";
import { PairSearch } from "./pairs.js";

function pairsOf(search: PairSearch, model: Model, bodies: Bodies): string {
	search.search(model, bodies, 0.01);
	return search.pair.subarray(0, 2 * search.count).join(" ");
}

/** A plane and a sphere that are obstacles, and spheres that move; shapes by number. */
function states(count: number): SphereState[] {
	const obstacles = [0, 1].map(() => ({ radius: 1, position: [0, 0, 0], kind: KIND.obstacle }));
	return [...obstacles, ...randomSpheres(3, count, [3, 3, 3], 8)];
}

const all = states(120);
const model = modelOf([planeShape([0, 0.6, 0.8], 0.5), ...all.slice(1).map(({ radius }) => sphereShape(radius))]);

test.each([
	["at rest", 0],
	["slow", 1e-3],
	["fast", 0.3],
])("%s: each search finds what a new one does", (_name, speed) => {
	const kept = new PairSearch();
	const random = new Random(8);
	const bodies = bodiesOf(all);
	let most = 0;
	for (let step = 0; step < 60; step += 1) {
		const pairs = pairsOf(kept, model, bodies);
		expect(pairs).toEqual(pairsOf(new PairSearch(), model, bodies));
		most = Math.max(most, pairs.length);
		// Obstacles move as well.
		for (let i = 0; i < bodies.position.length; i += 1) bodies.position[i]! += speed * (random.uniform() - 0.5);
	}
	expect(most).toBeGreaterThan(300);
});

test("bodies that are released, added, exchanged or far away are found anew", () => {
	const kept = new PairSearch();
	const expectSame = (bodies: Bodies) => {
		const pairs = pairsOf(kept, model, bodies);
		expect(pairs).toEqual(pairsOf(new PairSearch(), model, bodies));
		return pairs.length;
	};
	const few = bodiesOf(all.slice(0, 80).map((state, i) => ({ ...state, isHeld: i > 40 })));
	const held = expectSame(few);
	few.isHeld.fill(0);
	expect(expectSame(few)).toBeGreaterThan(held);
	const many = bodiesOf(all);
	expectSame(many);
	// Two bodies exchange their numbers and nothing else.
	many.id[10] = 11;
	many.id[11] = 10;
	expectSame(many);
	many.position[30] = 1e9;
	expectSame(many);
	many.position[30] = Number.NaN;
	expectSame(many);
	many.position[30] = 1;
	expectSame(many);
	expectSame(few);
});
