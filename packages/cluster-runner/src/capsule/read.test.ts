import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { InputError, Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { goodCapsule as good } from "../../testing/capsule.js";
import { testFolder } from "../../testing/run-cli.js";
import { spoilText } from "../../testing/spoil.js";
import { parseCapsule, readCapsule } from "./read.js";

describe("reading", () => {
	const wrong: readonly (readonly [string, object, string])[] = [
		["no capsule", { stickslip: "report" }, "stickslip"],
		["a newer format", { format: 2 }, "use a newer stickslip"],
		["a format that is not a number", { format: "1" }, "format"],
		["a path upwards", { file: "../pile.hdf5" }, "file"],
		["an absolute path", { file: "/etc/passwd" }, "file"],
		["a path of Windows", { file: "..\\pile.hdf5" }, "file"],
		["a folder", { file: ".." }, "file"],
		["a name with a control character", { file: "a\u001b[2J.hdf5" }, "file"],
		["no file", { file: undefined }, "file"],
		["a status that is none", { status: "done" }, "status"],
		["a hash that is none", { hash: "abc" }, "hash"],
		["options that are none", { options: [] }, "options"],
		["an unknown option", { options: { ranks: 3 } }, "options.ranks"],
		["a negative tolerance", { options: { tolerance: -1 } }, "options.tolerance"],
		["a measure that is none", { options: { measure: "error" } }, "options.measure"],
		["a count that is none", { options: { maxIterations: 1.5 } }, "options.maxIterations"],
		["a setting that is none", { options: { set: { m: {} } } }, "options.set"],
		["a setting by a bad name", { options: { set: JSON.parse('{"__proto__": 3}') } }, "line 1, column "],
	];
	it.each(wrong)("refuses %s in one line", (_, change, place) => {
		const json = JSON.stringify({ ...good, ...change });
		expect(() => parseCapsule(json, "x.json")).toThrow(InputError);
		expect(() => parseCapsule(json, "x.json")).toThrow(new RegExp(`^x\\.json: [^\\n]*${place}[^\\n]*$`));
	});

	it("takes a good one, and what it says beyond that", () => {
		const replay = parseCapsule(JSON.stringify({ ...good, more: 3 }), "x.json");
		expect(replay).toEqual({
			file: good.file,
			options: good.options,
			status: "stalled",
			reason: good.reason,
			hash: good.hash,
		});
	});

	it("refuses a file that is not there, no file, and a problem that is a link or missing", () => {
		const folder = testFolder();
		const path = join(folder, "x.json");
		expect(() => readCapsule(path)).toThrow(expect.objectContaining({ source: path, place: "" }));
		expect(() => readCapsule(folder)).toThrow(/is not a regular file/);
		writeFileSync(path, "{");
		expect(() => readCapsule(path)).toThrow(/line 1, column \d+: is not JSON/);
		writeFileSync(path, JSON.stringify(good));
		expect(() => readCapsule(path)).toThrow(/pile\.hdf5 is not in the same folder/);
		symlinkSync("/etc/passwd", join(folder, "pile.hdf5"));
		expect(() => readCapsule(path)).toThrow(/pile\.hdf5 is not a regular file/);
		mkdirSync(join(folder, "other.hdf5"));
		writeFileSync(path, JSON.stringify({ ...good, file: "other.hdf5" }));
		expect(() => readCapsule(path)).toThrow(/other\.hdf5 is not a regular file/);
		writeFileSync(path, Buffer.alloc(17 * 2 ** 20));
		expect(() => readCapsule(path)).toThrow(/has 17825792 bytes, and 16777216 are the most/);
	});

	it("takes spoilt text for nothing but what it checks (4,000 seeds)", () => {
		const text = JSON.stringify(good, undefined, "\t");
		for (let seed = 0; seed < 4000; seed += 1) {
			try {
				const { file, options } = parseCapsule(spoilText(text, new Random(seed)), "x.json");
				expect(basename(file), `seed ${seed}`).toBe(file);
				expect(
					Object.keys(options).every((name) => Object.hasOwn(good.options, name)),
					`seed ${seed}`,
				).toBe(true);
			} catch (error) {
				expect(error, `seed ${seed}`).toBeInstanceOf(InputError);
				expect(String(error), `seed ${seed}`).not.toContain("\n");
			}
		}
	});
});
