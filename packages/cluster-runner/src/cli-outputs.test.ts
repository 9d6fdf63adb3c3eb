/** Outputs that cannot be written: reported before a solve begins, and if that was not possible, the answer goes elsewhere. */
import { spawnSync } from "node:child_process";
import {
	chmodSync,
	copyFileSync,
	lchownSync,
	mkdirSync,
	readdirSync,
	rmSync,
	symlinkSync,
	watch,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ended, emptyFolder, linesOf, runCli, testFolder } from "../testing/run-cli.js";
import { runHere } from "../testing/run-here.js";
import { Bed } from "./testing/bed.js";
import { openSmallDisk } from "./testing/small-disk.js";

const program = fileURLToPath(new URL("../bin/stickslip.mjs", import.meta.url));
const folder = emptyFolder();
const pile = join(folder, "pile.hdf5");
/** So that it takes a second. */
const slowly = ["--repeat", "20"];
const isRoot = process.platform === "linux" && process.getuid?.() === 0;

beforeAll(() => runHere(["generate", "spheres", "--contacts", "300", "--output", pile]));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a line that writes to `sub`, and calls `change` after its first attempt. */
async function whenTried(cwd: string, words: readonly string[], change: () => void): Promise<Ended> {
	let isTried = false;
	const watcher = watch(join(cwd, "sub"), () => {
		if (isTried || readdirSync(join(cwd, "sub")).length > 0) return;
		isTried = true;
		change();
	});
	try {
		const ended = await runCli(words, { cwd });
		expect(isTried).toBe(true);
		return ended;
	} finally {
		watcher.close();
	}
}

describe("an output that cannot be written", () => {
	it.each([
		["--output", "/proc/self/answer.hdf5"],
		["--report", "/proc/self/page.html"],
	])("is told before the solve: %s", async (option, path) => {
		const { code, out, err } = await runHere(["solve", pile, option, path]);
		expect([code, out]).toEqual([2, ""]);
		expect(err).toBe(
			`stickslip: solve: ${option}: ${path} cannot be written (ENOENT); check that the folder exists, is writable and has free space\n`,
		);
	});

	it("is told before a problem is made or drawn", async () => {
		for (const words of [
			["generate", "spheres", "--output", "/proc/self/pile.hdf5"],
			["info", pile, "--ranks", "2", "--picture", "/proc/self/parts.svg"],
		]) {
			const { code, err } = await runHere(words);
			expect([code, linesOf(err).length]).toEqual([2, 1]);
			expect(err).toContain("cannot be written (ENOENT)");
		}
	});

	it("is told of a standard output without room (needs /dev/full)", () => {
		const line = `exec "$0" "$1" solve "$2" > /dev/full`;
		const { status, stderr } = spawnSync("sh", ["-c", line, process.execPath, program, pile], { timeout: 240_000 });
		expect(stderr.toString()).toBe(
			"stickslip: solve: standard output: cannot be written (ENOSPC); free some space, or redirect it\n",
		);
		expect(status).toBe(2);
	});

	it("is told of a standard output without room behind a launcher, whose run is refused and not tried again (needs /dev/full)", () => {
		const runs = join(testFolder(), "runs");
		const words = `launch local --nodes 2 --restarts 1 --runs "$3" -- solve "$2"`;
		const line = `exec "$0" "$1" ${words} > /dev/full`;
		const all = ["-c", line, process.execPath, program, pile, runs];
		const { status, stderr } = spawnSync("sh", all, { timeout: 240_000 });
		expect(linesOf(stderr.toString()).slice(1)).toEqual([
			"stickslip: solve: standard output: cannot be written (ENOSPC); free some space, or redirect it",
		]);
		expect([status, readdirSync(runs)]).toEqual([2, []]);
	});

	it("behind the link of a stranger in a folder open to all is refused (needs root, who can make one)", async (context) => {
		if (!isRoot) context.skip("only root can give a link to somebody else");
		const cwd = testFolder();
		mkdirSync(join(cwd, "sub"));
		chmodSync(join(cwd, "sub"), 0o1777);
		writeFileSync(join(cwd, "mine"), "");
		symlinkSync("../mine", join(cwd, "sub/answer.hdf5"));
		lchownSync(join(cwd, "sub/answer.hdf5"), 12345, 12345);
		const { code, err } = await runHere(["solve", pile, "--output", "sub/answer.hdf5"], { cwd });
		expect(code).toBe(2);
		expect(err).toContain("sub/answer.hdf5 is a symbolic link of another user");
	});
});

describe("an answer whose place is gone when it is there", () => {
	const words = ["solve", pile, ...slowly, "--output", "sub/answer.hdf5"];
	/** The folder becomes a file. */
	const spoil = (cwd: string) => () => {
		rmSync(join(cwd, "sub"), { recursive: true });
		writeFileSync(join(cwd, "sub"), "");
	};

	it("goes to the current folder, never over another file, with a line that says where; exit code 2", async () => {
		const cwd = testFolder();
		mkdirSync(join(cwd, "sub"));
		writeFileSync(join(cwd, "answer.hdf5"), "of another solve");
		const { code, out, err } = await whenTried(cwd, words, spoil(cwd));
		const written = join(cwd, "answer-2.hdf5");
		expect(code).toBe(2);
		expect(linesOf(err)).toEqual([expect.stringContaining(`it was written to ${written} instead`)]);
		expect(out).toContain(": solved");
		expect(out).toContain(`written     ${written}, not sub/answer.hdf5`);
		expect((await runHere(["info", written])).out).toMatch(/solution +yes/);
	});

	it("goes to the folder of its run, where there is one", async () => {
		const cwd = testFolder();
		mkdirSync(join(cwd, "sub"));
		const run = ["solve", pile, "--checkpoint", "0", "--runs", "runs", "--output", "sub/answer.hdf5"];
		const { code, err } = await whenTried(cwd, run, spoil(cwd));
		expect(code).toBe(2);
		const [id = ""] = readdirSync(join(cwd, "runs"));
		const written = join(cwd, "runs", id, "answers/answer.hdf5");
		expect(err).toContain(`it was written to ${written} instead`);
		expect((await runHere(["info", written])).out).toMatch(/solution +yes/);
	});

	it("goes elsewhere from a disk that is full by then, and so does the page (needs root, who can mount one)", async (context) => {
		if (!isRoot) context.skip("only root of a Linux machine can mount a disk");
		const bed = new Bed();
		try {
			const disk = openSmallDisk(bed, 2 ** 16);
			const cwd = testFolder();
			const [answer, html] = [join(disk.folder, "answer.hdf5"), join(disk.folder, "page.html")];
			const first = await runHere(["solve", pile, "--output", answer], { cwd });
			expect(first.code).toBe(2);
			expect(first.err).toContain(`it was written to ${join(cwd, "answer.hdf5")} instead`);
			let isFull = false;
			const watcher = watch(disk.folder, () => {
				if (!isFull && !readdirSync(disk.folder).includes(".filler")) disk.fill();
				isFull = true;
			});
			const second = await runCli(["solve", pile, ...slowly, "--report", html], { cwd });
			watcher.close();
			expect([second.code, isFull]).toEqual([2, true]);
			expect(second.err).toContain(`it was written to ${join(cwd, "page.html")} instead`);
			expect(readdirSync(disk.folder)).toEqual([".filler"]);
			expect(readdirSync(cwd).sort()).toEqual(["answer.hdf5", "page.html"]);
		} finally {
			await bed.close();
		}
	});
});

describe("a reader who goes away", () => {
	const through = (line: string) =>
		spawnSync("bash", ["-c", line, process.execPath, program, pile], { timeout: 240_000, encoding: "utf8" });

	it("ends a solve of many quietly: what is left is not attempted", () => {
		for (const copy of ["1", "2", "3", "4"]) copyFileSync(pile, pile + copy);
		const line = `{ "$0" "$1" solve "$2"* --repeat 10 --json; echo "code $?" >&2; } | head -1`;
		const { stdout, stderr } = through(line);
		expect(linesOf(stdout)).toHaveLength(1);
		expect(stderr).toBe("code 1\n");
	});

	it("is noticed before the solve begins, and standard error may be closed as well", () => {
		const gone = through(`{ sleep 0.2; "$0" "$1" solve "$2" --repeat 100000; echo "code $?" >&2; } | true`);
		expect(gone.stderr).toBe("code 1\n");
		const both = through(`{ sleep 0.2; "$0" "$1" solve nothing.hdf5 2>&1; echo "code $?" >&3; } 3>&2 | true`);
		expect(both.stderr).toMatch(/^code [12]\n$/);
	});
});
