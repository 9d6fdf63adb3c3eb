import { execFileSync } from "node:child_process";
import {
	chmodSync,
	existsSync,
	lchownSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { InputError } from "@stickslip/core";
import { afterAll, describe, expect, test } from "vitest";
import { tryToWrite, writeWhole, writeWholeBy } from "./write.js";

const folder = mkdtempSync(join(tmpdir(), "stickslip-files-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("files that appear whole", () => {
	const path = join(folder, "answer.txt");

	test("the file appears when it is whole, in place of an older one, and nothing else stays", async () => {
		writeFileSync(path, "old");
		await writeWholeBy(path, async (file) => {
			await file.writeFile("new");
			expect(readFileSync(path, "utf8")).toBe("old");
		});
		expect(readFileSync(path, "utf8")).toBe("new");
		writeWhole(path, "newer");
		expect(readFileSync(path, "utf8")).toBe("newer");
		expect(readdirSync(folder)).toEqual(["answer.txt"]);
	});

	test("a failure leaves the old file and no temporary one", async () => {
		writeFileSync(path, "old");
		const failing = writeWholeBy(path, async (file) => {
			await file.writeFile("half");
			throw new Error("stop");
		});
		await expect(failing).rejects.toThrow("stop");
		expect(readFileSync(path, "utf8")).toBe("old");
		expect(readdirSync(folder)).toEqual(["answer.txt"]);
	});

	test("a link that the user named stays a link, and the file it leads to is replaced", () => {
		const away = join(folder, "away");
		mkdirSync(away);
		symlinkSync("away", join(folder, "folder-link"));
		for (const name of ["there.txt", "not-yet.txt"]) {
			if (name === "there.txt") writeFileSync(join(away, name), "old");
			const [one, other] = [join(away, "link-of-link"), join(folder, "link")];
			symlinkSync(name, one);
			symlinkSync(join("folder-link", "link-of-link"), other);
			writeWhole(other, "new", { followsLinks: true });
			expect(readFileSync(join(away, name), "utf8")).toBe("new");
			expect([readlinkSync(one), readlinkSync(other)]).toEqual([name, join("folder-link", "link-of-link")]);
			for (const link of [one, other]) rmSync(link);
		}
		expect(readdirSync(away).sort()).toEqual(["not-yet.txt", "there.txt"]);
	});

	test("any other link is replaced itself", () => {
		const [target, link] = [join(folder, "bait.txt"), join(folder, "state.json")];
		writeFileSync(target, "mine");
		symlinkSync("bait.txt", link);
		writeWhole(link, "{}");
		expect([readFileSync(target, "utf8"), lstatSync(link).isFile()]).toEqual(["mine", true]);
	});

	const isRoot = process.geteuid?.() === 0;
	test.skipIf(!isRoot)("a stranger's link in a folder open to all is refused (needs root, who can make one)", () => {
		const open = join(folder, "open");
		mkdirSync(open);
		chmodSync(open, 0o1777);
		writeFileSync(join(folder, "victim.txt"), "mine");
		const link = join(open, "answer.txt");
		symlinkSync("../victim.txt", link);
		lchownSync(link, 12345, 12345);
		expect(() => writeWhole(link, "theirs", { followsLinks: true })).toThrow(
			`${link}: file: is a symbolic link of another user (${link}); name the file itself`,
		);
		expect(readFileSync(join(folder, "victim.txt"), "utf8")).toBe("mine");
	});

	test("a file keeps its mode, a private one is the user's alone, and a new one is as the system makes them", async () => {
		const modeOf = (name: string) => statSync(name).mode & 0o777;
		const [shared, secret, fresh] = ["shared", "secret", "fresh"].map((name) => join(folder, name)) as [
			string,
			string,
			string,
		];
		writeFileSync(shared, "old");
		chmodSync(shared, 0o640);
		writeWhole(shared, "new");
		expect(modeOf(shared)).toBe(0o640);
		writeWhole(secret, "new", { isPrivate: true });
		expect(modeOf(secret)).toBe(0o600);
		await writeWholeBy(fresh, (file) => file.writeFile("new"));
		expect(modeOf(fresh)).toBe(0o666 & ~process.umask());
	});

	test("the temporary file is hidden, new, and of no name that could be known before", async () => {
		const names: string[] = [];
		for (let time = 0; time < 2; time += 1) {
			await writeWholeBy(path, async (_, temporary) => {
				names.push(basename(temporary));
			});
		}
		for (const name of names) {
			expect(name).toMatch(new RegExp(`^\\.answer\\.txt\\.[0-9a-f]{8}-${process.pid}-\\d+-[0-9a-f]{16}\\.part$`));
		}
		expect(names[0]).not.toBe(names[1]);
	});

	test("what somebody puts in the temporary file's place does not become the file", async () => {
		writeFileSync(path, "old");
		const writing = writeWholeBy(path, async (file, temporary) => {
			await file.writeFile("new");
			rmSync(temporary);
			symlinkSync("elsewhere", temporary);
		});
		await expect(writing).rejects.toThrow(`${path}: file: was replaced by another process while it was written`);
		expect(readFileSync(path, "utf8")).toBe("old");
	});

	test("nothing but a file is replaced", () => {
		const pipe = join(folder, "pipe");
		execFileSync("mkfifo", [pipe]);
		expect(() => writeWhole(pipe, "")).toThrow(`${pipe}: file: is a named pipe; write to a regular file`);
		expect(lstatSync(pipe).isFIFO()).toBe(true);
	});

	test("errors name the wanted file, not the temporary one", async () => {
		const naming = writeWholeBy(path, async (_, temporary) => {
			throw new InputError(temporary, "/x", "cannot be written (full)", "free some space");
		});
		await expect(naming).rejects.toThrow(`${path}: /x: cannot be written (full); free some space`);
		const nowhere = join(folder, "none", "x");
		for (const attempt of [() => writeWhole(nowhere, ""), () => tryToWrite(nowhere)]) {
			expect(attempt).toThrow(`${nowhere}: file: cannot be written (ENOENT); check that the folder exists`);
		}
		const busy = join(folder, "folder");
		mkdirSync(busy);
		expect(() => writeWhole(busy, "")).toThrow(InputError);
		expect(existsSync(busy)).toBe(true);
		expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
	});
});
