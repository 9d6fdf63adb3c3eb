/** `stickslip study`: compares methods over many problems. */
import { mkdirSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DEFAULT_TOLERANCES, InputError, MEASURES, methods } from "@stickslip/core";
import { Interrupt } from "../base/interrupt.js";
import { type Arguments, asNumber } from "../cli/arguments.js";
import type { Command, ExitCode, Terminal } from "../cli/command.js";
import { expand } from "../cli/expand.js";
import { writeWhole } from "../files/write.js";
import { type Profile, profileOf, SCORES } from "../study/profile.js";
import { type StudyResult, studyLines, studyPage } from "../study/profile-page.js";
import { profilePlot } from "../study/profile-plot.js";
import { type ProfileRequest, ProfileStudy } from "../study/run-profile.js";
import { variantsOf } from "../study/variants.js";

const RANKS_MAX = 1024;

export const study: Command = {
	name: "study",
	usage: "profile FILE... --output FOLDER [options]",
	what: "compares methods over many problems: performance profiles",
	options: [
		{ name: "output", short: "o", value: "FOLDER", what: "where cells, tables, plots and page are kept" },
		{
			name: "methods",
			value: "LIST",
			what: "methods by commas, with settings: auto,apgd:rho=0.5:ratio=no (default all)",
		},
		{ name: "tolerances", value: "LIST", what: "tolerances by commas (default 1e-4)" },
		{ name: "measure", value: "NAME", what: `measure of the error: ${MEASURES.join(", ")} (default natural)` },
		{ name: "score", value: "NAME", what: `what is compared: ${SCORES.join(", ")} (default seconds)` },
		{ name: "time-limit", value: "S", what: "seconds that a solve may take (default 10)" },
		{ name: "max-iterations", value: "N", what: "iterations that a solve may take" },
		{ name: "repeat", value: "N", what: "solves of a cell, of which the fastest counts (default 1)" },
		{ name: "ranks", value: "N", what: "solves side by side, one on each core (default all cores)" },
	],
	notes: `
Every problem is solved by every method to every tolerance. FOLDER gets cells.jsonl, a line for each
solve as soon as it is done; profile.csv, one SVG for each tolerance, and profile.html. The same line
again goes on where it was stopped or killed, and solves only what is new after a method, a file or
a tolerance was added. A profile says for which share of the problems a method takes at most so many
times what the best method takes (Dolan and More 2002). Solves side by side disturb each other's
times somewhat: take --ranks 1 for numbers that count.

Exit codes: 0 done, 2 a file could not be read, 75 stopped, with all cells kept.

Example: stickslip study profile problems/*.hdf5 --methods auto,gauss-seidel,apgd -o study
`,
	run,
};

async function run(args: Arguments, terminal: Terminal): Promise<ExitCode> {
	const [kind, ...operands] = args.operands;
	if (kind !== "profile") {
		return args.refuse(
			kind ?? "KIND",
			kind === undefined ? "is missing" : "is not a study",
			"write: study profile FILE...",
		);
	}
	const folder = args.text("output");
	if (folder === undefined) return args.refuse("--output", "is missing", "add --output FOLDER");
	const request = requestOf(args, operands);
	const score = args.choice("score", SCORES) ?? "seconds";
	makeFolder(folder);
	const interrupt = new Interrupt(() => terminal.err("stickslip: stopping; what is done is kept"));
	const profiles = new ProfileStudy(join(folder, "cells.jsonl"), request, interrupt.signal, ({ done, all, last }) => {
		terminal.passing(
			`${done} of ${all}  ${last?.variant ?? ""}  ${last?.problem ?? ""}`.slice(0, terminal.columns - 1),
		);
	});
	try {
		await interrupt.during(() => profiles.run());
	} finally {
		profiles.cells.close();
		terminal.passing("");
	}
	const variants = request.variants.map(({ name }) => name);
	const cells = profiles.results;
	const result: StudyResult = {
		profiles: request.tolerances.map((tolerance): Profile => profileOf(cells, variants, tolerance, score)),
		cells,
		variants,
		score,
		measure: request.measure,
	};
	save(folder, result);
	studyLines(result).forEach(terminal.out);
	if (!profiles.isComplete) {
		terminal.err(`stickslip: stopped; the same line again goes on with what is left`);
		return 75;
	}
	const unread = [...new Set(cells.filter(({ contacts }) => contacts === 0).map(({ reason }) => reason))];
	for (const reason of unread) terminal.err(`stickslip: ${reason}`);
	return unread.length > 0 ? 2 : 0;
}

function requestOf(args: Arguments, operands: readonly string[]): ProfileRequest {
	const files = expand(operands);
	if (files.length === 0) return args.refuse("FILE", "is missing", "name FCLIB files");
	if (files.includes("-")) return args.refuse("-", "cannot be solved many times", "name files");
	const measure = args.choice("measure", MEASURES) ?? "natural";
	const named =
		args.text("methods") ??
		methods()
			.map(({ name }) => name)
			.join(",");
	const tolerances = (args.text("tolerances") ?? "1e-4").split(",").map((text) => {
		const value = asNumber(text.trim());
		if (value !== undefined && value > 0) return value;
		return args.refuse(
			"--tolerances",
			`"${text}" is not a number above 0`,
			`write e.g. ${DEFAULT_TOLERANCES[measure]}`,
		);
	});
	return {
		files,
		variants: variantsOf(args.command, named),
		tolerances: [...new Set(tolerances)],
		measure,
		timeLimit: args.seconds("time-limit", "above 0", 10) ?? 10,
		maxIterations: args.integer("max-iterations", 1, 1e9),
		repeat: args.integer("repeat", 1, 1000) ?? 1,
		ranks: args.integer("ranks", 1, RANKS_MAX),
	};
}

function makeFolder(folder: string): void {
	try {
		mkdirSync(folder, { recursive: true });
	} catch (error) {
		const why = error instanceof Error && "code" in error ? String(error.code) : String(error);
		throw new InputError("study", "--output", `${folder} cannot be made (${why})`, "name another folder");
	}
}

function save(folder: string, result: StudyResult): void {
	const { cells, profiles, score, measure } = result;
	const columns = [
		"problem",
		"variant",
		"tolerance",
		"contacts",
		"status",
		"seconds",
		"iterations",
		"products",
		"error",
		"hash",
	] as const;
	const rows = cells.map((cell) => columns.map((column) => quoted(String(cell[column]))).join(","));
	const files: [string, string][] = [
		["profile.csv", `${[columns.join(","), ...rows].join("\n")}\n`],
		["profile.html", studyPage(result, { date: new Date(), host: hostname(), words: process.argv.slice(2) })],
		...profiles.map((profile): [string, string] => [
			`profile-${profile.tolerance}.svg`,
			profilePlot(profile, score, measure),
		]),
	];
	for (const [name, text] of files) writeWhole(join(folder, name), text);
}

function quoted(text: string): string {
	return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
