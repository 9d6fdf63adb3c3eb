import { describe, expect, it } from "vitest";
import type { Terminal } from "../cli/command.js";
import { bar, fitted, progressLine } from "./progress.js";

function recorder(interactive: boolean): { readonly lines: string[]; readonly terminal: Terminal } {
	const lines: string[] = [];
	const nothing = () => {};
	const passing = (line: string) => void lines.push(line);
	return { lines, terminal: { interactive, columns: 200, closed: false, out: nothing, err: nothing, passing } };
}

describe("the bar", () => {
	it("counts decades: from 1 to 1e-6, an error of 1e-3 is half way", () => {
		expect(bar(1, 1e-3, 1e-6)).toBe("[##########..........]");
	});

	it("stays within its ends", () => {
		expect(bar(1, 10, 1e-6)).toBe(`[${".".repeat(20)}]`);
		expect(bar(1, 1e-9, 1e-6)).toBe(`[${"#".repeat(20)}]`);
		expect(bar(undefined, Number.NaN, 1e-6)).toBe(`[${".".repeat(20)}]`);
		expect(bar(1e-9, 1e-9, 1e-6)).toBe(`[${".".repeat(20)}]`);
	});
});

describe("the progress line", () => {
	const progress = { products: 0, exact: true, method: "pqn" };

	it("shows method, iteration, error, rates and time", () => {
		const { lines, terminal } = recorder(true);
		const show = progressLine(terminal, "pile.hdf5", "energy", 1e-6);
		show({ ...progress, iterations: 0, error: 1, seconds: 0 });
		// 200 iterations in 1 s, in which the error falls by two decades: one decade per hundred iterations.
		show({ ...progress, iterations: 200, error: 1e-2, seconds: 1, exact: false });
		expect(lines.at(-1)).toBe(
			"pile.hdf5  [######..............]  pqn  iteration 200  energy ~1e-2  200 it/s, 1.0 decades/100 it  1.00 s",
		);
	});

	it("names no number before there is one", () => {
		const { lines, terminal } = recorder(true);
		const show = progressLine(terminal, "pile.hdf5", "natural", 1e-6);
		show({ ...progress, iterations: 1, error: Number.POSITIVE_INFINITY, exact: false, seconds: 1 });
		expect(lines.at(-1)).toContain("  natural not known yet  ");
	});

	it("takes the rates of the method of the moment", () => {
		const { lines, terminal } = recorder(true);
		const show = progressLine(terminal, "pile.hdf5", "energy", 1e-6);
		show({ ...progress, iterations: 0, error: 1, seconds: 0 });
		show({ ...progress, iterations: 1000, error: 1e-1, seconds: 1 });
		expect(lines.at(-1)).toContain("  1,000 it/s, 0.1 decades/100 it  ");
		show({ ...progress, method: "gauss-seidel", iterations: 1010, error: 1e-1, seconds: 2 });
		expect(lines.at(-1)).not.toContain("it/s");
		show({ ...progress, method: "gauss-seidel", iterations: 1015, error: 1e-1, seconds: 3 });
		expect(lines.at(-1)).toContain("  5.00 it/s, 0.0 decades/100 it  ");
	});

	it("never moves the bar backwards", () => {
		const { lines, terminal } = recorder(true);
		const show = progressLine(terminal, "pile.hdf5", "energy", 1e-6);
		for (const [k, error] of [1, 1e-3, 1e-1, Number.NaN, 1e-2].entries()) {
			show({ ...progress, iterations: k, error, seconds: k });
			if (k > 0) expect(lines.at(-1)).toContain(`[${"#".repeat(10)}${".".repeat(10)}]`);
		}
	});

	it("fits any terminal from 40 columns on, with error and speed", () => {
		const line = {
			name: "a-problem-with-quite-a-long-name-0001.hdf5",
			bar: `[${".".repeat(20)}]`,
			method: "pqn-diagonal",
			iteration: "iteration 100,000",
			error: "natural ~8.1e-17",
			speed: "1,234,567 it/s",
			decades: "12.3 decades/100 it",
			time: "119 min 59 s",
		};
		for (let columns = 39; columns <= 200; columns += 1) {
			const text = fitted(line, columns);
			expect(text.length).toBeLessThanOrEqual(columns);
			expect(text).toContain("natural ~8.1e-17");
			expect(text).toContain("1,234,567 it/s");
		}
		expect(fitted(line, 200)).toContain("a-problem-with-quite-a-long-name-0001.hdf5  [");
		expect(fitted(line, 145)).toMatch(/^…with-quite-a-long|^…[-a-z]*0001\.hdf5 {2}\[/);
		expect(fitted(line, 79)).toBe("pqn-diagonal  it 100,000  natural ~8.1e-17  1,234,567 it/s  119 min 59 s");
	});

	it("draws at most every 100 ms", () => {
		const { lines, terminal } = recorder(true);
		const show = progressLine(terminal, "pile.hdf5", "energy", 1e-6);
		for (let k = 0; k < 10; k += 1) show({ ...progress, iterations: k, error: 1, seconds: k / 100 });
		expect(lines).toHaveLength(1);
	});

	it("is silent where there is no terminal", () => {
		const { lines, terminal } = recorder(false);
		progressLine(terminal, "pile.hdf5", "energy", 1e-6)({ ...progress, iterations: 1, error: 1, seconds: 1 });
		expect(lines).toEqual([]);
	});
});
