/** What a run was asked for is read back as it was written, or refused: seeded damage of its two files. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { InputError, Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { testFolder } from "../../testing/run-cli.js";
import { solveLine } from "../../testing/solve-line.js";
import { spoilJson } from "../../testing/spoil.js";
import { readHow, readRequest, writeHow, writeRequest } from "./stored.js";

const words = [
	..."solve a.hdf5 data/*.hdf5 --method pqn --tolerance 1e-8 --measure merit --start guess --max-iterations 70".split(
		" ",
	),
	..."--time-limit 2.5 --set m=2 --set first=auto --output out --report page.html --capsule lost --checkpoint 5".split(
		" ",
	),
	..."--json --history --ranks 4 --transport threads+mpi --processes 2 --partition metis".split(" "),
];
const { solve, how } = solveLine(...words);

function written(): string {
	const folder = testFolder();
	writeRequest(folder, solve);
	writeHow(folder, how);
	return folder;
}

describe("what a run was asked for", () => {
	it("is read as it was written", () => {
		const folder = written();
		expect([readRequest(folder), readHow(folder)]).toEqual([solve, how]);
	});

	it.each<[string, object, string]>([
		["request.json", { ...solve, command: "simulate" }, "command: is not solve"],
		["request.json", { ...solve, inputs: [] }, "inputs: is not a list of files"],
		["request.json", { ...solve, inputs: undefined }, "inputs: is missing"],
		["request.json", { ...solve, colour: "red" }, "colour: is not known here"],
		["request.json", { ...solve, checkpoint: -1 }, "checkpoint: is not a number of seconds, at most 604800"],
		["request.json", { ...solve, options: { repeat: 0 } }, "options.repeat: is not an integer from 1 to 100000"],
		["request.json", { ...solve, options: { set: { "1": 2 } } }, "options.set: is not names with numbers or words"],
		["request.json", { ...solve, options: [] }, "options: is not an object"],
		["how.json", { ranks: 0 }, "ranks: is not an integer from 1 to 1024, or auto"],
		["how.json", { transport: "tea" }, "transport: is not one of threads, zeromq, mpi"],
		["how.json", { hosts: ["a"] }, "hosts: is not known here"],
	])("is refused in %s as %j", (name, value, problem) => {
		const folder = written();
		writeFileSync(join(folder, name), JSON.stringify(value));
		expect(() => [readRequest(folder), readHow(folder)]).toThrow(`${join(folder, name)}: ${problem}`);
	});

	it.each(["request.json", "how.json"])("is told to be missing where %s is", (name) => {
		const folder = written();
		rmSync(join(folder, name));
		expect(() => [readRequest(folder), readHow(folder)]).toThrow(
			`${folder}: ${name}: is missing, as in runs of earlier versions; solve it again`,
		);
	});

	const rounds = 1000;
	it(`is right or refused where it was damaged, ${rounds} seeded times`, () => {
		const folder = written();
		const sound = new Map(
			["request.json", "how.json"].map((name) => [join(folder, name), readFileSync(join(folder, name), "utf8")]),
		);
		const counts = { read: 0, refused: 0 };
		for (let seed = 0; seed < rounds; seed += 1) {
			const random = new Random(seed);
			const path = join(folder, ["request.json", "how.json"][random.below(2)] ?? "");
			const before = sound.get(path) ?? "";
			const damage = spoilJson(before, random);
			writeFileSync(path, damage, "latin1");
			try {
				const [request, now] = [readRequest(folder), readHow(folder)];
				// Whatever is read can be written, and is the same then.
				for (const [name, value] of [
					["request.json", request],
					["how.json", now],
				] as const)
					writeFileSync(join(folder, name), JSON.stringify(value));
				const isSame = isDeepStrictEqual([readRequest(folder), readHow(folder)], [request, now]);
				const isList = request.inputs.length > 0 && request.inputs.every((input) => typeof input === "string");
				if (!isSame || !isList) throw new Error("what is read is not what may be written");
				counts.read += 1;
			} catch (error) {
				if (!(error instanceof InputError)) throw new Error(`seed ${seed}: ${damage}`, { cause: error });
				counts.refused += 1;
			}
			for (const [file, text] of sound) writeFileSync(file, text);
		}
		expect(Math.min(counts.read, counts.refused)).toBeGreaterThan(rounds / 40);
	});
});
