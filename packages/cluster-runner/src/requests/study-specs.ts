/** The options of `stickslip study`, for the command itself and for launched ones. */
import { MEASURES } from "@stickslip/core";
import type { OptionSpec } from "../cli/command.js";
import { SCORES } from "./study-request.js";

export const studySpecs: readonly OptionSpec[] = [
	{ name: "output", short: "o", value: "FOLDER", what: "folder for cells, tables, plots and the page" },
	{
		name: "methods",
		value: "LIST",
		what: "methods separated by commas, with settings: auto,apgd:rho=0.5:ratio=no (default all)",
	},
	{ name: "tolerances", value: "LIST", what: "tolerances separated by commas (default 1e-4)" },
	{
		name: "measure",
		value: "NAME",
		what: `measure of the error, one for all methods: ${MEASURES.join(", ")} (default natural)`,
	},
	{ name: "score", value: "NAME", what: `what is compared: ${SCORES.join(", ")} (default seconds)` },
	{ name: "time-limit", value: "S", what: "seconds that a solve may take (default 10)" },
	{ name: "max-iterations", value: "N", what: "iterations that a solve may take" },
	{ name: "repeat", value: "N", what: "solves of a cell, of which the fastest counts (default 1)" },
	{
		name: "jobs",
		value: "N",
		what: "solves at once, each on a core of its own (default 1; launched: one for each rank)",
	},
];
