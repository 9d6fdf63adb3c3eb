/** A line of `solve` as plain data: each option has its place, and options that were not given are absent. */
import { describe, expect, it } from "vitest";
import { solveLine } from "../../testing/solve-line.js";
import { parse } from "../cli/parse.js";
import { parseSolve } from "./solve-request.js";
import { solveSpecs } from "./solve-specs.js";

const parsed = (...words: readonly string[]) => parseSolve(parse({ name: "solve", options: solveSpecs }, words));

/** A valid value of each option. */
const values: Readonly<Record<string, string>> = {
	...{ method: "pqn", tolerance: "1e-8", measure: "natural", start: "guess", "max-iterations": "7", "time-limit": "2" },
	...{ repeat: "3", set: "m=2", output: "out.hdf5", report: "page.html", capsule: "failures", checkpoint: "5" },
	...{ ranks: "4", transport: "threads+zeromq", processes: "2", partition: "rcb", runs: "/runs" },
};

describe("a line of solve", () => {
	it("is its files where nothing else is given", () => {
		expect(parsed("a.hdf5", "data/*.hdf5", "-")).toEqual({
			solve: { command: "solve", inputs: ["a.hdf5", "data/*.hdf5", "-"], options: {}, json: false, history: false },
			how: {},
			runs: undefined,
		});
	});

	it.each(solveSpecs.map(({ name, value }) => [name, value] as const))("has a place for --%s", (name, value) => {
		// Options that need another one.
		const needed: Readonly<Record<string, string[]>> = { history: ["--json"], runs: ["--checkpoint", "60"] };
		const without = ["a.hdf5", ...(needed[name] ?? [])];
		const words = value === undefined ? [`--${name}`] : [`--${name}`, values[name] ?? "missing"];
		const [before, after] = [parsed(...without), parsed(...without, ...words)];
		expect(after).not.toEqual(before);
		// What decides bits, and what does not.
		const isHow = ["ranks", "transport", "processes", "partition"].includes(name);
		expect([after.solve, after.how][isHow ? 0 : 1]).toEqual([before.solve, before.how][isHow ? 0 : 1]);
		expect(JSON.parse(JSON.stringify(after))).toEqual(after);
	});

	it("tells numbers from words, and auto from a number", () => {
		const { solve, how } = solveLine(
			..."solve a.hdf5 --set m=2 --set first=auto --max-iterations 9007199254740991 --ranks auto".split(" "),
		);
		expect(solve.options).toEqual({ set: { m: 2, first: "auto" }, maxIterations: Number.MAX_SAFE_INTEGER });
		expect(how).toEqual({ ranks: "auto" });
	});
});
