import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, linesOf, runCli, testFolder } from "../testing/run-cli.js";
import { runHere } from "../testing/run-here.js";

const folder = emptyFolder();
const good = join(folder, "good.hdf5");

beforeAll(() => runHere(["generate", "planks", "--bodies", "5", "--form", "local", "--output", good]));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("bad use", () => {
	it.each([
		[["solve"], "solve: FILE: is missing"],
		[["slove", "x"], "command line: slove: unknown command; did you mean solve?"],
		[["solve", "x", "--tolerence", "1"], "solve: --tolerence: unknown option; did you mean --tolerance?"],
		[["solve", "x", "--tolerance", "0"], "solve: --tolerance: "],
		[["solve", "x", "--measure", "error"], `solve: --measure: there is no "error"`],
		[["solve", "x", "--method", "bisection"], `solve: --method: there is no "bisection"; choose among auto, pqn`],
		[["solve", "x", "--start", "guessed"], "solve: --start: "],
		[["solve", "x", "--tolerance", "1", "--tolerance", "2"], "solve: --tolerance: is given twice, as 1 and as 2; give"],
		[["solve", "x", "--max-iterations", "1.5"], "solve: --max-iterations: "],
		[["solve", "x", "--max-iterations", "1e20"], `solve: --max-iterations: "1e20"`],
		[["solve", "x", "--history"], "solve: --history: needs --json or --report; add --json"],
		[["solve", "x", "--ranks", "0"], `solve: --ranks: "0"`],
		[["solve", "x", "--time-limit", "-1"], "solve: --time-limit: "],
		[["solve", "x", "--repeat", "0"], "solve: --repeat: "],
		[["solve", "x", "--set", "m"], `solve: --set: "m" is not of the form name=value`],
		[["solve", "x", "--set", "m=1", "--set", "m=2"], "solve: --set: m is given twice"],
		[["solve", "x", "--ranks", "few"], `solve: --ranks: "few"`],
		[["solve", "x", "--transport", "tcp"], `solve: --transport: there is no "tcp"; choose among threads, zeromq, mpi`],
		[["solve", "x", "--processes", "0"], `solve: --processes: "0"`],
		[["solve", "x", "--output", "none/x.hdf5"], "solve: --output: the folder none does not exist"],
		[["solve", "x", "--report", "none/x.html"], "solve: --report: the folder none does not exist"],
		[["solve", "x", "--report", "y", "--output", "y"], "solve: --report: y is the file of --output"],
		[["solve", "x", "--report", "./y", "--output", "y"], "solve: --report: ./y is the file of --output"],
		[["info"], "info: FILE: is missing"],
		[["generate", "spheres"], "generate: --output: is missing"],
		[["generate", "sphers", "--output", "y"], `generate: name: there is no "sphers"`],
		[["generate", "spheres", "--output", "y", "--contacts", "many"], `generate: --contacts: "many" is not a number`],
		[["generate", "spheres", "--output", "y", "--contacts", "0"], "generate: --contacts: 0 is out of range"],
		[["generate", "spheres", "--output", "y", "--mu", "1:0"], "generate: --mu: the range from 1 to 0"],
		[
			["generate", "spheres", "--output", "y", "--mu", "nan"],
			`generate: --mu: "nan" is not a number; write e.g. --mu 0.5`,
		],
		[["generate", "spheres", "--output", "y", "--heavy", "8"], "generate: --heavy: has no effect"],
		[["generate", "planks", "--output", "y", "--heavy-share", "0.5"], "generate: --heavy-share: has no effect"],
		[
			["generate", "spheres-heavy", "--output", "y", "--heavy-share", "2"],
			"generate: --heavy-share: 2 is out of range",
		],
		[["methods", "pqm"], "methods: pqm: unknown method; did you mean pqn?"],
		[["doctor", "x"], "doctor: x: "],
	])("%j ends in one line and exit code 2, and writes nothing", async (words, message) => {
		const cwd = testFolder();
		const { code, out, err } = await runHere(words, { cwd });
		expect([code, out]).toEqual([2, ""]);
		expect(err).toMatch(/^stickslip: [^\n]+; [^\n]+\n$/);
		expect(err).toContain(`stickslip: ${message}`);
		expect(readdirSync(cwd)).toEqual([]);
	});

	it("shows the help, on standard error, when there is nothing at all", async () => {
		const { code, out, err } = await runCli([]);
		expect([code, out]).toEqual([2, ""]);
		expect(err).toContain("Usage: stickslip COMMAND");
	});
});

describe("bad files", () => {
	/** Each is derived from a good file, or made from scratch. */
	const cases: readonly (readonly [string, (whole: Buffer) => Uint8Array])[] = [
		["an empty file", () => new Uint8Array(0)],
		["a text", () => Buffer.from("dimension 3\n")],
		["half a file", (whole) => whole.subarray(0, whole.length >> 1)],
		[
			"a file of zeros behind its first kilobyte",
			(whole) => Buffer.concat([whole.subarray(0, 1024), Buffer.alloc(4096)]),
		],
	];

	it.each(cases)("%s ends in one line and exit code 2, and writes nothing", async (_, make) => {
		const cwd = testFolder();
		writeFileSync(join(cwd, "bad.hdf5"), make(readFileSync(good)));
		const output = ["--output", "out.hdf5", "--report", "page.html"];
		const { code, out, err } = await runCli(["solve", "bad.hdf5", ...output], { cwd });
		expect([code, out]).toEqual([2, ""]);
		expect(err).toMatch(/^stickslip: bad\.hdf5: [^\n]+; [^\n]+\n$/);
		expect(readdirSync(cwd)).toEqual(["bad.hdf5"]);
		expect((await runHere(["info", "bad.hdf5"], { cwd })).code).toBe(2);
	});

	it("make no folder for answers when none of them is good", async () => {
		const cwd = testFolder();
		const { code } = await runHere(["solve", "a.hdf5", "b.hdf5", "--output", "answers"], { cwd });
		expect([code, readdirSync(cwd)]).toEqual([2, []]);
	});

	it("are told through a pipe as well, by the name of standard input", async () => {
		const { code, err } = await runCli(["solve", "-"], { input: Buffer.from("no HDF5") });
		expect(code).toBe(2);
		expect(err).toMatch(/^stickslip: standard input: file: cannot be read as an HDF5 file[^\n]+\n$/);
	});

	it("are no folders", async () => {
		const cwd = testFolder();
		mkdirSync(join(cwd, "sub"));
		const { code, err } = await runHere(["solve", "sub"], { cwd });
		expect(code).toBe(2);
		expect(err).toBe(`stickslip: sub: file: is a folder; name the files in it, e.g. "sub/*.hdf5"\n`);
	});

	it("are no pipes, which are not waited for", async () => {
		const cwd = testFolder();
		execFileSync("mkfifo", [join(cwd, "pipe")]);
		const { code, err } = await runHere(["info", "pipe"], { cwd });
		expect(code).toBe(2);
		expect(err).toMatch(/^stickslip: pipe: file: is a named pipe; use - for standard input[^\n]+\n$/);
	});

	it("are not there behind a file, and are empty, and is not readable", async () => {
		const cwd = testFolder();
		const told = async (name: string) => (await runHere(["solve", name], { cwd })).err;
		writeFileSync(join(cwd, "empty"), "");
		expect(await told("empty")).toBe("stickslip: empty: file: is empty; give a complete FCLIB file\n");
		expect(await told("empty/x")).toMatch(/^stickslip: empty\/x: /);
		// A planted refusal, because the superuser, who may be running this, may read everything.
		const refusing = join(cwd, "refusing.mjs");
		writeFileSync(
			refusing,
			`import fs from "node:fs";
			import { syncBuiltinESMExports } from "node:module";
			fs.accessSync = () => {
				throw Object.assign(new Error("planted"), { code: "EACCES", syscall: "access" });
			};
			syncBuiltinESMExports();`,
		);
		const { code, err } = await runCli(["solve", good], { node: ["--import", pathToFileURL(refusing).href] });
		expect([code, err]).toEqual([
			2,
			`stickslip: ${good}: file: is not readable; ask its owner for the permission to read it\n`,
		]);
	});

	it("have no guess to start from", async () => {
		const { code, err } = await runHere(["solve", good, "--start", "guess"]);
		expect(code).toBe(2);
		expect(err).toBe(`stickslip: ${good}: /guesses: there is no guess in the file; solve it with --start zero\n`);
	});

	it("cannot break the line that tells of them", async () => {
		const { err } = await runHere(["solve", "a\nb\x1b[31m.hdf5"]);
		expect(err).toBe("stickslip: a b [31m.hdf5: does not exist; check the name\n");
	});
});

describe("what may not be replaced", () => {
	it.each(["solve", "generate"])("%s refuses a pipe in place of the file before any work", async (command) => {
		const cwd = testFolder();
		execFileSync("mkfifo", [join(cwd, "pipe")]);
		for (const option of command === "solve" ? ["--output", "--report"] : ["--output"]) {
			const words = command === "solve" ? ["solve", good] : ["generate", "planks"];
			const { code, out, err } = await runHere([...words, option, "pipe"], { cwd });
			expect([code, out]).toEqual([2, ""]);
			expect(err).toMatch(new RegExp(`^stickslip: ${command}: ${option}: pipe is a named pipe; name a regular file`));
			expect(lstatSync(join(cwd, "pipe")).isFIFO()).toBe(true);
		}
	});
});

describe("an answer that cannot be written", () => {
	/** No file system takes a name so long, and it is tried. */
	const long = `${"x".repeat(300)}.hdf5`;

	it("is told before the solve", async () => {
		const cwd = testFolder();
		const { code, out, err } = await runHere(["solve", good, "--output", long], { cwd });
		expect([code, out]).toEqual([2, ""]);
		expect(err).toMatch(/^stickslip: solve: --output: x+\.hdf5 cannot be written \(ENAMETOOLONG\); [^\n]+\n$/);
		expect(readdirSync(cwd)).toEqual([]);
	});

	it("is counted under the table, and told in the page", async () => {
		const cwd = testFolder();
		mkdirSync(join(cwd, "in"));
		for (const name of ["a.hdf5", "b.hdf5"]) writeFileSync(join(cwd, "in", name), readFileSync(good));
		const fault = join(cwd, "fault.mjs");
		// A planted fault: the first file brought to disk does not fit.
		writeFileSync(
			fault,
			`import { open } from "node:fs/promises";
			const file = await open(process.execPath);
			const prototype = Object.getPrototypeOf(file);
			await file.close();
			const { sync } = prototype;
			let planted = false;
			prototype.sync = async function () {
				if (planted) return await sync.call(this);
				planted = true;
				throw Object.assign(new Error("planted"), { code: "ENOSPC", syscall: "fsync" });
			};`,
		);
		const words = ["solve", "in/a.hdf5", "in/b.hdf5", "missing.hdf5", "--output", "out", "--report", "page.html"];
		const { code, out, err } = await runCli(words, { cwd, node: ["--import", pathToFileURL(fault).href] });
		expect(code).toBe(2);
		expect(out).toMatch(
			/2 of 3 solved in .*; 1 could not be read .*; 1 answer could not be written \(see the messages\)\n$/,
		);
		const instead = join(cwd, "a.hdf5");
		expect(err).toContain(`out/a.hdf5: file: cannot be written (ENOSPC); it was written to ${instead} instead`);
		expect(existsSync(instead)).toBe(true);
		expect(readdirSync(join(cwd, "out"))).toEqual(["b.hdf5"]);
		const page = readFileSync(join(cwd, "page.html"), "utf8");
		for (const name of ["out/a.hdf5: file: cannot be written", "missing.hdf5: does not exist"]) {
			expect(page).toContain(name);
		}
	});
});

describe("a solver that fails", () => {
	it("ends with exit code 3 and names the file, and the others are solved", async () => {
		// A planted fault: the first memory of a solve cannot be read once it has grown.
		const fault = join(testFolder(), "fault.mjs");
		writeFileSync(
			fault,
			`const { Memory } = WebAssembly;
			let planted = false;
			WebAssembly.Memory = class extends Memory {
				constructor(size) {
					super(size);
					this.isSolver = size.shared && size.maximum > 1000;
				}
				grow(pages) {
					this.isGrown = true;
					return super.grow(pages);
				}
				get buffer() {
					if (this.isSolver && this.isGrown && !planted) {
						planted = true;
						throw new Error("planted");
					}
					return super.buffer;
				}
			};`,
		);
		const other = join(testFolder(), "other.hdf5");
		writeFileSync(other, readFileSync(good));
		const node = ["--import", pathToFileURL(fault).href];
		const { code, out, err } = await runCli(["solve", good, other, "--json"], { node });
		expect(code).toBe(3);
		expect(err).toContain(`stickslip: ${good}: the solver failed; please report it: Error: planted`);
		const objects = linesOf(out).map((line) => JSON.parse(line));
		expect(objects.map(({ problem, status }) => [problem, status])).toEqual([
			[good, "error"],
			[other, "solved"],
		]);
	});
});
