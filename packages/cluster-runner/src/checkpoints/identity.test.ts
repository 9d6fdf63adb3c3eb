/** A checkpoint of another solve, program or version is refused by name, not treated as damaged. */
import { join } from "node:path";
import { InputError, type Problem, type SolveOptions } from "@stickslip/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { forge, keptOptions, keptProblem, open, Playground, writeCheckpoints } from "../testing/checkpoints.js";
import { nameOf } from "./folder.js";
import { solveIdentity } from "./identity.js";

const play = new Playground();
afterAll(() => play.remove());

const sound = play.folder();
const newest = nameOf(30);

beforeAll(() => writeCheckpoints(sound, [20, 30], 3));

describe("a checkpoint of another solve is refused:", () => {
	it.each<[string, { problem?: Problem; options?: SolveOptions }, RegExp]>([
		[
			"another problem",
			{ problem: { ...keptProblem, mu: keptProblem.mu.map((mu) => mu + 1e-15) } },
			/problem: is a checkpoint of another problem; start a new run$/,
		],
		[
			"another method",
			{ options: { ...keptOptions, method: "gauss-seidel" } },
			/options: was made with method pqn instead of gauss-seidel; use the same, or start a new run$/,
		],
		["a history", { options: { ...keptOptions, history: true } }, /with history not given instead of true;/],
		["another tolerance", { options: { ...keptOptions, tolerance: 1e-7 } }, /with tolerance 0.000001 instead of 1e-7;/],
		["an option of the method", { options: { ...keptOptions, set: { m: 6 } } }, /with set m 5 instead of 6;/],
		[
			"another start",
			{ options: { ...keptOptions, start: new Float64Array(36) } },
			/with start zero instead of numbers /,
		],
	])("%s", async (_, { problem = keptProblem, options = keptOptions }, message) => {
		const identity = solveIdentity(problem, options);
		const error: unknown = await open(sound, { identity }).catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(InputError);
		expect((error as Error).message).toMatch(message);
	});

	it("other ranks, names, limits of time and orders of options are the same solve", async () => {
		const options = { set: { m: 5 }, tolerance: 1e-6, method: "pqn", timeLimit: 5, history: false } as const;
		const identity = solveIdentity({ ...keptProblem, name: "copy.hdf5" }, options);
		const checkpointer = await open(play.copy(sound), { identity });
		expect(checkpointer.from?.iteration).toBe(30);
	});

	it.each<[string, object, RegExp]>([
		["version", { version: "0.0.1" }, /version: was written by 0.0.1, this is .*; use 0.0.1, or start a new run$/],
		["format", { format: 3, states: [] }, /format: is 3, and this version reads 2; use the version that wrote it, or/],
		["program", { program: "simulate" }, /program: is a checkpoint of simulate, not of solve; start a new run$/],
	])("another %s", async (_, change, message) => {
		const folder = play.copy(sound);
		forge(join(folder, newest), (manifest) => ({ ...manifest, ...change }));
		await expect(open(folder)).rejects.toThrow(message);
		await expect(open(folder)).rejects.toThrow(InputError);
	});

	it("one of the first format, whose states had blocks alone", async () => {
		const folder = play.copy(sound);
		forge(join(folder, newest), ({ program: _program, counts: _counts, parts, ...rest }) => ({
			...rest,
			format: 1,
			blocks: 12,
			parts: parts.map(({ bytes, sha256 }) => ({ blocks: 4, bytes, sha256 })),
		}));
		const message = /format: is 1, and this version reads 2; use the version that wrote it, or start a new run$/;
		await expect(open(folder)).rejects.toThrow(message);
	});
});
