import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { version } from "@stickslip/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { report } from "../testing/report.js";
import { emptyFolder, linesOf, runCli, testFolder } from "../testing/run-cli.js";
import { runHere } from "../testing/run-here.js";
import { load } from "./files/load.js";

const folder = emptyFolder();
const pile = join(folder, "pile.hdf5");

beforeAll(() => runHere(["generate", "spheres", "--bodies", "60", "--output", pile]));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("help and version", () => {
	it.each(["solve", "info", "generate", "methods", "doctor"])("of %s name its options", async (name) => {
		const { code, out } = await runHere([name, "--help"]);
		expect([code, out.startsWith(`stickslip ${name}: `)]).toEqual([0, true]);
		expect(out).toContain("--help");
		expect((await runHere(["help", name])).out).toBe(out);
	});

	it("lists the fields of a report, and of the records in it", async () => {
		const { code, out } = await runHere(["help", "report"]);
		expect(code).toBe(0);
		const listed = [...out.matchAll(/^ {2}(\S+?)(?:\[\])? /gm)].map(([, name]) => name);
		const { perRank, ...others } = report;
		const [rank] = perRank;
		const names = (fields: object, before = "") => Object.keys(fields).map((name) => `${before}${name}`);
		expect(listed).toEqual(expect.arrayContaining([...names(others), "perRank", "history"]));
		expect(listed).toEqual(expect.arrayContaining(names({ ...rank }, "perRank[].")));
		expect(listed).toEqual(expect.arrayContaining(names(rank!.phases, "perRank[].phases.")));
		expect(out).toMatch(/status +.*\(one of solved, stalled,/);
	});

	it("list the commands, and fit in 105 columns", async () => {
		const { code, out } = await runCli(["--help"]);
		expect(code).toBe(0);
		for (const name of ["solve", "info", "generate", "methods", "doctor"]) expect(out).toContain(`  ${name} `);
		const all = await Promise.all(["solve", "info", "generate"].map(async (name) => (await runHere([name, "-h"])).out));
		expect(linesOf(all.join("")).filter((line) => line.length > 105)).toEqual([]);
	});

	it("print the version of the package", async () => {
		const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
		for (const word of ["--version", "-V"]) expect((await runCli([word])).out).toBe(`${manifest.version}\n`);
	});
});

describe("info --ranks", () => {
	it("tells and draws how a solve would share the contacts out", async () => {
		const picture = join(folder, "parts.svg");
		const { code, out } = await runHere(["info", pile, "--ranks", "3", "--picture", picture]);
		expect([code, out.includes("in 3 parts")]).toEqual([0, true]);
		for (const fact of [/balance 1\.\d+/, /halo bytes/, /colours +\d+, lower bound \d+/]) expect(out).toMatch(fact);
		expect(readFileSync(picture, "utf8")).toMatch(/^<svg [\s\S]*<\/svg>\s*$/);
	});

	it("gives the same numbers as JSON, and the ranks own all contacts", async () => {
		const { out } = await runHere(["info", pile, "--ranks", "4", "--json"]);
		const { contacts, partition } = JSON.parse(out) as {
			readonly contacts: number;
			readonly partition: { readonly ranks: readonly { readonly own: number }[] };
		};
		expect(partition.ranks.reduce((sum, { own }) => sum + own, 0)).toBe(contacts);
	});

	it.each([
		[["--picture", "x.svg"], /--picture: needs --ranks/],
		[["--ranks", "1"], /--ranks: "1"/],
		[["--ranks", "2", "--partition", "best"], /--partition: there is no "best"/],
	] as const)("refuses %j in a line", async (options, message) => {
		const { code, err } = await runHere(["info", pile, ...options]);
		expect([code, message.test(err)]).toEqual([2, true]);
	});
});

describe("info", () => {
	it("describes a problem for people", async () => {
		const { code, out } = await runCli(["info", pile]);
		expect(code).toBe(0);
		for (const fact of [/kind +global/, /bodies +60\b/, /equality rows +0/, /colours +\d/, /solution +no/]) {
			expect(out).toMatch(fact);
		}
	});

	it("describes it for programs, also out of a pipe", async () => {
		const { code, out } = await runCli(["info", "-", "--json"], { input: readFileSync(pile) });
		expect(code).toBe(0);
		expect(JSON.parse(out)).toMatchObject({
			file: "standard input",
			kind: "global",
			dimension: 3,
			bodies: 60,
			degreesOfFreedom: 360,
			solvable: true,
			solution: false,
		});
	});

	it("describes a rolling problem, which solve solves", async (context) => {
		const root = fileURLToPath(new URL("../../..", import.meta.url));
		const data = process.env.STICKSLIP_DATA ?? resolve(root, "../shared/data");
		const rolling = join(data, "fclib-rolling", "Chute-ndof-768-nc-4-3.hdf5");
		if (!existsSync(rolling)) context.skip(`needs ${rolling}: set STICKSLIP_DATA`);
		const { code, out } = await runHere(["info", rolling]);
		expect(code).toBe(0);
		expect(out).toMatch(/kind +rolling, 5 components per contact\n/);
		expect(out).toMatch(/rolling friction +[\d.e-]+( to [\d.e-]+)? \(mu_r, a length\)/);
		const solved = await runHere(["solve", rolling, "--measure", "natural", "--tolerance", "1e-8", "--json"]);
		expect([solved.code, solved.err]).toEqual([0, ""]);
		expect(JSON.parse(solved.out)).toMatchObject({ status: "solved", contacts: 4 });
	});

	it("goes on after a bad file", async () => {
		const { code, out, err } = await runHere(["info", join(folder, "missing.hdf5"), pile, "--json"]);
		expect(code).toBe(2);
		expect(linesOf(err)).toHaveLength(1);
		// One object for each file, with the line of the message as its reason.
		const [missing, good, ...rest] = linesOf(out).map((line) => JSON.parse(line));
		const reason = expect.stringMatching(/missing\.hdf5: does not exist/);
		expect(missing).toEqual({ file: join(folder, "missing.hdf5"), status: "error", reason, version });
		expect([good.file, rest]).toEqual([pile, []]);
	});
});

describe("generate", () => {
	it("lists its names", async () => {
		const { code, out } = await runHere(["generate"]);
		expect(code).toBe(0);
		for (const name of ["spheres", "planks"]) expect(out).toContain(`  ${name} `);
	});

	it("makes the same problem of the same seed, and another of another", async () => {
		const here = testFolder();
		const make = async (file: string, seed: string) => {
			await runHere(["generate", "planks", "--bodies", "8", "--seed", seed, "--output", join(here, file)]);
			return { ...(await load(join(here, file))).problem, name: "" };
		};
		const one = await make("a", "7");
		expect(await make("b", "7")).toEqual(one);
		expect((await make("c", "8")).q).not.toEqual(one.q);
	});

	it("gives both forms of one problem, which have one answer", async () => {
		const here = testFolder();
		const reports = ["global", "local"].map(async (form) => {
			const path = join(here, form);
			await runHere(["generate", "spheres", "--contacts", "60", "--mu", "0.3", "--form", form, "--output", path]);
			return JSON.parse((await runHere(["solve", path, "--json", "--tolerance", "1e-9"])).out);
		});
		const [one, other] = await Promise.all(reports);
		expect([one.status, other.status, other.contacts]).toEqual(["solved", "solved", one.contacts]);
	});

	it("says in the file how it was made, so that it can be made again", async () => {
		const here = testFolder();
		const make = async (file: string, words: readonly string[]) => {
			await runHere(["generate", ...words, "--output", join(here, file)]);
			return await load(join(here, file));
		};
		const words = ["spheres-heavy", "--bodies", "9", "--heavy", "20", "--mu", "0.2", "--step", "0.001"];
		const { problem, info } = await make("a", words);
		const origin = /made by stickslip generate (.*?);/.exec(info.description?.text ?? "")?.[1] ?? "";
		expect(origin).toBe(
			"spheres-heavy --bodies 9 --seed 1 --step 0.001 --speed 0.05 --load 0 --heavy 20 --heavy-share 0.25 --layers 0 --mu 0.2:0.2",
		);
		expect({ ...(await make("b", origin.split(" "))).problem, name: "" }).toEqual({ ...problem, name: "" });
	});

	it("says what it wrote as JSON, and writes to a pipe", async () => {
		const path = join(testFolder(), "x.hdf5");
		const { out } = await runHere(["generate", "spheres", "--bodies", "9", "--output", path, "--json"]);
		expect(JSON.parse(out)).toMatchObject({ file: path, form: "global", bodies: 9 });
		const piped = await runCli(["generate", "spheres", "--bodies", "9", "--output", "-"]);
		expect(piped.out.slice(1, 4)).toBe("HDF");
		expect(linesOf(piped.err)).toHaveLength(1);
	});
});

describe("methods", () => {
	it("lists methods, options, defaults and ranges, for people and for programs", async () => {
		const { out } = await runHere(["methods"]);
		for (const name of ["pqn", "pqn-diagonal", "gauss-seidel", "proximal-gauss-seidel"])
			expect(linesOf(out)).toContain(name);
		expect(out).toContain("Options: theta, omega, measureEvery, scaling.");
		expect(out.match(/--set seed=/g)).toHaveLength(1);
		expect((await runHere(["methods", "pqn-diagonal"])).out).toMatch(/--set theta=0.25 +\(> 0 and ≤ 1\)\n +weight/);
		const all = JSON.parse((await runHere(["methods", "pqn", "--json"])).out);
		expect(all).toHaveLength(1);
		expect(Object.keys(all[0].options[0])).toEqual(expect.arrayContaining(["name", "what", "default", "range"]));
	});
});

describe("doctor", () => {
	it("finds all that is needed where these tests run, and solves what it knows", async () => {
		const { code, out } = await runCli(["doctor"]);
		expect(code).toBe(0);
		expect(out).toContain("Everything required was found.");
		const { ok, findings } = JSON.parse((await runHere(["doctor", "--json"])).out);
		expect(ok).toBe(true);
		expect(findings.map(({ what }: { what: string }) => what)).toContain("self-check");
		const tried = findings.filter(({ what }: { what: string }) => ["threads", "zeromq", "mpi"].includes(what));
		for (const { what, state, found } of tried) {
			expect([what, state, found]).toEqual([what, "ok", expect.stringMatching(/2 ranks: solved|^not installed$/)]);
		}
		expect(tried).toHaveLength(3);
	});
});
