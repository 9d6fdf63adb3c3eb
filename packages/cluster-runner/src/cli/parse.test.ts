import { describe, expect, it } from "vitest";
import { asNumber } from "./arguments.js";
import type { Command } from "./command.js";
import { commandHelp, wrap } from "./help.js";
import { findCommand, parse } from "./parse.js";

const command: Command = {
	name: "solve",
	usage: "FILE...",
	what: "solves",
	options: [
		{ name: "tolerance", value: "X", what: "the error to reach" },
		{ name: "output", value: "FILE", what: "where to" },
		{ name: "set", value: "NAME=VALUE", what: "an option", repeatable: true },
		{ name: "repeat", value: "N", what: "how often" },
		{ name: "measure", value: "NAME", what: "which" },
		{ name: "json", what: "for programs" },
	],
	notes: "",
	run: async () => 0,
};

describe("parsing", () => {
	it("takes options before, between and after files, with = or a space", () => {
		const given = parse(command, ["--json", "a", "--tolerance=1e-8", "b", "--output", "c", "-"]);
		expect(given.operands).toEqual(["a", "b", "-"]);
		expect([given.flag("json"), given.flag("help")]).toEqual([true, false]);
		expect([given.real("tolerance", "above 0"), given.text("output"), given.text("set")]).toEqual([
			1e-8,
			"c",
			undefined,
		]);
	});

	it("takes everything after -- as files", () => {
		expect(parse(command, ["--", "--json", "-x"]).operands).toEqual(["--json", "-x"]);
	});

	it("keeps all values of an option that may be repeated, and refuses any other twice", () => {
		expect(parse(command, ["--set", "a=1", "--set", "b=2"]).texts("set")).toEqual(["a=1", "b=2"]);
		expect(() => parse(command, ["--tolerance", "1", "--tolerance=2"])).toThrow(
			"solve: --tolerance: is given twice, as 1 and as 2; give it once",
		);
	});

	it.each([
		[["--tolerence", "1"], "solve: --tolerence: unknown option; did you mean --tolerance?"],
		[["--tolerence=1"], "solve: --tolerence: unknown option; did you mean --tolerance?"],
		[["--xyzzyxyzzy"], "solve: --xyzzyxyzzy: unknown option; stickslip solve --help lists all"],
		[["-j"], "solve: -j: unknown option"],
		[["--json=yes"], "solve: --json: takes no value; write --json alone"],
		[["--output"], "solve: --output: needs a value; write --output FILE"],
		[["--output="], "solve: --output: needs a value; write --output FILE"],
		[["--output", "--json"], "solve: --output: needs a value; write --output FILE"],
		[["--__proto__", "x"], "solve: --__proto__: unknown option"],
	])("refuses %j", (words, message) => {
		expect(() => parse(command, words)).toThrow(message);
	});

	it.each([
		["-1", "negative"],
		["0", "zero"],
		["1e-8x", "not a number"],
		["0x10", "not a number"],
		["NaN", "not a number"],
		["1e999", "not a number"],
	])("refuses a tolerance of %s", (text, why) => {
		const read = () => parse(command, ["--tolerance", text]).real("tolerance", "above 0");
		expect(read).toThrow(expect.objectContaining({ place: "--tolerance", problem: `"${text}" is ${why}` }));
	});

	it("names the unit of a value in the remedy", () => {
		const timed = { ...command, options: [{ name: "until", value: "SECONDS", what: "" }] };
		expect(() => parse(timed, ["--until", "-1"]).real("until", "from 0")).toThrow(/ 0 or more seconds$/);
	});

	it("refuses what is not an integer, and what is not a choice", () => {
		for (const text of ["1.5", "0", "10", "x"]) {
			expect(() => parse(command, ["--repeat", text]).integer("repeat", 1, 9, 3)).toThrow(
				expect.objectContaining({ place: "--repeat", remedy: expect.stringContaining("1 to 9") }),
			);
		}
		expect(() => parse(command, ["--measure", "x"]).choice("measure", ["energy", "merit"])).toThrow(
			`solve: --measure: there is no "x"; choose among energy, merit`,
		);
	});

	it("finds a command, or says which was meant", () => {
		expect(findCommand("solve", [command])).toBe(command);
		expect(() => findCommand("slove", [command])).toThrow("did you mean solve?");
	});
});

describe("numbers", () => {
	it("are decimal and whole texts", () => {
		expect(["1", "1e-8", ".5", "1.", "+2", "-3E4"].map(asNumber)).toEqual([1, 1e-8, 0.5, 1, 2, -30000]);
		expect(["", "min", "1 ", "1,5", "0b1", "Infinity"].map(asNumber)).toEqual(Array(6).fill(undefined));
	});
});

describe("help", () => {
	it("names every option", () => {
		const text = commandHelp(command);
		for (const { name } of command.options) expect(text).toContain(`--${name}`);
	});

	it("wraps at spaces and keeps long words whole", () => {
		expect(wrap("aa bb ccccccc d", 5)).toEqual(["aa bb", "ccccccc", "d"]);
	});
});
