import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Bench, dispatch } from "./bench.js";
import { mergeCsv, recordCsv } from "./record.js";

describe("a bench by its name", () => {
	const bench: Bench = { name: "echo", what: "says it", run: (args) => args.length };

	async function told(args: readonly string[]): Promise<{ code: number; lines: string }> {
		const lines: string[] = [];
		const code = await dispatch([bench], args, (line) => lines.push(line));
		return { code, lines: lines.join("\n") };
	}

	it("gets the arguments after its name, and its exit code is the command's", async () => {
		expect((await told(["echo", "a", "b"])).code).toBe(2);
		expect((await told(["echo"])).code).toBe(0);
	});

	it("is listed by --help, and where the name is missing or wrong", async () => {
		expect(await told(["--help"])).toMatchObject({ code: 0, lines: expect.stringContaining("says it") });
		expect(await told([])).toMatchObject({ code: 2, lines: expect.stringContaining("echo") });
		expect(await told(["ekko"])).toMatchObject({ code: 2, lines: expect.stringContaining("unknown bench ekko") });
	});
});

describe("a recorded result", () => {
	const folder = mkdtempSync(join(tmpdir(), "stickslip-record-"));
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	it("carries its circumstances, and no name of the host", () => {
		const text = readFileSync(recordCsv("two", [{ problem: "a, b", seconds: 2 }], folder), "utf8");
		expect(text).toContain(process.versions.node);
		if (hostname().length > 4) expect(text).not.toContain(hostname());
		expect(text).toMatch(/\nproblem,seconds\n"a, b",2\n$/);
	});

	it("keeps the rows of other commands, also where their keys have commas", () => {
		const merge = (key: string, seconds: number) => mergeCsv("kept", ["problem"], [{ problem: key, seconds }], folder);
		merge("a, b", 1);
		merge("a, c", 2);
		merge("a, b", 3);
		expect(readFileSync(merge("d", 4), "utf8")).toMatch(/\nproblem,seconds\n"a, c",2\n"a, b",3\nd,4\n$/);
	});

	it("does not take a path for a name", () => {
		expect(() => recordCsv("../up", [], folder)).toThrow("not ../up");
	});
});
