import { createHash } from "node:crypto";
import {
	closeSync,
	copyFileSync,
	openSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { CsrMatrix } from "@stickslip/core";
import { version } from "@stickslip/core";
import { readSolution, withFclib } from "@stickslip/core/fclib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, linesOf, runCli, testFolder } from "../testing/run-cli.js";
import { runHere } from "../testing/run-here.js";
import { loadHdf5 } from "./base/hdf5.js";
import { load } from "./files/load.js";

/** The fields of a report, in their order. */
const fields =
	"problem contacts method status reason choice remedies iterations products measure tolerance energy natural merit seconds " +
	"secondsFirst ranks transport operator exchanges reductions perRank efficiency hash version";

const folder = emptyFolder();
const spheres = join(folder, "spheres.hdf5");
const planks = join(folder, "planks.hdf5");

beforeAll(async () => {
	await runHere(["generate", "spheres", "--contacts", "100", "--output", spheres]);
	await runHere(["generate", "planks", "--contacts", "100", "--form", "local", "--output", planks]);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("solve, one file", () => {
	it("says in a few lines how it went: exit code 0", async () => {
		const { code, out, err } = await runCli(["solve", spheres]);
		expect([code, err]).toEqual([0, ""]);
		expect(out).toContain(`${spheres}: solved`);
		for (const word of ["contacts", "method", "energy", "natural", "merit", "iterations", "operator"]) {
			expect(out).toContain(word);
		}
	});

	it("prints one JSON object and nothing else with --json", async () => {
		const { code, out, err } = await runCli([
			"solve",
			spheres,
			"--json",
			"--measure",
			"natural",
			"--tolerance",
			"1e-8",
		]);
		expect([code, err]).toEqual([0, ""]);
		const [line = "", ...more] = linesOf(out);
		expect(more).toEqual([]);
		const report: Record<string, unknown> = JSON.parse(line);
		expect(Object.keys(report).join(" ")).toBe(fields);
		expect(report).toMatchObject({ problem: spheres, status: "solved", measure: "natural", tolerance: 1e-8, ranks: 1 });
		expect(report.natural).toBeLessThanOrEqual(1e-8);
	});

	it("ends with exit code 1 when it is not solved, and says why", async () => {
		const { code, out } = await runCli(["solve", planks, "--tolerance", "1e-12", "--max-iterations", "2"]);
		expect(code).toBe(1);
		expect(out).toContain("iteration-limit");
	});

	it("adds a history of one number per iteration when asked", async () => {
		const { out } = await runHere(["solve", planks, "--json", "--history"]);
		const { history, iterations, energy } = JSON.parse(out);
		expect(history).toHaveLength(iterations);
		expect(history.at(-1)).toBeCloseTo(energy, 12);
	});

	it("reads standard input", async () => {
		const { code, out } = await runCli(["solve", "-", "--json"], { input: readFileSync(planks) });
		expect([code, JSON.parse(out).problem]).toEqual([0, "standard input"]);
	});

	it("passes options on to the method, and its refusals back", async () => {
		const { code, out } = await runHere([
			"solve",
			spheres,
			"--method",
			"pqn",
			"--set",
			"m=7",
			"--set",
			"delta=0.5",
			"--json",
		]);
		expect([code, JSON.parse(out).method]).toEqual([0, "pqn"]);
		const refused = await runHere(["solve", spheres, planks, "--method", "pqn", "--set", "gamma=7"]);
		expect([refused.code, refused.out]).toEqual([2, ""]);
		expect(refused.err).toMatch(/^stickslip: options: gamma: [^\n]+\n$/);
	});

	it("gives the same hash every time", async () => {
		const hashes = await Promise.all(
			[1, 2].map(async () => JSON.parse((await runHere(["solve", planks, "--json"])).out).hash),
		);
		expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/);
		expect(hashes[1]).toBe(hashes[0]);
	});
});

describe("solve --output", () => {
	it("writes the whole problem with u, r and v, which satisfy the global form", async () => {
		const output = join(testFolder(), "solved.hdf5");
		const { out } = await runHere(["solve", spheres, "--output", output, "--tolerance", "1e-10", "--json"]);
		const module = await loadHdf5();
		const solution = withFclib(module, output, (file) => readSolution(file, 0));
		const { r, u, v } = solution ?? {};
		const { problem, info } = await load(output);
		const { global } = problem;
		if (r === undefined || u === undefined || v === undefined || global === undefined) throw new Error("not whole");
		expect(
			createHash("sha256")
				.update(new Uint8Array(r.buffer, r.byteOffset, r.byteLength))
				.digest("hex"),
		).toBe(JSON.parse(out).hash);
		expect(info.title?.text).toContain("spheres");
		// M v = H r + f, and u = H^T v + w.
		const force = times(global.H, r).map((value, i) => value + (global.f[i] ?? 0));
		expect(distance(times(global.M, v), force)).toBeLessThan(1e-12);
		expect(
			distance(
				timesTransposed(global.H, v),
				u.map((value, i) => value - (global.w[i] ?? 0)),
			),
		).toBeLessThan(1e-9);
	});

	it("replaces an older file at once, keeps the input, and leaves nothing beside them", async () => {
		const here = testFolder();
		const [input, output] = [join(here, "in.hdf5"), join(here, "out.hdf5")];
		copyFileSync(planks, input);
		writeFileSync(output, "older");
		const before = openSync(output, "r");
		await runHere(["solve", input, "--output", output]);
		expect(readFileSync(before, "utf8")).toBe("older");
		closeSync(before);
		expect(statSync(output).size).toBeGreaterThan(statSync(input).size);
		expect(readFileSync(input).equals(readFileSync(planks))).toBe(true);
		expect(readdirSync(here).sort()).toEqual(["in.hdf5", "out.hdf5"]);
	});

	it("writes through a symbolic link, which stays one", async () => {
		const here = testFolder();
		symlinkSync("answer.hdf5", join(here, "link"));
		const { code, out } = await runHere(["solve", planks, "--output", "link", "--report", "page.html"], { cwd: here });
		expect(code).toBe(0);
		expect(out).toMatch(/written +link\n/);
		expect(readlinkSync(join(here, "link"))).toBe("answer.hdf5");
		expect((await runHere(["info", "answer.hdf5"], { cwd: here })).out).toMatch(/solution +yes/);
	});

	it("refuses to overwrite the input, and says what to do", async () => {
		const { code, err } = await runHere(["solve", planks, "--output", planks]);
		expect(code).toBe(2);
		expect(err).toMatch(/^stickslip: solve: --output: .* is the input .*; write to another file and rename it\n$/);
	});

	it("writes an unsolved answer too", async () => {
		const output = join(testFolder(), "unsolved.hdf5");
		const { code } = await runHere([
			"solve",
			planks,
			"--tolerance",
			"1e-14",
			"--max-iterations",
			"1",
			"--output",
			output,
		]);
		expect(code).toBe(1);
		expect((await runHere(["info", output])).out).toMatch(/solution +yes/);
	});
});

describe("solve, many files", () => {
	it("prints a table, takes globs, and fills a folder", async () => {
		const output = join(testFolder(), "answers");
		const { code, out } = await runHere(["solve", join(folder, "*.hdf5"), "--output", output]);
		expect(code).toBe(0);
		const lines = linesOf(out);
		expect(lines[0]).toBe(`in ${folder}/`);
		expect(lines[2]).toMatch(
			/^problem +contacts +status +iterations +products +energy +natural +merit +seconds +ranks +method$/,
		);
		expect(lines[4]).toMatch(/^planks\.hdf5 +\d+ +solved/);
		expect(lines[5]).toMatch(/^spheres\.hdf5 +\d+ +solved/);
		expect(lines.at(-1)).toMatch(/^2 of 2 solved in /);
		expect(readdirSync(output).sort()).toEqual(["planks.hdf5", "spheres.hdf5"]);
	});

	it("attempts every file, tells each bad one in a line, and ends with the worst code", async () => {
		const bad = join(testFolder(), "bad.hdf5");
		writeFileSync(bad, "no HDF5");
		const missing = join(folder, "missing.hdf5");
		const { code, out, err } = await runCli(["solve", bad, planks, missing, spheres, "--json"]);
		expect(code).toBe(2);
		const objects = linesOf(out).map((line) => JSON.parse(line));
		expect(objects.map(({ problem }) => problem)).toEqual([bad, planks, missing, spheres]);
		expect(objects.map(({ status }) => status)).toEqual(["error", "solved", "error", "solved"]);
		const reason = expect.stringMatching(new RegExp(`^${missing}: `));
		expect(objects[2]).toEqual({ problem: missing, status: "error", reason, version });
		const [first = "", second = "", ...more] = linesOf(err);
		expect(first).toContain(`stickslip: ${bad}: file: cannot be read as an HDF5 file`);
		expect(second).toMatch(new RegExp(`^stickslip: ${missing}: `));
		expect(more).toEqual([]);
	});
});

describe("solve --report", () => {
	it("writes one page for all problems, and keeps the history out of the JSON", async () => {
		const html = join(testFolder(), "page.html");
		const { code, out } = await runHere(["solve", planks, spheres, "--report", html, "--json"]);
		expect(code).toBe(0);
		expect(linesOf(out).every((line) => !("history" in JSON.parse(line)))).toBe(true);
		expect(readFileSync(html, "utf8").match(/<polyline/g)).toHaveLength(2);
	});
});

function times({ rows, rowStart, column, values }: CsrMatrix, x: Float64Array): Float64Array {
	const y = new Float64Array(rows);
	for (let i = 0; i < rows; i += 1) {
		for (let k = rowStart[i]!; k < rowStart[i + 1]!; k += 1) y[i]! += values[k]! * x[column[k]!]!;
	}
	return y;
}

function timesTransposed({ rows, columns, rowStart, column, values }: CsrMatrix, x: Float64Array): Float64Array {
	const y = new Float64Array(columns);
	for (let i = 0; i < rows; i += 1) {
		for (let k = rowStart[i]!; k < rowStart[i + 1]!; k += 1) y[column[k]!]! += values[k]! * x[i]!;
	}
	return y;
}

/** The greatest difference, relative to the greatest value. */
function distance(one: Float64Array, other: Float64Array): number {
	const size = Math.max(...other.map(Math.abs));
	return Math.max(...one.map((value, i) => Math.abs(value - (other[i] ?? Number.NaN)))) / size;
}
