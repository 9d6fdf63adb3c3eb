/** Linear systems on ranks: subdomains cross the ranks' borders, and no bit knows. */
import { condense, generate, generateRolling, type Problem } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { solveRanks } from "./solve-ranks.js";

const problem = generate("planks", { contacts: 70, seed: 2 });
const rolling = condense(generateRolling("spheres", { contacts: 40, seed: 2, law: "rolling:mu_r=0.05,mu_s=0.02" }));

async function sameOnRanks(of: Problem, method: string, settings: object, maxIterations: number): Promise<void> {
	const found = [];
	for (const ranks of [1, 2, 5]) {
		const options = { method, tolerance: 0, maxIterations, set: { operator: "assembled", ...settings } } as const;
		const { report } = await solveRanks(of, { ...options, ranks, transport: "threads" });
		expect(report.ranks).toBe(ranks);
		const { hash, products, exchanges, reductions, energy } = report;
		found.push({ hash, products, exchanges, reductions, energy });
	}
	for (const other of found.slice(1)) expect(other).toEqual(found[0]);
}

describe.each([
	["newton", { linear: "lu" }],
	["newton", { linear: "krylov", subdomain: 16, overlap: 2, patience: 2 }],
	["newton", { linear: "krylov", subdomain: 25, overlap: 0, linearisation: "newt" }],
	["admm", { solve: "schwarz" }],
	["proximal-newton", { operator: "matrix-free" }],
	["auto", { near: 0.9, share: 100 }],
])("%s, %o", (method, settings) => {
	it("the same R on 1, 2 and 5 ranks, and the same counts", async () => {
		await sameOnRanks(problem, method, settings, method === "auto" ? 30 : 6);
	});
});

it.each([
	["newton", { linear: "krylov", subdomain: 16, overlap: 1 }],
	["pqn", {}],
])("rolling contacts by %s, %o: the same R on 1, 2 and 5 ranks, and the same counts", async (method, settings) => {
	await sameOnRanks(rolling, method, settings, 8);
});
