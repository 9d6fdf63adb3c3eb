/** Problems in parts by seed: any generated pile, in any number of parts, on any number of ranks, has the bits of the whole. */
import { assembleRigid, generate, generateNames, Random, solve } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { choose } from "../ranks/choose.js";
import { startRanks } from "../ranks/start-ranks.js";
import { splitProblem } from "../testing/split-problem.js";
import { PartsGroup } from "./solve-parts.js";

const ROUNDS = 24;

describe.each([1, 2, 3, 5])("%i ranks", (count) => {
	it("have the bits of one, whoever brings what", { timeout: 600_000 }, async () => {
		const random = new Random(100 + count);
		const ranks = await startRanks("solve", choose(1e9, { ranks: count }));
		const names = generateNames();
		for (let round = 0; round < ROUNDS; round += 1) {
			const { name } = names[random.below(names.length)]!;
			const seed = 1 + random.below(1000);
			const { rigid, W, global: _global, ...pile } = generate(name, { contacts: 20 + random.below(400), seed });
			const form = random.below(2) === 0 ? "W" : "rigid";
			const problem = form === "W" ? { ...pile, W: W ?? assembleRigid(rigid!) } : { ...pile, rigid: rigid! };
			const tile = [1, 7, 64][random.below(3)]!;
			const operator = form === "rigid" && random.below(2) === 0 ? "matrix-free" : "assembled";
			const options = { set: { tile, operator }, maxIterations: 60 };
			const of = 1 + random.below(9);
			const bounds = Array.from({ length: of - 1 }, () => random.below(problem.contacts)).sort((a, b) => a - b);
			const isInRuns = random.below(2) === 0;
			const partOf = (id: number) => (isInRuns ? bounds.filter((bound) => bound <= id).length : random.below(of));
			const parts = splitProblem(problem, partOf, of, form);
			const { report } = await new PartsGroup(ranks, of).solveAll(parts, options);
			const what = `${name}, ${problem.contacts} contacts, seed ${seed}, ${form}, ${of} parts, ${JSON.stringify(options)}`;
			expect(report.hash, what).toBe(solve(problem, options).report.hash);
		}
		await ranks.close();
	});
});
