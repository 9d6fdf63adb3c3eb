/** Performance profiles of cells whose ratios can be worked out by hand. */
import { describe, expect, it } from "vitest";
import { type ProfileCell, profileOf, shareWithin } from "./profile.js";
import { profilePlot } from "./profile-plot.js";

function cell(problem: string, variant: string, seconds: number, status = "solved", tolerance = 1e-4): ProfileCell {
	return { problem, variant, tolerance, status, seconds, iterations: 1, products: 2 * seconds };
}

const variants = ["a", "b", "c"];
const cells = [
	...[cell("p1", "a", 1), cell("p1", "b", 2), cell("p1", "c", 8)],
	...[cell("p2", "a", 6), cell("p2", "b", 3), cell("p2", "c", 3)],
	...[cell("p3", "a", 5, "stalled"), cell("p3", "b", 7), cell("p3", "c", 14)],
	...[cell("p4", "a", 5, "stalled"), cell("p4", "b", 7, "failed"), cell("p4", "c", 1, "time-limit")],
	...[cell("p5", "a", 2, "stalled"), cell("p5", "b", 1, "diverged"), cell("p5", "c", 4)],
	cell("p1", "a", 100, "solved", 1e-8),
];

describe("profiles", () => {
	const profile = profileOf(cells, variants, 1e-4, "seconds");
	const [a, b, c] = profile.variants;

	it("are ratios to the best of each problem that somebody solves", () => {
		expect(profile.problems).toBe(4);
		expect(profile.unsolved).toEqual(["p4"]);
		expect(a!.ratios).toEqual([1, 2]);
		expect(b!.ratios).toEqual([1, 1, 2]);
		expect(c!.ratios).toEqual([1, 1, 2, 8]);
		expect([a!.best, b!.best, c!.best]).toEqual([1, 2, 2]);
		expect(c!.mean).toBeCloseTo(2, 12);
	});

	it("say what one variant alone solves, or does not", () => {
		expect(profile.variants.map(({ alone }) => alone)).toEqual([[], [], ["p5"]]);
		expect(profile.variants.map(({ lost }) => lost)).toEqual([["p3"], [], []]);
	});

	it("are shares of problems within a ratio", () => {
		expect([1, 1.5, 2, 100].map((tau) => shareWithin(a!, profile.problems, tau))).toEqual([0.25, 0.25, 0.5, 0.5]);
		expect([1, 2, 7.9, 8].map((tau) => shareWithin(c!, profile.problems, tau))).toEqual([0.5, 0.75, 0.75, 1]);
		expect(shareWithin(a!, 0, 1)).toBe(0);
	});

	it("of another tolerance are of its own cells", () => {
		const tight = profileOf(cells, variants, 1e-8, "seconds");
		expect(tight.problems).toBe(1);
		expect(tight.variants.map(({ ratios }) => ratios)).toEqual([[1], [], []]);
	});

	it("take what takes nothing for what takes least", () => {
		const none = [cell("p", "a", 0), cell("p", "b", 4), cell("q", "a", 2), cell("q", "b", 2)];
		expect(profileOf(none, ["a", "b"], 1e-4, "seconds").variants[1]!.ratios).toEqual([1, 2]);
	});

	it("are drawn as stairs from the share of the best to that of the solved", () => {
		const svg = profilePlot(profile, "seconds", "natural");
		const lines = [...svg.matchAll(/points="([^"]*)"/g)].map(([, points]) => points!.split(" "));
		expect(lines).toHaveLength(3);
		const height = (point: string) => Number(point.split(",")[1]);
		const [bottom, top] = [...svg.matchAll(/<line x1="56" x2="704" y1="([\d.]+)"/g)].flatMap(([, y], index) =>
			index === 0 || index === 4 ? Number(y) : [],
		) as [number, number];
		expect(bottom - top).toBeGreaterThan(100);
		for (const [index, { solved }] of profile.variants.entries()) {
			expect(height(lines[index]!.at(-1)!)).toBeCloseTo(bottom + ((top - bottom) * solved) / 4, 0);
		}
		expect(svg).not.toMatch(/NaN|Infinity/);
		expect(profilePlot(profileOf([], variants, 1e-4, "seconds"), "seconds", "natural")).not.toMatch(/NaN|Infinity/);
	});
});
