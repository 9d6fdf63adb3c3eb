/** `stickslip study profile`: all cells, gone on with after an end of any kind, and what is refused. */
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, runCli } from "../testing/run-cli.js";

const folder = emptyFolder();
const piles = ["a", "b"].map((name) => join(folder, `${name}.hdf5`));
const study = join(folder, "study");
const line = ["study", "profile", join(folder, "?.hdf5"), "--methods", "auto,apgd:ratio=1,jacobi", "-o", study];
const cells = () => readFileSync(join(study, "cells.jsonl"), "utf8").trimEnd().split("\n").slice(1);

beforeAll(async () => {
	for (const [index, path] of piles.entries()) {
		await runCli(["generate", "spheres", "--contacts", "60", "--seed", String(index + 1), "--output", path]);
	}
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("study profile", () => {
	it("solves every problem in every way, and says who was best", async () => {
		const { code, out } = await runCli([...line, "--score", "products"]);
		expect(code).toBe(0);
		expect(out).toMatch(/natural 1e-4, by products:/);
		for (const way of ["auto", "apgd:ratio=1", "jacobi"]) expect(out).toMatch(new RegExp(`^${way} +\\d of \\d `, "m"));
		expect(cells()).toHaveLength(6);
		for (const file of ["profile.csv", "profile-0.0001.svg", "profile.html"]) {
			expect(readFileSync(join(study, file), "utf8")).toContain("jacobi");
		}
	});

	it("goes on where it was ended, also in the middle of a line, and solves only what is new", async () => {
		const all = cells();
		writeFileSync(join(study, "cells.jsonl"), readFileSync(join(study, "cells.jsonl"), "utf8").slice(0, -20));
		expect((await runCli(line)).code).toBe(0);
		const again = cells();
		expect(again).toHaveLength(6);
		expect(again.slice(0, 5)).toEqual(all.slice(0, 5));
		expect((await runCli([...line.slice(0, 4), "auto,spg", "-o", study])).code).toBe(0);
		expect(cells()).toHaveLength(8);
		expect(cells().slice(0, 6)).toEqual(again);
	});

	it("has a row for what cannot be read, and says so", async () => {
		const broken = join(folder, "broken.hdf5");
		writeFileSync(broken, "no such file");
		const { code, err, out } = await runCli([
			"study",
			"profile",
			broken,
			piles[0]!,
			"--methods",
			"auto",
			"-o",
			join(folder, "other"),
		]);
		expect([code, err.includes("broken.hdf5")]).toEqual([2, true]);
		expect(out).toContain("1 of 1");
		expect(out).toContain("none solves broken.hdf5");
	});

	it("does not mix studies", async () => {
		const { code, err } = await runCli([...line, "--measure", "energy"]);
		expect(code).toBe(2);
		expect(err).toMatch(/measure: is of a study with measure natural, and this one has energy; name another folder/);
		appendFileSync(join(study, "cells.jsonl"), "{}\n");
		expect((await runCli(line)).err).toMatch(/line 10: is no cell of a study/);
	});

	it.each([
		[["study"], /KIND: is missing/],
		[["study", "strong"], /strong: is not a study/],
		[["study", "profile", "x.hdf5"], /--output: is missing/],
		[["study", "profile", "-o", study], /FILE: is missing/],
		[[...line, "--tolerances", "1e-4,0"], /"0" is not a number above 0/],
		[["study", "profile", "x.hdf5", "-o", study, "--methods", "auto,none"], /none is not a method/],
		[["study", "profile", "x.hdf5", "-o", study, "--methods", "apgd:rho=-1"], /rho: -1 is out of range/],
		[["study", "profile", "x.hdf5", "-o", study, "--methods", "apgd:rho"], /"rho" of apgd:rho is not name=value/],
		[["study", "profile", "x.hdf5", "-o", study, "--methods", "auto,auto"], /auto is given twice/],
	])("%j is refused", async (words, message) => {
		const { code, err } = await runCli(words);
		expect([code, err]).toEqual([2, expect.stringMatching(message)]);
	});
});
