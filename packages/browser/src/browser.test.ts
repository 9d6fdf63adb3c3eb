/** Sessions in Chromium: the bits of Node.js, on one rank and several, and what happens when something is wrong. */
import { solve } from "@stickslip/core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	call,
	findChromium,
	launchChromium,
	problemOf,
	type Served,
	servePages,
	TEN_PROBLEMS,
} from "./testing/index.js";

const chromium = findChromium();
const small = { kind: "spheres", contacts: 300, seed: 3, form: "bodies" } as const;
const large = { kind: "spheres", contacts: 1500, seed: 3, form: "W" } as const;
const hashOf = (spec: Parameters<typeof problemOf>[0]) => solve(problemOf(spec)).report.hash;

describe.skipIf(chromium === undefined)("sessions in Chromium (needs chromium)", () => {
	let browser: Browser;
	const served: Served[] = [];
	let isolated: Page;
	let plain: Page;

	beforeAll(async () => {
		browser = await launchChromium(chromium);
		served.push(await servePages(true), await servePages(false));
		[isolated, plain] = [await browser.newPage(), await browser.newPage()];
		await isolated.goto(served[0]!.url);
		await plain.goto(served[1]!.url);
	});

	afterAll(async () => {
		await browser?.close();
		for (const each of served) await each.close();
	});

	it("has threads where the page is isolated, and says why where it is not", async () => {
		expect(await call(isolated, "missingForThreads")).toBe("nothing");
		expect(await call(plain, "missingForThreads")).toBe("the page is not cross-origin isolated");
	});

	it("gives the hashes of Node.js for ten problems: one rank, two ranks, not isolated", async () => {
		const wanted = TEN_PROBLEMS.map(hashOf);
		const alone = await call(isolated, "solveAll", { specs: TEN_PROBLEMS, ranks: 1 });
		const cut = await call(isolated, "solveAll", { specs: TEN_PROBLEMS, ranks: 2, isShared: true });
		const other = await call(plain, "solveAll", { specs: TEN_PROBLEMS });
		for (const answers of [alone, cut, other]) expect(answers.map(({ hash }) => hash)).toEqual(wanted);
		expect(cut.map(({ ranks, transport }) => `${ranks} ${transport}`)).toEqual(
			TEN_PROBLEMS.map(({ contacts }) => (contacts < 1000 ? "1 self" : "2 threads")),
		);
		expect(other.every(({ ranks }) => ranks === 1)).toBe(true);
	});

	it("cuts for three ranks whatever is asked, and what cannot be cut is solved by one", async () => {
		const specs = TEN_PROBLEMS.slice(0, 6);
		const answers = await call(isolated, "solveAll", { specs, ranks: 3, cutFrom: 0 });
		expect(answers.map(({ hash }) => hash)).toEqual(specs.map(hashOf));
		expect(answers.map(({ ranks }) => ranks)).toEqual([3, 3, 3, 3, 3, 3]);
		const whole = { specs: [specs[5]!], ranks: 3, cutFrom: 0, options: { set: { operator: "global" } } };
		expect((await call(isolated, "solveAll", whole)).map(({ ranks }) => ranks)).toEqual([1]);
	});

	it("solves in the page's own thread by core", async () => {
		expect(await call(plain, "solveHere", small)).toBe(hashOf(small));
	});

	it("solves several at once: small ones beside each other, a large one on all ranks", async () => {
		const specs = [small, { ...small, seed: 4 }, large, { ...small, seed: 5 }];
		expect(await call(isolated, "solveTogether", { specs, ranks: 2 })).toEqual(specs.map(hashOf));
	});

	it.each([1, 2])("solves prepared patterns with new values, %i ranks", async (ranks) => {
		for (const spec of [small, large]) {
			const hashes = await call(isolated, "prepared", { spec, ranks, factors: [1, 0.5, 2] });
			expect(hashes).toHaveLength(3);
			for (const [hash, wanted] of hashes) expect(hash).toBe(wanted);
		}
	});

	it.each([1, 2])("starts from what was found for the same keys, %i ranks", async (ranks) => {
		const [first, second] = await call(isolated, "warm", { spec: large, ranks });
		expect(first).toBeGreaterThan(10);
		expect(second).toBe(0);
	});

	it.each([1, 2])("tells of progress, is cancelled, and goes on with the next, %i ranks", async (ranks) => {
		const { status, seen, after } = await call(isolated, "cancel", { spec: large, ranks });
		expect(status).toBe("cancelled");
		expect(seen).toBeGreaterThan(0);
		expect(after).toBe(hashOf(large));
	});

	it("is cancelled where the page is not isolated too", async () => {
		expect((await call(plain, "cancel", { spec: large, ranks: 1 })).status).toBe("cancelled");
	});

	it.each([1, 2])("ends with its deadline, waiting included, %i ranks", async (ranks) => {
		expect(await call(isolated, "deadline", { spec: large, ranks })).toEqual(["time-limit", "time-limit"]);
	});

	it.each([1, 2])("is closed: what was under way is cancelled, and the next refused, %i ranks", async (ranks) => {
		const { status, next } = await call(isolated, "close", large, ranks);
		expect(status).toBe("cancelled");
		expect(next).toMatchObject({ name: "InputError", message: expect.stringContaining("it is closed; open another") });
	});

	it("refuses wrong input by field and remedy", async () => {
		const { after, ...refusals } = await call(isolated, "refusals");
		expect(after).toBeUndefined();
		for (const [name, refusal] of Object.entries(refusals)) expect([name, refusal?.name]).toEqual([name, "InputError"]);
		expect(refusals.ranks?.message).toContain("options: ranks: 0 is not an integer from 1");
		expect(refusals.option?.message).toContain("options: threads: unknown option; use one of ranks,");
		expect(refusals.notFinite?.place).toContain("q[4]");
		expect(refusals.functions?.message).toContain("cannot be sent to a worker");
		expect(refusals.size?.message).toContain("has 3 numbers instead of");
	});

	it("refuses threads that the page cannot have, and names a script that is not there", async () => {
		const { threads, script } = await call(plain, "failures");
		expect(threads?.message).toContain(
			"2 ranks need shared memory, and the page is not cross-origin isolated; serve it with",
		);
		expect(script).toMatchObject({ name: "RankError", rank: 0, message: expect.stringContaining("cannot be loaded") });
	});

	it.each([true, false])(
		"names a rank that fails, and has nothing left then (told by its worker: %s)",
		async (isReported) => {
			const { solving, next, failure } = await call(isolated, "lostRank", large, isReported);
			for (const told of [solving, next, failure]) {
				expect(told).toMatchObject({
					name: "RankError",
					rank: 1,
					message: expect.stringMatching(/^rank 1 failed: .*broken by a test$/),
				});
			}
		},
	);
});
