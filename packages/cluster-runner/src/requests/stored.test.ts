/** The request of a run is read back as it was written, or refused: seeded damage of its file. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { InputError, Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { testFolder } from "../../testing/run-cli.js";
import { solveLine } from "../../testing/solve-line.js";
import { spoilJson } from "../../testing/spoil.js";
import { readRequest, writeRequest } from "./stored.js";

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
	writeRequest(folder, { solve, how });
	return folder;
}

describe("what a run was asked for", () => {
	it("is read as it was written", () => {
		const folder = written();
		expect(readRequest(folder)).toEqual({ solve, how });
	});

	const changed = (changes: object) => ({ solve: { ...solve, ...changes }, how });
	it.each<[string, object, string]>([
		["another command", changed({ command: "simulate" }), "solve.command: is not solve"],
		["no files", changed({ inputs: [] }), "solve.inputs: is not a list of files"],
		["a field too few", changed({ inputs: undefined }), "solve.inputs: is missing"],
		["a field too many", changed({ colour: "red" }), "solve.colour: "],
		["a negative time", changed({ checkpoint: -1 }), "solve.checkpoint: is not a number of seconds, at most 604800"],
		["no repeat", changed({ options: { repeat: 0 } }), "solve.options.repeat: is not an integer from 1 to 100000"],
		["a bad name", changed({ options: { set: { "1": 2 } } }), "solve.options.set: is not names with numbers or words"],
		["options that are none", changed({ options: [] }), "solve.options: is not an object"],
		["no ranks", { solve, how: { ranks: 0 } }, "how.ranks: is not an integer from 1 to 1024, or auto"],
		["no transport", { solve, how: { transport: "tea" } }, "how.transport: is not one of threads, zeromq, mpi"],
		["hosts", { solve, how: { hosts: ["a"] } }, "how.hosts: "],
		["how it runs alone", { how }, "solve: is missing"],
		["something beside them", { solve, how, line: [] }, "line: "],
	])("is refused with %s", (_, value, problem) => {
		const folder = written();
		const file = join(folder, "request.json");
		writeFileSync(file, JSON.stringify(value));
		expect(() => readRequest(folder)).toThrow(`${file}: ${problem}`);
	});

	it("is told to be missing where it is", () => {
		const folder = written();
		rmSync(join(folder, "request.json"));
		expect(() => readRequest(folder)).toThrow(
			`${folder}: request.json: is missing, as in runs of earlier versions; solve it again`,
		);
	});

	const rounds = 1000;
	it(`is right or refused where it was damaged, ${rounds} seeded times`, () => {
		const folder = written();
		const file = join(folder, "request.json");
		const sound = readFileSync(file, "utf8");
		const counts = { read: 0, refused: 0 };
		for (let seed = 0; seed < rounds; seed += 1) {
			const damage = spoilJson(sound, new Random(seed));
			writeFileSync(file, damage, "latin1");
			try {
				const found = readRequest(folder);
				// Whatever is read can be written, and stays the same.
				writeFileSync(file, JSON.stringify(found));
				const { inputs } = found.solve!;
				const isList = inputs.length > 0 && inputs.every((input) => typeof input === "string");
				if (!isList || !isDeepStrictEqual(readRequest(folder), found)) throw new Error("is not what may be written");
				counts.read += 1;
			} catch (error) {
				if (!(error instanceof InputError)) throw new Error(`seed ${seed}: ${damage}`, { cause: error });
				counts.refused += 1;
			}
		}
		expect(Math.min(counts.read, counts.refused)).toBeGreaterThan(rounds / 40);
	});
});
