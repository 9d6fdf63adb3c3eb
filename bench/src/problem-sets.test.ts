/** The problems that benches make: as many as they say, other ones for training than for judging, and the same ones each time. */
import { describe, expect, it } from "vitest";
import { runTrial, summary } from "./auto/train.js";
import { generatedProblems, JUDGING_SEED, sceneProblems, TRAINING_SEED } from "./problem-sets.js";

describe("sets of problems", () => {
	const sets = [TRAINING_SEED, JUDGING_SEED].map((seed) => [...generatedProblems(seed), ...sceneProblems(seed)]);

	it("have 40 piles and 40 steps of scenes, no two alike", () => {
		expect(sets.map((set) => set.length)).toEqual([80, 80]);
		expect(new Set(sets.flat().map(({ name }) => name)).size).toBe(160);
	});

	it("are the same each time, with W and Coulomb's law alone", () => {
		const twice = [0, 1].map(() =>
			sceneProblems(7)
				.filter(({ name }) => name.startsWith("stack"))
				.slice(0, 2),
		);
		const [one, other] = twice.map((set) => set.map(({ problem }) => problem()));
		expect(one).toHaveLength(2);
		expect(other).toEqual(one);
		for (const { W, laws } of one!) expect([W === undefined, laws]).toEqual([false, undefined]);
	});
});

describe("auto-train", () => {
	const variants = [{}, { without: "factors" }, { products: 1 }];
	const { name, problem } = generatedProblems(3)[0]!;
	const trial = runTrial(name, problem(), 1e-4, { products: 500, variants });

	it("counts the work of each variant, none where it fails", () => {
		expect(trial.work.map((each) => Number.isFinite(each))).toEqual([true, true, false]);
		expect(trial.work[0]).toBe(trial.work[1]);
	});

	it("tells solved ones, means, and how many went another way", () => {
		const rows = summary(variants, [trial]).filter(({ tolerance }) => tolerance === 1e-4);
		expect(rows.map(({ variant, solved, otherwise }) => [variant, solved, otherwise])).toEqual([
			["as it is", 1, 0],
			["without=factors", 1, 0],
			["products=1", 0, 0],
		]);
		expect(rows[1]!.work).toBe("1.000");
	});
});
