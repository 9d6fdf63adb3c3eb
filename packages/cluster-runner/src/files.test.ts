import { execFileSync } from "node:child_process";
import {
	existsSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InputError } from "@stickslip/core";
import { afterAll, describe, expect, test } from "vitest";
import { writeAtomically } from "./files.js";

const folder = mkdtempSync(join(tmpdir(), "stickslip-files-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("writeAtomically", () => {
	const path = join(folder, "answer.txt");

	test("the file appears when it is whole, in place of an older one, and nothing else stays", () => {
		writeFileSync(path, "old");
		writeAtomically(path, (temporary) => {
			expect(readFileSync(path, "utf8")).toBe("old");
			writeFileSync(temporary, "new");
			expect(readFileSync(path, "utf8")).toBe("old");
		});
		expect(readFileSync(path, "utf8")).toBe("new");
		expect(readdirSync(folder)).toEqual(["answer.txt"]);
	});

	test("a failure leaves the old file and no temporary one", () => {
		writeFileSync(path, "old");
		const failing = (): void =>
			writeAtomically(path, (temporary) => {
				writeFileSync(temporary, "half");
				throw new Error("stop");
			});
		expect(failing).toThrow("stop");
		expect(readFileSync(path, "utf8")).toBe("old");
		expect(readdirSync(folder)).toEqual(["answer.txt"]);
	});

	test("a link stays a link, and the file it leads to is replaced", () => {
		const away = join(folder, "away");
		mkdirSync(away);
		symlinkSync("away", join(folder, "folder-link"));
		for (const name of ["there.txt", "not-yet.txt"]) {
			if (name === "there.txt") writeFileSync(join(away, name), "old");
			const [one, other] = [join(away, "link-of-link"), join(folder, "link")];
			symlinkSync(name, one);
			symlinkSync(join("folder-link", "link-of-link"), other);
			writeAtomically(other, (temporary) => writeFileSync(temporary, "new"));
			expect(readFileSync(join(away, name), "utf8")).toBe("new");
			expect([readlinkSync(one), readlinkSync(other)]).toEqual([name, join("folder-link", "link-of-link")]);
			for (const link of [one, other]) rmSync(link);
		}
		expect(readdirSync(away).sort()).toEqual(["not-yet.txt", "there.txt"]);
	});

	test("nothing but a file is replaced", () => {
		const pipe = join(folder, "pipe");
		execFileSync("mkfifo", [pipe]);
		const writing = (): void => writeAtomically(pipe, (temporary) => writeFileSync(temporary, ""));
		expect(writing).toThrow(`${pipe}: file: is a named pipe; write to a regular file`);
		expect(lstatSync(pipe).isFIFO()).toBe(true);
	});

	test("errors name the wanted file, not the temporary one", () => {
		const naming = (): void =>
			writeAtomically(path, (temporary) => {
				throw new InputError(temporary, "/x", "cannot be written (full)", "make room");
			});
		expect(naming).toThrow(`${path}: /x: cannot be written (full); make room`);
		const nowhere = join(folder, "none", "x");
		expect(() => writeAtomically(nowhere, (temporary) => writeFileSync(temporary, ""))).toThrow(
			`${nowhere}: file: cannot be written (ENOENT); check that the folder exists`,
		);
		const busy = join(folder, "folder");
		mkdirSync(busy);
		expect(() => writeAtomically(busy, (temporary) => writeFileSync(temporary, ""))).toThrow(InputError);
		expect(existsSync(busy)).toBe(true);
		expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
	});
});
