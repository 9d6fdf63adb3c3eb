/**
 * One problem has one hash: generated in memory, written and read by a program, or solved by the command from its file, in the
 * global form or the local one, with W formed beforehand or by the solve. Files of others too, where they are.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
	assembleRigid,
	condense,
	type GeneratedProblem,
	type GenerateOptions,
	generate,
	generateNames,
	type Problem,
	rigidToGlobal,
	type SolveOptions,
	solve,
} from "@stickslip/core";
import { readProblem, withFclib, writeFclib } from "@stickslip/core/fclib";
import { ready } from "h5wasm/node";
import { afterAll, describe, expect, test } from "vitest";
import { type Ended, emptyFolder, linesOf, runCli } from "../testing/run-cli.js";
import { runHere } from "../testing/run-here.js";
import { isThorough } from "../testing/thorough.js";

const folder = emptyFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hashOf = (problem: Problem, options: SolveOptions = {}): string => solve(problem, options).report.hash;

/** What the command prints for each file, run in this process. */
async function hashesHere(files: readonly string[], ...words: readonly string[]): Promise<string[]> {
	return hashesIn(await runHere(["solve", ...files, "--json", ...words]));
}

/** The same of a process. */
async function hashesByCommand(files: readonly string[], ...words: readonly string[]): Promise<string[]> {
	return hashesIn(await runCli(["solve", ...files, "--json", ...words], { seconds: 240 }));
}

function hashesIn({ out, err }: Ended): string[] {
	expect(err).toBe("");
	return linesOf(out).map((line) => (JSON.parse(line) as { hash: string }).hash);
}

async function read(path: string): Promise<Problem> {
	return withFclib(await ready, path, readProblem, basename(path));
}

const withGlobal = (made: GeneratedProblem): Problem => ({
	...made,
	global: rigidToGlobal(made.rigid, made.q, made.freeVelocity),
});
const withW = (made: GeneratedProblem): Problem => ({ ...made, W: assembleRigid(made.rigid) });

const LAW = "coulomb+cohesive:cohesion=1e-4+relaxed+frictionless";
/** A few contacts that one kernel solves, rows of W that are swept, and many bodies; and other ways to form q and mu. */
const sizes: readonly (readonly [GenerateOptions, readonly string[]])[] = [
	[{ contacts: 6, seed: 2 }, ["--contacts", "6", "--seed", "2"]],
	[{ contacts: 300, seed: 3, mu: 0.7 }, ["--contacts", "300", "--seed", "3", "--mu", "0.7"]],
	[{ contacts: 150, seed: 5, law: LAW }, ["--contacts", "150", "--seed", "5", "--law", LAW]],
	[{ bodies: 60, seed: 4, load: 5, speed: 0 }, ["--bodies", "60", "--seed", "4", "--load", "5", "--speed", "0"]],
];
/** All of one scene, and the swept problems of the others, unless everything is tested. */
const cases = generateNames().flatMap(({ name }, index) =>
	(isThorough || index === 0 ? sizes : sizes.slice(1, 2)).map(
		([options, words]) => [`${name} ${words.join(" ")}`, name, options, words] as const,
	),
);

describe("generated, in memory and as files", () => {
	test.each(cases)("%s", async (_, name, options, words) => {
		const made = generate(name, options);
		const expected = hashOf(made);
		expect([withGlobal(made), withW(made), condense(withGlobal(made))].map((each) => hashOf(each))).toEqual(
			Array(3).fill(expected),
		);

		const files = await Promise.all(
			["global", "local"].map(async (form) => {
				const path = join(folder, `${form}.hdf5`);
				await runHere(["generate", name, ...words, "--form", form, "--output", path]);
				return path;
			}),
		);
		expect(await hashesHere(files)).toEqual([expected, expected]);

		for (const [form, problem] of [
			["global", withGlobal(made)],
			["local", withW(made)],
		] as const) {
			const path = join(folder, "written.hdf5");
			writeFclib(await ready, path, problem, { form });
			const back = await read(path);
			expect([back.q, back.mu, back.laws, back.rigid]).toEqual([made.q, made.mu, made.laws, made.rigid]);
			expect([hashOf(back), hashOf(condense(back))]).toEqual([expected, expected]);
		}
	});

	test.each([
		[["--set", "operator=matrix-free"], { set: { operator: "matrix-free" } }],
		[["--set", "operator=assembled"], { set: { operator: "assembled" } }],
		[["--method", "pqn", "--measure", "merit"], { method: "pqn", measure: "merit" }],
	] as const)("planks with %s", async (words, options) => {
		const made = generate("planks", { contacts: 200 });
		const path = join(folder, "planks.hdf5");
		await runHere(["generate", "planks", "--contacts", "200", "--output", path]);
		const back = await read(path);
		const [byCommand] = await hashesHere([path], ...words);
		expect([made, back, condense(back)].map((each) => hashOf(each, options))).toEqual(Array(3).fill(byCommand));
	});
});

const data = process.env.STICKSLIP_DATA ?? fileURLToPath(new URL("../../../../shared/data", import.meta.url));
const filesIn = (name: string): string[] => {
	const path = join(data, name);
	const names = existsSync(path) ? readdirSync(path) : [];
	return names.filter((each) => each.endsWith(".hdf5")).map((each) => join(path, each));
};
/** Few iterations are enough: a bit that differs stays different. */
const few = { maxIterations: 40 };
const fewWords = ["--max-iterations", "40"];

describe.skipIf(!existsSync(data))(
	"files of others (skipped where STICKSLIP_DATA and ../shared/data are absent)",
	() => {
		test.each(["fclib-global", "generated", "drum", "cubes"])(
			"%s: by the command as by readProblem and solve, W formed beforehand or not",
			async (name) => {
				const files = filesIn(name);
				expect(files.length).toBeGreaterThan(0);
				const problems = await Promise.all(files.map(read));
				const byCommand = await hashesByCommand(files, ...fewWords);
				expect(problems.map((problem) => hashOf(problem, few))).toEqual(byCommand);
				expect(problems.map((problem) => hashOf(condense(problem), few))).toEqual(byCommand);
			},
		);

		test("from the guess that a file has", async () => {
			const files = filesIn("drum").slice(0, 3);
			const problems = await Promise.all(files.map(read));
			expect(problems.every(({ guesses }) => guesses !== undefined)).toBe(true);
			const byCommand = await hashesByCommand(files, "--start", "guess", ...fewWords);
			expect(problems.map((problem) => hashOf(problem, { ...few, start: "guess" }))).toEqual(byCommand);
		});
	},
);
