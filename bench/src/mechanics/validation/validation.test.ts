/** The bench at tiny sizes: laws that are known are found again, heavier balls come deeper, wider openings let more through. */
import { expect, it } from "vitest";
import { hopper, runHopper } from "./hopper.js";
import { ballsOf, fitAll, IMPACT_SIZE, runImpact, settledBed } from "./impact.js";
import type { Table, ValidationRow } from "./part.js";
import { pile } from "./pile.js";
import { fitPowerLaw } from "./power-law.js";

function tableOf(known: Readonly<Record<string, number>> = {}): Table & { readonly rows: ValidationRow[] } {
	const rows: ValidationRow[] = [];
	return { rows, known: (_, run) => known[run], add: (row) => void rows.push(row), say: () => {} };
}

const fitsOf = (rows: readonly ValidationRow[]) =>
	new Map(rows.filter(({ run }) => run === "fit").map((row) => [row.quantity, row]));

it("finds a power law again, and says how sure it is", () => {
	const x = [1, 2, 3, 4].flatMap((a) => [1, 5].map((b) => [a, b]));
	const exact = x.map(([a, b]) => ({ x: [a!, b!], y: 3 * a! ** 2.5 * b! ** -0.5 }));
	const law = fitPowerLaw(exact);
	expect(law.factor).toBeCloseTo(3, 10);
	expect(law.exponents[0]).toBeCloseTo(2.5, 10);
	expect(law.exponents[1]).toBeCloseTo(-0.5, 10);
	const rough = exact.map((sample, k) => ({ ...sample, y: sample.y * (k % 3 === 0 ? 1.1 : 0.9) }));
	expect(fitPowerLaw(rough).deviations[0]).toBeGreaterThan(0.01);
});

it("the nine balls have each pair of density, height and diameter once", () => {
	const balls = ballsOf(IMPACT_SIZE);
	for (const [a, b] of [
		["density", "height"],
		["density", "diameter"],
		["height", "diameter"],
	] as const) {
		expect(new Set(balls.map((ball) => `${ball[a]} ${ball[b]}`)).size).toBe(9);
	}
});

it("depths that keep the law of impacts are fitted by it, and those less a constant by that", () => {
	const grain = 5e-3;
	const impacts = (less: number) =>
		ballsOf(IMPACT_SIZE).map((ball) => {
			const factor = (0.14 / 0.3) * Math.sqrt(ball.density / 1510) * ball.diameter ** (2 / 3);
			let depth = ball.diameter;
			for (let k = 0; k < 60; k += 1) depth = factor * (ball.height + depth) ** (1 / 3) - less;
			return { ...ball, depth };
		});
	const table = tableOf();
	fitAll(table, impacts(0));
	const fits = fitsOf(table.rows);
	expect(fits.get("depth: exponent of height")!.measured).toMatch(/^0.333/);
	expect(fits.get("depth: exponent of diameter")!.measured).toMatch(/^0.667/);
	expect(fits.get("depth: factor with the exponents of the law")!.measured).toBe("0.1400");
	const moved = tableOf();
	fitAll(moved, impacts(grain));
	expect(Number(fitsOf(moved.rows).get("addition with which the law fits best in grains")!.measured)).toBeCloseTo(1, 1);
});

it("a heavier ball comes deeper", () => {
	const bed = settledBed(300);
	const [light, heavy] = [700, 4400].map((density) => runImpact(300, bed, { density, diameter: 0.015, height: 0.05 }));
	expect(light!.measured).toBeGreaterThan(0);
	expect(heavy!.measured).toBeGreaterThan(1.5 * light!.measured);
});

it("a wider opening lets more grains through; rates that are known are not measured again", () => {
	const size = { grains: 300, width: 9, openings: [3, 5], outflow: 30 };
	const [narrow, wide] = size.openings.map((opening) => runHopper(size, opening, () => {}));
	expect(wide!.measured).toBeGreaterThan(2 * narrow!.measured);
	const rates = Object.fromEntries(
		[4, 5, 6].map((opening) => [`opening of ${opening} grains`, 20 * (opening - 1.4) ** 2.5]),
	);
	const table = tableOf(rates);
	hopper(table, { ...size, openings: [4, 5, 6] });
	expect(table.rows.map(({ run }) => run)).toEqual(["fit", "fit", "fit"]);
	expect(table.rows[0]).toMatchObject({ held: "yes" });
});

it("piles of any number are measured", () => {
	const table = tableOf();
	pile(table, { counts: [1, 4], turns: 1 });
	const runs = table.rows.filter(({ run }) => run !== "fit");
	expect(runs.map(({ run }) => run)).toEqual([
		"settled; 1 spheres",
		"settled; 4 spheres",
		"flowing; 1 spheres",
		"flowing; 4 spheres",
	]);
	expect(runs.every(({ measured, failed }) => Number(measured) > 0 && failed === 0)).toBe(true);
});
