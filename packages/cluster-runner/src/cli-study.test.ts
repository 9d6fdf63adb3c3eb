/** `stickslip study profile`: all cells, continued after an end of any kind, and what is refused. */
import { appendFileSync, copyFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, runCli, testFolder } from "../testing/run-cli.js";
import { runHere } from "../testing/run-here.js";
import { claim } from "./records/claim.js";

const folder = emptyFolder();
const piles = ["a", "b"].map((name) => join(folder, `${name}.hdf5`));
const study = join(folder, "study");
const line = ["study", "profile", join(folder, "?.hdf5"), "--methods", "auto,apgd:ratio=1,jacobi", "-o", study];
const cells = () => readFileSync(join(study, "cells.jsonl"), "utf8").trimEnd().split("\n").slice(1);

beforeAll(async () => {
	for (const [index, path] of piles.entries()) {
		await runHere(["generate", "spheres", "--contacts", "60", "--seed", String(index + 1), "--output", path]);
	}
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("study strong, weak and sensitivity", () => {
	const recordsOf = (place: string, kind: string) =>
		JSON.parse(readFileSync(join(folder, place, `${kind}.json`), "utf8")) as Record<string, number | string>[];

	it("tries a file again that was not there, where it is told to", async () => {
		const [file, output] = [join(folder, "late.hdf5x"), join(folder, "late")];
		const words = ["study", "strong", file, "--ranks", "1", "--rounds", "1", "-o", output];
		expect((await runHere(words)).err).toMatch(/: does not exist;/);
		copyFileSync(piles[0]!, file);
		const again = await runHere(words);
		expect([again.code, again.err]).toEqual([2, expect.stringMatching(/1 measurement failed before; --retry/)]);
		expect(again.out).toMatch(/warning: .*, auto: 1 rank failed: /);
		const retried = await runHere([...words, "--retry"]);
		expect([retried.code, retried.err]).toEqual([0, ""]);
	});

	it("measures nothing where another process measures the same part", async () => {
		const output = testFolder();
		const words = ["study", "strong", piles[0]!, "--ranks", "1", "--rounds", "1", "-o", output];
		const own = await claim(output, { place: "-", problem: "-", remedy: "-", prefix: ".cells.jsonl.claim-" });
		const { code, err } = await runHere(words);
		expect([code, err, readdirSync(output)]).toEqual([
			2,
			expect.stringMatching(/^stickslip: study: --output: /),
			[own.file.slice(output.length + 1)],
		]);
		own.release();
		expect((await runHere(words)).code).toBe(0);
	});

	it("compares ranks and transports with one rank, has one answer, and marks what cannot be measured", async () => {
		const words = [
			"--ranks",
			"1,2,70",
			"--transports",
			"threads,zeromq",
			"--rounds",
			"1",
			"-o",
			join(folder, "strong"),
		];
		const { code, out, err } = await runCli(["study", "strong", piles[0]!, ...words, "--max-iterations", "20"]);
		expect([code, err]).toEqual([2, expect.stringMatching(/70 ranks for \d\d contacts/)]);
		expect(out).toMatch(/^2 zeromq +[\d.]/m);
		expect(out).toMatch(/^70 threads +failed$/m);
		const records = recordsOf("strong", "strong");
		expect(records.map(({ ranks, transport }) => `${ranks} ${transport}`)).toEqual([
			"1 none",
			"2 threads",
			"2 zeromq",
			"70 threads",
			"70 zeromq",
		]);
		const measured = records.filter(({ status }) => status !== "failed");
		expect(new Set(measured.map(({ hash }) => hash)).size).toBe(1);
		// What the factors multiply to follows from given times in studies/scaling.test.ts.
		for (const { product, efficiency, iterations } of measured) {
			expect(Math.min(Number(product), Number(efficiency))).toBeGreaterThan(0);
			expect(iterations).toBe(measured[0]!.iterations);
		}
		expect(readFileSync(join(folder, "strong", "strong.html"), "utf8")).toContain("Speed-up");
	});

	it("measures whole steps of a scene, which grows with the ranks", async () => {
		const words = ["--ranks", "1,2", "--steps", "2", "--skip", "400", "--rounds", "1", "-o", join(folder, "weak")];
		const { code, out } = await runCli(["study", "weak", "pile:bodies=12", ...words]);
		expect(code).toBe(0);
		expect(out).toMatch(/of solves/);
		const [one, two] = recordsOf("weak", "weak");
		expect(Number(two!.contacts)).toBeGreaterThan(Number(one!.contacts));
		expect([one!.steps, two!.steps]).toEqual([2, 2]);
	});

	it("keeps the start of a scene, goes on with one that was not finished, and gathers without measuring", async () => {
		const output = join(folder, "starts");
		const words = [
			"study",
			"sensitivity",
			"pile:bodies=12",
			"--method",
			"gauss-seidel",
			"--steps",
			"2",
			"--skip",
			"300",
		];
		const missing = await runCli([...words, "-o", output, "--gather"]);
		expect([missing.code, missing.err]).toEqual([2, "stickslip: not measured yet\n"]);
		expect((await runCli([...words, "-o", output])).code).toBe(0);
		const [kept = ""] = readdirSync(join(output, "starts"));
		expect(readdirSync(join(output, "starts", kept))).toEqual(["000000000300"]);
		const hashes = () =>
			readFileSync(join(output, "cells.jsonl"), "utf8")
				.trimEnd()
				.split("\n")
				.slice(1)
				.map((line) => (JSON.parse(line) as { readonly hash: string }).hash);
		const written = statSync(join(output, "starts", kept, "000000000300")).mtimeMs;
		rmSync(join(output, "cells.jsonl"));
		const before = recordsOf("starts", "sensitivity");
		expect((await runCli([...words, "-o", output])).code).toBe(0);
		expect(statSync(join(output, "starts", kept, "000000000300")).mtimeMs).toBe(written);
		expect(recordsOf("starts", "sensitivity")[0]!.iterations).toBe(before[0]!.iterations);
		const first = hashes();
		writeFileSync(join(output, "starts", kept, "000000000300", "manifest.json"), "damaged");
		rmSync(join(output, "cells.jsonl"));
		expect((await runCli([...words, "-o", output])).code).toBe(0);
		expect(hashes()).toEqual(first);
		const gathered = await runCli([...words, "-o", output, "--gather"]);
		expect([gathered.code, gathered.out]).toEqual([0, expect.stringMatching(/^gauss-seidel +2 /m)]);
	});

	it("compares the options of a method, and says which takes least", async () => {
		const words = ["--vary", "delta=0.01,0.1", "--vary", "m=3,10", "-o", join(folder, "sensitivity")];
		const { code, out } = await runCli(["study", "sensitivity", ...piles, ...words]);
		expect(code).toBe(0);
		expect(out).toMatch(/^pqn:delta=0.1:m=10 +2 /m);
		expect(out).toMatch(/takes the fewest products/);
		expect(recordsOf("sensitivity", "sensitivity").map(({ delta, m }) => `${delta} ${m}`)).toEqual([
			"0.01 3",
			"0.01 10",
			"0.1 3",
			"0.1 10",
		]);
	});

	it.each([
		[["strong", "x.hdf5", "--vary", "m=1"], /--vary: is no option of study strong/],
		[["strong", "x.hdf5", "--ranks", "2,0"], /"0" is not an integer/],
		[["strong", "x.hdf5", "--transports", "pigeons"], /there is no "pigeons"/],
		[["strong", "x.hdf5", "--part", "2/2"], /"2\/2" is not a part/],
		[["strong", "planks:ten"], /is not a problem with its size/],
		[["weak", piles[0]!], /does not grow with the ranks/],
		[["sensitivity", "x.hdf5", "--vary", "mm=1"], /mm/],
		[["strong", "drum:body=10"], /scene drum: body: unknown option/],
		[["sensitivity", "drum", "--time-limit", "1"], /--time-limit: is a limit of solves/],
		[["strong", "x.hdf5", "--part", "0/2", "--gather"], /--gather: /],
	])("%j is refused", async (words, message) => {
		const { code, err } = await runHere(["study", ...words, "-o", join(folder, "refused")]);
		expect([code, err]).toEqual([2, expect.stringMatching(message)]);
	});
});

describe("study profile", () => {
	it("solves every problem in every way, and says who was best", async () => {
		const { code, out } = await runHere([...line, "--score", "products"]);
		expect(code).toBe(0);
		expect(out).toMatch(/natural 1e-4, by products:/);
		for (const way of ["auto", "apgd:ratio=1", "jacobi"]) expect(out).toMatch(new RegExp(`^${way} +\\d of \\d `, "m"));
		expect(cells()).toHaveLength(6);
		for (const file of ["profile.csv", "profile.json", "profile-0.0001.svg", "profile.html"]) {
			expect(readFileSync(join(study, file), "utf8")).toContain("jacobi");
		}
	});

	it("goes on where it was ended, also in the middle of a line, and solves only what is new", async () => {
		const all = cells();
		writeFileSync(join(study, "cells.jsonl"), readFileSync(join(study, "cells.jsonl"), "utf8").slice(0, -20));
		expect((await runHere(line)).code).toBe(0);
		const again = cells();
		expect(again).toHaveLength(6);
		expect(again.slice(0, 5)).toEqual(all.slice(0, 5));
		expect((await runHere([...line.slice(0, 4), "auto,spg", "-o", study])).code).toBe(0);
		expect(cells()).toHaveLength(8);
		expect(cells().slice(0, 6)).toEqual(again);
	});

	it("solves as many problems at once as it is told, with the answers of one at a time", async () => {
		const other = join(folder, "jobs");
		expect((await runHere([...line.slice(0, 5), "-o", other, "--jobs", "2"])).code).toBe(0);
		const hashes = (name: string) => {
			const lines = readFileSync(join(folder, name, "cells.jsonl"), "utf8")
				.trimEnd()
				.split("\n")
				.slice(1);
			const cells = lines.map((text) => JSON.parse(text) as { readonly axes: object; readonly hash: string });
			return new Map(cells.map(({ axes, hash }) => [JSON.stringify(axes), hash]));
		};
		const one = hashes("study");
		for (const [name, hash] of hashes("jobs")) expect(one.get(name)).toBe(hash);
	});

	it("is launched like a solve, stopped and resumed", async () => {
		const runs = join(folder, "runs");
		const launched = join(folder, "launched");
		const words = [...line.slice(0, 3), "--methods", "auto,apgd", "--max-iterations", "50", "-o", launched];
		const launch = ["launch", "local", "--ranks-per-node", "2", "--runs", runs, "--restarts", "0", "--", ...words];
		expect((await runHere([...launch, "--ranks", "2"])).err).toMatch(/--ranks: is no option of study profile/);
		const { code, out, err } = await runCli(launch);
		expect([code, err]).toEqual([0, expect.stringContaining("run ")]);
		expect(out).toMatch(/^auto +2 of 2 /m);
		const text = readFileSync(join(launched, "cells.jsonl"), "utf8");
		const [id = ""] = readdirSync(runs).filter((name) => name.includes("profile"));
		// As if it had been stopped in between.
		writeFileSync(join(launched, "cells.jsonl"), text.trimEnd().split("\n").slice(0, 3).join("\n"));
		const state = join(runs, id, "state.json");
		writeFileSync(state, JSON.stringify({ ...JSON.parse(readFileSync(state, "utf8")), status: "cancelled", code: 75 }));
		const resumed = await runCli(["resume", id, "--runs", runs]);
		expect([resumed.code, resumed.err]).toEqual([0, expect.stringContaining(id)]);
		expect(readFileSync(join(launched, "cells.jsonl"), "utf8").split("\n").sort()).toHaveLength(6);
	});

	it.each([
		[["local", "--array", "2"], ["strong", "spheres:60"], /--array: is for slurm and not for local/],
		[["slurm", "--array", "none"], ["strong", "spheres:60"], /--array: "none"/],
		[
			["slurm", "--array", "3"],
			["strong", "spheres:60", "--methods", "auto,apgd"],
			/groups of cells: 2, each a problem with/,
		],
		[["slurm", "--array", "2"], ["sensitivity", "spheres:60"], /groups of cells: 1, each a problem; give at most 1/],
		[["slurm", "--array", "1"], ["strong", "spheres:60", "--part", "0/2"], /--part: is decided by --array/],
	])("launch %j of %j is refused", async (launch, words, message) => {
		const { code, err } = await runHere(["launch", ...launch, "--dry-run", "--", "study", ...words, "-o", study]);
		expect([code, err]).toEqual([2, expect.stringMatching(message)]);
	});

	it("has a row for what cannot be read, and says so", async () => {
		const broken = join(folder, "broken.hdf5");
		writeFileSync(broken, "no such file");
		const { code, err, out } = await runHere([
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
		const { code, err } = await runHere([...line, "--measure", "energy"]);
		expect(code).toBe(2);
		expect(err).toMatch(/measure: is of a study with measure natural, and this one has energy; name another folder/);
		appendFileSync(join(study, "cells.jsonl"), "{}\n");
		expect((await runHere(line)).err).toMatch(/line 10: is not a cell of a study/);
	});

	it.each([
		[["study"], /KIND: is missing/],
		[["study", "string"], /string: is not a study; choose among strong, weak/],
		[["study", "strong", "-o", study], /PROBLEM: is missing/],
		[["study", "profile", "x.hdf5"], /--output: is missing/],
		[["study", "profile", "-o", study], /FILE: is missing/],
		[["study", "profile", "x.hdf5", "-o", "/proc/x"], /--output: \/proc\/x cannot be made/],
		[["study", "profile", "x.hdf5", "-o", piles[0]!], /--output: .*a.hdf5 cannot be made \(ENOTDIR\)/],
		[[...line, "--tolerances", "1e-4,0"], /--tolerances: "0"/],
		[["study", "profile", "x.hdf5", "-o", study, "--methods", "auto,none"], /none is not a method/],
		[["study", "profile", "x.hdf5", "-o", study, "--methods", "apgd:rho=-1"], /rho: -1 is out of range/],
		[["study", "profile", "x.hdf5", "-o", study, "--methods", "apgd:rho"], /"rho" of apgd:rho is not name=value/],
		[["study", "profile", "x.hdf5", "-o", study, "--methods", "auto,auto"], /auto is given twice/],
	])("%j is refused", async (words, message) => {
		const { code, err } = await runHere(words);
		expect([code, err]).toEqual([2, expect.stringMatching(message)]);
	});
});
