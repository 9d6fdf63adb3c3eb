import { execFileSync } from "node:child_process";
import { existsSync, linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkFile, targets } from "./targets.js";

describe("where answers go", () => {
	const folder = mkdtempSync(join(tmpdir(), "stickslip-targets-"));
	const path = (name: string) => join(folder, name);
	const [a, b] = [path("a.h5"), path("b.h5")];
	const made = (inputs: readonly string[], output?: string) => targets("solve", inputs, output);

	beforeAll(() => {
		mkdirSync(path("sub"));
		for (const name of ["a.h5", "b.h5", "c.h5", "sub/a.h5"]) writeFileSync(path(name), name);
		linkSync(a, path("hard.h5"));
		symlinkSync(a, path("soft.h5"));
		execFileSync("mkfifo", [path("pipe")]);
		symlinkSync("pipe", path("to-pipe"));
		symlinkSync("circle", path("circle"));
		symlinkSync("gone/x.h5", path("to-nowhere"));
		symlinkSync("new.h5", path("to-new"));
	});

	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	it("nowhere unless asked", () => {
		expect(made([a, b])).toEqual([undefined, undefined]);
	});

	it("a file for one input, also in place of an older one", () => {
		expect(made([a], path("new.h5"))).toEqual([path("new.h5")]);
		expect(made([a], path("c.h5"))).toEqual([path("c.h5")]);
	});

	it("a folder for many, or where one is named or there; none is made yet", () => {
		expect(made([a, b], path("out"))).toEqual([path("out/a.h5"), path("out/b.h5")]);
		expect(made([a], `${path("out")}/`)).toEqual([path("out/a.h5")]);
		expect(made([b], path("sub"))).toEqual([path("sub/b.h5")]);
		expect(made(["-"], path("sub"))).toEqual([path("sub/stdin.hdf5")]);
		expect(existsSync(path("out"))).toBe(false);
	});

	it("never an input, by whatever name", () => {
		const message = "is the input";
		expect(() => made([a], a)).toThrow(message);
		expect(() => made([a], path("sub/../a.h5"))).toThrow(message);
		expect(() => made([a], path("hard.h5"))).toThrow(message);
		expect(() => made([a], path("soft.h5"))).toThrow(message);
		expect(() => made([a, b], folder)).toThrow(message);
		expect(() => made([a, path("sub/a.h5"), b], folder)).toThrow();
	});

	it("nothing but a file: no pipe, no device, no folder, also not behind a link", () => {
		expect(() => made([a], path("pipe"))).toThrow("pipe is a named pipe; name a regular file");
		expect(() => made([a, b], path("pipe"))).toThrow(
			"pipe is a named pipe and 2 problems would be written there; name a folder",
		);
		expect(() => checkFile("solve", "--report", path("sub"), [a])).toThrow("sub is a folder; name a file in it");
		expect(() => checkFile("solve", "--report", path("to-pipe"), [a])).toThrow("to-pipe is a named pipe");
		expect(() => checkFile("solve", "--report", path("circle"), [a])).toThrow(
			"is a circular symbolic link; name another",
		);
		expect(() => checkFile("solve", "--report", path("to-nowhere"), [a])).toThrow(
			"gone does not exist; create it first",
		);
		expect(made([a], path("to-new"))).toEqual([path("to-new")]);
	});

	it("not where two would meet, nor where no folder is", () => {
		expect(() => made([a, path("sub/a.h5")], path("out"))).toThrow("would both become");
		expect(() => made([a, b], path("c.h5"))).toThrow("name a folder");
		expect(() => made([a], path("none/new.h5"))).toThrow("create it first");
		expect(() => made([a], "-")).toThrow("name a file");
	});
});
