/** core runs in a browser: a bundle for one has no Node import, and solves where there is neither process nor require. */
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { solve } from "./solve/solve.js";
import { slope } from "./testing/closed-forms.js";

const bundle = async (entry: string): Promise<string> => {
	const { outputFiles, warnings } = await build({
		entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
		bundle: true,
		write: false,
		format: "iife",
		globalName: "stickslip",
		platform: "browser",
		logLevel: "silent",
	});
	expect(warnings).toEqual([]);
	return outputFiles[0]!.text;
};

/** What a page or a worker has, of what the engine does not bring itself. */
function page(): Record<string, unknown> {
	return createContext({ atob, performance, setTimeout, WebAssembly, AbortController, result: undefined });
}

const script = (engine: string): string => `
	const { solve, solveAsync, generate } = stickslip;
	const problem = {
		name: "slope",
		contacts: 1,
		q: Float64Array.of(-0.08, 0.05, 0),
		mu: Float64Array.of(0.5),
		W: { rows: 1, rowStart: Int32Array.of(0, 1), column: Int32Array.of(0), values: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1) },
	};
	const set = { engine: "${engine}" };
	const pile = generate("spheres", { contacts: 150 });
	result = {
		alone: typeof process + typeof require + typeof Buffer,
		slope: solve(problem, { set }).report,
		pile: solve(pile, { set, tolerance: 1e-4 }).report,
		later: solveAsync(pile, { set, tolerance: 1e-4 }),
	};
`;

describe("a bundle of index.ts for browsers", () => {
	test("imports nothing of Node", async () => {
		const code = await bundle("./index.ts");
		expect(code).not.toMatch(/node:|__require\(|require\("/);
	});

	test.each(["wasm", "twin"])("solves without process, require and Buffer, %s", async (engine) => {
		const context = page();
		runInContext(await bundle("./index.ts"), createContext(context));
		runInContext(script(engine), context);
		const {
			alone,
			slope: one,
			pile,
			later,
		} = context.result as {
			alone: string;
			slope: ReturnType<typeof solve>["report"];
			pile: ReturnType<typeof solve>["report"];
			later: Promise<ReturnType<typeof solve>>;
		};
		expect(alone).toBe("undefinedundefinedundefined");
		expect(one.status).toBe("solved");
		expect(pile.status).toBe("solved");
		expect((await later).report.hash).toBe(pile.hash);
	});

	test("gives the bits that Node gives", async () => {
		const context = page();
		const { problem } = slope(0.6, 0.5);
		context.problem = problem;
		runInContext(await bundle("./index.ts"), context);
		runInContext("result = stickslip.solve(problem).report.hash", context);
		expect(context.result).toBe(solve(problem).report.hash);
	});
});

test("the FCLIB reader bundles as well: h5wasm is handed in, not imported", async () => {
	const code = await bundle("./fclib/index.ts");
	expect(code).not.toMatch(/node:|__require\(|require\("/);
});
