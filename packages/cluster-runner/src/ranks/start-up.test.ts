/** Processes that never connect: they are reported, and none is left behind. */
import { generate, type SolveOptions } from "@stickslip/core";
import { RankError } from "@stickslip/core/parallel";
import { afterEach, describe, expect, it } from "vitest";
import { marked, noProc, soon } from "../../testing/processes.js";
import { solveRanks } from "../solve/solve-ranks.js";

const problem = generate("spheres", { contacts: 20 });
const saved = process.env.NODE_OPTIONS;
const mark = `STICKSLIP_TEST_START=${process.pid}.`;

afterEach(() => {
	delete process.env.STICKSLIP_TEST_START;
	if (saved === undefined) delete process.env.NODE_OPTIONS;
	else process.env.NODE_OPTIONS = saved;
});

/** Solves with children that run this code first. */
async function withChildren(code: string, options: SolveOptions = {}): Promise<unknown> {
	process.env.STICKSLIP_TEST_START = `${process.pid}.`;
	process.env.NODE_OPTIONS = `--import "data:text/javascript,${encodeURIComponent(code)}"`;
	return await solveRanks(problem, { ...options, ranks: 2, transport: "zeromq", patience: 2 }).catch((error) => error);
}

describe("a process that", () => {
	it("never reports is named when time is up", async () => {
		const error = await withChildren("await new Promise(() => setInterval(() => {}, 1000))");
		expect(error).toBeInstanceOf(RankError);
		expect((error as RankError).message).toBe("rank 0 did not report within 2 s of its start");
	});

	it("ends at once is named with what it said", async () => {
		const error = await withChildren("console.error('Error: no such luck'); process.exit(7)");
		expect((error as RankError).message).toMatch(/^rank [01] was lost \(exit code 7: Error: no such luck\)$/);
	});

	it("throws while it starts is named with its error", async () => {
		const error = await withChildren("throw new TypeError('no wheels')");
		expect((error as RankError).message).toMatch(/^rank [01] was lost \(exit code 1: .*TypeError: no wheels.*\)$/);
	});

	it.for([
		["threads", /^rank \d failed: no ink$/],
		["zeromq", /^the process that started the run failed: no ink$/],
	] as const)("is told of what fails in the one that started it, over %s", async ([transport, told]) => {
		process.env.STICKSLIP_TEST_START = `${process.pid}.`;
		const write = (_: unknown, __: unknown, event: string) => {
			if (event === "ready") throw new Error("no ink");
		};
		const failed = solveRanks(problem, { ranks: 2, transport, patience: 5, log: { write } });
		await expect(failed).rejects.toSatisfy((error) => error instanceof RankError && told.test(error.message));
	});

	it("was started in vain is gone", async (context) => {
		if (noProc !== undefined) context.skip(`needs processes: ${noProc}`);
		expect(await soon(() => marked(mark).length === 0)).toBe(true);
	});
});
