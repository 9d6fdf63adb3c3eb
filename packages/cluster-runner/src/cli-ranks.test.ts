/** `solve` on many ranks: the answer of one, bit for bit, over threads and zeromq; cli-ranks-mpi.test.ts has MPI. */
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cores } from "@stickslip/comm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { watchSharedMemory } from "../testing/processes.js";
import { type Ended, emptyFolder, linesOf, runCli, testFolder } from "../testing/run-cli.js";
import { runHere } from "../testing/run-here.js";
import { isThorough } from "../testing/thorough.js";

const program = fileURLToPath(new URL("../bin/stickslip.mjs", import.meta.url));
const folder = emptyFolder();
const spheres = join(folder, "spheres.hdf5");
const planks = join(folder, "planks.hdf5");
const one = join(folder, "one.hdf5");
/** Told where cores are few. */
const TAKE_TURNS = /^stickslip: \d+ ranks share .*\n/;
const problems = [spheres, planks, one];

beforeAll(async () => {
	await runHere(["generate", "spheres", "--contacts", "120", "--output", spheres]);
	await runHere(["generate", "planks", "--contacts", "80", "--form", "local", "--output", planks]);
	await runHere(["generate", "spheres", "--contacts", "1", "--output", one]);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Answer {
	readonly hash: string;
	readonly status: string;
	readonly ranks: number;
	readonly transport: string;
	readonly exchanges: number;
	readonly reductions: number;
	readonly perRank: readonly { readonly contacts: number; readonly exchanges: number }[];
	readonly history?: readonly number[];
	readonly choice?: string;
}

/** Of all problems, in this process. */
const answersHere = async (words: readonly string[]) =>
	answersOf(await runHere(["solve", ...problems, "--json", ...words]));

/** Of all problems; what is temporary goes into that folder. */
async function answers(words: readonly string[], temporary: string): Promise<Answer[]> {
	const how = { env: { TMPDIR: temporary } };
	return answersOf(await runCli(["solve", ...problems, "--json", ...words], how));
}

function answersOf({ code, out, err }: Ended): Answer[] {
	expect([err.replace(TAKE_TURNS, ""), code]).toEqual(["", 0]);
	return linesOf(out).map((line) => JSON.parse(line) as Answer);
}

describe("the answer", () => {
	let alone: Answer[] = [];
	beforeAll(async () => {
		alone = await answersHere(["--ranks", "1", "--history"]);
	});

	it.each(["rcb", "sfc", "multilevel"])("does not depend on who owns what: %s", async (method) => {
		const many = await answersHere(["--ranks", "2", "--partition", method]);
		expect(many.map(({ hash }) => hash)).toEqual(alone.map(({ hash }) => hash));
	});

	const further = [
		[2, "threads"],
		[3, "threads"],
		[5, "zeromq"],
	] as const;
	it.for([
		[1, "threads"],
		[5, "threads"],
		[2, "zeromq"],
		[3, "zeromq"],
		[4, "threads+zeromq"],
		...(isThorough ? further : []),
	] as const)("is the same on %i ranks over %s", async ([ranks, transport]) => {
		const leftovers = watchSharedMemory();
		const temporary = testFolder();
		const many = await answers(["--ranks", String(ranks), "--transport", transport, "--history"], temporary);
		for (const [index, report] of many.entries()) {
			const { hash, exchanges, reductions, history } = alone[index]!;
			expect(report).toMatchObject({ ranks, transport, status: "solved", hash, exchanges, reductions, history });
			expect(report.perRank).toHaveLength(ranks);
			expect(report.perRank.every((rank) => rank.exchanges === exchanges)).toBe(true);
		}
		expect([await leftovers(), readdirSync(temporary)]).toEqual([[], []]);
	});

	it("is the same with methods that look at the whole problem first: at M and H, at eigenvalues, at rows", async () => {
		const set = (...pairs: string[]) => pairs.flatMap((pair) => ["--set", pair]);
		for (const words of [
			set("rho=acary", "scaling=none", "inner=1e-3"),
			set("rho=eigen-w-rho", "window=4"),
			set("rho=w-rho", "operator=assembled", "ratio=1"),
		]) {
			const hashes: string[] = [];
			for (const ranks of ["1", "3"]) {
				const common = [planks, "--json", "--method", "apgd", "--max-iterations", "30", "--measure", "gradient"];
				const { out } = await runHere(["solve", ...common, "--ranks", ranks, ...words]);
				hashes.push((JSON.parse(out) as { hash: string }).hash);
			}
			expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/);
			expect(new Set(hashes).size, words.join(" ")).toBe(1);
		}
	});

	it("is the same with the methods that it is made of, with repeats, and with many more ranks than cores", async () => {
		for (const method of ["gauss-seidel", "proximal-gauss-seidel", "pqn", "pqn-diagonal"]) {
			const words = [planks, "--json", "--tolerance", "1e-4", "--method", method, "--repeat", "2"];
			const hashes: string[] = [];
			// Very many for the one that exchanges most; on a busy machine they take seconds.
			for (const ranks of ["1", method === "pqn" ? "16" : "5"]) {
				const { out, err } = await runHere(["solve", ...words, "--ranks", ranks]);
				expect(err.replace(TAKE_TURNS, "")).toBe("");
				hashes.push((JSON.parse(out) as Answer).hash);
			}
			expect(new Set(hashes).size, method).toBe(1);
		}
	});

	it("is written whole, and solves again from there", async () => {
		const cwd = testFolder();
		await runHere(["solve", spheres, "--output", "many.hdf5", "--ranks", "3", "--report", "page.html"], { cwd });
		await runHere(["solve", spheres, "--output", "one.hdf5", "--ranks", "1"], { cwd });
		const [many, single] = await Promise.all(
			["many.hdf5", "one.hdf5"].map(async (name) => (await runHere(["info", name, "--json"], { cwd })).out),
		);
		expect(many?.replaceAll("many.hdf5", "one.hdf5")).toBe(single);
	});
});

describe("the summary", () => {
	it("tells how ranks talked, where the time went, and a line of each", async () => {
		const { out } = await runHere(["solve", spheres, "--ranks", "2"]);
		expect(out).toMatch(/ranks +2 over threads, [\d,]+ exchanges, [\d,]+ reductions each/);
		expect(out).toMatch(/efficiency +\d+ % = load balance \d+ %, serialisation \d+ %, transfer \d+ %/);
		expect(out).toMatch(/rank +contacts +sent +memory +compute +pack +wait +reduce/);
		expect(out.match(/^ +[01] +\d+ .*s$/gm)).toHaveLength(2);
	});

	it("says nothing of ranks where there is one", async () => {
		const { out } = await runHere(["solve", one]);
		expect(out).not.toMatch(/efficiency|rank/);
	});
});

describe("more ranks than cores", () => {
	it("are told of where they are far too many", () => {
		const solve = (ranks: number) => {
			const words = [process.execPath, program, "solve", one, "--ranks", String(ranks)];
			return spawnSync("taskset", ["-c", String(cores()[0]), ...words], { encoding: "utf8", timeout: 240_000 });
		};
		const told = "stickslip: 3 ranks share 1 core: the answer is the same, but takes longer than with 1\n";
		expect([solve(3), solve(2)].map(({ status, stderr }) => [status, stderr])).toEqual([
			[0, told],
			[0, ""],
		]);
	});
});

describe("options", () => {
	it("of a limit of time work on many ranks", async () => {
		const words = ["--json", "--tolerance", "1e-14", "--time-limit", "0", "--ranks", "2", "--method", "gauss-seidel"];
		const { code, out } = await runHere(["solve", spheres, ...words]);
		expect([code, JSON.parse(out).status]).toEqual([1, "time-limit"]);
	});

	it.each([
		["a shuffled order", ["--set", "order=shuffled"], /order: shuffled visits one contact after another/],
		["the order of the file", ["--set", "order=file"], /order: file visits/],
	])("that cannot be shared out are refused in a line: %s", async (_, words, message) => {
		for (const ranks of [
			["--ranks", "2"],
			["--ranks", "2", "--transport", "zeromq"],
		]) {
			const { code, err } = await runHere(["solve", planks, "--method", "gauss-seidel", ...words, ...ranks]);
			expect([code, linesOf(err).length]).toEqual([2, 1]);
			expect(err).toMatch(message);
		}
		expect((await runHere(["solve", planks, "--method", "gauss-seidel", ...words, "--tolerance", "1e-2"])).code).toBe(
			0,
		);
	});
});

describe("bad input", () => {
	it.each([
		[["--ranks", "3", "--transport", "threads+zeromq"], /3 ranks cannot be divided evenly among 2 processes/],
		[["--ranks", "4", "--processes", "2"], /processes: threads has 1 of them, not 2; leave it out/],
		[["--ranks", "2", "--transport", "zeromq", "--processes", "3"], /zeromq has 2 of them, not 3/],
	])("in %j is refused in a line", async (words, message) => {
		const { code, err } = await runHere(["solve", spheres, spheres, ...words]);
		expect([code, linesOf(err).length]).toEqual([2, 1]);
		expect(err).toMatch(message);
	});
});

describe("ranks auto", () => {
	it("uses the cores for a large problem and says so", async (context) => {
		const { cores } = await import("@stickslip/comm");
		const most = cores().length;
		if (most === 1) return context.skip("this machine has one core");
		const large = join(folder, "large.hdf5");
		await runHere(["generate", "spheres", "--contacts", "6000", "--output", large]);
		const words = ["solve", large, "--json", "--tolerance", "1e-2", "--ranks", "auto"];
		const { out, err } = await runHere(words);
		const report = JSON.parse(out) as Answer;
		expect([err, report.ranks, report.transport]).toEqual(["", most, "threads"]);
		expect(report.choice).toMatch(new RegExp(`; ${most} ranks: [\\d,]+ contacts are enough for all cores$`));
		const { out: single } = await runHere(["solve", large, "--json", "--tolerance", "1e-2", "--ranks", "1"]);
		expect((JSON.parse(single) as Answer).hash).toBe(report.hash);
	});
});
