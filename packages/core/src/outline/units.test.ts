/** Units: the blocks of a rolling contact stay side by side, whatever the order. */
import { describe, expect, test } from "vitest";
import { condense } from "../problem/condense.js";
import type { Problem } from "../problem/problem.js";
import { sampleRolling } from "../testing/samples.js";
import { describeColouring } from "./colours.js";
import type { OrderName } from "./layout.js";
import { makePlan, planDefaults } from "./plan.js";

const rolling = condense(sampleRolling({ seed: 41, contacts: 40, bodies: 15 }));
/** The first ten contacts have Coulomb's law in blocks of their own: moments of these are contacts like any other. */
const mixed: Problem = {
	...rolling,
	laws: { ...rolling.laws!, law: rolling.laws!.law.map((law, a) => (a < 20 ? 0 : law)) },
};

describe.each([
	["all contacts rolling", rolling, 40],
	["half of them", mixed, 50],
] as const)("%s", (_, problem, units) => {
	const firstRolling = problem === rolling ? 0 : 20;

	test.each([
		["coloured", undefined],
		["coloured", 8],
		["shuffled", undefined],
		["file", undefined],
	] as [OrderName, number | undefined][])("%s order, tile %s: pairs are adjacent, in one tile", (order, tile) => {
		const { layout } = makePlan(problem, { ...planDefaults, order, ...(tile && { tile }) });
		expect([...layout.order].sort((a, b) => a - b)).toEqual(Array.from({ length: 80 }, (_x, a) => a));
		const tileOf = (place: number): number => layout.tileStart.filter((start) => start <= place).length - 1;
		for (let a = firstRolling; a < 80; a += 2) {
			expect(layout.place[a + 1]).toBe(layout.place[a]! + 1);
			expect(tileOf(layout.place[a + 1]!)).toBe(tileOf(layout.place[a]!));
		}
		expect([...layout.place].map((place) => layout.order[place])).toEqual(Array.from({ length: 80 }, (_x, a) => a));
	});

	test("no two of a colour couple", () => {
		const { layout, matrix } = makePlan(problem, planDefaults);
		const colour = new Int32Array(80);
		for (const [t, c] of layout.tileColour.entries()) {
			for (let at = layout.tileStart[t]!; at < layout.tileStart[t + 1]!; at += 1) colour[layout.order[at]!] = c;
		}
		const unit = (a: number): number => (a < firstRolling ? a : a - (a % 2));
		for (let a = 0; a < 80; a += 1) {
			for (let k = matrix!.rowStart[a]!; k < matrix!.rowStart[a + 1]!; k += 1) {
				const b = matrix!.column[k]!;
				if (unit(a) !== unit(b)) expect(colour[b]).not.toBe(colour[a]);
			}
		}
		expect(describeColouring(problem).blocks).toBe(units);
	});
});
