/** Laws side by side in one problem have the same bits on any number of ranks, in rows of W and with bodies, in tiles of one contact and of many. */
import { generate, type SolveOptions, solve } from "@stickslip/core";
import { expect, test } from "vitest";
import { solveRanks } from "./solve-ranks.js";

const law = [
	"coulomb+frictionless+bilateral+relaxed+cohesive:cohesion=1e-4",
	"anisotropic:across=0.1,axis1=0.6,axis2=0.8+capped:cap=2e-4+box:low0=0,high1=1e-4",
].join("+");
const problem = generate("spheres", { contacts: 150, seed: 7, law });

const ways: readonly (readonly [string, readonly number[], SolveOptions])[] = [
	["auto", [2, 3, 5], {}],
	["auto, tiles", [3], { set: { tile: 16 } }],
	["auto, bodies", [2, 3, 5], { set: { operator: "matrix-free", tile: 8 } }],
	["pqn", [3], { method: "pqn" }],
	["pqn-diagonal", [3], { method: "pqn-diagonal" }],
	["sor", [3], { method: "sor", set: { symmetric: "yes", tile: 16 } }],
	["sor, bodies", [2, 5], { method: "sor", set: { symmetric: "yes", operator: "matrix-free" } }],
	["apgd", [3], { method: "apgd", set: { operator: "matrix-free" } }],
	["extragradient", [3], { method: "extragradient" }],
	["measured in the problem's units", [3], { method: "spg", measure: "natural" }],
];

test.each(ways)("%s, on %j ranks", async (_, counts, way) => {
	const options = { ...way, maxIterations: 40, tolerance: 1e-9 };
	const { report } = solve(problem, options);
	expect(report.energy).toBeLessThan(1);
	for (const ranks of counts) {
		const other = await solveRanks(problem, { ...options, ranks, transport: "threads" });
		expect([other.report.hash, other.report.iterations]).toEqual([report.hash, report.iterations]);
		expect([other.report.energy, other.report.natural, other.report.merit]).toEqual([
			report.energy,
			report.natural,
			report.merit,
		]);
	}
});
