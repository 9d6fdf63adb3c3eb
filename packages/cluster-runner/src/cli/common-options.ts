/** Options and notes that several commands have. */
import type { OptionSpec } from "./command.js";

export const runsOption: OptionSpec = {
	name: "runs",
	value: "DIR",
	what: "folder of runs (default $STICKSLIP_RUNS, else ~/.stickslip/runs)",
};

export const listenOption: OptionSpec = {
	name: "listen",
	value: "ADDRESS",
	what: "address, network or interface to listen on; without it no public address is used",
};

export const noCapsuleOption: OptionSpec = {
	name: "no-capsule",
	what: "do not save a capsule of a failed solve in the run's folder",
};

export const runNote =
	"RUN is an id, the beginning of one, its last letters, the path of a run's folder, or last (default).";
