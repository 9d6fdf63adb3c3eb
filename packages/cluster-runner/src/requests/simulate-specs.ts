/** The options of `simulate`, as plain data. A launch reads them too, so nothing is loaded here that only a simulation needs. */
import { MEASURES } from "@stickslip/core";
import { SCHEME_NAMES } from "@stickslip/mechanics/scheme";
import type { OptionSpec } from "../cli/command.js";
import { runsOption } from "../cli/common-options.js";
import { rankSpecs } from "./solve-specs.js";

export const simulateSpecs: readonly OptionSpec[] = [
	{ name: "bodies", value: "N", what: "number of bodies of a scene by name" },
	{ name: "kind", value: "NAME", what: "rigid or pseudo-rigid bodies, where a scene has both" },
	{ name: "shape", value: "NAME", what: "shape of the bodies, where a scene has several" },
	{ name: "seed", value: "N", what: "seed of the random numbers of a scene by name" },
	{
		name: "set",
		value: "NAME=VALUE",
		what: "set any option of a scene by name (`stickslip simulate` alone lists them); repeatable",
		repeatable: true,
	},
	{ name: "until", value: "SECONDS", what: "end of the simulation (default as the scene says)" },
	{ name: "steps", value: "N", what: "the same as a number of steps" },
	{ name: "step", value: "SECONDS", what: "length of a step (default as the scene says)" },
	{
		name: "scheme",
		value: "NAME",
		what: `time stepping scheme: ${SCHEME_NAMES.join(", ")} (default as the scene says)`,
	},
	{
		name: "substeps",
		value: "N",
		what: "most parts into which a step is divided if fast bodies are about to meet; 1 for none (default as the scene says, else 16)",
	},
	{ name: "method", value: "NAME", what: "method of all solves: auto or one listed by `stickslip methods`" },
	{ name: "tolerance", value: "X", what: "tolerance of all solves (default: the scene's, else 1e-2)" },
	{ name: "measure", value: "NAME", what: `measure of the error: ${MEASURES.join(", ")} (default energy)` },
	{
		name: "method-set",
		value: "NAME=VALUE",
		what: "set an option of the method; repeatable",
		repeatable: true,
	},
	{
		name: "output",
		short: "o",
		value: "RUN.h5",
		what: "write a run file (HDF5) and RUN.xdmf, which ParaView opens (by its XDMF Reader); a folder that ends in / takes SCENE.h5",
	},
	{
		name: "overwrite",
		what: "replace existing files of --output, --csv, --dump-problems and --write-scene, which are refused otherwise",
	},
	{
		name: "every",
		value: "N",
		what: "store every N-th step (default: as a scene file says, else some 200 steps of the run)",
	},
	{ name: "csv", value: "FILE", what: "write the statistics of each step as a table during the run" },
	{ name: "report", value: "FILE", what: "write an HTML page with plots of the statistics" },
	{ name: "picture", value: "FILE.svg", what: "draw the last stored step, or that of --at; needs --output" },
	{ name: "at", value: "SECONDS", what: "draw the stored step that is nearest to this time" },
	{
		name: "dump-problems",
		value: "WHICH",
		what: "write contact problems as FCLIB files with their guesses: every one, or those that are hard (failed, or many iterations)",
	},
	{ name: "dump-folder", value: "FOLDER", what: "folder of these files (default problems)" },
	{ name: "hard-iterations", value: "N", what: "solves with more iterations than this are hard (default 100)" },
	{
		name: "on-failure",
		value: "WHAT",
		what: "what to do if no remedy solves a step: stop (default), or continue with the best reactions and count the step",
	},
	{
		name: "capsule",
		value: "FOLDER",
		what: "save the problems of failed solves as capsules, for `stickslip solve NAME.json`",
	},
	{ name: "json", what: "print one JSON object at the end, and nothing else on standard output" },
	{
		name: "write-scene",
		value: "FILE.json",
		what: "write the scene as a scene file for editing, and do not simulate it",
	},
	{ name: "schema", what: "print the JSON Schema of scene files" },
	...rankSpecs,
	{
		name: "checkpoint",
		value: "SECONDS",
		what: "make it a run that `stickslip resume` can continue, with a checkpoint at this interval and on Ctrl-C (0: on Ctrl-C only)",
	},
	runsOption,
];
