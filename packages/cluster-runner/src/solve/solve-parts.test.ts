/** Problems in parts have the bits of the whole, in any parts and on any ranks. */
import { assembleRigid, generate, type Problem, Random, solve } from "@stickslip/core";
import { afterAll, describe, expect, it } from "vitest";
import { choose } from "../ranks/choose.js";
import type { Ranks } from "../ranks/ranks.js";
import { startRanks } from "../ranks/start-ranks.js";
import { splitProblem } from "../testing/split-problem.js";
import { PartsGroup } from "./solve-parts.js";

function withW(problem: Problem): Problem {
	const { rigid: _rigid, global: _global, ...rest } = problem;
	return { ...rest, W: problem.W ?? assembleRigid(problem.rigid!) };
}

function withBodies(problem: Problem): Problem {
	const { W: _W, global: _global, ...rest } = problem;
	return rest;
}

const spheres = generate("spheres", { contacts: 300, seed: 5 });
const planks = generate("planks", { contacts: 260, seed: 2 });

const open: Ranks[] = [];
afterAll(async () => {
	for (const ranks of open) await ranks.close();
});

describe.each([
	["self", 1, undefined],
	["threads", 2, "threads"],
	["threads", 3, "threads"],
	["zeromq", 2, "zeromq"],
] as const)("%s, %i", (_name, count, transport) => {
	let ranks: Promise<Ranks> | undefined;
	const start = async () => {
		ranks ??= startRanks("solve", choose(1e9, { ranks: count, ...(transport && { transport }) })).then((each) => {
			open.push(each);
			return each;
		});
		return await ranks;
	};

	it.each([
		["W", withW(spheres), "W"],
		["bodies, formed", withBodies(spheres), "rigid"],
		["bodies", withBodies(planks), "rigid"],
	] as const)("%s", async (_form, problem, form) => {
		const alone = solve(problem, {});
		const random = new Random(7);
		for (const [of, partOf] of [
			[1, () => 0],
			[3, (id: number) => id % 3],
			[4, (id: number) => Math.floor((4 * id) / problem.contacts)],
			[5, () => random.below(4)],
		] as const) {
			const group = new PartsGroup(await start(), of);
			const parts = splitProblem(problem, partOf, of, form);
			const answer = await group.solveAll(parts, {});
			expect(answer.report.hash).toBe(alone.report.hash);
			for (const [index, { ids }] of parts.entries()) {
				for (const [i, id] of ids.entries()) {
					expect(answer.parts[index]!.reaction[3 * i]).toBe(alone.reaction[3 * id]);
					expect(answer.parts[index]!.velocity[3 * i + 2]).toBe(alone.velocity[3 * id + 2]);
				}
			}
		}
	});
});
