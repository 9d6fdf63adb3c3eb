/** Plots whose places can be worked out by hand. */
import { describe, expect, it } from "vitest";
import { axisOf } from "../output/axis.js";
import { barPlot } from "./bar-plot.js";
import { type LinePlot, linePlot, PLOT_WIDTHS } from "./line-plot.js";

describe("axes", () => {
	it("hold all values between round marks", () => {
		const linear = axisOf([0.03, 0.97], "linear");
		expect(linear.marks).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
		expect([0, 0.5, 1].map((value) => linear.place(value))).toEqual([0, 0.5, 1]);
		const octaves = axisOf([1, 3, 64], "log2", 8);
		expect(octaves.marks).toEqual([1, 2, 4, 8, 16, 32, 64]);
		expect([1, 8, 64].map((value) => octaves.place(value))).toEqual([0, 0.5, 1]);
		expect(axisOf([1e-6, 2e3, 0, Number.NaN], "log10", 5).marks).toEqual([1e-6, 1e-4, 1e-2, 1, 100, 1e4]);
	});

	it.each(["linear", "log2", "log10"] as const)("%s exists for one value and for none", (scale) => {
		for (const values of [[], [5], [0], [Number.NaN]]) {
			const axis = axisOf(values, scale);
			expect(axis.marks.length).toBeGreaterThan(1);
			expect(axis.marks.every(Number.isFinite)).toBe(true);
			for (const value of values.filter((each) => each > 0)) expect(axis.place(value)).toBeGreaterThanOrEqual(0);
		}
	});
});

const plot: LinePlot = {
	title: "speed <up>",
	x: { label: "ranks", scale: "log2", marks: [1, 2, 4] },
	y: { label: "times", scale: "linear", holds: [0] },
	lines: [
		{
			name: "ideal",
			points: [
				[1, 1],
				[4, 4],
			],
			kind: "guide",
		},
		{
			name: "a & b",
			points: [
				[1, 1],
				[2, 1.8],
				[4, Number.NaN],
			],
		},
	],
};

describe("plots", () => {
	it("put points where they belong, and leave out what is no number", () => {
		const svg = linePlot(plot);
		expect(svg).not.toMatch(/NaN|Infinity|<up>/);
		const [ideal, measured] = [...svg.matchAll(/<polyline[^>]*points="([^"]*)"/g)].map(([, text]) =>
			text!.split(" ").map((point) => point.split(",").map(Number)),
		);
		expect([ideal!.length, measured!.length]).toEqual([2, 2]);
		// Ranks by powers of two: 2 is half way between 1 and 4; 1.8 is 0.8 of the way from 1 to 2.
		expect(measured![1]![0]).toBeCloseTo((ideal![0]![0]! + ideal![1]![0]!) / 2, 0);
		const rise = (ideal![0]![1]! - ideal![1]![1]!) / 3;
		expect(measured![1]![1]).toBeCloseTo(ideal![0]![1]! - 0.8 * rise, 0);
		expect(svg.match(/<circle/g)).toHaveLength(2);
	});

	it("fit their width, with all names", () => {
		for (const width of Object.values(PLOT_WIDTHS)) {
			const named = Array.from({ length: 12 }, (_, k) => ({
				name: `method-${k} over threads`,
				points: plot.lines[0]!.points,
			}));
			const svg = linePlot({ ...plot, lines: named }, width);
			const [, w = "", h = ""] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
			for (const [, x, y] of svg.matchAll(/ x="([\d.-]+)" y="([\d.-]+)"/g)) {
				expect(Number(x)).toBeLessThanOrEqual(Number(w));
				expect(Number(y)).toBeLessThanOrEqual(Number(h));
			}
			for (const { name } of named) expect(svg).toContain(name);
		}
	});

	it("stack bars to their sums", () => {
		const svg = barPlot({
			...{ title: "phases", unit: "s", parts: ["compute", "wait"] },
			bars: [
				{ name: "rank 0", values: [3, 1] },
				{ name: "rank 1", values: [2, 2] },
			],
		});
		const boxes = [...svg.matchAll(/<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/g)].map(([, x, w]) => [
			Number(x),
			Number(w),
		]);
		const [first, second, third, fourth] = boxes as [number[], number[], number[], number[]];
		expect(first[0]! + first[1]!).toBeCloseTo(second[0]!, 0);
		expect(first[1]! + second[1]!).toBeCloseTo(third[1]! + fourth[1]!, 0);
		expect(first[1]! / second[1]!).toBeCloseTo(3, 1);
		expect(barPlot({ title: "none", unit: "s", parts: [], bars: [] }, 340)).not.toMatch(/NaN|Infinity/);
	});
});
