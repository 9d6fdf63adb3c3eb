/** The options of `stickslip study`, for the command itself and for launched ones. */
import { MEASURES } from "@stickslip/core";
import { TRANSPORTS } from "../base/transports.js";
import type { OptionSpec } from "../cli/command.js";
import { CALIBRATED_TRANSPORTS } from "./model-request.js";
import { SCORES } from "./study-request.js";

export const studySpecs: readonly OptionSpec[] = [
	{ name: "output", short: "o", value: "FOLDER", what: "folder for cells, tables, plots and the page" },
	{
		name: "methods",
		value: "LIST",
		what: "methods separated by commas, with settings: auto,apgd:rho=0.5:ratio=no (profile: default all, else auto)",
	},
	{ name: "ranks", value: "LIST", what: "numbers of ranks (default 1, 2, 4, ... up to the cores here; predict: 1,2)" },
	{
		name: "transports",
		value: "LIST",
		what: `how ranks communicate: ${TRANSPORTS.join(", ")} (default threads; launched: as placed); calibrate: ${CALIBRATED_TRANSPORTS.join(", ")} (default all that are installed), or none`,
	},
	{ name: "rounds", value: "N", what: "number of rounds, each of all cells (default 3; sensitivity 1)" },
	{ name: "method", value: "NAME", what: "sensitivity: the method, with settings that stay (default pqn)" },
	{
		name: "vary",
		value: "NAME=LIST",
		what: "sensitivity: values of an option, as delta=0.001,0.01,0.1; repeatable",
		repeatable: true,
	},
	{ name: "skip", value: "N", what: "steps of scenes that are left out (default 0)" },
	{ name: "steps", value: "N", what: "steps of scenes that are measured (default 20)" },
	{ name: "part", value: "I/N", what: "measure part I, from 0, of N parts of the cells: for arrays of jobs" },
	{ name: "gather", what: "rebuild the tables from existing cells and list the missing ones" },
	{ name: "retry", what: "measure cells again that failed" },
	{
		name: "tolerances",
		value: "LIST",
		what: "tolerances separated by commas (profile: default 1e-4; else one, default that of the measure)",
	},
	{
		name: "measure",
		value: "NAME",
		what: `measure of the error: ${MEASURES.join(", ")} (profile: default natural, else energy)`,
	},
	{ name: "score", value: "NAME", what: `profile: what is compared: ${SCORES.join(", ")} (default seconds)` },
	{ name: "time-limit", value: "S", what: "time limit of a solve in seconds (profile: default 10)" },
	{ name: "max-iterations", value: "N", what: "iteration limit of a solve" },
	{ name: "repeat", value: "N", what: "profile: repetitions per cell; the fastest is reported (default 1)" },
	{
		name: "jobs",
		value: "N",
		what: "profile: solves at once, each on a core of its own (default 1; launched: one for each rank)",
	},
];
