import { assembleRigid, type BlockMatrix, generate, type Problem, solve } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { factsOf } from "./facts.js";

/** Blocks by hand: [row, column, the block as a multiple of ones on the diagonal plus `skew` in NT1]. */
function matrix(rows: number, blocks: readonly (readonly [number, number, number, number?])[]): BlockMatrix {
	const sorted = [...blocks].sort((one, other) => one[0] - other[0]);
	const rowStart = Int32Array.from({ length: rows + 1 }, (_, row) => sorted.filter(([of]) => of < row).length);
	const values = sorted.flatMap(([, , scale, skew = 0]) => [scale, skew, 0, 0, scale, 0, 0, 0, scale]);
	return { rows, rowStart, column: Int32Array.from(sorted, ([, column]) => column), values: Float64Array.from(values) };
}

function problem(contacts: number, rest: Partial<Problem>): Problem {
	return { name: "test", contacts, q: new Float64Array(3 * contacts), mu: new Float64Array(contacts), ...rest };
}

describe("facts of a problem", () => {
	it("counts the blocks of a chain of four, and colours it with two", () => {
		const chain = [0, 1, 2, 3].flatMap((k) => [
			[k, k, 2] as const,
			...(k < 3 ? [[k, k + 1, 1] as const, [k + 1, k, 1] as const] : []),
		]);
		expect(factsOf(problem(4, { W: matrix(4, chain) }))).toEqual({
			blocks: 10,
			blocksPerRowMin: 2,
			blocksPerRowMax: 3,
			colours: 2,
			coloursBound: 2,
			asymmetry: 0,
		});
	});

	it("measures asymmetry in the Frobenius norm, also of blocks without a mirror", () => {
		// A skew entry of 0.5 in one diagonal block of size 1: |W|^2 = 3 + 0.25, and the entry differs twice, from 0.
		const skew = factsOf(problem(1, { W: matrix(1, [[0, 0, 1, 0.5]]) }));
		expect(skew.asymmetry).toBeCloseTo(Math.sqrt(0.5 / 3.25), 14);
		// One block (0, 1) of three ones without (1, 0): |W|^2 = 3 + 3 + 3, and three entries differ twice.
		const lonely = factsOf(
			problem(2, {
				W: matrix(2, [
					[0, 0, 1],
					[1, 1, 1],
					[0, 1, 1],
				]),
			}),
		);
		expect(lonely.asymmetry).toBeCloseTo(Math.sqrt(6 / 9), 14);
		expect(lonely.colours).toBe(2);
	});

	it("sees contacts through their bodies where W is not formed", () => {
		// Three contacts on body 0 (one with the obstacle, one with each of 1 and 2), and one of body 2 with the obstacle:
		// rows of 3, 3, 4 and 2 blocks; the first three need three colours.
		const body = Int32Array.of(-1, 0, 0, 1, 0, 2, -1, 2);
		const rigid = {
			body,
			frame: new Float64Array(36),
			arm: new Float64Array(24),
			inverseMass: new Float64Array(3),
			inverseInertia: new Float64Array(18),
		};
		expect(factsOf(problem(4, { rigid }))).toEqual({
			bodies: 3,
			blocks: 12,
			blocksPerRowMin: 2,
			blocksPerRowMax: 4,
			colours: 3,
			coloursBound: 3,
		});
	});

	it("counts the colours that a solve sweeps in, not those of another order", () => {
		for (const problem of [generate("planks", { contacts: 200 }), generate("spheres", { contacts: 500 })]) {
			const { choice } = solve(problem).report;
			expect(choice).toContain(`in ${factsOf(problem).colours} colours`);
			expect(choice).toContain(`in ${factsOf({ ...problem, W: assembleRigid(problem.rigid) }).colours} colours`);
		}
	});

	it("says nothing of W where there is none", () => {
		expect(factsOf(problem(1, {}))).toEqual({});
	});
});
