/** The options of `stickslip study calibrate` and `predict` that other studies have not. */
import type { OptionSpec } from "../cli/command.js";
import { WORKS } from "./model-request.js";

export const modelSpecs: readonly OptionSpec[] = [
	{ name: "contacts", value: "N", what: "calibrate: contacts of the pile that work is measured on (default 60000)" },
	{ name: "add", what: "calibrate: keep the other transports and methods of FILE" },
	{ name: "machine", value: "FILE", what: "predict: constants of this machine, as calibrate wrote them" },
	{ name: "network", value: "NAME", what: "predict: a published network between hosts (default: this machine alone)" },
	{
		name: "transport",
		value: "NAME",
		what: "predict: transport whose constants are used (default threads; with a network openmpi)",
	},
	{
		name: "ranks-per-host",
		value: "N",
		what: "predict: ranks on each host (default: the cores of the network's hosts)",
	},
	{
		name: "delay",
		value: "MS",
		what: "predict: one-way network latency between hosts, in ms",
	},
	{ name: "bandwidth", value: "GBIT", what: "predict: network bandwidth between hosts, in Gbit/s" },
	{
		name: "overhead",
		value: "US",
		what: "predict: additional processor time per message at either end, in microseconds",
	},
	{ name: "cores", value: "N", what: "predict: cores of the host, shared by all simulated hosts (default one each)" },
	{ name: "tiles", value: "N", what: "predict: no file, but a generated graph of tiles with N contacts on each rank" },
	{
		name: "work",
		value: "NAME",
		what: `predict: source of computing times: ${WORKS[0]} of the problem, timed now (default), or the constants of the ${WORKS[1]}`,
	},
	{ name: "tolerance", value: "X", what: "predict: tolerance of the solve whose trace is replayed (default 1e-3)" },
	{
		name: "jitter",
		value: "X",
		what: "predict: mean random increase of computing times, as a fraction (default 0.01)",
	},
	{ name: "seed", value: "N", what: "predict: seed of the jitter (default 1)" },
	{ name: "json", what: "predict: print one JSON object for each row, and nothing else" },
];
