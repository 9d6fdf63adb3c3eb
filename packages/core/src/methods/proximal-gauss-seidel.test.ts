/** Proximal sweeps: one stored hash, what anchors do, and that they end where mixed sweeps alone cycle. */
import { describe, expect, test } from "vitest";
import { generate } from "../generate/index.js";
import type { SolveOptions } from "../solve/options.js";
import { solve } from "../solve/solve.js";
import { pile } from "../testing/gallery.js";

const proximal = (options: SolveOptions): SolveOptions => ({ ...options, method: "proximal-gauss-seidel" });

describe("stored hashes: spheres-600 through several anchors", () => {
	const problem = generate("spheres", { contacts: 600, seed: 1 });
	test.each([
		["assembled", "7a8d1ece4503"],
		["matrix-free", "7e07c85013cd"],
	])("%s", (operator, hash) => {
		for (const engine of ["wasm", "twin"]) {
			const set = { patience: 4, sweeps: 6, operator, engine };
			const { report } = solve(problem, proximal({ set, maxIterations: 30, tolerance: 1e-9 }));
			expect(report.hash.slice(0, 12)).toBe(hash);
		}
	});
});

test("a problem that mixed sweeps solve is solved by them, to the bit", () => {
	const problem = pile("planks", 60);
	const [plain, found] = (["gauss-seidel", "proximal-gauss-seidel"] as const).map(
		(method) => solve(problem, { method, tolerance: 1e-3 }).report,
	);
	expect(found).toMatchObject({ status: "solved", hash: plain!.hash, iterations: plain!.iterations, remedies: [] });
});

test.each([
	["spheres", 8],
	["planks", 6],
] as const)(
	"%s of 1,000 contacts, seed %d: solved to 1e-6, where mixed sweeps and then plain ones are not",
	(name, seed) => {
		const problem = generate(name, { contacts: 1000, seed });
		const limits = { tolerance: 1e-6, maxIterations: 2500 };
		expect(solve(problem, proximal(limits)).report.status).toBe("solved");
		expect(solve(problem, { ...limits, method: "gauss-seidel" }).report.status).toBe("iteration-limit");
	},
);

test("a start is the first anchor where there are no sweeps without one", () => {
	const problem = pile("spheres", 100);
	const { reaction } = solve(problem, { tolerance: 1e-9 });
	const set = { patience: 0 };
	const { report } = solve(problem, proximal({ start: reaction, tolerance: 1e-12, maxIterations: 3, set }));
	expect(report.energy).toBeLessThan(1e-8);
	expect(report.remedies).toEqual([]);
});
