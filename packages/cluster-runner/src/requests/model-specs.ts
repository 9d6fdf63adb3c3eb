/** The options of `stickslip study calibrate` and `predict` that other studies have not. */
import type { OptionSpec } from "../cli/command.js";
import { WORKS } from "./model-request.js";

export const modelSpecs: readonly OptionSpec[] = [
	{ name: "contacts", value: "N", what: "calibrate: contacts of the pile that work is measured on (default 60000)" },
	{ name: "add", what: "calibrate: keep what FILE has of other transports and methods" },
	{ name: "machine", value: "FILE", what: "predict: constants of this machine, as calibrate wrote them" },
	{ name: "network", value: "NAME", what: "predict: a published network between hosts (default: this machine alone)" },
	{ name: "transport", value: "NAME", what: "predict: of the constants (default threads; with a network openmpi)" },
	{
		name: "ranks-per-host",
		value: "N",
		what: "predict: ranks on each host (default: the cores of the network's hosts)",
	},
	{
		name: "delay",
		value: "MS",
		what: "predict: hosts of this kind, joined by a line that takes so much longer each way",
	},
	{ name: "bandwidth", value: "GBIT", what: "predict: the same, of a line that carries so many gigabits a second" },
	{
		name: "overhead",
		value: "US",
		what: "predict: microseconds that a message on such a line takes a core more at either end",
	},
	{ name: "cores", value: "N", what: "predict: of hosts on such a line, that all of them share (default one each)" },
	{ name: "tiles", value: "N", what: "predict: no file, but a generated graph of tiles with N contacts on each rank" },
	{
		name: "work",
		value: "NAME",
		what: `predict: what computing takes: ${WORKS[0]} of the problem that are timed now (default), or the constants of the ${WORKS[1]}`,
	},
	{ name: "tolerance", value: "X", what: "predict: of the solve whose trace is replayed (default 1e-3)" },
	{ name: "jitter", value: "X", what: "predict: mean share by which work is lengthened at random (default 0.01)" },
	{ name: "seed", value: "N", what: "predict: of the jitter (default 1)" },
	{ name: "json", what: "predict: print one JSON object for each row, and nothing else" },
];
