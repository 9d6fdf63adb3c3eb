/** The progress line and the plots of a simulation: what is left out where there is no room, the time left, and where curves are. */
import { Random } from "@stickslip/core";
import { expect, test } from "vitest";
import { axisOf } from "./axis.js";
import { plot } from "./plot.js";
import { simulationText, TimeLeft } from "./simulation-progress.js";

const view = {
	...{ scene: "drum", step: 250, steps: 1000, time: 0.25, bodies: 60, contacts: 1234, iterations: 17, failedSteps: 2 },
	...{ seconds: 3, left: 9 },
};

test("all of the line, and what matters most of it in fewer columns", () => {
	const whole =
		"drum  [#####...............]  0.250 s  step 250 of 1,000  1,234 contacts  17 it  2 failed  9.00 s left";
	expect(simulationText(view, 200)).toBe(whole);
	expect(simulationText(view, whole.length)).toBe(whole);
	for (let columns = 1; columns < whole.length; columns += 1) {
		const text = simulationText(view, columns);
		expect(text.length).toBeLessThanOrEqual(columns);
		if (columns >= 20) expect(text).toContain("step 250 of 1,000");
	}
	expect(simulationText({ ...view, failedSteps: 0, left: undefined }, 200)).not.toMatch(/failed|left/);
});

test("the time left follows from the steps of the last seconds", () => {
	const left = new TimeLeft();
	expect(left.of(0, 1000, 0)).toBeUndefined();
	// 100 steps in a second: 900 take nine.
	expect(left.of(100, 1000, 1)).toBeCloseTo(9, 10);
	// From second 6 on half as fast.
	for (let second = 2; second <= 6; second += 1) left.of(100 * second, 1000, second);
	expect(left.of(650, 1000, 7)).toBeCloseTo(350 / 50, 10);
});

test("axes are marked by round numbers, whatever they hold", () => {
	const time = Float64Array.of(0, 0.62);
	const svg = plot({ title: "Energy", unit: "J", time, lines: [{ name: "", values: Float64Array.of(143, -55.4) }] });
	const marks = [...svg.matchAll(/>(-?[\d.,]+)(?: s)?<\/text>/g)].map(([, text]) => text);
	expect(marks).toEqual(["-100", "-50", "0", "50", "100", "150", "0", "0.2", "0.4", "0.6", "0.8"]);
	const random = new Random(5);
	for (let k = 0; k < 500; k += 1) {
		const size = 10 ** random.between(-6, 6);
		const values = [size * random.between(-1, 1), size * random.between(-1, 1)];
		const axis = axisOf(values, "linear", 4);
		const step = axis.marks[1]! - axis.marks[0]!;
		expect(Number(step.toExponential(6).slice(0, 8))).toBeOneOf([1, 2, 5]);
		for (const mark of axis.marks) expect(Math.abs(mark / step - Math.round(mark / step))).toBeLessThan(1e-6);
		for (const value of values) expect(Math.abs(axis.place(value) - 0.5)).toBeLessThan(0.5 + 1e-9);
		expect(axis.marks.length).toBeLessThan(8);
	}
});

test("a curve goes through its values, and nothing that is not finite or empty is drawn", () => {
	const time = Float64Array.of(0, 1, 2);
	const svg = plot({ title: "Energy", unit: "J", time, lines: [{ name: "", values: Float64Array.of(0, 10, 5) }] });
	// From x = 72 to 692 and from y = 206 (0) to 26 (10).
	expect(svg).toContain('points="72.0,206.0 382.0,26.0 692.0,116.0"');
	const odd = plot({ title: "Odd", unit: "", time, lines: [{ name: "", values: Float64Array.of(0, Number.NaN, 0) }] });
	expect(odd).not.toMatch(/NaN|Infinity/);
	expect(plot({ title: "None", unit: "", time: new Float64Array(0), lines: [] })).toContain("nothing to draw");
	const many = Float64Array.from({ length: 50_000 }, (_, at) => at % 100);
	expect(
		plot({ title: "Many", unit: "", time: many.map((_, at) => at), lines: [{ name: "", values: many }] }).length,
	).toBeLessThan(40_000);
});
