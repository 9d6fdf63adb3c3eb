/** Ranks that read their own rows of W from a file: the same bits, no values in the process that started them, and changes of the file are reported. */
import { copyFileSync, readFileSync, rmSync, statSync, truncateSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { assembleRigid, generate, type Problem, solve } from "@stickslip/core";
import { writeFclib } from "@stickslip/core/fclib";
import { isUnread } from "@stickslip/core/parallel";
import { ready } from "h5wasm/node";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { emptyFolder, linesOf, runCli } from "../../testing/run-cli.js";
import { runHere } from "../../testing/run-here.js";
import { solveIdentity } from "../checkpoints/identity.js";
import { load } from "../files/load.js";
import { packFile } from "../testing/packed.js";
import { solveRanks } from "./solve-ranks.js";

const folder = emptyFolder();
const path = join(folder, "rows.hdf5");
const { rigid, ...spheres } = generate("spheres", { contacts: 90, seed: 4 });
const options = { tolerance: 1e-8 };
let whole: Problem;

beforeAll(async () => {
	writeFclib(await ready, path, { ...spheres, W: assembleRigid(rigid) });
	whole = (await load(path, "rows")).problem;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function unread(file = path): Promise<Problem> {
	const { problem } = await load(file, "rows", undefined, () => true);
	expect(isUnread(problem.W)).toBe(true);
	return problem;
}

/** Accesses to its values in this process. */
function watched({ W }: Problem) {
	return vi.spyOn(Object.getPrototypeOf(W) as { values: Float64Array }, "values", "get");
}

const same = ({ hash, iterations, exchanges, reductions }: ReturnType<typeof solve>["report"]) => ({
	hash,
	iterations,
	exchanges,
	reductions,
});

test.each([
	["threads", 1],
	["threads", 2],
	["threads", 3],
	["zeromq", 1],
	["zeromq", 2],
	["zeromq", 3],
] as const)(
	"over %s, %i ranks: the same bits and counts, and the starting process reads no value",
	async (transport, ranks) => {
		const problem = await unread();
		const values = watched(problem);
		const { report } = await solveRanks(problem, { ...options, ranks, transport });
		expect(values).not.toHaveBeenCalled();
		values.mockRestore();
		expect(same(report)).toEqual(same(solve(whole, options).report));
	},
);

describe("a packed file", () => {
	const packed = join(folder, "packed.hdf5");
	beforeAll(() => packFile(path, packed, 100));

	test.each([2, 3])("over zeromq, %i ranks: the same bits and counts, and no value is read here", async (ranks) => {
		const problem = await unread(packed);
		const values = watched(problem);
		const { report } = await solveRanks(problem, { ...options, ranks, transport: "zeromq" });
		expect(values).not.toHaveBeenCalled();
		values.mockRestore();
		expect(same(report)).toEqual(same(solve(whole, options).report));
		expect(problem.W!.values).toEqual(whole.W!.values);
	});

	test("that has changed is named by a rank", async () => {
		const problem = await unread(packed);
		utimesSync(packed, 1, 1);
		const solving = solveRanks(problem, { ...options, ranks: 2, transport: "threads" });
		await expect(solving).rejects.toThrow(/^rows: file: has changed since the solve began; leave files/);
	});

	test("with chunks of more than 4 MiB is read here, as each window would unpack them again", async () => {
		const { rigid: bodies, ...many } = generate("spheres", { contacts: 9000 });
		const [large, coarse] = [join(folder, "large.hdf5"), join(folder, "coarse.hdf5")];
		writeFclib(await ready, large, { ...many, W: assembleRigid(bodies) });
		await packFile(large, coarse, 2 ** 30);
		expect(isUnread((await load(coarse, "rows", undefined, () => true)).problem.W)).toBe(false);
	});

	test("says of a value that is not finite what it says in one thread", async () => {
		const file = join(folder, "spoilt.hdf5");
		const W = assembleRigid(rigid);
		const values = W.values.slice();
		values[9 * W.rowStart[17]!] = Number.NaN;
		writeFclib(await ready, `${file}.plain`, { ...spheres, W: { ...W, values } });
		await packFile(`${file}.plain`, file, 100);
		const problem = await unread(file);
		const solving = solveRanks(problem, { ...options, ranks: 2, transport: "threads" });
		await expect(solving).rejects.toThrow(/^rows: \/fclib_local\/W\/x\[\d+\]: is NaN/);
		await expect(load(file, "rows")).rejects.toThrow(/^rows: \/fclib_local\/W\/x\[\d+\]: is NaN/);
	});
});

test("what ranks cannot share is solved here, with values that are read then", async () => {
	const problem = await unread();
	const values = watched(problem);
	const given = { ...options, set: { order: "file" } };
	const { report } = await solveRanks(problem, { ...given, transport: "threads" });
	expect(values).toHaveBeenCalled();
	values.mockRestore();
	expect(report.hash).toBe(solve(whole, given).report.hash);
	expect(solve(await unread(), options).report.hash).toBe(solve(whole, options).report.hash);
});

test("a checkpoint is of the same problem either way", async () => {
	expect(solveIdentity(await unread(), options)).toEqual(solveIdentity(whole, options));
});

test.each([
	["is written again", (file: string) => utimesSync(file, 1, 1), "has changed since the solve began"],
	["is cut off", (file: string) => truncateSync(file, statSync(file).size - 1), "has changed since the solve began"],
	["is gone", (file: string) => rmSync(file), "cannot be read by a rank \\(ENOENT\\)"],
])("a file that %s is named, and no rank goes on", async (_, change, complaint) => {
	const file = join(folder, "changed.hdf5");
	copyFileSync(path, file);
	const problem = await unread(file);
	change(file);
	const solving = solveRanks(problem, { ...options, ranks: 2, transport: "threads" });
	await expect(solving).rejects.toThrow(new RegExp(`^rows: file: ${complaint}; leave files`));
	expect(() => problem.W!.values).toThrow(new RegExp(`^rows: file: ${complaint}`));
});

test("the command: by its name, by standard input and in one thread the same answer; the output has all of W", async () => {
	const words = ["--tolerance", "1e-8", "--json"];
	const output = join(folder, "answer.hdf5");
	const ranks = ["--ranks", "2", "--transport", "zeromq"];
	const hashes: unknown[] = [];
	for (const [line, input] of [
		[[path, ...ranks, "--output", output], undefined],
		[["-", ...ranks], readFileSync(path)],
		[[path], undefined],
	] as const) {
		const solveLine = ["solve", ...line, ...words];
		const { code, out, err } = await (input ? runCli(solveLine, { input }) : runHere(solveLine));
		expect([code, err]).toEqual([0, ""]);
		hashes.push((JSON.parse(linesOf(out)[0]!) as { hash: string }).hash);
	}
	expect(new Set(hashes).size).toBe(1);
	expect((await load(output, "rows")).problem.W).toEqual(whole.W);
});

test("the command says the same of a value that is not finite, whoever reads it", async () => {
	const file = join(folder, "spoilt.hdf5");
	const W = assembleRigid(rigid);
	const values = W.values.slice();
	values[9 * W.rowStart[17]!] = Number.NaN;
	writeFclib(await ready, file, { ...spheres, W: { ...W, values } });
	const results: unknown[] = [];
	for (const more of [[], ["--ranks", "2", "--transport", "zeromq"]]) {
		const { code, out, err } = await runHere(["solve", file, ...more]);
		results.push({ code, out, err });
	}
	expect(results[0]).toMatchObject({ code: 2, err: expect.stringMatching(/W\/x\[\d+\]: is NaN/) });
	expect(results[1]).toEqual(results[0]);
});
